def prime_stream():
    """Yield the primes one after the other; `witnesses` maps a composite to the primes that divide it."""
    witnesses = {}
    q = 2
    while True:
        if q not in witnesses:
            yield q
            witnesses[q * q] = [q]
        else:
            for p in witnesses.pop(q):
                witnesses.setdefault(p + q, []).append(p)
        q += 1


def main():
    n = int(input())
    count = 0
    total = 0
    for p in prime_stream():
        if p > n:
            break
        count += 1
        total += p
    print(count, total)


main()
