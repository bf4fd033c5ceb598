from bisect import bisect_right


class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        seen = []
        total = 0
        for x in nums:
            position = bisect_right(seen, x)
            total += len(seen) - position
            seen.insert(position, x)
        return total
