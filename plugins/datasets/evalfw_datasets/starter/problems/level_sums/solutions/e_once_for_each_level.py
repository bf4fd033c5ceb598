class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        return [self.sum_of(root, level) for level in range(self.height(root))]

    def height(self, node):
        if node is None:
            return 0
        return 1 + max(self.height(node.left), self.height(node.right))

    def sum_of(self, node, level):
        if node is None:
            return 0
        if level == 0:
            return node.val
        return self.sum_of(node.left, level - 1) + self.sum_of(node.right, level - 1)
