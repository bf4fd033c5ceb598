from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from evalfw import Call, Checker, Condition, Limits, Method, Problem, Request, TestCase
from evalfw.store.keys import (
    code_key,
    completion_key,
    digest,
    measure_key,
    problem_key,
    profile_key,
    verdict_key,
)

TEST = TestCase("t", "private", "1\n", "2\n")
PROBLEM = Problem("p", "Double it.", (TEST,))
REQUEST = Request(PROBLEM, "Double it.", 0.7, 0, 1)


def test_keys_do_not_depend_on_the_order_of_mappings() -> None:
    assert digest("x", {"a": 1, "b": 2}) == digest("x", {"b": 2, "a": 1})


def test_keys_are_the_same_in_every_process() -> None:
    code = "from evalfw.store.keys import digest; print(digest('x', {'a': [1, None, 'ü']}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest("x", {"a": [1, None, "ü"]})


def test_only_plain_data_have_keys() -> None:
    with pytest.raises(TypeError):
        digest("x", object())


def test_every_part_of_a_request_counts() -> None:
    requests = [
        REQUEST,
        replace(REQUEST, prompt="Double it!"),
        replace(REQUEST, temperature=None),
        replace(REQUEST, index=1),
        replace(REQUEST, seed=2),
        replace(REQUEST, problem=replace(PROBLEM, id="q")),
    ]
    keys = {completion_key(request, "d", "m", {}, "") for request in requests}
    keys |= {completion_key(REQUEST, "e", "m", {}, ""), completion_key(REQUEST, "d", "n", {}, "")}
    keys |= {completion_key(REQUEST, "d", "m", {"x": 1}, ""), completion_key(REQUEST, "d", "m", {}, "more")}
    assert len(keys) == 10


def test_what_a_verdict_depends_on() -> None:
    limits = Limits()
    keys = {
        verdict_key("code", PROBLEM, TEST, limits, "s", 1),
        verdict_key("other", PROBLEM, TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, checker=Checker("lines")), TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, checker=Checker("code", code="a")), TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, checker=Checker("code", code="b")), TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, recursion_limit=5000), TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, style=Method("f")), TEST, limits, "s", 1),
        verdict_key("code", replace(PROBLEM, style=Method("f", prepare="p")), TEST, limits, "s", 1),
        verdict_key("code", PROBLEM, replace(TEST, expected="3\n"), limits, "s", 1),
        verdict_key("code", PROBLEM, replace(TEST, input=Call((1,))), limits, "s", 1),
        verdict_key("code", PROBLEM, TEST, replace(limits, time_seconds=1.0), "s", 1),
        verdict_key("code", PROBLEM, TEST, limits, "another sandbox", 1),
        verdict_key("code", PROBLEM, TEST, limits, "s", 2),
    }
    assert len(keys) == 13
    renamed = replace(PROBLEM, id="q", statement="?")
    assert verdict_key("code", renamed, TEST, limits, "s", 1) in keys


def test_what_profiles_and_measures_depend_on() -> None:
    limits = Limits()
    profiles = {
        profile_key(*parts)
        for parts in (
            ("v", limits, "p", {"stride": 1}, "i"),
            ("w", limits, "p", {"stride": 1}, "i"),
            ("v", limits, "q", {"stride": 1}, "i"),
            ("v", limits, "p", {"stride": 2}, "i"),
            ("v", limits, "p", {"stride": 1}, "j"),
        )
    }
    condition = Condition("d", "m")
    measures = {
        measure_key("dmpd", {}, "s", condition, ["a"]),
        measure_key("dmpd", {}, "s", condition, ["b"]),
        measure_key("dmpd", {}, "t", condition, ["a"]),
        measure_key("dmpd", {}, "s", replace(condition, temperature=0.0), ["a"]),
    }
    assert (len(profiles), len(measures)) == (5, 4)


def test_problems_and_codes() -> None:
    assert problem_key(PROBLEM) != problem_key(replace(PROBLEM, statement="!"))
    assert code_key("a") != code_key("b")
    assert code_key("\ud835") != code_key("a")
