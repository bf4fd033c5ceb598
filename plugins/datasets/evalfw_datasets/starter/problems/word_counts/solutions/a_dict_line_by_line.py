import sys


def main():
    counts = {}
    for line in sys.stdin:
        for word in line.split():
            counts[word] = counts.get(word, 0) + 1
    for word in sorted(counts, key=lambda w: (-counts[w], w)):
        print(word, counts[word])


main()
