brackets = input().strip()
result = [0] * len(brackets)
pending = []
k = 0
while k < len(brackets):
    if brackets[k] in ")]}":
        other = pending[-1]
        del pending[-1]
        result[other], result[k] = k, other
    else:
        pending.append(k)
    k += 1
print(" ".join(map(str, result)))
