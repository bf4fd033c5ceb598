"""Where the files of a dataset are: at a path that the user names, or on the Hugging Face hub."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from evalfw import File, InputError, Options
from evalfw_datasets.records import data_files, fingerprint


class SourceOptions(Options):
    """The options `path` and `revision`."""

    path: File | None = Field(
        default=None,
        description="File with rows (.parquet, .jsonl, .jsonl.gz, .json), or a folder with files named as on the hub, "
        "such as a copy of its repository. By default the hub is asked.",
    )
    revision: str | None = Field(default=None, description="Commit, tag or branch on the hub; the newest by default.")

    @model_validator(mode="after")
    def _revision_is_of_the_hub(self) -> Self:
        if self.path is not None and self.revision is not None:
            raise ValueError("'revision' is for the hub; it cannot be given together with 'path'")
        return self


class Source:
    """The files of one part of a dataset.

    Args:
        options: The path or the revision.
        base: Folder that a relative path is meant from.
        hub: Dataset on the hub, such as `deepmind/code_contests`.
        pattern: The files there, such as `data/test-*.parquet`.
        stem: How their names begin, such as `test`; what is chosen from a folder, see `data_files`.
    """

    def __init__(self, options: SourceOptions, base: Path, *, hub: str, pattern: str, stem: str) -> None:
        self._path = None if options.path is None else base / options.path
        self._revision, self._hub, self._pattern, self._stem = options.revision, hub, pattern, stem

    @cached_property
    def files(self) -> list[Path]:
        """The file at the path, or those of its folder (or of `data` in it) that begin with the stem, in order.

        Raises:
            InputError: There are none, or the hub cannot be used; says what to fetch and where to put it.
        """
        path = self._snapshot if self._path is None else self._path
        return data_files(path / "data" if (path / "data").is_dir() else path, self._stem)

    def revision(self) -> str:
        """SHA-256 of the files at the path, or the commit on the hub."""
        return f"{self._hub}@{self._snapshot.name}" if self._path is None else fingerprint(self.files)

    @cached_property
    def _snapshot(self) -> Path:
        """The folder, named after the commit, with the files from the hub."""
        try:
            from huggingface_hub import snapshot_download
        except ImportError as error:
            raise self._not_there("its package is not installed: pip install 'evalfw[hub]'") from error
        try:
            folder = Path(
                snapshot_download(self._hub, repo_type="dataset", revision=self._revision, allow_patterns=self._pattern)
            )
        except Exception as error:  # the hub's, its HTTP library's and the system's have no base in common
            raise self._not_there(f"{type(error).__name__}: {error}") from error
        if not any(folder.glob(self._pattern)):  # without a connection, a copy of another part is all there may be
            raise self._not_there(f"{folder} has no such files")
        return folder

    def _not_there(self, reason: str) -> InputError:
        return InputError(
            f"{self._hub} cannot be had from the Hugging Face hub: {reason}\n"
            f"Or download {self._pattern} from https://huggingface.co/datasets/{self._hub} by hand "
            "and name the file or its folder with `path:`."
        )
