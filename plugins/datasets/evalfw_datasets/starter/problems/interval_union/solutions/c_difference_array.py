def main():
    n = int(input())
    size = 4001
    change = [0] * size
    for _ in range(n):
        a, b = map(int, input().split())
        change[a] += 1
        change[b] -= 1

    depth = 0
    length = 0
    for step in change:
        depth += step
        if depth > 0:
            length += 1
    print(length)


main()
