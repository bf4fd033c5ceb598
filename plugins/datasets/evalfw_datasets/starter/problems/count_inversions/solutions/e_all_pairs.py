class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        count = 0
        n = len(nums)
        for i in range(n):
            for j in range(i + 1, n):
                if nums[i] > nums[j]:
                    count += 1
        return count
