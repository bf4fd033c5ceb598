"""Primes up to a limit: a sieve of several shapes against trial division."""

from __future__ import annotations

from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe


def render(n: int) -> str:
    """One line with the limit."""
    return f"{n}\n"


def generate(rng: Random, size: int) -> int:
    """The size is the limit; nothing is left to chance."""
    return size


def reference(n: int) -> str:
    """Count and sum by testing every divisor up to the root."""
    primes = [p for p in range(2, n + 1) if all(p % d for d in range(2, int(p**0.5) + 1))]
    return f"{len(primes)} {sum(primes)}\n"


RECIPE = Recipe(
    title="Primes up to a limit",
    topic="sieve against trial division",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=lambda n: n,
    examples=(12, 1, 30),
    sizes=range(120, 1201, 120),
    checker=Checker("tokens"),
)
