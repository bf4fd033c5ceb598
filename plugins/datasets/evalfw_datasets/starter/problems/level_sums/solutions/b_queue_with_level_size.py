from collections import deque


class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        if not root:
            return []
        result = []
        queue = deque([root])
        while queue:
            total = 0
            for _ in range(len(queue)):
                node = queue.popleft()
                total += node.val
                if node.left:
                    queue.append(node.left)
                if node.right:
                    queue.append(node.right)
            result.append(total)
        return result
