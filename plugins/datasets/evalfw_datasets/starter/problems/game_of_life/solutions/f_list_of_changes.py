class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        rows, cols = len(board), len(board[0])
        directions = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
        changes = []
        for r in range(rows):
            for c in range(cols):
                live = 0
                for dr, dc in directions:
                    nr, nc = r + dr, c + dc
                    if 0 <= nr < rows and 0 <= nc < cols:
                        live += board[nr][nc]
                if board[r][c] == 1 and live not in (2, 3):
                    changes.append((r, c, 0))
                elif board[r][c] == 0 and live == 3:
                    changes.append((r, c, 1))
        for r, c, value in changes:
            board[r][c] = value
