"""Model `replay`: answers with completions from a file.

The file is JSON Lines, as `evalfw export --format jsonl` writes it. A line is an object with these fields;
others are ignored:

- `problem_id`: text.
- `index`: 0-based number of the sample within its problem, model and temperature. Gaps are fine.
- `completion`: the raw answer, a text; or `code`: a program, which is used where there is no completion.
- `model`: text, optional. Which one is meant must be said where a file has several.
- `temperature`: number, or null (the same as absent) for samples that were not made at a temperature.
- `finish_reason`: text, optional.
- `reasoning`, `input_tokens`, `output_tokens`, `reasoning_tokens`, `seconds`, `served_by`, `fingerprint`, `sent`:
  how the answer came about, all optional.

A line that is not a JSON object, such as one cut off in a write, is left out and counted; an object that
lacks a field is an error. Of several records with the same problem, model, temperature and index, the first
is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from evalfw import Completion, File, InputError, Json, Model, Options, Request, Usage, near
from evalfw_models.fence import fenced
from evalfw_models.missing import missing

Key = tuple[str, str | None, float | None, int]
"""What names a completion: problem, model, temperature, index."""


@dataclass(frozen=True, slots=True)
class RecordedCompletion:
    """One completion of a file; `text` is the raw answer, and the rest as in `Completion`."""

    problem_id: str
    model: str | None
    temperature: float | None
    index: int
    text: str
    finish_reason: str
    reasoning: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float | None = None
    served_by: str | None = None
    fingerprint: str | None = None
    sent: Mapping[str, Json] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What names it."""
        return (self.problem_id, self.model, self.temperature, self.index)


@dataclass(frozen=True, slots=True)
class CompletionFile:
    """What a file of completions holds.

    Args:
        records: In the order of the file, each key once.
        duplicates: How many records were left out because their key was there before.
        conflicts: The keys of those of them that say something else than the first.
        broken_lines: Numbers of the lines that are not JSON objects, counted from 1.
    """

    records: tuple[RecordedCompletion, ...]
    duplicates: int
    conflicts: tuple[Key, ...]
    broken_lines: tuple[int, ...]


def read_completions(path: Path) -> CompletionFile:
    """Read a file of completions; what it may look like is said at the top of this module.

    Raises:
        InputError: The file cannot be read, or one of its objects lacks a field or has a wrong one.
    """
    kept: dict[Key, RecordedCompletion] = {}
    duplicates = 0
    conflicts: dict[Key, None] = {}
    broken_lines: list[int] = []
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                fields = _object(line)
                if fields is None:
                    broken_lines.append(number)
                    continue
                record = _record(fields, f"{path}:{number}")
                first = kept.setdefault(record.key, record)
                if first is not record:
                    duplicates += 1
                    if first != record:
                        conflicts[record.key] = None
    except FileNotFoundError as error:
        raise InputError(missing(path)) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return CompletionFile(tuple(kept.values()), duplicates, tuple(conflicts), tuple(broken_lines))


class ReplayOptions(Options):
    """Options of `replay`."""

    path: File = Field(description="JSON Lines file with completions, as `evalfw export --format jsonl` writes it.")
    model: str | None = Field(
        default=None, description="Which of the models in the file; needed where there are several."
    )


class Replay(Model[ReplayOptions]):
    """Completions that were recorded before, from a file; nothing is generated.

    A request is answered by the record of the same problem, temperature and index. A model none of whose
    records has a temperature makes one condition, whatever temperatures the experiment names.

    What was left out of the file, and why, is said in `notes`.

    Raises:
        InputError: The file cannot be used, or it is not clear which of its models is meant.
    """

    free = True

    def __init__(self, options: ReplayOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self._path = base / options.path
        file = read_completions(self._path)
        self._model = _chosen_model(self._path, file, options.model)
        self._records = {record.key: record for record in file.records if record.model == self._model}
        self._temperatures = {record.temperature for record in self._records.values()}
        self.samples_by_temperature = self._temperatures != {None}
        self.notes.extend(f"{self._path}: {note}" for note in _notes(file))
        if self.samples_by_temperature and None in self._temperatures:
            unused = sum(record.temperature is None for record in self._records.values())
            self.notes.append(f"{self._path}: not used, for others have a temperature and they have none: {unused}")

    @property
    def label(self) -> str | None:
        """Name of the recorded model."""
        return self._model

    def depends_on(self, request: Request) -> str:
        """The recorded text, so that a file that was changed is read again."""
        record = self._record(request)
        return "" if record is None else record.text

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """The recorded completion of each request that has one."""
        for request in requests:
            if request.temperature not in self._temperatures:
                self._note_temperature(request.temperature)
            record = self._record(request)
            if record is not None:
                yield Completion(
                    *(request, record.text, record.finish_reason, record.reasoning, record.usage),
                    *(record.seconds, record.served_by, record.fingerprint, record.sent),
                )

    def _record(self, request: Request) -> RecordedCompletion | None:
        return self._records.get((request.problem.id, self._model, request.temperature, request.index))

    def _note_temperature(self, temperature: float | None) -> None:
        recorded = ", ".join(str(known) for known in sorted(t for t in self._temperatures if t is not None))
        note = f"{self._path}: nothing at temperature {temperature} (recorded: {recorded or 'none'})"
        if note not in self.notes:
            self.notes.append(note)


def _chosen_model(path: Path, file: CompletionFile, wanted: str | None) -> str | None:
    if not file.records:
        raise InputError("; ".join([f"{path}: no completions in it", *_notes(file)]))
    models = {record.model for record in file.records}
    names = [model for model in models if model is not None]
    if wanted is None and len(models) > 1:
        unnamed = ", and records that name none" if None in models else ""
        listed = ", ".join(repr(name) for name in sorted(names))
        raise InputError(
            f"{path}: completions of several models; choose one with `model:` (there are {listed}{unnamed})"
        )
    if wanted is not None and wanted not in names:
        raise InputError(f"{path}: no completions of model {wanted!r}{near(wanted, names)}")
    return wanted if wanted is not None else models.pop()


def _notes(file: CompletionFile) -> Iterator[str]:
    if file.duplicates:
        yield f"repeated records, of which the first is used: {file.duplicates}"
    if file.conflicts:
        yield f"repeated records that differ from the first: {_listed([_name(key) for key in file.conflicts])}"
    if file.broken_lines:
        yield f"lines that are not JSON objects, left out: {_listed([str(line) for line in file.broken_lines])}"


def _name(key: Key) -> str:
    problem_id, _, temperature, index = key
    return f"{problem_id!r} sample {index}" + ("" if temperature is None else f" at temperature {temperature}")


def _listed(items: Sequence[str]) -> str:
    return ", ".join(items[:10]) + (f", and {len(items) - 10} more" if len(items) > 10 else "")


def _object(line: bytes) -> Mapping[str, object] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _record(fields: Mapping[str, object], where: str) -> RecordedCompletion:
    problem_id, index = _required(fields, "problem_id", where), _required(fields, "index", where)
    if not isinstance(problem_id, str):
        raise InputError(f"{where}: problem_id: a text is needed, found {problem_id!r}")
    if type(index) is not int or index < 0:
        raise InputError(f"{where}: index: a whole number from 0 on is needed, found {index!r}")
    completion, code = _text(fields, "completion", where), _text(fields, "code", where)
    if completion is None:
        if code is None:
            raise InputError(f"{where}: a text 'completion' or 'code' is needed (fields found: {', '.join(fields)})")
        completion = fenced(code)
    return RecordedCompletion(
        problem_id=problem_id,
        model=_text(fields, "model", where),
        temperature=_temperature(fields.get("temperature"), where),
        index=index,
        text=completion,
        finish_reason=_text(fields, "finish_reason", where) or "stop",
        reasoning=_text(fields, "reasoning", where) or "",
        usage=Usage(*(_count(fields, f"{kind}_tokens", where) for kind in ("input", "output", "reasoning"))),
        seconds=_seconds(fields.get("seconds"), where),
        served_by=_text(fields, "served_by", where),
        fingerprint=_text(fields, "fingerprint", where),
        sent=_mapping(fields.get("sent"), where),
    )


def _required(fields: Mapping[str, object], name: str, where: str) -> object:
    if name not in fields:
        raise InputError(f"{where}: the field {name!r} is missing (fields found: {', '.join(fields) or 'none'})")
    return fields[name]


def _text(fields: Mapping[str, object], name: str, where: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"{where}: {name}: a text is needed, found {value!r}")


def _temperature(value: object, where: str) -> float | None:
    number = _number(value)
    if number is None and value is not None:
        raise InputError(f"{where}: temperature: a number or null is needed, found {value!r}")
    return number


def _seconds(value: object, where: str) -> float | None:
    number = _number(value)
    if value is not None and (number is None or number < 0):
        raise InputError(f"{where}: seconds: a number from 0 on or null is needed, found {value!r}")
    return number


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
        return float(value)
    return None


def _count(fields: Mapping[str, object], name: str, where: str) -> int | None:
    value = fields.get(name)
    if value is None or (type(value) is int and 0 <= value < 1 << 63):
        return value
    raise InputError(f"{where}: {name}: a whole number from 0 on or null is needed, found {value!r}")


def _mapping(value: object, where: str) -> Mapping[str, Json]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    raise InputError(f"{where}: sent: a mapping or null is needed, found {value!r}")
