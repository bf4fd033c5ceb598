import sys


def main():
    data = sys.stdin.read().split()
    n = int(data[0])
    width = n + 1
    board = "#".join(data[1:]) + "#" * (width + 1)
    came = bytearray(width * n)
    came[0] = 1
    frontier = [0]
    goal = width * (n - 1) + n - 1
    steps = ((width, 68), (-1, 76), (1, 82), (-width, 85))
    while frontier and not came[goal]:
        following = []
        for place in frontier:
            for offset, code in steps:
                target = place + offset
                if target >= 0 and board[target] == "." and not came[target]:
                    came[target] = code
                    following.append(target)
        frontier = following

    if not came[goal]:
        print(-1)
        return
    back = {68: -width, 76: 1, 82: -1, 85: width}
    letters = bytearray()
    place = goal
    while place != 0:
        letters.append(came[place])
        place += back[came[place]]
    letters.reverse()
    print(len(letters))
    print(letters.decode())


main()
