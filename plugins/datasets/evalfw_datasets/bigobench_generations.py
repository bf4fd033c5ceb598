"""Importer `bigobench_generations`: the answers of models that BigOBench publishes with its web site.

The file is `model_generations_with_notes.json`: by task (`time`, `space`), `generation`, name of the problem,
complexity class and model, one answer that the authors found correct (`model_output_correct`) and one that they did
not (`model_output_incorrect`), where there was one of the kind; either is null where there was none. A solution of that
class was asked for, so an incorrect one may be a right program of another class. The rest of the file, answers to
other questions, is left alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evalfw import InputError, Json

_MARKS = ("correct", "incorrect")


class _Answers(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, protected_namespaces=())

    model_output_correct: str | None
    model_output_incorrect: str | None


class _Task(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    generation: dict[str, dict[str, dict[str, _Answers]]]


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    time: _Task
    space: _Task


def convert(path: Path) -> Iterator[Mapping[str, Json]]:
    """Answers of the 12 models of BigOBench's web site, from model_generations_with_notes.json.

    Beside what `replay` reads, a record has `task`, `complexity` and `marked`, what the authors say of it. The file
    does not say at which temperature an answer was sampled, so a record has none.

    Raises:
        InputError: The file cannot be read, or is another one.
    """
    try:
        file = _File.model_validate(json.loads(path.read_bytes()))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in wrong["loc"])
        raise InputError(f"{path}: not the generations of BigOBench: {place}: {wrong['msg']}") from error
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from error
    indices: Counter[tuple[str, str]] = Counter()
    for task, part in (("time", file.time), ("space", file.space)):
        for problem, classes in part.generation.items():
            for complexity, models in classes.items():
                for model, answers in models.items():
                    for marked in _MARKS:
                        text = getattr(answers, f"model_output_{marked}")
                        if text is None:
                            continue
                        yield {
                            "problem_id": problem,
                            "model": model,
                            "index": indices[problem, model],
                            "completion": text,
                            "task": task,
                            "complexity": complexity,
                            "marked": marked,
                        }
                        indices[problem, model] += 1
