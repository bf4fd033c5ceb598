class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        by_depth = {}
        stack = [(root, 0)]
        while stack:
            node, depth = stack.pop()
            if node is None:
                continue
            if depth not in by_depth:
                by_depth[depth] = []
            by_depth[depth].append(node.val)
            stack.append((node.left, depth + 1))
            stack.append((node.right, depth + 1))
        return [sum(by_depth[depth]) for depth in sorted(by_depth)]
