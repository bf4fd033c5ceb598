from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Completion, InputError, Problem, Request, Usage
from evalfw_models.replay import Replay, ReplayOptions, read_completions

DATA = Path(__file__).parent / "data"
ANSWERS = [
    "Note \ud835 here.\n\n```python\nprint(int(input()) * 2)\n```\n",
    "```python\ns = '\ud835'\nprint(s, int(input()) * 2)\n```\n",
    "Emoji \U0001f600 and NUL \0 in prose.\n\n```python\nprint(int(input()) * 2)  # ü\n```\n",
]


def _record(**fields: object) -> dict[str, object]:
    return {"problem_id": "A", "model": "m", "temperature": 0.8, "index": 0, "completion": "text"} | fields


def _write(folder: Path, *records: Mapping[str, object]) -> Path:
    path = folder / "completions.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _request(problem: str = "A", temperature: float | None = 0.8, index: int = 0) -> Request:
    return Request(Problem(problem, "?", ()), prompt="?", temperature=temperature, index=index, seed=7)


def _texts(model: Replay, *requests: Request) -> list[str]:
    return [completion.text for completion in model.complete(requests)]


def test_interrupted_file() -> None:
    file = read_completions(DATA / "interrupted.jsonl")
    present = [(record.problem_id, record.index) for record in file.records]
    assert present == [("A", 0), ("A", 1), ("B", 0), ("A", 2)]
    assert file.duplicates == 2
    assert file.conflicts == (("B", "m", 0.8, 0),)
    assert file.broken_lines == (7,)


def test_interrupted_file_is_replayed_and_spoken_about() -> None:
    model = Replay(ReplayOptions(path=Path("interrupted.jsonl")), base=DATA)
    wanted = [_request(problem, index=index) for problem in "AB" for index in range(3)]
    answered = {(done.request.problem.id, done.request.index): done.text for done in model.complete(wanted)}
    assert sorted(answered) == [("A", 0), ("A", 1), ("A", 2), ("B", 0)]
    assert answered["B", 0] == "```python\nx = 3\n```\n"
    repeated, differs, broken = model.notes
    assert repeated.endswith("interrupted.jsonl: repeated records, of which the first is used: 2")
    assert differs.endswith("repeated records that differ from the first: 'B' sample 0 at temperature 0.8")
    assert broken.endswith("lines that are not JSON objects, left out: 7")


def test_raw_text_comes_back_whatever_it_holds(tmp_path: Path) -> None:
    path = _write(tmp_path, *(_record(index=index, completion=text) for index, text in enumerate(ANSWERS)))
    assert "\\ud835" in path.read_text()
    model = Replay(ReplayOptions(path=path))
    assert _texts(model, *(_request(index=index) for index in range(3))) == ANSWERS
    assert model.notes == []


@settings(deadline=None, max_examples=50)  # each example is a file
@given(text=st.text(st.characters() | st.just("\ud835")), finish_reason=st.sampled_from(["stop", "length"]))
def test_any_text_survives_the_file(tmp_path_factory: pytest.TempPathFactory, text: str, finish_reason: str) -> None:
    path = _write(tmp_path_factory.mktemp("any"), _record(completion=text, finish_reason=finish_reason))
    (completion,) = Replay(ReplayOptions(path=path)).complete([_request()])
    assert (completion.text, completion.finish_reason) == (text, finish_reason)


def test_how_an_answer_came_about_comes_back(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        _record(
            reasoning="so",
            input_tokens=5,
            output_tokens=7,
            reasoning_tokens=2,
            seconds=0.5,
            served_by="m-1",
            fingerprint="f",
            sent={"top_p": 0.9},
        ),
        _record(index=1, reasoning=None, input_tokens=None, seconds=None, sent=None),
    )
    full, bare = Replay(ReplayOptions(path=path)).complete([_request(), _request(index=1)])
    assert (full.reasoning, full.usage, full.seconds) == ("so", Usage(5, 7, 2), 0.5)
    assert (full.served_by, full.fingerprint, full.sent) == ("m-1", "f", {"top_p": 0.9})
    assert bare == Completion(bare.request, "text")


def test_unescaped_text_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(_record(completion="ü \u2028"), ensure_ascii=False).encode())
    assert _texts(Replay(ReplayOptions(path=path)), _request()) == ["ü \u2028"]


def test_code_is_used_only_without_a_completion(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        _record(index=0, completion=None, code="print(1)"),
        _record(index=1, completion="", code="print(2)"),
    )
    model = Replay(ReplayOptions(path=path))
    assert _texts(model, _request(index=0), _request(index=1)) == ["```python\nprint(1)\n```\n", ""]


def test_unknown_fields_blank_lines_and_gaps_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    first, last = json.dumps(_record(verdict="accepted")), json.dumps(_record(index=9, completion="nine"))
    path.write_text(f"\n{first}\n  \n{last}\n\n")
    model = Replay(ReplayOptions(path=path))
    assert _texts(model, *(_request(index=index) for index in range(10))) == ["text", "nine"]
    assert model.notes == []


def test_broken_line_in_the_middle_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    whole = json.dumps(_record()).encode()
    path.write_bytes(whole[:30] + b"\n" + b"[1]\n" + b"\xff\xfe\xff\n" + whole + b"\n" + b"[" * 100_000 + b"\n")
    file = read_completions(path)
    assert file.broken_lines == (1, 2, 3, 5)
    assert len(file.records) == 1


def test_long_lists_in_notes_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text(json.dumps(_record()) + "\n" + "x\n" * 100)
    (note,) = Replay(ReplayOptions(path=path)).notes
    assert note.endswith("left out: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 90 more")


def test_temperatures_are_kept_apart(tmp_path: Path) -> None:
    path = _write(tmp_path, _record(temperature=0, completion="cold"), _record(temperature=1.5, completion="hot"))
    model = Replay(ReplayOptions(path=path))
    assert model.samples_by_temperature is True
    assert _texts(model, _request(temperature=1.5), _request(temperature=0.0)) == ["hot", "cold"]


def test_temperature_that_was_not_recorded_is_noted_once(tmp_path: Path) -> None:
    model = Replay(ReplayOptions(path=_write(tmp_path, _record(temperature=0.2), _record(temperature=0.8))))
    for _ in range(2):
        assert _texts(model, _request(temperature=0.5)) == []
    (note,) = model.notes
    assert note.endswith("nothing at temperature 0.5 (recorded: 0.2, 0.8)")


@pytest.mark.parametrize("fields", [{"temperature": None}, {}], ids=["null", "absent"])
def test_records_without_temperature_make_one_condition(tmp_path: Path, fields: dict[str, object]) -> None:
    record = {name: value for name, value in _record().items() if name != "temperature"} | fields
    model = Replay(ReplayOptions(path=_write(tmp_path, record)))
    assert model.samples_by_temperature is False
    assert _texts(model, _request(temperature=None)) == ["text"]


def test_records_without_temperature_beside_others_are_noted(tmp_path: Path) -> None:
    path = _write(tmp_path, _record(temperature=None, completion="?"), _record(completion="warm"))
    model = Replay(ReplayOptions(path=path))
    assert model.samples_by_temperature is True
    assert _texts(model, _request()) == ["warm"]
    (note,) = model.notes
    assert note.endswith("not used, for others have a temperature and they have none: 1")


def test_label_is_the_recorded_model(tmp_path: Path) -> None:
    assert Replay(ReplayOptions(path=_write(tmp_path, _record(model="gpt-x")))).label == "gpt-x"


def test_without_a_model_there_is_no_label(tmp_path: Path) -> None:
    model = Replay(ReplayOptions(path=_write(tmp_path, _record(model=None))))
    assert model.label is None
    assert _texts(model, _request()) == ["text"]


def test_one_of_several_models_must_be_named(tmp_path: Path) -> None:
    records = [
        _record(model="a", completion="of a"),
        _record(model="bee", completion="of bee"),
        _record(model=None),
    ]
    path = _write(tmp_path, *records)
    with pytest.raises(InputError, match=r"`model:` \(there are 'a', 'bee', and records that name none\)"):
        Replay(ReplayOptions(path=path))
    with pytest.raises(InputError, match="no completions of model 'be'; did you mean 'bee'"):
        Replay(ReplayOptions(path=path, model="be"))
    model = Replay(ReplayOptions(path=path, model="bee"))
    assert model.label == "bee"
    assert _texts(model, _request()) == ["of bee"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"problem_id": 3}, "problem_id: a text is needed, found 3"),
        ({"index": True}, "index: a whole number from 0 on is needed, found True"),
        ({"index": -1}, "index: a whole number from 0 on is needed, found -1"),
        ({"index": 1.0}, "index: a whole number from 0 on is needed, found 1.0"),
        ({"temperature": "0.8"}, "temperature: a number or null is needed, found '0.8'"),
        ({"temperature": float("nan")}, "temperature: a number or null is needed, found nan"),
        ({"temperature": 10**400}, "temperature: a number or null is needed, found 1000"),
        ({"temperature": False}, "temperature: a number or null is needed, found False"),
        ({"completion": ["text"]}, "completion: a text is needed"),
        ({"completion": None}, "a text 'completion' or 'code' is needed"),
        ({"model": 1}, "model: a text is needed, found 1"),
        ({"input_tokens": 1.5}, "input_tokens: a whole number from 0 on or null is needed, found 1.5"),
        ({"output_tokens": -1}, "output_tokens: a whole number from 0 on or null is needed, found -1"),
        ({"reasoning_tokens": True}, "reasoning_tokens: a whole number from 0 on or null is needed, found True"),
        ({"seconds": -0.5}, "seconds: a number from 0 on or null is needed, found -0.5"),
        ({"sent": [1]}, "sent: a mapping or null is needed, found [1]"),
    ],
)
def test_wrong_field_names_its_line(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    path = _write(tmp_path, _record(), _record(index=1) | fields)
    with pytest.raises(InputError) as raised:
        read_completions(path)
    assert str(raised.value).startswith(f"{path}:2: {message}")


def test_missing_field_shows_what_there_is(tmp_path: Path) -> None:
    path = _write(tmp_path, {"problem": "A", "sample": 0, "code": "x = 1\n"})
    with pytest.raises(
        InputError, match=r":1: the field 'problem_id' is missing \(fields found: problem, sample, code\)"
    ):
        read_completions(path)


def test_file_without_completions(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    path.write_text("\n")
    assert read_completions(path).records == ()
    with pytest.raises(InputError, match=r"no completions in it$"):
        Replay(ReplayOptions(path=path))
    path.write_text("half a li")
    with pytest.raises(InputError, match=r"no completions in it; lines that are not JSON objects, left out: 1$"):
        Replay(ReplayOptions(path=path))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    _write(tmp_path, _record())
    with pytest.raises(InputError, match=r"no such file; did you mean 'completions\.jsonl'\?"):
        Replay(ReplayOptions(path=Path("completion.jsonl")), base=tmp_path)
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        Replay(ReplayOptions(path=tmp_path))
    with pytest.raises(InputError, match=r"no such file$"):
        Replay(ReplayOptions(path=tmp_path / "nowhere" / "x.jsonl"))


def test_options_are_strict() -> None:
    with pytest.raises(ValidationError, match="path"):
        ReplayOptions.model_validate({})
    assert ReplayOptions.model_validate({"path": "a.jsonl", "model": "m"}).path == Path("a.jsonl")
