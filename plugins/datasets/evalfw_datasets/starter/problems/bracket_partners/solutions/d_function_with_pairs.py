PAIRS = {")": "(", "]": "[", "}": "{"}


def find_partners(sequence):
    """Return the list of partner positions of a balanced sequence."""
    partners = [0] * len(sequence)
    stack = []
    for position in range(len(sequence)):
        is_closing = sequence[position] in PAIRS
        if is_closing:
            start = stack.pop()
            partners[start] = position
            partners[position] = start
        else:
            stack.append(position)
    return partners


if __name__ == "__main__":
    print(" ".join(map(str, find_partners(input()))))
