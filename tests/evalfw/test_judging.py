from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from evalfw import (
    Call,
    Checker,
    InputError,
    Json,
    Limits,
    Method,
    Outcome,
    Problem,
    RunStyle,
    Sandbox,
    Stdin,
    TestCase,
    judging,
)
from evalfw import judge as judge_test

LIMITS = Limits(time_seconds=2.0, memory_bytes=512 << 20, output_bytes=1 << 20)
EQUAL = "def check(args, expected, actual):\n    return actual == expected\n"
RIGHT = "def f(*args):\n    return sum(args)\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def _short_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "CHECKER_LIMITS", Limits(0.5, 256 << 20, 1 << 20))


def judge(
    sandbox: Sandbox,
    checker: str,
    code: str = RIGHT,
    args: str | tuple[Json, ...] = (1, 2),
    expected: Json = 3,
    style: RunStyle | None = None,
) -> tuple[Outcome, str]:
    test = TestCase("t", "private", args if isinstance(args, str) else Call(args), expected)
    style = style or Method("f", class_name=None)
    problem = Problem("p", "?", (test,), style, Checker("code", code=checker))
    verdict, _ = judge_test(sandbox, problem, test, code, LIMITS)
    return verdict.outcome, verdict.reason


def test_code_decides(sandbox: Sandbox) -> None:
    assert judge(sandbox, EQUAL) == (Outcome.ACCEPTED, "")
    assert judge(sandbox, EQUAL, expected=4) == (Outcome.WRONG_ANSWER, "the dataset's checker rejects the output")
    by_input = "def check(args, expected, actual):\n    return actual - expected == args[0]"
    assert judge(sandbox, by_input, expected=2)[0] is Outcome.ACCEPTED


def test_code_sees_what_a_program_prints(sandbox: Sandbox) -> None:
    checker = (
        "def check(args, expected, actual):\n    return (args[0], actual, expected) == ('7\\n', '\\udcff7\\n', [7])"
    )
    code = "import sys; sys.stdout.buffer.write(b'\\xff' + sys.stdin.buffer.read())"
    assert judge(sandbox, checker, code, "7\n", [7], Stdin()) == (Outcome.ACCEPTED, "")


def test_code_sees_exact_types(sandbox: Sandbox) -> None:
    checker = "def check(args, expected, actual):\n    return repr(actual) == expected"
    code = "def f():\n    return {1: (True, 2 ** 70, 1.5, float('inf'), [None])}\n"
    expected = "{1: (True, 1180591620717411303424, 1.5, inf, [None])}"
    assert judge(sandbox, checker, code, (), expected) == (Outcome.ACCEPTED, "")


def test_all_arguments_are_seen_as_they_are_after_the_call(sandbox: Sandbox) -> None:
    style = Method("f", class_name=None, args=("", "ListNode"), result_from="all")
    code = "def f(a, b):\n    a.append(b.val)\n    b.next = TreeNode(7)\n    return b\n"
    checker = (
        "def check(args, expected, actual):\n"
        "    a, b, result = actual\n"
        "    assert type(b) is ListNode and type(b.next) is TreeNode and result is b\n"
        "    return args == expected == [[1], [5, 6]] and a == [1, 5] and b.next.val == 7\n"
    )
    assert judge(sandbox, checker, code, ([1], [5, 6]), [[1], [5, 6]], style) == (Outcome.ACCEPTED, "")


def test_nodes_of_all_arguments_without_a_checker_that_is_code_are_no_match(sandbox: Sandbox) -> None:
    test = TestCase("t", "private", Call(([1],)), 1)
    problem = Problem("p", "?", (test,), Method("f", None, ("ListNode",), result_from="all"), Checker("value"))
    verdict, _ = judge_test(sandbox, problem, test, "def f(a):\n    return a.val\n", LIMITS)
    assert verdict.outcome is Outcome.WRONG_ANSWER


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(a, b):\n    return None", "can make nothing of the output: TypeError"),
        ("def f(a, b):\n    return object()", "neither plain data nor a node"),
        ("def f(a, b):\n    b.next = b.left = b\n    return b", "the dataset's checker rejects"),
    ],
)
def test_outputs_that_a_checker_does_not_expect_are_wrong(sandbox: Sandbox, code: str, reason: str) -> None:
    style = Method("f", None, ("", "ListNode"), result_from="all")
    checker = "def check(args, expected, actual):\n    return lctk.linkedList2Arr(actual[2]) < [actual[2].val - 1]"
    checker = checker if "next" in code else "def check(args, expected, actual):\n    return actual[2] < expected"
    outcome, told = judge(sandbox, checker, code, (1, [2]), 3, style)
    assert (outcome, reason in told) == (Outcome.WRONG_ANSWER, True), told


def test_what_a_forged_report_holds_is_wrong_not_a_fault(sandbox: Sandbox) -> None:
    deep = "[" * 300 + "]" * 300
    for value in (deep, '{"node": 0}', '{"nodes": [{"val": 1}], "value": 1}', '{"nodes": [], "value": {"node": 0}}'):
        code = f'import os\nos.write(3, b\'{{"ending": "returned", "value": {value}}}\')\nos._exit(0)\n'
        for result_from in ("return", "all"):
            style = Method("f", None, result_from=result_from)
            assert judge(sandbox, EQUAL, code, style=style)[0] is Outcome.WRONG_ANSWER


@pytest.mark.parametrize(
    ("checker", "reason"),
    [
        ("def check(", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("answer = 1", "defines no function 'check'"),
        ("check = 1", "defines no function 'check'"),
        ("import sortedcontainers", "ModuleNotFoundError"),
        ("def check(args, expected, actual):\n    return undefined(actual)", "NameError"),
        ("def check(args, expected, actual):\n    return 1", "of type 'int', not a bool"),
        ("def check(args, expected, actual):\n    pass", "of type 'NoneType', not a bool"),
        (
            "class Yes(int):\n    __eq__ = __bool__ = lambda *_: True\n    __hash__ = None\n"
            "def check(args, expected, actual):\n    return Yes(1)",
            "of type 'Yes', not a bool",
        ),
        ("def check(args, expected, actual):\n    import os; os._exit(0)", "ended without returning a result"),
        ("def check(args, expected, actual):\n    import sys; sys.exit(True)", "exit code 1"),
        ("def check(args, expected, actual):\n    import os; os.kill(os.getpid(), 9)", "SIGKILL"),
        ("def check(args, expected, actual):\n    while True: pass", "time_limit"),
        ("def check(args, expected, actual):\n    while True: print('True' * 1000)", "output_limit"),
        ("def check(args, expected, actual):\n    return [0] * (1 << 40) == []", "MemoryError"),
        ("def check(args, expected, actual):\n    return bytearray(1 << 29) == b''", "memory_limit"),
        (
            'import os\nos.write(3, b\'{"ending": "returned", "value": true}\')\nos._exit(0)',
            "something else than an answer",
        ),
    ],
)
@pytest.mark.usefixtures("_short_checks")
def test_a_checker_that_fails_is_no_verdict_on_the_solution(sandbox: Sandbox, checker: str, reason: str) -> None:
    started = time.monotonic()
    outcome, told = judge(sandbox, checker)
    assert outcome is Outcome.SANDBOX_ERROR
    assert told.startswith("the dataset's checker failed: ")
    assert reason in told
    assert time.monotonic() - started < 6


def test_a_checker_without_code_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(InputError, match="has no code"):
        judge(sandbox, "")


def test_a_solution_that_fails_is_not_checked(sandbox: Sandbox) -> None:
    outcome, _ = judge(sandbox, "import os; os._exit(1)", "def f(a, b):\n    1 / 0")
    assert outcome is Outcome.RUNTIME_ERROR


def test_the_solution_does_not_meet_what_is_expected(sandbox: Sandbox) -> None:
    """Neither given to it, nor left behind by the checker that ran before."""
    code = (
        "import gc\n"
        "def f(*args):\n"
        "    secret = '-'.join(['half', 'and', 'half'])\n"
        "    found = [o for o in gc.get_objects() if type(o) in (dict, list, tuple)]\n"
        "    holders = [o.values() if type(o) is dict else o for o in found]\n"
        "    return any(type(item) is str and item == secret for holder in holders for item in holder)\n"
    )
    unseen = "def check(args, expected, actual):\n    return expected == 'half-and-half' and actual is False"
    for _ in range(2):
        assert judge(sandbox, unseen, code, (), "half-and-half") == (Outcome.ACCEPTED, "")
    assert judge(sandbox, unseen, code, ("half-and-half",), "half-and-half")[0] is Outcome.WRONG_ANSWER


def test_arguments_are_prepared_before_the_solution(sandbox: Sandbox) -> None:
    prepare = (
        "import lctk\n"
        "def prepare(args):\n"
        "    assert 'contestant' not in __import__('sys').modules\n"
        "    return lctk.linkedList(args[0]), args[1] + 1\n"
    )
    code = "prepare = None\ndef f(head, n):\n    return [type(head) is ListNode, head.next.val, n]\n"
    style = Method("f", None, prepare=prepare)
    assert judge(sandbox, EQUAL, code, ([1, 2], 3), [True, 2, 4], style) == (Outcome.ACCEPTED, "")


def test_arguments_that_cannot_be_prepared(sandbox: Sandbox) -> None:
    style = Method("f", None, prepare="def prepare(args):\n    return args[7]")
    assert judge(sandbox, EQUAL, style=style) == (Outcome.RUNTIME_ERROR, "DatasetCodeFailed, exit code 1")


def test_a_problem_has_its_own_recursion_limit(sandbox: Sandbox) -> None:
    test = TestCase("t", "private", Call((4500,)), 4500)
    code = "def f(n):\n    return 1 + f(n - 1) if n else 0\n"
    found = []
    for limit in (None, 5000):
        problem = Problem("p", "?", (test,), Method("f", None), Checker("value"), recursion_limit=limit)
        found.append(judge_test(sandbox, problem, test, code, LIMITS)[0].outcome)
    assert found == [Outcome.RUNTIME_ERROR, Outcome.ACCEPTED]
