from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalfw import Solution, extract
from evalfw.extraction import EXTRACTOR
from evalfw.extraction.fences import CLOSING_LINES
from evalfw.extraction.programs import BYTECODE_LIMIT, LONGEST_PROGRAM, Attempts, State

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "data/extraction/cases.jsonl").read_text("utf-8").splitlines()
]

GCD = "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n"
ECHO = "n = int(input())\nprint(n)\n"
DOC = '"""Help.\n\n```\nanswer.py\n```\n"""\nprint(1)\n'


LONG_STRING = "x = '''" + "a b c\n" * 300 + "'''\n"


def fenced(code: str, tag: str = "python", marks: str = "```") -> str:
    return f"{marks}{tag}\n{code}{marks}\n"


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_answers_of_real_shape(case: dict[str, str]) -> None:
    solution = extract(case["raw"], case["entry_point"], case["finish_reason"])
    assert (solution.status, solution.code) == (case["status"], case["code"]), case["why"]


FOUND = {
    # 1: byte order mark and line ends
    "byte_order_mark": ("\ufeff```python\nprint(1)\n```\n", "print(1)\n"),
    "byte_order_mark_before_bare_code": ("\ufeffprint(1)", "print(1)\n"),
    "crlf": ("```python\r\nif 1:\r\n\tprint(1)\r\n```\r\n", "if 1:\n\tprint(1)\n"),
    "lone_cr": ("```python\rprint(1)\rprint(2)\r```\r", "print(1)\nprint(2)\n"),
    "only_lf_ends_a_line": ("```python\nx = 'a\u2028b\x85c'\n```\n", "x = 'a\u2028b\x85c'\n"),
    # 2: reasoning
    "reasoning": (f"<think>{fenced('x = 1')}</think>{fenced(ECHO)}", ECHO),
    "reasoning_after_blank_lines": (f"\n\n<think>\n{fenced('print(0)')}</think>\n{ECHO}", ECHO),
    "reasoning_thinking": (f"<thinking>\nx\n</thinking>\n{ECHO}", ECHO),
    "reasoning_any_case": (f"<Reasoning>\nx\n</REASONING>\n{ECHO}", ECHO),
    "reasoning_first_end_counts": (f"<think>a</think>\n{fenced(ECHO)}</think>\n", ECHO),
    "reasoning_speaks_of_another_tag": (f"<thinking>\n</think>\n{fenced('x = 1')}</thinking>\n{fenced(ECHO)}", ECHO),
    "reasoning_with_mixed_names": (f"<think>\n{fenced('print(0)')}</thinking>\nText {ECHO!r}\n\n{ECHO}", ECHO),
    "reasoning_opened_by_the_prompt": (f"Hm.\n{fenced('print(0)')}</think>\nNo code block.\n{ECHO}", ECHO),
    "reasoning_end_first": (f"</think>\n\n{ECHO}", ECHO),
    "fence_right_after_reasoning": (f"x\n</think>{fenced(ECHO)}", ECHO),
    "tag_within_a_line_is_text": (fenced("print('</think>')\n"), "print('</think>')\n"),
    "opening_tag_elsewhere_is_text": (f"The <think> tag:\n{fenced(ECHO)}", ECHO),
    "indented_closing_tag_is_text": (fenced('x = """\n  </think>\n"""\n'), 'x = """\n  </think>\n"""\n'),
    # 3: fences
    "longer_fence": (fenced('x = """\n```\n"""\n', marks="````"), 'x = """\n```\n"""\n'),
    "closing_fence_may_be_longer": ("```python\nprint(1)\n`````\nText", "print(1)\n"),
    "closing_fence_with_blanks": ("```python\nprint(1)\n``` \t\nText", "print(1)\n"),
    "closing_fence_indented": ("```python\nprint(1)\n    ```\nText", "print(1)\n"),
    "tildes": (fenced(ECHO, marks="~~~"), ECHO),
    "tildes_are_not_closed_by_backticks": ("~~~python\nx = '''\n```\n'''\n~~~\n", "x = '''\n```\n'''\n"),
    "closing_line_is_no_string": (fenced(DOC), DOC),
    "tagged_fence_in_string": (
        fenced("'''\n```python\nf()\n```\n'''\nx = 1\n"),
        "'''\n```python\nf()\n```\n'''\nx = 1\n",
    ),
    "two_fences_in_strings": (fenced(DOC * 3), DOC * 3),
    "block_after_one_that_never_compiles": (fenced('x = """\n') + "Text\n" + fenced(ECHO), ECHO),
    "indent_of_opening": ("  ```python\n  if 1:\n      print(1)\n  ```\n", "if 1:\n    print(1)\n"),
    "indent_by_tab": ("\t```python\n\tif 1:\n\t\tprint(1)\n\t```\n", "if 1:\n\tprint(1)\n"),
    "indent_of_opening_only": ("   ```python\nprint(1)\n     \n   print(2)\n```\n", "print(1)\n  \nprint(2)\n"),
    "indent_spaces_for_tabs": ("\t```python\n    if 1:\n    \tprint(1)\n```\n", "if 1:\n\tprint(1)\n"),
    "code_span_is_no_fence": (f"```x = 1```\n{fenced(ECHO)}", ECHO),
    "markdown_block": (fenced("# Answer\n\n" + fenced(ECHO), "markdown"), ECHO),
    "md_block_longer": (fenced("Text\n" + fenced(ECHO) + "Text\n", "MD", "````") + fenced("1\n", "text"), ECHO),
    "markdown_ends_before_the_next_block": (fenced("Title\n", "md") + fenced(ECHO, ""), ECHO),
    "md_block_never_closed": ("```md\n" + fenced(ECHO), ECHO),
    "md_block_ends_the_block_in_it": ("````md\n```python\nprint(0)\n````\n" + fenced(ECHO), ECHO),
    # 4: rank
    "tag_py3": (fenced(ECHO, "PY3"), ECHO),
    "tag_after_blanks": (fenced(ECHO, "  python3  {.numbered}"), ECHO),
    "python_outranks_untagged": (fenced(ECHO, "py") + fenced("print(2)\n", ""), ECHO),
    "untagged_if_no_python_fits": (fenced("print 2\n") + fenced(ECHO, ""), ECHO),
    "other_languages_never_count": (fenced(ECHO, "") + fenced("x = 1\n", "ruby") + fenced("x = 2\n", "text"), ECHO),
    "last_of_a_rank": (fenced("print(1)\n") + fenced("print(2)\n"), "print(2)\n"),
    "last_that_compiles": (fenced(ECHO) + fenced("print 2\n"), ECHO),
    "constants_are_no_program": (fenced(ECHO) + fenced("12\n") + fenced("-1, x\n"), ECHO),
    "lists_of_constants_neither": (fenced(ECHO, "") + fenced("[0, 2]\n", ""), ECHO),
    "blocks_are_never_joined": (fenced("import sys\n") + fenced("print(2)\n"), "print(2)\n"),
    "return_at_top_level_does_not_compile": (fenced(ECHO) + fenced("return 1\n"), ECHO),
    # 5: what else there may be
    "python_tags": (f"Text\n[PYTHON]\n{ECHO}[/PYTHON]\nText x = 1", ECHO),
    "python_tags_in_line": ("[PYTHON]print(1)[/PYTHON]", "print(1)\n"),
    "python_tags_spoken_of": (f"Between [PYTHON] and [/PYTHON], [PYTHON] is:\n[PYTHON]\n{ECHO}[/PYTHON]", ECHO),
    "python_tags_beside_other_fences": (fenced("1\n", "text") + f"[PYTHON]\n{ECHO}[/PYTHON]", ECHO),
    "fence_outranks_python_tags": (f"[PYTHON]\nprint(0)\n[/PYTHON]\n{fenced(ECHO)}", ECHO),
    "fence_within_python_tags": (f"[PYTHON]\n{fenced(ECHO)}[/PYTHON]\n", ECHO),
    "python_tag_never_closed": (f"Text\n[PYTHON]\n{ECHO}", ECHO),
    "python_tag_never_opened": (f"{ECHO}[/PYTHON]\nText", ECHO),
    "unclosed_block_that_compiles": (f"Text\n```python\n{ECHO}", ECHO),
    "unclosed_untagged_block": (f"Text\n~~~\n{ECHO}\n\n", ECHO),
    "closed_block_outranks_unclosed": (fenced(ECHO, "") + "```python\nprint(2)\n", ECHO),
    "opening_fence_in_the_prompt": (f"{ECHO}```\nThat prints it.", ECHO),
    "opening_fence_in_the_prompt_and_strings": (f"{DOC}```\nThat prints it.", DOC),
    "opening_fence_in_the_prompt_then_others": (f"{ECHO}```\nIt prints:\n```text\n1\n```\n", ECHO),
    "bare_fence_after_prose": (f"Solution\n```\n{ECHO}", ECHO),
    "bare_code": (f"\n\n{ECHO}\n\n", ECHO),
    "bare_code_with_fences_in_strings": (DOC, DOC),
    "bare_code_in_prose": (f"Here it is:\n\n{GCD}\nThis is Euclid's (see Knuth's book).\n", GCD),
    "bare_code_longest": (f"x = 1\n\nbut rather\n{GCD}\nwhich is not\ny = 2\nprint(y)\n", GCD),
    "bare_code_last_of_two": ("print(1)\n\nor even\nprint(2)\n", "print(2)\n"),
    "bare_code_after_open_bracket": (f"Euclid (that old man\nsaid so:\n{GCD}", GCD),
    "bare_code_after_open_string": (f'He said """let it be\n{GCD}', GCD),
    "bare_code_cut_off": (f"{GCD}\nprint(gcd(4,", GCD),
    "bare_code_else_at_top_level": (
        "That is it:\nif input():\n    print(1)\nelse:\n    print(2)\nGood luck to you!",
        "if input():\n    print(1)\nelse:\n    print(2)\n",
    ),
    "bare_code_with_a_long_string": (f"So it is:\n{LONG_STRING}End of it", LONG_STRING),
    "bare_code_from_future": (
        "Solution\n\nfrom __future__ import annotations\nprint(1)\nThat is all of it",
        "from __future__ import annotations\nprint(1)\n",
    ),
    "bare_code_beside_nul": (f"Text \0\n{GCD * 60}Text \0\n", GCD * 60),
    **{
        f"end_marker_{name}": (f"{ECHO}{marker}\n", ECHO)
        for name, marker in {
            "s": "</s>",
            "endoftext": "<|endoftext|>",
            "im_end": "<|im_end|>",
            "eot_id": "<|eot_id|>",
            "end_of_text": "<|end_of_text|>",
            "deepseek": "<｜end▁of▁sentence｜>",
            "gemma": "<end_of_turn>",
            "several": "<|im_end|>\n<|endoftext|>  </s>",
        }.items()
    },
    "end_marker_after_fence": (f"```python\n{ECHO}```<|im_end|>", ECHO),
    "end_marker_elsewhere_is_text": (fenced("print('<|im_end|>')  # </s>\n"), "print('<|im_end|>')  # </s>\n"),
    # 6: the result
    "blank_lines_at_ends": ("```python\n\n \t\nprint(1)  \n\n \n```\n", "print(1)  \n"),
    "guard_tabs_comments": (
        fenced("#!x\nif __name__ == '__main__':\n\tprint(1)\t# end\n\n\n# last\n"),
        "#!x\nif __name__ == '__main__':\n\tprint(1)\t# end\n\n\n# last\n",
    ),
    "lone_surrogate_in_code": ("```python\ns = '\ud835'\nprint(s)\n```\n", "s = '\ud835'\nprint(s)\n"),
    "lone_surrogate_in_prose": (f"Note \ud835\n{fenced(ECHO)}", ECHO),
    "nul_in_prose": (f"Note \0\n{fenced(ECHO)}", ECHO),
    "integer_of_many_digits": (fenced(f"print({'7' * 5000})\n"), f"print({'7' * 5000})\n"),
    "warnings_are_no_errors": (fenced("print('\\d' is 1)\n"), "print('\\d' is 1)\n"),
}


@pytest.mark.parametrize(("raw", "code"), FOUND.values(), ids=FOUND)
def test_finds_the_program(raw: str, code: str) -> None:
    assert extract(raw) == Solution("ok", code)


NAMED = {
    "last_that_defines_it": (fenced(GCD) + fenced("print(gcd(2, 4))\n"), GCD),
    "python_without_it_yields_to_untagged": (fenced("print(1)\n") + fenced(GCD, ""), GCD),
    "class": (fenced("class gcd:\n    pass\n"), "class gcd:\n    pass\n"),
    "async": (fenced("async def gcd():\n    pass\n"), "async def gcd():\n    pass\n"),
    "assignment": (fenced("gcd = lambda a, b: a\n"), "gcd = lambda a, b: a\n"),
    "annotated": (fenced("gcd: object = print\n"), "gcd: object = print\n"),
    "import_is_no_definition": (fenced(GCD) + fenced("from math import gcd\nprint(gcd(2, 4))\n"), GCD),
    "nested_is_not_top_level": (fenced(GCD) + fenced("def f():\n    def gcd(): pass\n"), GCD),
    "attribute_is_no_definition": (fenced(GCD) + fenced("x.gcd = y[gcd] = 1\n"), GCD),
    "longest_run_that_defines_it": (f"{GCD}\nand then\n{ECHO * 9}", GCD),
    "fences_of_a_docstring": ("def gcd():\n    '''\n    ```\n    gcd()\n    ```\n    '''\n",) * 2,
}


@pytest.mark.parametrize(("raw", "code"), NAMED.values(), ids=NAMED)
def test_finds_the_program_that_defines_the_entry_point(raw: str, code: str) -> None:
    assert extract(raw, "gcd") == Solution("ok", code)


NOT_FOUND = {
    "empty": ("", None, "empty_answer"),
    "blank": (" \r\n\t\ufeff"[:-1], None, "empty_answer"),
    "end_marker_only": ("<|im_end|>\n", None, "empty_answer"),
    "nothing_after_reasoning": ("<think>\nprint(1)\n</think>\n", None, "empty_answer"),
    "reasoning_never_ends": (f"<think>\n{fenced(ECHO)}", None, "unfinished_reasoning"),
    "prose": ("I cannot say (sorry), it's hard.", None, "no_candidate"),
    "single_word": ("Sorry", None, "no_candidate"),
    "constants": (fenced("[0, 2]\n"), None, "no_candidate"),
    "empty_block": (fenced(""), None, "no_candidate"),
    "comment": (fenced("# no\n"), None, "no_candidate"),
    "other_language": (fenced(ECHO, "java"), None, "no_candidate"),
    "code_beside_other_language": (f"{ECHO}\n{fenced('1', 'text')}", None, "no_candidate"),
    "other_language_never_closed": (f"```text\n{ECHO}", None, "no_candidate"),
    "tag_must_be_a_word": (fenced(ECHO, "python:main.py"), None, "no_candidate"),
    "python_2": (fenced("print 1\n"), None, "no_candidate"),
    "nul_in_code": (fenced("print('\0')\n"), None, "no_candidate"),
    "surrogate_outside_a_string": (fenced("\ud835 = 1\n"), None, "no_candidate"),
    "entry_point_missing": (fenced(GCD), "lcm", "no_candidate"),
    "opening_fence_at_the_very_end": ("Text\n```python\n", None, "no_candidate"),
    "joined_blocks_would_do": (fenced("def f():\n") + fenced("    return 1\n"), None, "no_candidate"),
}


@pytest.mark.parametrize(("raw", "entry_point", "reason"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_says_that_there_is_no_program(raw: str, entry_point: str | None, reason: str) -> None:
    assert extract(raw, entry_point, "stop") == Solution("no_code", "", reason)


TRUNCATED = {
    "python": ("Text\n```python\ndef f(:\n    x\n", None, "def f(:\n    x\n"),
    "untagged": ("Text\n```\nfor x in (1,", None, "for x in (1,\n"),
    "in_a_list": ("1. Text\n   ```py\n   if x:\n     y(\n", None, "if x:\n  y(\n"),
    "before_the_entry_point": ("```python\nimport sys\n", "gcd", "import sys\n"),
    "after_a_failed_block": (fenced("print 1\n") + "```python\nx = (", None, "x = (\n"),
}


@pytest.mark.parametrize(("raw", "entry_point", "code"), TRUNCATED.values(), ids=TRUNCATED)
def test_keeps_what_arrived_of_a_truncated_program(raw: str, entry_point: str | None, code: str) -> None:
    assert extract(raw, entry_point, "length") == Solution("truncated", code, "token_limit")
    assert extract(raw, entry_point, "stop") == Solution("truncated", code, "unclosed_block")


def test_token_limit_is_the_reason_wherever_it_explains_the_lack() -> None:
    assert extract("Let me see", None, "length") == Solution("no_code", "", "token_limit")
    assert extract("<think>Let me see", None, "length") == Solution("no_code", "", "unfinished_reasoning")


def test_closing_lines_are_tried_up_to_a_limit() -> None:
    within = "x = '''\n" + "```\n" * (CLOSING_LINES - 1) + "'''\n"
    beyond = "x = '''\n" + "```\n" * CLOSING_LINES + "'''\n"
    assert extract(fenced(within)).code == within
    assert extract(fenced(beyond)).status != "ok"


def test_longest_program() -> None:
    line = "x = 1\n"
    fits = line * (LONGEST_PROGRAM // len(line))
    assert extract(fenced(fits)).code == fits
    assert extract(fenced(fits + line)).status == "no_code"


def test_attempts_come_to_an_end() -> None:
    attempts = Attempts(200)
    assert attempts.state("x = 1\n") is State.WHOLE
    assert attempts.state("x = (\n") is State.OPEN
    assert attempts.state("x = 1\n") is State.WRONG, "three attempts cost more than 200"


HOSTILE = {
    "parentheses": "x = " + "(" * 100_000,
    "minus": "x = " + "-" * 100_000 + "1",
    "attributes": "a" + ".b" * 100_000,
    "powers": "x = " + "9**" * 50_000 + "9",
    "functions": "lambda:0\n" * 20_000,
    "fields": 'x = f"' + "{a}" * 8_000 + '"\n',
    "fences": "```\nx\n```\n" * 10_000,
    "bare_fences": "```\n" * 20_000,
    "open_strings": '```python\n"""a\n```\n' * 5_000,
    "alternating_strings": "```python\n\"\"\"a\n```\n'''\n" * 5_000,
    "nested_markdown": "```md\n~~~\n" * 10_000,
    "open_lines": "x + \\\n" * 20_000,
    "decorators": "@a\n" * 20_000,
    "prose": "This is (not a program, it's text.\n" * 5_000,
    "tags": "[PYTHON]" * 20_000,
    "end_markers": "</s> " * 40_000,
    "reasoning": "<think>" + "</thin" * 20_000,
    "digits": "9" * 200_000,
    "blanks": "x" + " " * 200_000 + "\n" * 100_000 + "y",
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_no_answer_holds_up_a_run(raw: str) -> None:
    start = time.process_time()
    extract(raw)
    extract(f"```python\n{raw}\n```\n", "solve")
    assert time.process_time() - start < 10


def test_long_program_is_checked_for_its_grammar_only() -> None:
    code = "print(1)\n" * (BYTECODE_LIMIT // 9 + 1)
    assert extract(fenced(code + "return\n")).code == code + "return\n"
    assert extract(fenced(code + "return return\n")).status == "no_code"


def test_leaves_warnings_and_digit_limit_alone() -> None:
    filters, digits = list(warnings.filters), sys.get_int_max_str_digits()
    extract(fenced(f"x = '\\d' is {'1' * 9000}\n"))
    assert (list(warnings.filters), sys.get_int_max_str_digits()) == (filters, digits)


def test_version_is_a_number() -> None:
    assert type(EXTRACTOR) is int and EXTRACTOR >= 1


PIECES = st.sampled_from(
    [
        *(
            "```",
            "```python",
            "~~~",
            "````md",
            "\n",
            " ",
            "    ",
            '"""',
            "'''",
            "def f():",
            "x = 1",
            "(",
            "\\",
            "else:",
        ),
        *("<think>", "</think>", "[PYTHON]", "[/PYTHON]", "</s>", "\0", "\ud835", "\ufeff", "\r", "\u2028", "word"),
    ]
)
ANSWERS = st.text(st.characters(codec=None), max_size=60) | st.lists(PIECES, max_size=25).map("".join)


@given(ANSWERS, st.none() | st.just("f"), st.sampled_from(["stop", "length", None]))
@example("```python\n\ud835", None, None)
def test_any_answer_gives_a_solution_of_the_right_form(raw: str, entry_point: str | None, finish: str | None) -> None:
    solution = extract(raw, entry_point, finish)
    assert (solution.code == "") == (solution.status == "no_code")
    assert (solution.reason is None) == (solution.status == "ok")
    if solution.code:
        assert solution.code.endswith("\n") and "\r" not in solution.code
        assert all(line.strip() for line in (solution.code.split("\n")[0], solution.code.split("\n")[-2]))


STATEMENTS = st.sampled_from(
    [ECHO, GCD, DOC, "x = '''\n~~~\n```\n'''\n", "# note\nimport sys\n", "if 1:\n\tpass\n\n\n", "class A:\n    b = 1\n"]
)


@given(
    st.lists(STATEMENTS, min_size=1, max_size=4).map("".join),
    st.sampled_from(["```", "~~~", "`````"]),
    st.sampled_from(["python", "Py", "python3 x=1", ""]),
    st.sampled_from(["", "  ", "\t"]),
)
def test_a_fenced_program_comes_back(code: str, marks: str, tag: str, indent: str) -> None:
    code = code.rstrip("\n") + "\n"
    text = "".join(f"{indent}{line}\n" for line in [f"{marks}{tag}", *code[:-1].split("\n"), marks])
    assert extract(f"Here it is:\n\n{text}\nThat is all, isn't it.\n").code == code


@given(st.lists(STATEMENTS, min_size=1, max_size=4).map("".join))
def test_a_bare_program_comes_back(code: str) -> None:
    assert extract(code).code == code.rstrip("\n") + "\n"
