import sys

n = int(sys.stdin.readline())
events = []
for _ in range(n):
    left, right = sys.stdin.readline().split()
    events.append((int(left), 1))
    events.append((int(right), -1))

open_count = 0
answer = 0
previous = 0
for position, kind in sorted(events):
    if open_count > 0:
        answer += position - previous
    open_count += kind
    previous = position
print(answer)
