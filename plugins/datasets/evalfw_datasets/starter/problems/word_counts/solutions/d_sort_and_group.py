import sys
from itertools import groupby


def main():
    words = sorted(sys.stdin.read().split())
    table = []
    for word, group in groupby(words):
        table.append((-len(list(group)), word))
    table.sort()
    for negative_count, word in table:
        print(word, -negative_count)


if __name__ == "__main__":
    main()
