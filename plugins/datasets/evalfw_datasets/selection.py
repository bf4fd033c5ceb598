"""Which problems of a dataset are meant: the options that every loader has, and what they come to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path

from pydantic import Field

from evalfw import File, InputError, Options, Problem, near


class SelectionOptions(Options):
    """The options `ids`, `difficulty`, `exclude`, `shuffle` and `limit`, applied in this order."""

    ids: list[str] | None = Field(default=None, min_length=1, description="Only these problems; all by default.")
    difficulty: list[str] | None = Field(
        default=None, min_length=1, description="Only problems whose trait `difficulty` is one of these, in any case."
    )
    exclude: File | None = Field(
        default=None,
        description="File that names problems to leave out, as `evalfw dataset check --out` writes it, or with an id "
        "a line and perhaps a reason: `id  # reason`.",
    )
    shuffle: int | None = Field(
        default=None,
        description="Seed of an order by chance, the same everywhere; by default the order of the dataset.",
    )
    limit: int | None = Field(default=None, ge=1, description="At most this many problems, the first ones.")


def select(problems: Iterable[Problem], options: SelectionOptions, base: Path, notes: list[str]) -> Iterator[Problem]:
    """The problems that are meant. Read one at a time; no more is held than is given.

    Args:
        problems: All of the dataset, in its order.
        options: What is asked for.
        base: Folder that the path in `exclude` is meant from.
        notes: Gets what was left out by `exclude`.

    Raises:
        InputError: There is no problem of one of the ids or difficulties, or no use can be made of `exclude`.
    """
    chosen = iter(problems) if options.ids is None else _named(problems, options.ids)
    unseen: set[str] = set()
    if options.difficulty is not None:
        unseen.update(options.difficulty)
        chosen = _as_difficult(chosen, options.difficulty, unseen)
    file = None if options.exclude is None else base / options.exclude
    excluded = {} if file is None else read_exclusions(file)
    met: set[str] = set()
    remaining = _without(chosen, excluded, met)
    if options.shuffle is None:
        yield from islice(remaining, options.limit)
        while unseen and next(remaining, None) is not None:
            pass  # a difficulty that does not exist is a mistake, whatever comes before the limit
    elif options.limit is None:
        yield from sorted(remaining, key=lambda problem: _place(options.shuffle, problem.id))
    else:
        yield from nsmallest(options.limit, remaining, key=lambda problem: _place(options.shuffle, problem.id))
    notes.extend(note for note in _notes(file, excluded, met, whole=_reads_all(options)) if note not in notes)


def read_exclusions(path: Path) -> dict[str, str]:
    """The ids in an exclusion file, each with its reason (empty: none given).

    A line is a JSON object with `problem` and perhaps `reason`, or an id, perhaps followed by blanks, `#` and a
    reason. Empty lines and lines that begin with `#` say nothing.

    Raises:
        InputError: The file cannot be read, or a line of it is neither.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"exclude: {path} cannot be read: {error}") from error
    excluded: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, reason = _object(text, f"{path}:{number}") if text.startswith("{") else _plain(text)
        excluded.setdefault(name, reason)
    return excluded


def _object(text: str, where: str) -> tuple[str, str]:
    try:
        fields = json.loads(text)
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    name, reason = fields.get("problem"), fields.get("reason", "")
    if not isinstance(name, str) or not isinstance(reason, str):
        raise InputError(f"{where}: texts are needed: 'problem', and perhaps 'reason'; found: {', '.join(fields)}")
    return name, reason


def _plain(text: str) -> tuple[str, str]:
    name, *reason = re.split(r"\s+#(?:\s+|$)", text, maxsplit=1)
    return name, "".join(reason)


def _place(seed: int | None, name: str) -> bytes:
    """Where a problem comes in an order by chance: by its id alone, so that it does not depend on the others."""
    return sha256(f"{seed}\0{name}".encode()).digest()


def _as_difficult(problems: Iterable[Problem], wanted: Sequence[str], unseen: set[str]) -> Iterator[Problem]:
    folded = {name.casefold(): name for name in wanted}
    known: set[str] = set()
    for problem in problems:
        difficulty = problem.traits.get("difficulty", "")
        known |= {difficulty} - {""}
        if difficulty.casefold() in folded:
            unseen -= {name for name in unseen if name.casefold() == difficulty.casefold()}
            yield problem
    for name in sorted(unseen):
        raise InputError(f"difficulty: no problem is {name!r}{near(name, known)}")


def _without(problems: Iterable[Problem], excluded: dict[str, str], met: set[str]) -> Iterator[Problem]:
    for problem in problems:
        if problem.id in excluded:
            met.add(problem.id)
        else:
            yield problem


def _reads_all(options: SelectionOptions) -> bool:
    return options.ids is None and options.difficulty is None and (options.limit is None or options.shuffle is not None)


def _notes(file: Path | None, excluded: dict[str, str], met: set[str], whole: bool) -> Iterator[str]:
    if met:
        yield f"{file}: left out {_listed(sorted(met))}"
    if whole and excluded.keys() - met:
        yield f"{file}: names that no problem has: {_listed(sorted(excluded.keys() - met))}"


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names[:5])}{', ...' if len(names) > 5 else ''})"


def _named(problems: Iterable[Problem], ids: Sequence[str]) -> Iterator[Problem]:
    wanted, found, known = set(ids), [], []
    for problem in problems:
        known.append(problem.id)
        if problem.id in wanted:
            found.append(problem)
            if len(found) == len(wanted):
                break
    for unknown in sorted(wanted.difference(known)):
        # A list of all problems of a large dataset would bury the hint.
        close = known if len(known) <= 20 else get_close_matches(unknown, known, n=5, cutoff=0.3)
        raise InputError(f"ids: none of the {len(known)} problems is named {unknown!r}{near(unknown, close)}")
    yield from found
