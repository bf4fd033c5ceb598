def solve():
    n = int(input())
    composites = set()
    primes = []
    for number in range(2, n + 1):
        if number not in composites:
            primes.append(number)
            composites.update(range(number * number, n + 1, number))
    print(len(primes), sum(primes))


solve()
