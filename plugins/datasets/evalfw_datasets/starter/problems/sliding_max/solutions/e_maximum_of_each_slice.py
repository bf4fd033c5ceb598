class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        answer = []
        for start in range(len(nums) - k + 1):
            window = nums[start:start + k]
            best = max(window)
            answer.append(best)
        return answer
