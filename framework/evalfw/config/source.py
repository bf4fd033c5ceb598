"""From a YAML file to a validated model, or every mistake with its line and column."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from evalfw.config.document import Document, FieldPath, read
from evalfw.config.mistakes import mistakes
from evalfw.errors import ConfigError, Mistake

ModelT = TypeVar("ModelT", bound=BaseModel)


def load_yaml(path: Path, model: type[ModelT]) -> ModelT:
    """Read a YAML 1.2 file as a model, usually one derived from `Options`.

    Raises:
        InputError: There is no such file, or it cannot be read.
        ConfigError: The file is not what the model asks for; holds every mistake, with line and column.
    """
    document = read(path)
    loaded = validate(document, document.data, model)
    if isinstance(loaded, list):
        raise ConfigError(path, loaded)
    return loaded


def validate(
    document: Document,
    data: object,
    model: type[ModelT],
    prefix: FieldPath = (),
    also: Iterable[str] = (),
) -> ModelT | list[Mistake]:
    """The part of a document at `prefix` as a model, or everything that is wrong with it.

    Args:
        document: Where the data comes from.
        data: What is validated.
        model: What it should be.
        prefix: Where in the document the data stands.
        also: Names that are allowed at `prefix` too, for near matches of unknown fields.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        return mistakes(document, error, model, prefix, also)
