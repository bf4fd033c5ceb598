"""Sweeps: an option of a profiler that is given several values, `stride: {sweep: [1, 5, 10]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from evalfw.config.document import Document, FieldPath
from evalfw.config.experiment import Use, is_sweep
from evalfw.domain.problem import Json
from evalfw.errors import Mistake


@dataclass(frozen=True, slots=True)
class Entry:
    """One use of an experiment, to be configured.

    Args:
        path: Where it stands in the file, e.g. `("profilers", 0)`.
        document: The file; of a sweep, as if this setting had been written there.
        use: The use.
        suffix: What its label ends with.
    """

    path: FieldPath
    document: Document
    use: Use
    suffix: str = ""


def entries(document: Document, field: str, uses: Sequence[Use]) -> list[Entry]:
    """The uses of one list of an experiment."""
    return [Entry((field, index), document, use) for index, use in enumerate(uses)]


def settings(entry: Entry) -> Iterator[Entry | Mistake]:
    """The settings that an entry stands for: of several sweeps every combination, the last one varying fastest.

    Their labels end with the values as they are written: `tracemalloc_line stride=5`.

    Yields:
        The entry itself where it has no sweep; what is wrong with its sweeps if anything is.
    """
    document = entry.document
    swept = [(*entry.path, name) for name, value in entry.use.options.items() if is_sweep(value)]
    if not swept:
        yield entry
        return
    wrong = [mistake for path in swept for mistake in _mistakes(document, (*path, "sweep"))]
    if wrong:
        yield from wrong
        return
    places = [_items(document, (*path, "sweep")) for path in swept]
    for chosen in product(*places):
        yield _setting(entry, dict(zip(swept, chosen, strict=True)))


def _items(document: Document, path: FieldPath) -> list[FieldPath]:
    values = document.value(path)
    return [(*path, index) for index in range(len(values))] if isinstance(values, list) else []


def _mistakes(document: Document, path: FieldPath) -> Iterator[Mistake]:
    items = _items(document, path)
    if not items:
        yield document.mistake(path, "a list of one or more values is needed, such as [1, 5, 10]")
    values = [document.value(item) for item in items]
    for index, value in enumerate(values):
        if not isinstance(value, str | int | float) or not str(value).isprintable():
            yield document.mistake(items[index], "a sweep is of numbers and one-line texts")
        elif value in values[:index]:
            yield document.mistake(items[index], f"every value may be given once, but {value!r} is given again")


def _setting(entry: Entry, chosen: Mapping[FieldPath, FieldPath]) -> Entry:
    """The entry in which each swept option, by its path, has the value at another one."""
    document = entry.document
    values = {str(path[-1]): document.value(place) for path, place in chosen.items()}
    written = replace(
        document,
        data=_with_options(document, entry.path, values),
        positions={**document.positions, **{path: document.positions[place] for path, place in chosen.items()}},
        spans={**document.spans, **{path: document.spans[place] for path, place in chosen.items()}},
    )
    suffix = "".join(
        f" {name}={value if isinstance(value, str) else written.literal((*entry.path, name))}"
        for name, value in values.items()
    )
    use = entry.use.model_copy(update={"options": {**entry.use.options, **values}})
    return Entry(entry.path, written, use, suffix)


def _with_options(document: Document, path: FieldPath, values: Mapping[str, Json]) -> Mapping[str, Json]:
    """The data of a file with other options of the entry at a path."""
    field, place = path
    uses = document.value((field,))
    assert isinstance(uses, list)  # it has an entry
    changed = [{**use, **values} if index == place else use for index, use in enumerate(uses)]
    return {**document.data, str(field): changed}
