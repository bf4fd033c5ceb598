import sys
from collections import defaultdict

positions = defaultdict(list)
place = 0
for line in sys.stdin:
    for word in line.split():
        positions[word].append(place)
        place += 1

order = sorted(positions.items(), key=lambda entry: (-len(entry[1]), entry[0]))
print("\n".join(f"{word} {len(where)}" for word, where in order))
