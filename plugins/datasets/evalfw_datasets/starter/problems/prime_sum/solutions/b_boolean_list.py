import sys


def sieve(limit):
    is_prime = [True] * (limit + 1)
    is_prime[0] = False
    if limit >= 1:
        is_prime[1] = False
    p = 2
    while p * p <= limit:
        if is_prime[p]:
            for multiple in range(p * p, limit + 1, p):
                is_prime[multiple] = False
        p += 1
    return [i for i in range(limit + 1) if is_prime[i]]


if __name__ == "__main__":
    n = int(sys.stdin.readline())
    primes = sieve(n)
    print(len(primes), sum(primes))
