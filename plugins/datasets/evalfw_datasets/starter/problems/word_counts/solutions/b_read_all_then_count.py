import sys

words = sys.stdin.read().split()
counts = {}
for word in words:
    if word in counts:
        counts[word] += 1
    else:
        counts[word] = 1

ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
for word, count in ranking:
    print(word, count)
