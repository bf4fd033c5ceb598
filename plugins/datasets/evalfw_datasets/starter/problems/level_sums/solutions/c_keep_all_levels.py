class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        levels = []
        current = [root] if root else []
        while current:
            levels.append(current)
            following = []
            for node in current:
                for child in (node.left, node.right):
                    if child is not None:
                        following.append(child)
            current = following
        return [sum(node.val for node in level) for level in levels]
