class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        # The number of ways is (rows + cols - 2) over (rows - 1).
        result = 1
        for i in range(1, rows):
            result = result * (cols - 1 + i) // i
        return result
