import sys

OPENING = "([{"
line = sys.stdin.readline().rstrip()
answer = [0] * len(line)
stack = []
index = 0
for symbol in line:
    if symbol not in OPENING:
        left = stack.pop()
        answer[left] = index
        answer[index] = left
    else:
        stack.append(index)
    index += 1
print(" ".join(map(str, answer)))
