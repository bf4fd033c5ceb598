from bisect import bisect_left, insort


class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        window = sorted(nums[:k])
        maxima = [window[-1]]
        for old, new in zip(nums, nums[k:]):
            del window[bisect_left(window, old)]
            insort(window, new)
            maxima.append(window[-1])
        return maxima
