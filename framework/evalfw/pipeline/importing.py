"""Answers of models from files of another form, as the model `replay` reads them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from evalfw.domain.problem import Json
from evalfw.errors import InputError

Importer: TypeAlias = Callable[[Path], Iterable[Mapping[str, Json]]]
"""A function from a file to records with `problem_id`, `model`, `index`, `completion` and what else `replay` reads."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was in a file.

    Args:
        models: How many completions each model has, in the order of the file.
        samples: The most that one problem has of one model.
        temperatures: All that occur; None where there is none.
    """

    models: Mapping[str | None, int]
    samples: int
    temperatures: tuple[float | None, ...]


def import_completions(importer: Importer, file: Path, out: Path) -> Imported:
    """Convert a file; `out` appears when all of it is written.

    Raises:
        InputError: The file cannot be read, is of another form or has no completions in it.
    """
    models: Counter[str | None] = Counter()
    temperatures: dict[float | None, None] = {}
    samples = 0
    unfinished = out.with_name(f"{out.name}.tmp")
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with unfinished.open("w", encoding="utf-8") as lines:
            for record in importer(file):
                lines.write(json.dumps(record) + "\n")
                model, index, temperature = (record.get(name) for name in ("model", "index", "temperature"))
                models[model if isinstance(model, str) else None] += 1
                temperatures[temperature if isinstance(temperature, int | float) else None] = None
                samples = max(samples, index + 1 if isinstance(index, int) else 0)
        if not models:
            raise InputError(f"{file}: no completions in it")
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    return Imported(models, samples, tuple(temperatures))
