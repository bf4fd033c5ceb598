from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from evalfw.report.texts import as_csv, as_json, as_latex, as_markdown, latex, markdown

ROWS: list[dict[str, Any]] = [{"setting": 'a, "b"', "p": 0.1 + 0.2, "n": 3}, {"setting": "c", "p": None, "n": 0}]


def test_csv_keeps_every_digit() -> None:
    first, second = csv.DictReader(io.StringIO(as_csv(ROWS)))
    assert (first["setting"], float(first["p"]), second["p"]) == ('a, "b"', 0.1 + 0.2, "")


def test_json_keeps_everything() -> None:
    assert json.loads(as_json(ROWS)) == ROWS


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ("a_b & 5% #1 ${x}", r"a\_b \& 5\% \#1 \$\{x\}"),
        ("\\input ~ ^", r"\textbackslash{}input \textasciitilde{} \textasciicircum{}"),
        ("-0.5 [-1, +2]", "$-$0.5 [$-$1, +2]"),
        ("gpt-4 <0.001", "gpt-4 $<$0.001"),
        ("+0.1 | -0.2", "+0.1 $|$ $-$0.2"),
    ],
)
def test_latex_is_escaped(plain: str, written: str) -> None:
    assert latex(plain) == written


def test_a_tabular_has_the_rules_of_booktabs() -> None:
    text = as_latex("on d", ["setting", "p"], [["a_b", "-0.1"]], ["a note"])
    assert text.splitlines() == [
        "% on d",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"setting & p \\",
        r"\midrule",
        r"a\_b & $-$0.1 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% a note",
    ]


def test_nothing_gets_out_of_a_line_of_latex() -> None:
    assert r"{}[1em] & x \\" in as_latex("", ["h", "k"], [["[1em]", "x"]], [])
    text = as_latex("a\n\\input{x}", ["h"], [["one\ntwo"]], ["note\r\n\\bad"])
    lines = text.splitlines()
    assert (lines[0], lines[-1]) == ("% a \\input{x}", "% note \\bad")
    assert r"one two \\" in lines


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ("mis_macro is_", r"mis_macro is\_"),
        ("_a_ *b* `c` ~d~ $e$", r"\_a\_ \*b\* \`c\` \~d\~ \$e\$"),
        ("a|b\\|c", r"a\|b\\\|c"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("[a](javascript:b) [-0.1, 0.2]", r"[a]\(javascript:b) [-0.1, 0.2]"),
        ("one\ntwo\u2028three", "one two three"),
    ],
)
def test_markdown_is_escaped(plain: str, written: str) -> None:
    assert markdown(plain) == written


def test_a_table_in_markdown_has_a_title_and_notes() -> None:
    text = as_markdown("on d", ["setting", "p"], [["a|b", "-0.1"]], ["a note", "another"])
    assert text.splitlines() == [
        "**on d**",
        "",
        "| setting | p |",
        "| :-- | --: |",
        r"| a\|b | -0.1 |",
        "",
        "a note",
        "",
        "another",
    ]
    assert as_markdown("", ["only"], [], []).splitlines() == ["| only |", "| :-- |"]
