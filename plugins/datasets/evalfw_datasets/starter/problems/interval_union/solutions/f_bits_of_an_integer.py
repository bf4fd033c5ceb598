import sys


def main():
    lines = sys.stdin.readlines()
    mask = 0
    for line in lines[1:]:
        a, b = line.split()
        a = int(a)
        b = int(b)
        mask |= ((1 << (b - a)) - 1) << a
    print(bin(mask).count("1"))


if __name__ == "__main__":
    main()
