"""Draws inputs from a problem's generator. Its text is run in the sandbox, so it imports the standard library only.

`size_of` serves on the other side as well: what comes back from a process that ran untrusted code is measured again.
"""

from __future__ import annotations

import json
import math
import random
import string
import sys
import types
from collections import Counter
from collections.abc import Callable

MAX_TEXT = 4 << 20
"""Characters of one input in its serialised form, and of all inputs of a batch after which it ends."""

_NAMES = ("generate", "generate_test_case", "test_case_generator")


def draw(
    source: str, arity: int | None, primary: int | None, size: int, seed: str, start: int, count: int, wanted: int
) -> dict[str, object]:
    """Draw inputs of one size, each under a seed of its own.

    Args:
        source: Of the generator, see `evalfw.Generator`.
        arity: How many arguments the function has; None for a program.
        primary: Position of the argument whose length is the size.
        size: Wanted, exactly.
        seed: What the seed of each draw begins with.
        start: Number of the first draw.
        count: Draws at most.
        wanted: Different inputs after which to stop.

    Returns:
        `sized`, whether the generator is told the size; `drawn`; `failures`, texts of what draws raised with their
        counts; `largest`, the largest size that came; `fitting`, how many inputs had the size or could be cut to it;
        `inputs`, the different ones among them as JSON texts in the order of their draws. Instead of all that,
        `unusable` where the generator cannot be used at all.
    """
    try:
        sized, make = _load(source)
    except Exception as error:
        return {"unusable": _text(error)}
    failures: Counter[str] = Counter()
    inputs: dict[str, None] = {}
    drawn = fitting = largest = room = 0
    while drawn < count and len(inputs) < wanted and room < MAX_TEXT:
        text = f"{seed}/{start + drawn}"
        drawn += 1
        _seed(text)
        try:
            made = _arguments(make(random.Random(text), size) if sized else make(), arity)
            if not sized:
                largest = max(largest, size_of(made, primary))
                made = _cut(made, primary, size)
                if size_of(made, primary) != size:
                    continue
            serialised = json.dumps(made)
            if len(serialised) > MAX_TEXT:
                raise ValueError(f"an input of more than {MAX_TEXT} characters")
        except (Exception, SystemExit) as error:
            failures[_text(error)] += 1
            continue
        fitting += 1
        if serialised not in inputs:
            inputs[serialised] = None
            room += len(serialised)
    return {
        "sized": sized,
        "drawn": drawn,
        "failures": dict(failures.most_common(3)),
        "largest": largest,
        "fitting": fitting,
        "inputs": list(inputs),
    }


def size_of(made: str | list[object], primary: int | None) -> int:
    """Size of an input: of a program the number of tokens, of a function the length of its primary argument.

    Raises:
        ValueError: That argument has no length.
    """
    if isinstance(made, str):
        return len(made.split())
    argument = made[primary] if primary is not None else None
    if not isinstance(argument, str | list):
        raise ValueError("the argument that tells the size is neither a list nor a text")
    return len(argument)


def _cut(made: str | list[object], primary: int | None, size: int) -> str | list[object]:
    """Cut the primary argument where it is longer than `size`. The text for a program is left as it is."""
    if isinstance(made, str) or primary is None:
        return made
    argument = made[primary]
    assert isinstance(argument, str | list)  # it has been measured
    return [*made[:primary], argument[:size], *made[primary + 1 :]]


def _load(source: str) -> tuple[bool, Callable[..., object]]:
    module = types.ModuleType("generator")
    sys.modules["generator"] = module
    names = module.__dict__
    names.update(random=random, string=string, math=math)
    _seed("")
    exec(compile(source, "<generator>", "exec", dont_inherit=True), names)
    for name in _NAMES:
        if callable(names.get(name)):
            return name == "generate", names[name]
    raise ValueError("it defines neither generate(rng, size) nor generate_test_case()")


def _seed(text: str) -> None:
    random.seed(text)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(random.getrandbits(32))


def _arguments(made: object, arity: int | None) -> str | list[object]:
    """What the generator returned, as the text for a program or the arguments of a function."""
    if arity is None:
        if type(made) is not str:
            raise TypeError(f"the input of a program is a text, not {_named(made)}")
        return made
    whole = type(made) is tuple or (type(made) is list and arity != 1)
    plain = _plain(made)
    if whole and isinstance(plain, list) and len(plain) == arity:
        return plain
    if arity == 1:
        return [plain]
    raise TypeError(f"{arity} arguments are needed, not {_named(made)}")


def _plain(value: object) -> object:
    """The value as JSON gives it back: tuples become lists, and so do sets, in order."""
    kind = type(value)
    if value is None or kind in {bool, int, str}:
        return value
    if kind is float and math.isfinite(value):  # type: ignore[arg-type]
        return value
    if kind in {list, tuple}:
        return [_plain(item) for item in value]  # type: ignore[attr-defined]
    if kind in {set, frozenset}:
        return [_plain(item) for item in sorted(value)]  # type: ignore[call-overload]
    if kind is dict and all(type(key) is str for key in value):  # type: ignore[attr-defined]
        return {key: _plain(item) for key, item in value.items()}  # type: ignore[attr-defined]
    raise TypeError(f"{_named(value)} is not plain data")


def _named(value: object) -> str:
    held = f" of {len(value)}" if type(value) in {list, tuple} else ""  # type: ignore[arg-type]
    return f"a {type(value).__name__}{held}"


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
