class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        memo = {}

        def ways(r, c):
            if r == 1 or c == 1:
                return 1
            if (r, c) in memo:
                return memo[(r, c)]
            memo[(r, c)] = ways(r - 1, c) + ways(r, c - 1)
            return memo[(r, c)]

        return ways(rows, cols)
