from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalfw.config.document import Document, read
from evalfw.errors import ConfigError, InputError


def document(tmp_path: Path, text: str | bytes) -> Document:
    path = tmp_path / "x.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path)


def errors(tmp_path: Path, text: str | bytes) -> list[tuple[int | None, int | None, str]]:
    with pytest.raises(ConfigError) as caught:
        document(tmp_path, text)
    return [(mistake.line, mistake.column, mistake.message) for mistake in caught.value.mistakes]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, None) for text in ("", "~", "null", "Null", "NULL")),
        *((text, True) for text in ("true", "True", "TRUE")),
        *((text, False) for text in ("false", "False", "FALSE")),
        *((text, text) for text in ("no", "yes", "on", "off", "y", "N", "nUll", "tRue")),
        *((text, text) for text in ("1:30", "1:30:00", "1_000", "0b11", "2020-01-01", "=", "0o8", "1e", ".")),
        *(("010", 10), ("08", 8), ("+3", 3), ("-0", 0), ("0o17", 15), ("0x1F", 31)),
        *(("1e-3", 0.001), ("1e1", 10.0), ("1.10", 1.1), ("1.", 1.0), (".5", 0.5), ("-1.5E+2", -150.0)),
        *((".inf", float("inf")), ("-.INF", float("-inf")), ("1e999", float("inf"))),
        *(
            ("'1'", "1"),
            ('"no"', "no"),
            ("'~'", "~"),
            ("''", ""),
            ("|\n  1", "1"),
            (">-\n  a\n  b", "a b"),
        ),
        *(("a\n  b", "a b"), ("[]", []), ("{}", {}), ("[1, [no]]", [1, ["no"]])),
    ],
)
def test_scalars_are_those_of_yaml_1_2(tmp_path: Path, text: str, value: object) -> None:
    found = document(tmp_path, f"a: {text}").data["a"]
    assert found == value
    assert type(found) is type(value)


_TEXT = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXT
_DATA = st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(_TEXT, inner), max_leaves=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(_TEXT, _DATA))
def test_json_is_yaml(tmp_path: Path, data: dict[str, object]) -> None:
    assert document(tmp_path, json.dumps(data, ensure_ascii=False, indent=1)).data == data


_TOKENS = [
    "a",
    ": ",
    ", ",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "&x ",
    "*x",
    "<<: ",
    "!t ",
    "'",
    '"',
    "|",
    "# ",
]
_TOKENS += ["? ", "%YAML 1.2\n", "---\n", "...\n", "\t", "\r", "1.", "~", "@", "\\", "\u2028", "\0"]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(_TOKENS), max_size=15).map("".join))
def test_any_text_is_read_or_refused_with_a_place(tmp_path: Path, text: str) -> None:
    try:
        found = document(tmp_path, text)
    except ConfigError as error:
        assert all(mistake.message for mistake in error.mistakes)
    else:
        assert all(
            line <= text.count("\n") + text.count("\r") + text.count("\u2028") + 1
            for line, _ in found.positions.values()
        )


def test_positions_are_of_keys_and_items(tmp_path: Path) -> None:
    read_ = document(tmp_path, "a: 1\nb:\n  - {c: 1.10, d: x}\n  - [5, 'no']\ne:\nf: &f  2e-1\n")
    assert read_.position(()) == (1, 1)
    assert read_.position(("a",)) == (1, 1)
    assert read_.position(("b",)) == (2, 1)
    assert read_.position(("b", 0)) == (3, 5)
    assert read_.position(("b", 0, "d")) == (3, 15)
    assert read_.position(("b", 1, 1)) == (4, 9)
    assert read_.position(("e",)) == (5, 1)
    assert read_.position(("b", 0, "missing", 3)) == (3, 5), "the nearest that is there"
    assert read_.literal(("b", 0, "c")) == "1.10"
    assert read_.literal(("b", 1, 1)) == "'no'"
    assert read_.literal(("f",)) == "2e-1"
    assert read_.literal(("e",)) == ""
    assert read_.literal(("b",)) is None
    assert read_.literal(("missing",)) is None


@pytest.mark.parametrize("text", ["\ufeffa: 1\r\nb: 2.50\r\n", "# é 😀\na: 1\nb: 2.50", "---\na: 1\nb: 2.50\n...\n"])
def test_byte_order_marks_line_ends_and_wide_characters(tmp_path: Path, text: str) -> None:
    read_ = document(tmp_path, text)
    assert read_.data == {"a": 1, "b": 2.5}
    assert read_.literal(("b",)) == "2.50"
    assert read_.position(("b",))[1] == 1


def test_aliases_and_merge_keys(tmp_path: Path) -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: *a\nd: {x: 9, <<: *a}\ne:\n  <<: [*a, *b]\n  z: 5\n"
    read_ = document(tmp_path, text + "f: {<<: {<<: *b, y: 0}}\ng: {'<<': 1}\nh: {<<: []}\ni: &a 7\nj: *a\n")
    assert read_.data == {
        "a": {"x": 1, "y": 2},
        "b": {"y": 3, "z": 4},
        "c": {"x": 1, "y": 2},
        "d": {"x": 9, "y": 2},
        "e": {"x": 1, "y": 2, "z": 5},
        "f": {"y": 0, "z": 4},
        "g": {"<<": 1},
        "h": {},
        "i": 7,
        "j": 7,
    }
    assert read_.position(("d", "x")) == (4, 5)
    assert read_.position(("d", "y")) == (1, 14), "a merged key stands where it was written"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a: 1\nb: 2\na: 3", 3, 1, "the key 'a' is given twice, in lines 1 and 3"),
        ("a:\n  - {b: 1, b: 2}", 2, 12, "the key 'b' is given twice, in lines 2 and 2"),
        ("a: 1\n'a': 1", 2, 1, "the key 'a' is given twice, in lines 1 and 2"),
        ("x: &x {a: 1}\ny: {<<: *x, <<: *x}", 2, 13, "the key '<<' is given twice"),
        ("1: a", 1, 1, "keys are text: put 1 in quotes"),
        ("a: {1.10: b}", 1, 5, "keys are text: put 1.10 in quotes"),
        ("true: a", 1, 1, "keys are text: put true in quotes"),
        (": a", 1, 1, "keys are text: put a name in quotes"),
        ("? [a]\n: b", 1, 3, "keys are text, but this one is a list or a mapping"),
        ("a: !mine 5", 1, 4, "the tag '!mine' is not understood; put text in quotes"),
        ("a: &x !!str 5", 1, 4, "the tag '!!str' is not understood"),
        (
            "a: !!python/object:os.system {}",
            1,
            4,
            "the tag 'tag:yaml.org,2002:python/object:os.system' is not",
        ),
        ("a: !!set {b}", 1, 4, "the tag 'tag:yaml.org,2002:set' is not understood"),
        ("a: ! 5", 1, 4, "the tag '!' is not understood"),
        ("!x b: 1", 1, 1, "the tag '!x' is not understood"),
        ("a: &a [*a]", 1, 4, "the anchor 'a' contains itself"),
        ("a: &a {b: {c: *a}}", 1, 4, "the anchor 'a' contains itself"),
        ("a: &a {<<: *a}", 1, 4, "the anchor 'a' contains itself"),
        ("a: {<<: 5}", 1, 9, "`<<` merges mappings"),
        ("a: *b", 1, 4, "not valid YAML: found undefined alias 'b'"),
        ("a: 1\n---\nb: 2", 2, 1, "a second document starts here (`---`), but a file holds one"),
        ("a: 1\nb:\n\tc: 2", 3, 1, "a tab cannot indent; use spaces"),
        ("a:\n  b: [1,\nc: 2", 3, 5, "not valid YAML: "),
        ("a: b: c", 1, 5, "not valid YAML: mapping values are not allowed here"),
        (
            "a: 'b\n",
            2,
            1,
            "not valid YAML: found unexpected end of stream (while scanning a quoted scalar that starts",
        ),
        ("a: 1\nb: x\0", 2, 5, "the character U+0000 is not allowed in YAML"),
        ("%YAML 1.1\n---\na: no", 1, 1, "found YAML 1.1, but this file is read as YAML 1.2"),
        ("a: " + "[" * 200 + "]" * 200, 1, 103, "nested more than 100 levels deep"),
        ("a: " + "9" * 5000, 1, 4, "a number of 5,000 digits is too long"),
    ],
)
def test_a_mistake_has_line_and_column(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    ((found_line, found_column, found),) = errors(tmp_path, text)
    assert message in found
    assert (found_line, found_column) == (line, column)


def test_all_mistakes_are_collected_in_order(tmp_path: Path) -> None:
    found = errors(tmp_path, "a: !x 1\n2: b\nc: {d: 1, d: 2}\na: 3\n")
    assert [line for line, _, _ in found] == [1, 2, 3, 4]


def test_a_few_lines_cannot_stand_for_billions(tmp_path: Path) -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    ((_, _, message),) = errors(tmp_path, "\n".join(lines))
    assert message == "the aliases of this file stand for more than 100,000 values"


def test_merging_what_was_merged_is_no_more_work(tmp_path: Path) -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, 30)]
    assert document(tmp_path, "\n".join(lines)).data["a29"] == {"x": 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "nothing"),
        ("# only a comment\n", "nothing"),
        ("---\n", "a single value"),
        ("- a\n", "a list"),
        ("a", "a single value"),
    ],
)
def test_the_top_level_is_a_mapping(tmp_path: Path, text: str, found: str) -> None:
    ((_, _, message),) = errors(tmp_path, text)
    assert message == f"the file holds {found}, but `key: value` fields are needed"


def test_a_file_that_is_no_utf_8(tmp_path: Path) -> None:
    ((line, _, message),) = errors(tmp_path, b"a: 1\nb: \xe9\n")
    assert line == 2
    assert message.startswith("not UTF-8 text")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "experiment.yaml").write_text("a: 1\n")
    with pytest.raises(InputError, match=r"experimnt\.yaml: there is no such file; did you mean 'experiment\.yaml'\?"):
        read(tmp_path / "experimnt.yaml")
    with pytest.raises(InputError, match=r"nowhere/x\.yaml: there is no such file$"):
        read(tmp_path / "nowhere" / "x.yaml")
    with pytest.raises(InputError, match="this is a folder, but a YAML file is needed"):
        read(tmp_path)
    with pytest.raises(InputError, match="cannot be read: Not a directory"):
        read(tmp_path / "experiment.yaml" / "x.yaml")
