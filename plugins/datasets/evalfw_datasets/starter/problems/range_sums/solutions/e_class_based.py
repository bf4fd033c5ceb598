import sys


class RangeSum:
    def __init__(self):
        self.sums = [0]

    def add(self, value):
        self.sums.append(self.sums[-1] + value)

    def query(self, l, r):
        return self.sums[r] - self.sums[l - 1]


def solve():
    data = sys.stdin.read().split()
    n, q = map(int, data[:2])
    table = RangeSum()
    for i in range(2, n + 2):
        table.add(int(data[i]))
    lines = []
    for i in range(q):
        base = n + 2 + 2 * i
        lines.append(str(table.query(int(data[base]), int(data[base + 1]))))
    print("\n".join(lines))


solve()
