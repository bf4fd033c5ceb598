def main():
    text = input()
    length = len(text)
    match = [0] * length
    open_positions = []
    for pos in range(length):
        if text[pos] == "(" or text[pos] == "[" or text[pos] == "{":
            open_positions.append(pos)
            continue
        opening = open_positions.pop()
        match[opening] = pos
        match[pos] = opening
    print(" ".join(map(str, match)))


main()
