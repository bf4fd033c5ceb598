class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        windows = [nums[i:i + k] for i in range(len(nums) - k + 1)]
        return [max(window) for window in windows]
