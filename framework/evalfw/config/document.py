"""A YAML file as plain data that remembers where everything was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from evalfw.domain.problem import Json
from evalfw.errors import ConfigError, InputError, Mistake

FieldPath: TypeAlias = tuple[str | int, ...]
"""Keys and 0-based indices from the top of a file to a field, e.g. `("profilers", 0, "stride")`."""

_Entries: TypeAlias = dict[str, tuple[ScalarNode, Node]]

_MAX_DEPTH = 100
_MAX_VALUES = 100_000  # a few lines of aliases to aliases can stand for billions of values

# The scalars of the YAML 1.2 core schema. What matches none of these is text: `no`, `1:30`, `1_000` too.
_SCALARS: tuple[tuple[re.Pattern[str], Callable[[str], Json]], ...] = (
    (re.compile(r"~|null|Null|NULL|"), lambda _: None),
    (re.compile(r"true|True|TRUE"), lambda _: True),
    (re.compile(r"false|False|FALSE"), lambda _: False),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), lambda text: float(text.replace(".", ""))),
)
_COLLECTIONS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_ANCHOR = re.compile(r"&\S+\s*")


@dataclass(frozen=True, slots=True)
class Document:
    """What a YAML file says, and where.

    Args:
        source: The file.
        data: Its content: mappings, lists, text, numbers, booleans and None.
        text: The file as it is written.
        positions: Line and column, 1-based, of every field: of its key in a mapping, of the item in a list.
        spans: Start and end in `text` of every scalar.
    """

    source: Path
    data: Mapping[str, Json]
    text: str = field(repr=False)
    positions: Mapping[FieldPath, tuple[int, int]] = field(repr=False)
    spans: Mapping[FieldPath, tuple[int, int]] = field(repr=False)

    def position(self, path: FieldPath) -> tuple[int, int]:
        """Line and column of a field; for one that is not in the file, of the nearest field around it."""
        while path not in self.positions:
            path = path[:-1]
        return self.positions[path]

    def value(self, path: FieldPath) -> Json:
        """What stands at a field, which has to be there."""
        data: Json = self.data
        for part in path:
            if isinstance(data, Mapping):
                data = data[str(part)]
            elif isinstance(data, list):
                data = data[int(part)]
        return data

    def literal(self, path: FieldPath) -> str | None:
        """The scalar as it is written, `1.10` and not 1.1; None for anything that is not a scalar."""
        if path not in self.spans:
            return None
        start, end = self.spans[path]
        return _ANCHOR.sub("", self.text[start:end], count=1)

    def mistake(self, path: FieldPath, message: str) -> Mistake:
        """A mistake at the position of a field."""
        return Mistake(dotted(path), message, *self.position(path))


def dotted(path: FieldPath) -> str:
    """The name of a field in messages, e.g. `profilers.0.stride`."""
    return ".".join(map(str, path))


def read(path: Path) -> Document:
    """Read a YAML 1.2 file whose top level is a mapping.

    Of YAML, what makes plain data is understood: anchors, aliases and merge keys too, but no tags.

    Raises:
        InputError: There is no such file, or it cannot be read as text.
        ConfigError: It is not YAML, or not plain data; holds every mistake that could be found.
    """
    return parse(path, _text(path))


def parse(source: Path, text: str) -> Document:
    """The same for a text that is there already.

    Args:
        source: What messages call it.
        text: YAML.

    Raises:
        ConfigError: It is not YAML, or not plain data.
    """
    root = _compose(source, text)
    if not isinstance(root, MappingNode):
        found = "nothing" if root is None else "a list" if isinstance(root, SequenceNode) else "a single value"
        raise ConfigError(source, [Mistake("", f"the file holds {found}, but `key: value` fields are needed")])
    walk = _Walk(source, text, positions={(): _place(root)})
    data = walk.mapping(root, (), ())
    if walk.mistakes:
        raise ConfigError(source, sorted(walk.mistakes, key=lambda mistake: (mistake.line or 0, mistake.column or 0)))
    return Document(source, data, text, walk.positions, walk.spans)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        names = [other.name for other in path.parent.glob("*.y*ml")]
        close = get_close_matches(path.name, names, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise InputError(f"{path}: there is no such file{hint}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder, but a YAML file is needed") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(path, [Mistake("", f"not UTF-8 text: {error.reason}", line)]) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _compose(path: Path, text: str) -> Node | None:
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = _MAX_DEPTH
    yaml.composer.warn_double_anchors = False
    try:
        root: Node | None = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        raise ConfigError(path, [Mistake("", _syntax(error), mark.line + 1, mark.column + 1)]) from None
    except ReaderError as error:
        before = text[: error.position]
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the character U+{error.character:04X} is not allowed in YAML"
        raise ConfigError(path, [Mistake("", message, before.count("\n") + 1, column)]) from None
    version = yaml.doc_infos[-1].doc_version
    if version is not None and (version.major, version.minor) != (1, 2):
        message = f"found YAML {version.major}.{version.minor}, but this file is read as YAML 1.2"
        raise ConfigError(path, [Mistake("", message, 1, 1)])
    return root


def _syntax(error: MarkedYAMLError) -> str:
    problem = str(error.problem)
    if "'\\t'" in problem:
        return "a tab cannot indent; use spaces"
    if "another document" in problem:
        return "a second document starts here (`---`), but a file holds one"
    if "maximum depth" in problem:
        return f"nested more than {_MAX_DEPTH} levels deep"
    context = f" ({error.context} that starts in line {error.context_mark.line + 1})" if error.context_mark else ""
    return f"not valid YAML: {problem}{context}"


def _place(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


@dataclass(slots=True)
class _Walk:
    """Turns the nodes of one file into data. `inside` are the nodes around the one at hand."""

    source: Path
    text: str
    positions: dict[FieldPath, tuple[int, int]]
    spans: dict[FieldPath, tuple[int, int]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    known: dict[MappingNode, _Entries] = field(default_factory=dict)

    def mapping(self, node: MappingNode, path: FieldPath, inside: tuple[Node, ...]) -> dict[str, Json]:
        data: dict[str, Json] = {}
        for name, (key, value) in self.entries(node, path, inside).items():
            data[name] = self.field(value, (*path, name), _place(key), (*inside, node))
        return data

    def entries(self, node: MappingNode, path: FieldPath, inside: tuple[Node, ...]) -> _Entries:
        """Keys and values of a mapping; own keys beat merged ones, earlier merged ones later ones."""
        if node in self.known:
            return self.known[node]
        keys: dict[str, ScalarNode] = {}
        own: _Entries = {}
        merged: _Entries = {}
        for key, value in node.value:
            name = self.key(key, path)
            if name is None:
                continue
            if name in keys:
                lines = f"lines {keys[name].start_mark.line + 1} and {key.start_mark.line + 1}"
                self.wrong((*path, name), key, f"the key '{name}' is given twice, in {lines}")
            elif name == "<<" and key.style is None:
                merged = self.merged(value, path, (*inside, node))
            else:
                own[name] = key, value
            keys.setdefault(name, key)
        self.known[node] = merged | own
        return self.known[node]

    def merged(self, node: Node, path: FieldPath, inside: tuple[Node, ...]) -> _Entries:
        entries: _Entries = {}
        for base in node.value if isinstance(node, SequenceNode) else [node]:
            if not isinstance(base, MappingNode):
                self.wrong(path, base, "`<<` merges mappings, usually an alias such as `<<: *base`")
            elif base in inside:
                self.wrong(path, base, f"the anchor '{base.anchor}' contains itself")
            else:
                entries = self.entries(base, path, inside) | entries
        return entries

    def key(self, node: Node, path: FieldPath) -> str | None:
        name = self.scalar(node, path) if isinstance(node, ScalarNode) else None
        if isinstance(name, str):
            return name
        if isinstance(node, ScalarNode) and not self.tagged(node):
            self.wrong(path, node, f"keys are text: put {self.written(node) or 'a name'} in quotes")
        elif not isinstance(node, ScalarNode):
            self.wrong(path, node, "keys are text, but this one is a list or a mapping")
        return None

    def field(self, node: Node, path: FieldPath, place: tuple[int, int], inside: tuple[Node, ...]) -> Json:
        self.positions[path] = place
        if len(self.positions) > _MAX_VALUES:
            message = f"the aliases of this file stand for more than {_MAX_VALUES:,} values"
            raise ConfigError(self.source, [Mistake(dotted(path), message, *place)])
        if node in inside:
            self.wrong(path, node, f"the anchor '{node.anchor}' contains itself")
            return None
        if isinstance(node, ScalarNode):
            self.spans[path] = node.start_mark.index, node.end_mark.index
            return self.scalar(node, path)
        if node.tag not in _COLLECTIONS:
            self.wrong(path, node, f"the tag '{node.tag}' is not understood; only plain YAML is")
            return None
        if isinstance(node, MappingNode):
            return self.mapping(node, path, inside)
        return [
            self.field(item, (*path, index), _place(item), (*inside, node)) for index, item in enumerate(node.value)
        ]

    def scalar(self, node: ScalarNode, path: FieldPath) -> Json:
        if self.tagged(node):
            tag = self.written(node).split()[0]
            self.wrong(path, node, f"the tag '{tag}' is not understood; put text in quotes, use no tags")
            return None
        text = str(node.value)
        if node.style is not None:
            return text
        for pattern, convert in _SCALARS:
            if pattern.fullmatch(text):
                try:
                    return convert(text)
                except ValueError:
                    self.wrong(path, node, f"a number of {len(text):,} digits is too long")
                    return None
        return text

    def tagged(self, node: ScalarNode) -> bool:
        return self.written(node).startswith("!")

    def written(self, node: ScalarNode) -> str:
        return _ANCHOR.sub("", self.text[node.start_mark.index : node.end_mark.index], count=1)

    def wrong(self, path: FieldPath, node: Node, message: str) -> None:
        self.mistakes.append(Mistake(dotted(path), message, *_place(node)))
