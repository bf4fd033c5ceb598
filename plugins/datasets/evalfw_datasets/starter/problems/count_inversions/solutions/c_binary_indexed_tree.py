class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        rank = {value: position + 1 for position, value in enumerate(sorted(set(nums)))}
        tree = [0] * (len(rank) + 1)
        inversions = 0
        for seen, value in enumerate(nums):
            not_larger = 0
            k = rank[value]
            while k > 0:
                not_larger += tree[k]
                k -= k & -k
            inversions += seen - not_larger
            k = rank[value]
            while k < len(tree):
                tree[k] += 1
                k += k & -k
        return inversions
