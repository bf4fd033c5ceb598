from collections import deque


class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        dq = deque()  # indices, their values fall
        out = []
        for i, x in enumerate(nums):
            while dq and dq[0] <= i - k:
                dq.popleft()
            while dq and nums[dq[-1]] <= x:
                dq.pop()
            dq.append(i)
            if i >= k - 1:
                out.append(nums[dq[0]])
        return out
