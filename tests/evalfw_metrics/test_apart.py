from __future__ import annotations

import os
from collections.abc import Iterator
from select import select
from typing import Any

import pytest

from evalfw_metrics import apart as module
from evalfw_metrics.apart import MOST_CHARACTERS, Answer, apart
from evalfw_metrics.syntax import parsed


@pytest.fixture
def fresh() -> Iterator[None]:
    """A child of the test's own, which is gone afterwards."""
    end()
    yield
    end()


def end() -> None:
    if module._child is not None:
        module._child.close()
    module._child = None


def child() -> module._Child:
    assert module._child is not None
    return module._child


def test_what_a_function_returns_is_the_answer() -> None:
    assert apart(len, "abc") == Answer(3)
    assert apart(sorted, [3, 1, 2], None) == Answer(None, "TypeError: sorted expected 1 argument, got 2")


def test_one_child_answers_many_calls(fresh: None) -> None:
    assert [apart(abs, -number).value for number in range(20)] == list(range(20))
    assert child().calls == 20


def test_a_child_has_no_keys(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert apart(os.getenv, "OPENAI_API_KEY") == Answer(None)
    assert apart(os.getenv, "PATH") == Answer(os.environ["PATH"])


def test_a_child_is_replaced_after_a_while(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CALLS_OF_ONE_CHILD", 2)
    assert {apart(os.getpid).value for _ in range(6)}.isdisjoint({os.getpid()})
    assert len({apart(os.getpid).value for _ in range(6)}) == 3


def test_the_death_of_a_child_is_an_answer_and_harms_no_other_call(fresh: None) -> None:
    for _ in range(2):
        assert apart(os.abort) == Answer(None, "the parser died of it")
        assert apart(len, "ab") == Answer(2)


def test_what_an_old_child_dies_of_is_tried_in_a_new_one(fresh: None) -> None:
    old = apart(os.getpid).value
    assert apart(exec, f"import os\nif os.getpid() == {old}: os.abort()") == Answer(None)
    assert apart(os.getpid).value != old


def test_processor_time_is_bounded(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CPU_SECONDS", 1)
    assert apart(exec, "while True: pass") == Answer(None, "more than 1 s of processor time")
    assert apart(len, "ab") == Answer(2)


def test_memory_is_bounded() -> None:
    assert apart(exec, "b'x' * (3 << 30)") == Answer(None, "nested too deeply, or too large")


def test_long_texts_are_not_tried() -> None:
    assert apart(len, "x" * MOST_CHARACTERS) == Answer(MOST_CHARACTERS)
    assert apart(len, "x" * (MOST_CHARACTERS + 1)) == Answer(None, "more than 100000 characters")


def test_what_is_printed_is_no_answer() -> None:
    assert apart(exec, "import os; print('[1, null]', flush=True); os.write(1, b'[2, null]\\n')") == Answer(None)
    assert apart(len, "ab") == Answer(2)


def test_the_hash_seed_is_fixed(fresh: None) -> None:
    first = apart(hash, "text")
    end()
    assert apart(hash, "text") == first


def test_an_interrupted_call_leaves_no_answer_behind(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    apart(len, "ab")

    stdout: Any = child()._process.stdout

    class Interrupted:
        def readline(self) -> bytes:
            select([stdout], [], [])  # the answer is there
            raise KeyboardInterrupt

        def __getattr__(self, name: str) -> object:
            return getattr(stdout, name)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(child()._process, "stdout", Interrupted())
        apart(len, "abc")
    assert apart(len, "abcd") == Answer(4)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "empty: there is no statement"),
        ("# only a comment\n", "empty: there is no statement"),
        ("print 'old style'\n", "unparseable: Missing parentheses in call to 'print'. Did you mean print(...)?"),
        ("x = 1\0\n", "unparseable: source code string cannot contain null bytes"),
        ("x = '\ud800'\n", "unparseable: 'utf-8' codec can't encode character"),
        ("(" * 10_000, "unparseable: too many nested parentheses"),
        ("-" * 90_000 + "1\n", "nested too deeply, or too large"),
        ("x" + ".a" * 45_000 + "\n", "nested too deeply, or too large"),
    ],
)
def test_why_a_text_is_no_program(code: str, reason: str) -> None:
    answer = apart(parsed, code)
    assert answer.value is None
    assert answer.reason is not None
    assert answer.reason.startswith(reason)
