def main():
    n = int(input())
    composite = bytearray(n + 1)
    count = 0
    total = 0
    for i in range(2, n + 1):
        if composite[i]:
            continue
        count += 1
        total += i
        for j in range(i * i, n + 1, i):
            composite[j] = 1
    print(count, total)


main()
