def encode(text):
    parts = []
    run = 1
    for previous, current in zip(text, text[1:]):
        if current == previous:
            run += 1
        else:
            parts.append(previous + str(run))
            run = 1
    parts.append(text[-1] + str(run))
    return "".join(parts)


print(encode(input()))
