import sys

a = sys.stdin.read().split()
n = int(a[0])
q = int(a[1])
s = [0]
k = 2
while k < n + 2:
    s.append(s[-1] + int(a[k]))
    k += 1
out = []
while len(out) < q:
    first = int(a[k]) - 1
    last = int(a[k + 1])
    k += 2
    out.append(str(s[last] - s[first]))
print("\n".join(out))
