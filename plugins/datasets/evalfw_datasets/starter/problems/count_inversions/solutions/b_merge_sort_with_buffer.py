class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        values = list(nums)
        buffer = [0] * len(nums)

        def sort(lo, hi):
            if hi - lo < 2:
                return 0
            mid = (lo + hi) // 2
            count = sort(lo, mid) + sort(mid, hi)
            i, j = lo, mid
            for k in range(lo, hi):
                if j == hi or (i < mid and values[i] <= values[j]):
                    buffer[k] = values[i]
                    i += 1
                else:
                    buffer[k] = values[j]
                    j += 1
                    count += mid - i
            values[lo:hi] = buffer[lo:hi]
            return count

        return sort(0, len(nums))
