def is_prime(x):
    if x < 2:
        return False
    if x % 2 == 0:
        return x == 2
    d = 3
    while d * d <= x:
        if x % d == 0:
            return False
        d += 2
    return True


n = int(input())
count = total = 0
for x in range(2, n + 1):
    if is_prime(x):
        count += 1
        total += x
print(count, total)
