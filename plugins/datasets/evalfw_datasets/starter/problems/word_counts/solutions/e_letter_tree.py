import sys


def insert(root, word):
    node = root
    for letter in word:
        if letter not in node:
            node[letter] = {}
        node = node[letter]
    node["#"] = node.get("#", 0) + 1


def collect(root):
    found = []
    stack = [("", root)]
    while stack:
        prefix, node = stack.pop()
        for key, child in node.items():
            if key == "#":
                found.append((-child, prefix))
            else:
                stack.append((prefix + key, child))
    return found


root = {}
for line in sys.stdin:
    for word in line.split():
        insert(root, word)

for count, word in sorted(collect(root)):
    print(word, -count)
