def main():
    s = input()
    current = s[0]
    length = 0
    for letter in s:
        if letter == current:
            length += 1
        else:
            print(current, length, sep="", end="")
            current = letter
            length = 1
    print(current, length, sep="")


main()
