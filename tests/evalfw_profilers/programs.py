"""Small honest programs, of the kind that models write, each with its input."""

from __future__ import annotations

import json

OWN: dict[str, tuple[str, str]] = {
    "list_growth": (
        """
out = []
for i in range(40):
    out.append([i])
print(len(out))
""",
        "",
    ),
    "two_sum": (
        """
n = int(input())
values = list(map(int, input().split()))
seen = {}
for i, v in enumerate(values):
    if n - v in seen:
        print(seen[n - v], i)
    seen[v] = i
""",
        "500\n" + " ".join(str(i * 37 % 499) for i in range(60)),
    ),
    "read_lines": (
        """
import sys
rows = [line.split() for line in sys.stdin]
total = 0
for row in rows:
    total += int(row[0])
print(total)
""",
        "".join(f"{i} x\n" for i in range(30)),
    ),
    "free_and_regrow": (
        """
a = [0] * 5000
b = 1
a = None
b = 2
a = [0] * 3000
b = 3
a = [0] * 6000
b = 4
""",
        "",
    ),
    "bfs": (
        """
import collections
n = 15
graph = [[] for _ in range(n)]
for i in range(n):
    graph[i].append((i * 7 + 1) % n)
    graph[i].append((i * 3 + 2) % n)
dist = {0: 0}
queue = collections.deque([0])
while queue:
    u = queue.popleft()
    for v in graph[u]:
        if v not in dist:
            dist[v] = dist[u] + 1
            queue.append(v)
print(len(dist))
""",
        "",
    ),
    "tuples_in_heap": (
        """
import heapq
heap = []
for i in range(40):
    heapq.heappush(heap, (i * 31 % 17, i, (i,)))
total = 0
while heap:
    a, b, c = heapq.heappop(heap)
    total += a * b
print(total)
""",
        "",
    ),
    "sieve": (
        """
n = 60
sieve = bytearray([1]) * (n + 1)
primes = []
for p in range(2, n):
    if sieve[p]:
        primes.append(p)
        sieve[p * p :: p] = bytes(len(range(p * p, n + 1, p)))
print(len(primes))
""",
        "",
    ),
    "dp_rows": (
        """
w = 20
dp = [0] * (w + 1)
for item in ((3, 4), (5, 9), (7, 2)):
    new = dp[:]
    for j in range(item[0], w + 1):
        new[j] = max(new[j], dp[j - item[0]] + item[1] * 1000)
    dp = new
""",
        "",
    ),
    "generator": (
        """
def numbers(n):
    for i in range(n):
        yield [i] * i

kept = []
for x in numbers(30):
    if len(x) % 3 == 0:
        kept.append(x)
late = numbers(5)
next(late)
print(sum(map(sum, kept)))
""",
        "",
    ),
    "recursion": (
        """
def depth(n):
    return 1 + depth(n - 1) if n else 0

print(depth(120))
""",
        "",
    ),
    "merge_sort": (
        """
def sort(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    l, r = sort(a[:m]), sort(a[m:])
    out = []
    while l and r:
        out.append((l if l[0] < r[0] else r).pop(0))
    return out + l + r
print(sort([i * 37 % 41 for i in range(20)])[:3])
""",
        "",
    ),
    "classes": (
        """
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

head = None
for i in range(40):
    head = Node(i * 1000, head)
while head:
    head = head.next
""",
        "",
    ),
    "strings": (
        """
words = []
for i in range(40):
    words.append('w%d' % i * (i % 5))
text = ','.join(words)
groups = {}
for w in text.split(','):
    groups.setdefault(len(w), []).append(w)
print(len(groups))
""",
        "",
    ),
    "exceptions": (
        """
bad = 0
kept = []
for i in range(40):
    try:
        kept.append(100 // (i % 4))
    except ZeroDivisionError as error:
        bad += 1
        last = str(error)
print(bad, len(kept))
""",
        "",
    ),
    "cycles": (
        """
class Ring:
    pass
for i in range(150):
    a, b = Ring(), Ring()
    a.other, b.other = b, a
""",
        "",
    ),
    "sorted_by_key": (
        """
def key(pair):
    return -pair[1], [pair[0]]

pairs = [(str(i), i * 7 % 11) for i in range(30)]
pairs.sort(key=key)
best = sorted(pairs, key=lambda p: p[1])[:5]
print(best)
""",
        "",
    ),
}
"""Between their first and last line no Python code but their own runs."""

FOREIGN: dict[str, tuple[str, str]] = {
    "import_from_a_package": (
        """
from collections import deque
queue = deque()
for i in range(30):
    queue.append([i])
while queue:
    queue.popleft()
""",
        "",
    ),
    "deepcopy": (
        """
from copy import deepcopy
grid = [[i] * 5 for i in range(6)]
states = []
for i in range(12):
    states.append(deepcopy(grid))
    grid[i % 6][0] += 1000
print(len(states))
""",
        "",
    ),
    "dataclass": (
        """
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: int

points = []
for i in range(30):
    points.append(Point(i * 1000, [i]))
print(sum(p.x for p in points))
""",
        "",
    ),
    "json": (
        """
import json
data = json.loads(input())
kept = []
for row in data:
    kept.append([row, row['a'] * 1000])
print(json.dumps(kept)[:10])
""",
        json.dumps([{"a": i, "b": "x" * i} for i in range(20)]),
    ),
    "namedtuple": (
        """
from collections import namedtuple
Edge = namedtuple('Edge', 'u v w')
edges = []
for i in range(30):
    edges.append(Edge(i, i * 1000, [i]))
edges.sort(key=lambda e: -e.v)
print(edges[0].u)
""",
        "",
    ),
    "fraction": (
        """
from fractions import Fraction
total = Fraction(0)
terms = []
for i in range(1, 15):
    terms.append(Fraction(1, i))
    total += terms[-1]
print(total)
""",
        "",
    ),
    "cached": (
        """
from functools import lru_cache

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(80))
""",
        "",
    ),
    "counter": (
        """
from collections import Counter
words = 'the quick brown fox jumps over the lazy dog the end'.split()
count = Counter(words)
by_letter = {}
for w in words:
    by_letter.setdefault(w[0], []).append(w * 20)
print(count.most_common(1))
""",
        "",
    ),
    "random": (
        """
import random
values = []
for i in range(30):
    values.append(random.randint(0, 10**6))
print(len(values))
""",
        "",
    ),
    "queue": (
        """
from queue import Queue
q = Queue()
for i in range(20):
    q.put([i])
out = []
while not q.empty():
    out.append(q.get())
print(len(out))
""",
        "",
    ),
    "regex": (
        """
import re
found = []
for i in range(10):
    found.extend(re.findall('a+b', 'aab' * i))
print(len(found))
""",
        "",
    ),
}
"""Code of the standard library runs in between."""
