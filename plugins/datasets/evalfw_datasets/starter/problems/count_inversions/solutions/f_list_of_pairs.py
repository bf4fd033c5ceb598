from itertools import combinations


class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        inversions = []
        for i, j in combinations(range(len(nums)), 2):
            if nums[i] > nums[j]:
                inversions.append((i, j))
        return len(inversions)
