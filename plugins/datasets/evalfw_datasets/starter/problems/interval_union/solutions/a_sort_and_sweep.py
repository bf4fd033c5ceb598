import sys


def main():
    data = sys.stdin.read().split()
    n = int(data[0])
    intervals = []
    for i in range(n):
        intervals.append((int(data[1 + 2 * i]), int(data[2 + 2 * i])))
    intervals.sort()

    total = 0
    start, end = intervals[0]
    for a, b in intervals[1:]:
        if a > end:
            total += end - start
            start, end = a, b
        elif b > end:
            end = b
    total += end - start
    print(total)


main()
