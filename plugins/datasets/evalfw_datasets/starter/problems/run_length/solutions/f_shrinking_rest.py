rest = input()
answer = []
while rest:
    first = rest[0]
    shorter = rest.lstrip(first)
    answer.append(first)
    answer.append(str(len(rest) - len(shorter)))
    rest = shorter
print(*answer, sep="")
