from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalfw import InputError
from evalfw_datasets.records import data_files, fingerprint, read_records

ROWS: list[dict[str, object]] = [
    {"name": "a", "tests": {"input": ["1\n"], "output": []}},
    {"name": "ü\u2028", "n": 10**20},
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def _lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_json_lines(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.jsonl", b"\n" + _lines(ROWS[:1]) + b"  \n" + _lines(ROWS[1:]))
    records = list(read_records(path))
    assert [record.data for record in records] == ROWS
    assert [record.where for record in records] == [f"{path}:2", f"{path}:4"]


def test_json_lines_without_final_line_feed_and_with_carriage_returns(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.jsonl", b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}')
    assert [record.data for record in read_records(path)] == [{"a": 1}, {"a": 2}]


def test_escaped_pair_is_text(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.jsonl", rb'{"a": "\ud83d\ude00"}')
    assert [record.data for record in read_records(path)] == [{"a": "\U0001f600"}]


def test_gzipped_json_lines(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.jsonl.gz", gzip.compress(_lines(ROWS)))
    assert [(record.data, record.where) for record in read_records(path)] == [
        (ROWS[0], f"{path}:1"),
        (ROWS[1], f"{path}:2"),
    ]


def test_json_list_and_single_object(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.json", json.dumps(ROWS).encode())
    assert [(record.data, record.where) for record in read_records(path)] == [
        (ROWS[0], f"{path}: item 1"),
        (ROWS[1], f"{path}: item 2"),
    ]
    path = _write(tmp_path / "row.json", json.dumps(ROWS[0], indent=1).encode())
    assert [(record.data, record.where) for record in read_records(path)] == [(ROWS[0], str(path))]


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    rows = [{"name": f"p{n}", "tests": {"input": ["1\n"] * (n % 3)}, "unwanted": "x"} for n in range(70)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert [record.data for record in read_records(path)] == rows
    slim = list(read_records(path, without=("unwanted", "absent")))
    assert slim[69].data == {"name": "p69", "tests": {"input": []}}
    assert slim[69].where == f"{path}: row 70"


@settings(deadline=None, max_examples=50)  # each example is a file
@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=4))
def test_json_lines_round_trip(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]) -> None:
    path = _write(tmp_path_factory.mktemp("rows") / "rows.jsonl", _lines(rows))
    assert [record.data for record in read_records(path)] == rows


def test_records_come_one_at_a_time(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.jsonl", _lines(ROWS[:1]) + b"broken\n")
    records = read_records(path)
    assert next(records).data == ROWS[0]
    with pytest.raises(InputError, match=":2: not JSON"):
        next(records)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"a": 1', "not JSON: Expecting ',' delimiter (column 8)"),
        (b'{"a": NaN}', "not JSON that can be read: NaN is not a JSON number"),
        (b'{"a": "\xff"}', "not JSON that can be read: 'utf-8' codec can't decode"),
        (rb'{"a": ["\ud835"]}', "not JSON that can be read: 'utf-8' codec can't encode character '\\ud835'"),
        (b'{"\xed\xa0\xb5": 1}', "not JSON that can be read: 'utf-8' codec can't encode character '\\ud835'"),
        (b"[" * 100_000, "not JSON that can be read: maximum recursion depth"),
        (b"[1, 2]", "an object with named fields is needed, found a list"),
        (b"null", "an object with named fields is needed, found a NoneType"),
    ],
    ids=["cut", "nan", "not-utf-8", "half-a-pair", "half-a-pair-raw", "deep", "list", "null"],
)
def test_broken_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = _write(tmp_path / "rows.jsonl", b'{"a": 1}\n' + line + b"\n")
    with pytest.raises(InputError) as raised:
        list(read_records(path))
    assert str(raised.value).startswith(f"{path}:2: {message}")


def test_broken_json_names_line_and_column(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.json", b'[{"a": 1},\n {"a" 2}]')
    with pytest.raises(InputError, match=r"rows\.json: not JSON: .* \(line 2, column 7\)"):
        list(read_records(path))
    path = _write(tmp_path / "rows.json", b'[{"a": 1}, 2]')
    with pytest.raises(InputError, match=r"rows\.json: item 2: an object .* found a int"):
        list(read_records(path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl.gz", b"plain text"),
        ("rows.jsonl.gz", gzip.compress(_lines(ROWS))[:-12]),
        ("rows.jsonl.gz", gzip.compress(_lines(ROWS))[:12] + b"\xff" * 40),
        ("rows.parquet", b"plain text"),
    ],
    ids=["not-gzip", "cut-gzip", "broken-gzip", "not-parquet"],
)
def test_file_that_is_not_what_it_says(tmp_path: Path, name: str, content: bytes) -> None:
    path = _write(tmp_path / name, content)
    with pytest.raises(InputError) as raised:
        list(read_records(path))
    assert str(raised.value).startswith(f"{path}: ")


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"Parquet needs pyarrow; install it with: pip install 'evalfw\[parquet\]'"):
        list(read_records(tmp_path / "rows.parquet"))


def test_unknown_kind_of_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "rows.csv", b"a,b\n")
    message = r"rows\.csv: unknown kind of file \(allowed: \.jsonl, \.jsonl\.gz, \.json, \.parquet\)"
    with pytest.raises(InputError, match=message):
        data_files(path)
    with pytest.raises(InputError, match=message):
        list(read_records(path))


def test_missing_file_shows_a_near_match(tmp_path: Path) -> None:
    _write(tmp_path / "problems.jsonl", b"")
    with pytest.raises(InputError, match=r"no such file or folder; did you mean 'problems\.jsonl'\?"):
        data_files(tmp_path / "problem.jsonl")
    with pytest.raises(InputError, match=r"no such file or folder$"):
        data_files(tmp_path / "zzz.parquet")
    with pytest.raises(InputError, match=r"there is no folder .*nowhere$"):
        data_files(tmp_path / "nowhere" / "rows.jsonl")


def test_files_of_a_folder(tmp_path: Path) -> None:
    names = [
        "test-00001-of-2.parquet",
        "test-00000-of-2.parquet",
        "testing.jsonl",
        "valid.jsonl.gz",
        "README.md",
    ]
    for name in names:
        _write(tmp_path / name, b"")
    (tmp_path / "test.jsonl").mkdir()
    assert [file.name for file in data_files(tmp_path)] == sorted(names[:4])
    assert [file.name for file in data_files(tmp_path, "test")] == [names[1], names[0]]
    assert [file.name for file in data_files(tmp_path, "valid")] == ["valid.jsonl.gz"]
    with pytest.raises(InputError, match=r"no file named train\.\*, train-\* or train_\* .*found: test-00000"):
        data_files(tmp_path, "train")


def test_folder_without_readable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file of a kind that can be read .*found: none"):
        data_files(tmp_path)


def test_fingerprint(tmp_path: Path) -> None:
    first, second = _write(tmp_path / "a.jsonl", b"1"), _write(tmp_path / "b.jsonl", b"2")
    assert fingerprint([first]) == "sha256:" + hashlib.sha256(b"1").hexdigest()
    both = fingerprint([first, second])
    assert both == fingerprint([first, second])
    assert len({both, fingerprint([second, first]), fingerprint([first]), fingerprint([second])}) == 4
    first.write_bytes(b"3")
    assert fingerprint([first, second]) != both
