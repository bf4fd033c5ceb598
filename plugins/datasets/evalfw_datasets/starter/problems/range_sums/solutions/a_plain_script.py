import sys

data = sys.stdin.read().split()
n = int(data[0])
q = int(data[1])

prefix = [0]
for i in range(n):
    prefix.append(prefix[i] + int(data[2 + i]))

answers = []
for j in range(q):
    l = int(data[2 + n + 2 * j])
    r = int(data[3 + n + 2 * j])
    answers.append(str(prefix[r] - prefix[l - 1]))

print("\n".join(answers))
