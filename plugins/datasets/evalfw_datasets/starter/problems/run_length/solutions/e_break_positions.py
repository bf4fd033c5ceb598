text = input()
n = len(text)
letters = list(text)
breaks = [i for i in range(n) if i == 0 or letters[i] != letters[i - 1]]
breaks.append(n)
pieces = []
for k in range(len(breaks) - 1):
    start, end = breaks[k], breaks[k + 1]
    pieces.append(f"{letters[start]}{end - start}")
print("".join(pieces))
