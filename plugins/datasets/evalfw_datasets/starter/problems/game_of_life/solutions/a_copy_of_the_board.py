class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        old = [row[:] for row in board]
        rows, cols = len(board), len(board[0])
        for r in range(rows):
            for c in range(cols):
                live = -old[r][c]
                for i in range(max(0, r - 1), min(rows, r + 2)):
                    live += sum(old[i][max(0, c - 1):c + 2])
                if live == 3 or (live == 2 and old[r][c] == 1):
                    board[r][c] = 1
                else:
                    board[r][c] = 0
