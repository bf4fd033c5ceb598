class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        width = len(board[0])
        above = [0] * (width + 2)
        here = [0] + board[0] + [0]
        for r in range(len(board)):
            if r + 1 < len(board):
                below = [0] + board[r + 1] + [0]
            else:
                below = [0] * (width + 2)
            for c in range(width):
                total = sum(above[c:c + 3]) + sum(here[c:c + 3]) + sum(below[c:c + 3])
                if total == 3:
                    board[r][c] = 1
                elif total != 4:
                    board[r][c] = 0
            above, here = here, below
