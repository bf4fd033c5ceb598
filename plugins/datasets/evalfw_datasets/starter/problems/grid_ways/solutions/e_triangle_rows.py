class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        triangle = [[1]]
        while len(triangle) < rows + cols - 1:
            last = triangle[-1]
            new = [1]
            for k in range(1, len(last)):
                new.append(last[k - 1] + last[k])
            new.append(1)
            triangle.append(new)
        return triangle[rows + cols - 2][rows - 1]
