from __future__ import annotations

import pytest

from evalfw.extraction.normal import is_current, normal_form

PROGRAM = 'def f(n):\n    return n * 2\n\n\nprint(f(int(input())), "x")\n'


@pytest.mark.parametrize(
    "other",
    [
        '"""What it does."""\n' + PROGRAM,
        PROGRAM.replace("    return", '    """Twice."""\n    return'),
        PROGRAM.replace("    return", "    # twice\n\n    return"),
        PROGRAM.replace("n * 2", "(n\n            * 2)"),
        PROGRAM.replace('"x"', "u'x'"),
        PROGRAM.replace("    return", "  return") + "\n\n# the end",
    ],
)
def test_layout_comments_and_docstrings_do_not_count(other: str) -> None:
    assert other != PROGRAM
    assert normal_form(other) == normal_form(PROGRAM)


@pytest.mark.parametrize("change", [("n", "m"), ("2", "2.0"), ('"x"', 'b"x"'), ("n * 2", "2 * n"), ("f", "g")])
def test_everything_else_does(change: tuple[str, str]) -> None:
    assert normal_form(PROGRAM.replace(*change)) != normal_form(PROGRAM)


def test_a_text_that_stands_for_itself_is_no_docstring() -> None:
    assert normal_form("def f():\n    x = 1\n    'x'\n") != normal_form("def f():\n    x = 1\n")
    assert normal_form("class A:\n    'x'\n") == normal_form('class A:\n    """y"""\n')
    assert normal_form("class A:\n    'x'\n") != normal_form("class A:\n    pass\n")


@pytest.mark.parametrize("text", ["def f(:", "x = '\ud835'", "\0", "(" * 5000, "-" * 100_000 + "1", ""])
def test_what_is_no_program_is_its_own_normal_form(text: str) -> None:
    assert normal_form(text) == normal_form(text)
    assert normal_form(text) != normal_form(text + "\nx = 1")


def test_a_form_says_by_which_python_it_was_made() -> None:
    assert is_current(normal_form(PROGRAM))
    assert not is_current("2.7-0123")
