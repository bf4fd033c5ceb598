from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from evalfw_models.rows import Draw, Ended, Row
from tests.evalfw_models.asking import ask

if TYPE_CHECKING:
    import torch

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="needs torch: pip install -e '.[dev,transformers]'")

CHANCES = (0.5, 0.0, 0.3, 0.2)


def logits() -> torch.Tensor:
    import torch

    return torch.tensor(CHANCES).log()


def row(
    temperature: float | None = 1.0, *, seed: int = 0, top_p: float | None = None, stop: tuple[str, ...] = ()
) -> Row:
    return Row(ask(temperature=temperature, seed=seed, top_p=top_p, stop=stop), [1, 2], most=3)


def drawn(one: Row, times: int = 2000) -> Counter[int]:
    return Counter(one.draw(logits()) for _ in range(times))


def test_tokens_come_as_often_as_their_chances_say() -> None:
    counts = drawn(row())
    assert counts[1] == 0
    for token, chance in enumerate(CHANCES):
        assert abs(counts[token] / 2000 - chance) < 0.04  # 3.6 standard deviations, of a fixed seed


def test_a_temperature_sharpens() -> None:
    # At temperature 1/2 chances are squared: 25, 9, 4 of 38.
    counts = drawn(row(0.5))
    assert abs(counts[0] / 2000 - 25 / 38) < 0.04
    assert abs(counts[3] / 2000 - 4 / 38) < 0.03


def test_no_temperature_is_the_distribution_itself() -> None:
    assert drawn(row(None)) == drawn(row(1.0))


def test_temperature_zero_takes_the_likeliest() -> None:
    assert drawn(row(0.0), 20) == {0: 20}


@pytest.mark.parametrize(
    ("top_p", "tokens"), [(1e-9, {0}), (0.5, {0}), (0.51, {0, 2}), (0.79, {0, 2}), (0.81, {0, 2, 3}), (1.0, {0, 2, 3})]
)
def test_the_nucleus_is_the_fewest_likeliest_tokens_that_reach_top_p(top_p: float, tokens: set[int]) -> None:
    assert set(drawn(row(top_p=top_p), 300)) == tokens


def test_a_seed_decides() -> None:
    first, again, other = ([one.draw(logits()) for _ in range(30)] for one in (row(seed=1), row(seed=1), row(seed=2)))
    assert first == again != other


def test_every_seed_of_a_request_can_be_used() -> None:
    assert row(seed=0xFFFFFFFF).draw(logits()) in {0, 2, 3}


def test_a_processor_leaves_what_was_drawn() -> None:
    import torch

    alone = [one.draw(logits()) for one in (row(seed=3), row(seed=4))]
    scores = Draw([row(seed=3), row(seed=4)])(torch.zeros(2, 1), torch.stack([logits(), logits()]))
    assert scores.argmax(dim=-1).tolist() == alone
    assert (scores == 0).sum(dim=-1).tolist() == [1, 1]


def grow(rows: list[Row], *columns: tuple[int, ...]) -> list[list[bool]]:
    import torch

    ended = Ended(rows, ends={9}, text=lambda tokens: "".join("abcdefghij"[token] for token in tokens))
    return [ended(torch.tensor(column)[:, None], None).tolist() for column in columns]


def test_each_row_has_an_end_of_its_own() -> None:
    rows = [row(), row(stop=("cd",)), row()]
    done = grow(rows, (9, 2, 0), (0, 3, 1), (0, 0, 2))
    assert done == [[True, False, False], [True, True, False], [True, True, True]]
    assert [one.answer for one in rows] == [[], [2, 3], [0, 1, 2]]
    assert [one.finish_reason for one in rows] == ["stop", "stop", "length"]


def test_a_stop_text_at_the_last_token_is_a_stop() -> None:
    rows = [row(stop=("c", "zz"))]
    assert grow(rows, (0,), (1,), (2,)) == [[False], [False], [True]]
    assert rows[0].finish_reason == "stop"
