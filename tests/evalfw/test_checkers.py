from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import CHECKERS, Checker, InputError, Json, check
from evalfw.checkers import values
from evalfw.checkers.matching import unmatched

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data/checkers/rows.jsonl").read_text("utf-8").splitlines()
]
NAN, INF = float("nan"), float("inf")
TEXTS = ("lines", "tokens", "yesno", "float", "deepmind", "any_of")
VALUES = ("value", "unordered", "unordered_nested")


def accepts(name: str, expected: Json, actual: Json, *, abs: float = 0.0, rel: float = 0.0) -> bool:
    reason = check(Checker(name, abs, rel), expected, actual)
    assert reason is None or (0 < len(reason) <= 140 and reason.isprintable())
    return reason is None


def label(value: Json) -> str:
    return "huge" if isinstance(value, int) and value > 2**64 else repr(value)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_rows_on_which_published_checkers_err(row: dict[str, Json]) -> None:
    tolerances = row["params"]
    assert isinstance(tolerances, dict)
    verdict = accepts(str(row["checker"]), row["expected"], row["actual"], **tolerances)
    assert verdict == (row["verdict"] == "accept"), row["why"]


TEXT_PAIRS = [
    ("lines", "a\nb\n", "a\nb", True),
    ("lines", "a\nb", "a\t \nb\n\n \n", True),
    ("lines", "", "\n\n", True),
    ("lines", "a\r\nb", "a\nb\r\n", True),
    ("lines", "\na", "a", False),
    ("lines", "a\n\nb", "a\nb", False),
    ("lines", "a  b", "a b", False),
    ("lines", " a", "a", False),
    ("lines", "A", "a", False),
    ("lines", "a\nb", "a\rb", False),
    ("lines", "a\u2028b\x85c\x0cd", "a\nb\nc\nd", False),
    ("lines", "a\u2028b\x85c\x0cd", "a\u2028b\x85c\x0cd\n", True),
    ("lines", "a", "a\xa0", False),
    ("lines", "a\udcff", "a\udcff\n", True),
    ("lines", "a\udcff", "a\udcfe", False),
    ("tokens", "1 2\n3", "\n1\t2 3 \r\n", True),
    ("tokens", "1 2", "1 2 3", False),
    ("tokens", "1 2", "12", False),
    ("tokens", "1 2", "1\xa02", False),
    ("tokens", "1", "1.0", False),
    ("tokens", "1", "01", False),
    ("tokens", "Yes", "YES", False),
    ("tokens", "", " \n", True),
    ("tokens", "a", "", False),
    ("tokens", "\udcff 1", "\udcff  1", True),
    ("yesno", "yes 1 NO", "YES\n1\nNo", True),
    ("yesno", "YES", "NO", False),
    ("yesno", "Possible", "possible", False),
    ("yesno", "yes", "yes yes", False),
    ("yesno", "yes", "yess", False),
    ("float", "+05 -0", "5 0", True),
    ("float", "5", "5.0", True),
    ("float", "1e3", "1000", True),
    ("float", ".5 5.", "0.5 5.00", True),
    ("float", "0.5", "0,5", False),
    ("float", "1000", "1_000", False),
    ("float", "12", "\uff11\uff12", False),
    ("float", "nan inf", "nan inf", True),
    ("float", "nan", "NaN", False),
    ("float", "inf", "1e999", False),
    ("float", "x 1.0", "x 1.00", True),
    ("float", "x", "y", False),
    ("float", "1" * 5000, "0" + "1" * 5000, True),
    ("float", "1" * 5000, "1" * 4999 + "2", False),
    ("float", "9007199254740993.0", "9007199254740992.0", False),
    ("float", "1e99999999999999999999", "2e99999999999999999999", False),
    ("deepmind", "Yes 1.0", "YES\v1.000001", True),
    ("deepmind", "1.0", "1.00001", False),
    ("deepmind", "5 x", "5.000001 X", True),
    ("deepmind", "9007199254740993", "9007199254740992", False),
    ("deepmind", "007", "7", True),
    ("deepmind", "inf 1.0", "INF 1.00", True),
    ("deepmind", "inf", "-inf", False),
    ("deepmind", "inf", "1e999999999999999999999", False),
    ("deepmind", "nan 1", "nan 1.0", True),
    ("deepmind", "1e999999999", "2", False),
    ("deepmind", "1 2", "1", False),
    ("deepmind", "a\x0cb", "a b", False),
]


@pytest.mark.parametrize(("name", "expected", "actual", "accepted"), TEXT_PAIRS)
def test_texts(name: str, expected: str, actual: str, accepted: bool) -> None:
    assert accepts(name, expected, actual) == accepted


@pytest.mark.parametrize(
    ("expected", "actual", "abs", "rel", "accepted"),
    [
        ("1.0", "1.1", 0.1, 0.0, True),
        ("0.8", "0.7", 0.1, 0.0, True),
        ("1.0", "1.1000000001", 0.1, 0.0, False),
        ("1000.0", "1001", 0.0, 1e-3, True),
        ("1000.0", "1001.1", 0.0, 1e-3, False),
        ("1000.0", "1001.1", 2.0, 1e-3, True),
        ("-1000.0", "-999", 0.0, 1e-3, True),
        ("0.0", "1e-12", 0.0, 1e-3, False),
        ("100", "101", 5.0, 0.5, False),
        ("100", "101.0", 5.0, 0.0, True),
        ("inf", "-inf", 1e300, 0.9, False),
        ("1.5", "inf", 1e300, 0.9, False),
        ("1.5 2", "1.5", 1.0, 0.0, False),
        ("a", "b", 1e300, 0.9, False),
    ],
)
def test_float_tolerances(expected: str, actual: str, abs: float, rel: float, accepted: bool) -> None:
    assert accepts("float", expected, actual, abs=abs, rel=rel) == accepted


def test_any_of_compares_as_lines() -> None:
    assert accepts("any_of", ["1\n2\n", "2\n1\n"], "2 \r\n1")
    assert not accepts("any_of", ["1\n2\n", "2\n1\n"], "2 1")
    assert not accepts("any_of", ["1\n", "2\n"], "1\n2\n")


VALUE_PAIRS: list[tuple[Json, Json, bool]] = [
    (None, None, True),
    (None, False, False),
    (0, False, False),
    (True, 1, False),
    (True, True, True),
    (1, 1, True),
    (1, 1.0, False),
    (1.0, 1, True),
    (1.5, 1, False),
    (0.0, -0.0, True),
    (float(2**53), 2**53 + 1, False),
    (2**53, 2**53 + 1, False),
    (10**5000, 10**5000, True),
    (10**5000, 10**5000 + 1, False),
    (1.5, 10**5000, False),
    (NAN, NAN, False),
    (INF, INF, True),
    (INF, -INF, False),
    ("1", 1, False),
    ("a", "a ", False),
    ([1, [2]], (1, (2,)), True),
    ([1, 2], [2, 1], False),
    ([1], [1, 1], False),
    ([], None, False),
    ([], {}, False),
    ([], "", False),
    ({"__tuple__": [1, {"__tuple__": []}]}, [1, []], True),
    ([{"__tuple__": []}], [[]], True),
    ({"__tuple__": 1}, {"__tuple__": 1}, True),
    ({"__tuple__": [1], "a": 1}, [1], False),
    ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
    ({"a": 1}, {"a": 2}, False),
    ({"a": 1}, {"a": 1, "b": 1}, False),
    ({"a": 1}, {"b": 1}, False),
]


@pytest.mark.parametrize(("expected", "actual", "accepted"), VALUE_PAIRS, ids=label)
@pytest.mark.parametrize("wrap", [False, True], ids=["bare", "in_list"])
def test_values(expected: Json, actual: Json, accepted: bool, wrap: bool) -> None:
    if wrap:
        expected, actual = [expected], [actual]
    assert accepts("value", expected, actual) == accepted


@pytest.mark.parametrize("name", VALUES)
def test_value_tolerances_are_for_floats(name: str) -> None:
    assert accepts(name, [1.0, 2.0], [1.05, 2], abs=0.1)
    assert accepts(name, [0.8], [0.7], abs=0.1)
    assert accepts(name, [100.0], [101], rel=0.01)
    assert not accepts(name, [100], [101], abs=5)
    assert not accepts(name, [1.0], [1.2], abs=0.1)
    assert not accepts(name, [1.0], [True], abs=5)
    assert not accepts(name, [1.0], [NAN], abs=5)
    assert not accepts(name, [INF], [1e308], abs=5, rel=0.5)
    assert not accepts(name, [1.5], [10**5000], abs=5, rel=0.5)


UNORDERED_PAIRS: list[tuple[Json, Json, bool, bool]] = [
    ([1, 2, 2], [2, 1, 2], True, True),
    ([1, 2, 2], [2, 1, 1], False, False),
    ([1, 2], [1, 2, 2], False, False),
    ([[1, 2], [3]], [[3], [1, 2]], True, True),
    ([[1, 2], [3]], [[3], [2, 1]], False, True),
    ([{"a": [1, 2]}], [{"a": [2, 1]}], False, True),
    ({"a": [1, 2]}, {"a": [2, 1]}, False, True),
    ({"__tuple__": [1, 2]}, [2, 1], True, True),
    ([[1, 1], [2]], [[1, 2], [1]], False, False),
    ([[[1, 2], [3]], [[4]]], [[[4]], [[3], [2, 1]]], False, True),
    ([True, 1], [1, True], True, True),
    ([True, True], [1, True], False, False),
    ([None, "None"], ["None", None], True, True),
    ([None, "None"], ["None", "None"], False, False),
    ([1, 2], [2.0, 1], False, False),
    ([1.0, 1], [1, 1.0], True, True),
    ([1.0, 1], [1.0, 1.0], False, False),
    ([1.0, 1.0], [1, 1.0], True, True),
    ([[1.0, 1], [1, 1.0]], [[1, 1], [1, 1]], True, True),
    ([[1.0, 1], [1, 1.0]], [[1, 1.0], [1, 1]], True, True),
    ([[1.0, 1], [1.0, 1]], [[1.0, 1], [1, 1.0]], False, True),
    ([NAN], [NAN], False, False),
    ([1.5, "a", [2]], [[2], 1.5, "a"], True, True),
    ("ab", "ba", False, False),
    ("ab", "ab", True, True),
    ([1], 1, False, False),
    ([], [], True, True),
]


@pytest.mark.parametrize(("expected", "actual", "top", "nested"), UNORDERED_PAIRS)
def test_multisets(expected: Json, actual: Json, top: bool, nested: bool) -> None:
    assert accepts("unordered", expected, actual) == top
    assert accepts("unordered_nested", expected, actual) == nested


def test_pairing_is_no_matter_of_luck() -> None:
    """The middle value could be taken by either; only one choice leaves a partner for the other."""
    for expected in ([1.0, 1.1], [1.1, 1.0]):
        assert accepts("unordered", expected, [1.05, 1.19], abs=0.1)
        assert accepts("unordered", [[x] for x in expected], [[1.19], [1.05]], abs=0.1)
        assert not accepts("unordered", [[x] for x in expected], [[1.19], [1.19]], abs=0.1)
    crossed = [[0.0, 0.1, 5.0], [0.05, 0.0, 5.0], [0.1, 0.05, 5.0]]
    assert accepts("unordered", crossed, [[0.0, 0.0, 5.0], [0.15, 0.05, 5.0], [0.05, 0.12, 5.0]], abs=0.1)


def test_unmatched_finds_a_full_pairing_where_the_first_choices_bar_it() -> None:
    partners = {0: {0, 1}, 1: {0, 2}, 2: {0}, 3: {3, 1}}
    assert unmatched([0, 1, 2, 3], [0, 1, 2, 3], lambda one, other: other in partners[one]) is None
    partners[3] = {1}
    partners[0] = {0, 1}
    partners[1] = {0}
    assert unmatched([0, 1, 2, 3], [0, 1, 2, 3], lambda one, other: other in partners[one]) is not None


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n)))
def test_unmatched_agrees_with_halls_theorem(partners: list[set[int]]) -> None:
    n = len(partners)
    chosen = [[at for at in range(n) if bits >> at & 1] for bits in range(2**n)]
    possible = all(len(set().union(*(partners[at] for at in group))) >= len(group) for group in chosen)
    places = list(range(n))
    assert (unmatched(places, places, lambda one, other: other in partners[one]) is None) == possible


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("actual", [None, 1, ["1"], {"a": 1}], ids=str)
def test_what_is_no_text_is_rejected(name: str, actual: Json) -> None:
    assert not accepts(name, ["1"] if name == "any_of" else "1", actual)


@pytest.mark.parametrize("name", VALUES)
def test_what_is_no_plain_data_is_rejected(name: str) -> None:
    class Equal:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    odd: list[object] = [Equal(), b"1", {1}]
    for thing in odd:
        for expected in (1, [1], [1.5], {"a": "1"}, [{"a": None}]):
            assert not accepts(name, expected, thing)  # type: ignore[arg-type]
            assert not accepts(name, expected, [thing])  # type: ignore[list-item]


@pytest.mark.parametrize("name", VALUES)
def test_deep_nesting_is_rejected(name: str) -> None:
    deep: Json = 1
    for _ in range(100_000):
        deep = [deep]
    assert not accepts(name, deep, deep)
    assert not accepts(name, [1], deep)
    assert not accepts(name, [1.5], [deep])


@pytest.mark.parametrize(
    ("expected", "actual", "reason"),
    [
        ("1\n2\n3\n", "1\n2\n4\n", "line 3: expected '3', found '4'"),
        ("1\n2\n", "1\n", "line 2: expected '2', found the end"),
        ("1\n", "1\n\x1b[2J\n", "line 2: expected the end, found '\\x1b[2J'"),
        ("a" * 99, "a" * 98 + "b", "line 1: expected ...'aaaaaaaaa', found ...'aaaaaaaab'"),
        ("a", "b" * 99, f"line 1: expected 'a', found '{'b' * 32}'..."),
    ],
)
def test_reasons_of_texts(expected: str, actual: str, reason: str) -> None:
    assert check(Checker("lines"), expected, actual) == reason


@pytest.mark.parametrize(
    ("name", "expected", "actual", "reason"),
    [
        ("value", [1, [2, 3]], [1, [2, 4]], "at [1][1]: expected 3, found 4"),
        ("value", {"a": [1]}, {"a": [1, 2]}, "at ['a']: expected a list of 1, found a list of 2"),
        ("value", 1, 10**50, "expected 1, found an integer of 167 bits"),
        ("value", {"a": 1}, {"b": 1}, "expected other keys"),
        ("unordered", ["a", "b"], ["b", "c"], "nothing found for 'a'"),
        ("unordered", [1.0, 2.0], [1.0, 2.5], "nothing found for 2.0"),
    ],
)
def test_reasons_of_values(name: str, expected: Json, actual: Json, reason: str) -> None:
    assert check(Checker(name), expected, actual) == reason


def test_unknown_checker() -> None:
    with pytest.raises(
        InputError, match=r"no checker 'token'; did you mean 'tokens'\? \(allowed: any_of, code, deepmind"
    ):
        check(Checker("token"), "", "")


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("expected", [None, 3, [1], []], ids=str)
def test_expected_output_that_does_not_suit_the_checker(name: str, expected: Json) -> None:
    with pytest.raises(InputError, match=f"checker '{name}'"):
        check(Checker(name), expected, "1")


@pytest.mark.parametrize(("abs", "rel"), [(-1.0, 0.0), (NAN, 0.0), (INF, 0.0), (0.0, 1.0), (0.0, -0.1), (0.0, NAN)])
def test_tolerances_that_make_no_sense(abs: float, rel: float) -> None:
    with pytest.raises(InputError, match="tolerances"):
        check(Checker("float", abs, rel), "1", "1")


def test_names() -> None:
    assert set(CHECKERS) == {*TEXTS, *VALUES, "code"}


def test_code_is_not_run_here() -> None:
    with pytest.raises(InputError, match=r"only evalfw\.judge can run it"):
        check(Checker("code", code="raise SystemExit"), 1, 1)


def shuffled(items: list[Json], seed: int = 0) -> list[Json]:
    return random.Random(seed).sample(items, len(items))


NUMBER = random.Random(1).random
HUGE: dict[str, tuple[str, list[Json]]] = {
    "ints": ("unordered", list(range(100_000))),
    "ints_of_one_hash": ("unordered", [n * (2**61 - 1) for n in range(50_000)]),
    "floats": ("unordered", [NUMBER() for _ in range(50_000)]),
    "points": ("unordered", [[NUMBER(), NUMBER()] for _ in range(20_000)]),
    "points_on_lines": ("unordered", [[round(NUMBER(), 1), NUMBER()] for _ in range(20_000)]),
    "sets": ("unordered_nested", [[str(n), n, n + 0.5] for n in range(10_000)]),
    "equal": ("unordered_nested", [[0.5, 0.5]] * 20_000),
}


@pytest.mark.parametrize(("name", "items"), HUGE.values(), ids=HUGE)
def test_huge_answers_take_no_square_time(name: str, items: list[Json]) -> None:
    start = time.process_time()
    assert accepts(name, items, shuffled(items), abs=1e-9)
    assert time.process_time() - start < 10


def test_near_elements_are_found_by_the_number_that_tells_them_apart() -> None:
    expected: list[Json] = [[n * 1e-4, float(n)] for n in range(1000)]
    actual: list[Json] = [[0.1 - n * 1e-4, float(n)] for n in range(1000)]
    assert accepts("unordered", expected, actual, abs=0.2)


def test_too_many_ways_to_pair_up_is_a_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    """No single number tells these apart, and the noise leaves no order to go by."""
    corners: list[Json] = [[float(n >> bit & 1) for bit in range(7)] for n in range(128)]
    noisy: list[Json] = [[float(n >> bit & 1) + 0.1 * NUMBER() for bit in range(7)] for n in range(128)]
    assert accepts("unordered", corners, shuffled(noisy), abs=0.2)
    monkeypatch.setattr(values, "PAIRS", 1000)
    assert check(Checker("unordered", 0.2), corners, shuffled(noisy)) == "too many ways to pair the elements up"


TEXT = st.text(st.sampled_from(" \n\t\r\x0b01.e-+aYyESnoNO\udcff\u2028\xa0"), max_size=12)
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.builds(lambda items: {"__tuple__": items}, st.lists(inner, max_size=3))
    ),
    max_leaves=12,
)
EXACT = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=10,
)


@given(TEXT)
def test_every_text_equals_itself(text: str) -> None:
    assert all(accepts(name, [text] if name == "any_of" else text, text) for name in TEXTS)


@given(TEXT, TEXT)
def test_texts_are_compared_alike_both_ways(one: str, other: str) -> None:
    for name in ("lines", "tokens", "yesno", "float", "deepmind"):
        assert accepts(name, one, other, abs=0.5) == accepts(name, other, one, abs=0.5)
    assert accepts("tokens", one, other) <= accepts("float", one, other)
    assert accepts("lines", one, other) <= accepts("tokens", one, other)


@given(DATA)
def test_every_value_equals_itself(value: Json) -> None:
    assert all(accepts(name, value, value) and accepts(name, value, value, abs=1e-6) for name in VALUES)


@given(EXACT, EXACT)
def test_multisets_are_compared_alike_both_ways(one: Json, other: Json) -> None:
    for name in VALUES:
        assert accepts(name, one, other) == accepts(name, other, one)
    assert accepts("value", one, other) <= accepts("unordered", one, other)
    assert accepts("unordered", one, other) <= accepts("unordered_nested", one, other)


@given(st.lists(DATA, max_size=6), st.randoms(use_true_random=False))
def test_order_is_no_matter_in_a_multiset(items: list[Json], chance: random.Random) -> None:
    mixed = chance.sample(items, len(items))
    for tolerance in (0.0, 1e-3):
        assert accepts("unordered", items, mixed, abs=tolerance)
        assert accepts("unordered_nested", [items], [mixed], abs=tolerance)
    assert not accepts("unordered", [*items, "one more"], mixed)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5), st.lists(st.integers(0, 20), min_size=1, max_size=5))
def test_floats_pair_up_as_in_the_general_search(one: list[int], other: list[int]) -> None:
    """Alone they are sorted, in lists of one they are searched: both have to find a pairing where there is one."""
    expected, actual = [n / 2 for n in one], [n / 2 for n in other]
    alone = accepts("unordered", [*expected], [*actual], abs=1.0, rel=0.25)
    boxed = accepts("unordered", [[n] for n in expected], [[n] for n in actual], abs=1.0, rel=0.25)
    assert alone == boxed
