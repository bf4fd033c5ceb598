"""Comparing an output with the expected one, by the rule that a problem names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from evalfw.checkers import texts, values
from evalfw.checkers.numbers import Tolerance, decimal
from evalfw.domain.problem import Checker, Json
from evalfw.errors import InputError, near

_TEXTS: Mapping[str, Callable[[str, str, Tolerance], str | None]] = {
    "lines": texts.lines,
    "tokens": texts.tokens,
    "yesno": texts.yesno,
    "float": texts.floats,
    "deepmind": texts.deepmind,
}
_VALUES: Mapping[str, Callable[[Json, Json, Tolerance], str | None]] = {
    "value": values.value,
    "unordered": values.unordered,
    "unordered_nested": values.unordered_nested,
}

RULES = 1
"""Version of the rules. Part of stored keys: raise it whenever a verdict may change."""

CHECKERS: tuple[str, ...] = tuple(sorted([*_TEXTS, "any_of", "code", *_VALUES]))
"""Names of the checkers. Texts: lines, tokens, yesno, float, deepmind, any_of. Both: code. Plain data: the others."""


def check(checker: Checker, expected: Json, actual: Json) -> str | None:
    """Compare an output with the expected one.

    Args:
        checker: The rule and its tolerances; the checkers that know no numbers pay no heed to them.
        expected: Text for the text checkers, a list of texts for `any_of`, plain data for the others.
        actual: Likewise. It may come from a hostile program: whatever it is, it is compared, never trusted.

    Returns:
        None if the output is accepted, else a short reason that is safe to print.

    Raises:
        InputError: There is no such checker, its tolerances make no sense, or the expected output is not of
            the kind that it compares.
    """
    if not (0 <= checker.abs < math.inf and 0 <= checker.rel < 1):
        raise InputError(
            f"checker '{checker.name}': tolerances abs={checker.abs}, rel={checker.rel} "
            "(allowed: abs finite and not negative, rel in [0, 1))"
        )
    tolerance = Tolerance(decimal(repr(checker.abs)), decimal(repr(checker.rel)))
    if checker.name in _VALUES:
        return _VALUES[checker.name](expected, actual, tolerance)
    if checker.name == "any_of":
        return _any_of(expected, actual)
    if checker.name == "code":
        raise InputError("checker 'code' is a program of the dataset's: only evalfw.judge can run it, in a sandbox")
    if checker.name not in _TEXTS:
        raise InputError(f"there is no checker '{checker.name}'{near(checker.name, CHECKERS)}")
    if not isinstance(expected, str):
        raise InputError(f"checker '{checker.name}' compares texts; the expected output is {texts.show(expected)}")
    if not isinstance(actual, str):
        return f"expected a text, found {texts.show(actual)}"
    return _TEXTS[checker.name](expected, actual, tolerance)


def _any_of(expected: Json, actual: Json) -> str | None:
    if not isinstance(expected, list | tuple) or not expected:
        raise InputError(f"checker 'any_of' needs a list of texts; the expected output is {texts.show(expected)}")
    reasons = []
    for text in expected:
        if not isinstance(text, str):
            raise InputError(f"checker 'any_of' needs a list of texts; one of them is {texts.show(text)}")
        if not isinstance(actual, str):
            return f"expected a text, found {texts.show(actual)}"
        reasons.append(texts.lines(text, actual, Tolerance()))
    if None in reasons:
        return None
    return f"none of {len(reasons)} outputs; the first: {reasons[0]}"
