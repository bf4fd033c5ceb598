import sys


def main():
    tokens = sys.stdin.read().split()
    n, q = int(tokens[0]), int(tokens[1])
    cumulative = [0]
    for position in range(2, n + 2):
        cumulative.append(cumulative[-1] + int(tokens[position]))
    results = []
    for position in range(n + 2, n + 2 + 2 * q, 2):
        left, right = int(tokens[position]), int(tokens[position + 1])
        results.append(str(cumulative[right] - cumulative[left - 1]))
    print("\n".join(results))


if __name__ == "__main__":
    main()
