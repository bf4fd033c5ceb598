class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        row = [1] * cols
        for _ in range(1, rows):
            for j in range(1, cols):
                row[j] += row[j - 1]
        return row[-1]
