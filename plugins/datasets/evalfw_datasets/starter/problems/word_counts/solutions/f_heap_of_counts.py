import heapq
import sys


def main():
    text = sys.stdin.read()
    words = text.split()
    seen = set()
    heap = []
    for word in words:
        if word not in seen:
            seen.add(word)
            heapq.heappush(heap, (-words.count(word), word))
    out = []
    while heap:
        count, word = heapq.heappop(heap)
        out.append(word + " " + str(-count))
    print("\n".join(out))


main()
