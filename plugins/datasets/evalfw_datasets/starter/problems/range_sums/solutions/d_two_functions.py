import sys


def build_prefix_sums(words, count):
    """Return sums where sums[i] is the total of the first i elements."""
    sums = [0]
    total = 0
    for index in range(2, 2 + count):
        total = total + int(words[index])
        sums.append(total)
    return sums


def answer_queries(words, start, count, sums):
    replies = []
    for index in range(start, start + 2 * count, 2):
        low = int(words[index])
        high = int(words[index + 1])
        difference = sums[high] - sums[low - 1]
        replies.append(str(difference))
    return replies


words = sys.stdin.read().split()
number_of_elements = int(words[0])
number_of_queries = int(words[1])
sums = build_prefix_sums(words, number_of_elements)
replies = answer_queries(words, 2 + number_of_elements, number_of_queries, sums)
print("\n".join(replies))
