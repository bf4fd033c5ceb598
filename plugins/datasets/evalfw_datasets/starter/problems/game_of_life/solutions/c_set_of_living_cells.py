class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        alive = set()
        for r, row in enumerate(board):
            for c, cell in enumerate(row):
                if cell:
                    alive.add((r, c))

        for r in range(len(board)):
            for c in range(len(board[0])):
                neighbours = 0
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        if (dr or dc) and (r + dr, c + dc) in alive:
                            neighbours += 1
                stays = (r, c) in alive and neighbours == 2
                board[r][c] = 1 if neighbours == 3 or stays else 0
