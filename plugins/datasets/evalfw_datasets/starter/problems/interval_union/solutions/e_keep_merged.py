from bisect import bisect_left, bisect_right


def main():
    n = int(input())
    starts = []
    ends = []
    for _ in range(n):
        a, b = map(int, input().split())
        # Everything from lo to hi touches the new interval and is replaced by their union.
        lo = bisect_left(ends, a)
        hi = bisect_right(starts, b)
        if lo < hi:
            a = min(a, starts[lo])
            b = max(b, ends[hi - 1])
        starts[lo:hi] = [a]
        ends[lo:hi] = [b]
    print(sum(ends) - sum(starts))


main()
