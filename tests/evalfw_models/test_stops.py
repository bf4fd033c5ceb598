from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalfw_models.stops import cut, stopped


def letters(tokens: object) -> str:
    assert isinstance(tokens, list)
    return "".join("abcd"[token] for token in tokens)


def test_an_answer_is_cut_at_the_first_stop_text() -> None:
    assert cut("one\ntwo###", ("###", "\ntwo")) == "one"
    assert cut("one", ("###",)) == "one"
    assert cut("one", ()) == "one"


@given(st.lists(st.integers(0, 3), max_size=60), st.lists(st.text("abcd", min_size=1, max_size=4), max_size=3))
def test_the_first_token_at_which_a_stop_text_is_whole_is_noticed(tokens: list[int], stop: list[str]) -> None:
    noticed = next((at for at in range(1, len(tokens) + 1) if stopped(tokens[:at], stop, letters)), None)
    text = letters(tokens)
    assert noticed == min((text.index(one) + len(one) for one in stop if one in text), default=None)


def test_tokens_that_stand_for_nothing_do_not_hide_a_stop_text() -> None:
    assert stopped([0, -1, -1, 1], ("ab",), lambda tokens: "".join("ab"[token] for token in tokens if token >= 0))
