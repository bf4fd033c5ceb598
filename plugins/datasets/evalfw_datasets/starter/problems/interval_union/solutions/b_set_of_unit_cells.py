n = int(input())
covered = set()
for _ in range(n):
    a, b = map(int, input().split())
    for x in range(a, b):
        covered.add(x)
print(len(covered))
