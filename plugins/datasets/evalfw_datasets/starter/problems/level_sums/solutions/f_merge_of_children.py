from itertools import zip_longest


class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        if root is None:
            return []
        left = self.level_sums(root.left)
        right = self.level_sums(root.right)
        return [root.val] + [a + b for a, b in zip_longest(left, right, fillvalue=0)]
