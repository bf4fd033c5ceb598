s = input()
partner = [0] * len(s)
stack = []
for i, ch in enumerate(s):
    if ch in "([{":
        stack.append(i)
    else:
        j = stack.pop()
        partner[i] = j
        partner[j] = i
print(" ".join(map(str, partner)))
