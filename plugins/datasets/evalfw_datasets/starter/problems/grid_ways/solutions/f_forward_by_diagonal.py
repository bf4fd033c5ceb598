class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        frontier = {(0, 0): 1}
        for _ in range(rows + cols - 2):
            reached = {}
            for (r, c), count in frontier.items():
                if r + 1 < rows:
                    reached[r + 1, c] = reached.get((r + 1, c), 0) + count
                if c + 1 < cols:
                    reached[r, c + 1] = reached.get((r, c + 1), 0) + count
            frontier = reached
        return frontier[rows - 1, cols - 1]
