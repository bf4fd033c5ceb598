import sys


def main():
    s = sys.stdin.readline().strip()
    stack = []
    for ch in s:
        if stack and stack[-1][0] == ch:
            stack[-1][1] += 1
        else:
            stack.append([ch, 1])
    print("".join(ch + str(count) for ch, count in stack))


main()
