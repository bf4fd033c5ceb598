from collections import defaultdict


class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        counts = defaultdict(int)
        rows = len(board)
        cols = len(board[0])
        for r in range(rows):
            for c in range(cols):
                if board[r][c] == 0:
                    continue
                for i in (r - 1, r, r + 1):
                    for j in (c - 1, c, c + 1):
                        if (i, j) != (r, c):
                            counts[i, j] += 1
        for r in range(rows):
            for c in range(cols):
                n = counts[r, c]
                board[r][c] = int(n == 3 or (n == 2 and board[r][c] == 1))
