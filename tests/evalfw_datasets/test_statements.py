from __future__ import annotations

import pytest

from evalfw_datasets.statements import has_image, says_interactive, says_several_answers


@pytest.mark.parametrize(
    "statement",
    [
        "If there are multiple answers, print any.",
        "If there are several possible answers, you may print any of them.",
        "If there can be several answers, print any of them.",
        "If there are multiple such integers, output any of them.",
        "Your task is to find any diverse substring.",
        "You can print the pairs in any order.",
        "There are multiple possible solutions.",
        "Given n and m, find some positive integers a and b such that their sum is m.",
        "Print all lines that he could be in, in arbitrary order.",
        "One valid solution is a = 6, b = 7.",
        "The first example has lots of correct answers.",
        "Input\n\nn\n\nOutput\n\nPrint one of multiple pairs.\n\nExamples\n",
    ],
)
def test_several_answers(statement: str) -> None:
    assert says_several_answers(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "You can print each letter in any case (upper or lower).",
        "We are allowed to rearrange the pictures in any order.",
        "Input\n\nThe input consists of multiple test cases.\n\nOutput\n\nPrint n.\n",
        "They can be in arbitrary order.",
        "Print one number. Some answer is needed.",
        "If there are several optimal variants, Bob chooses the quickest.",
        "She woke up several times. There are many solutionless puzzles.",
    ],
)
def test_one_answer(statement: str) -> None:
    assert not says_several_answers(statement)


@pytest.mark.parametrize(
    ("statement", "interactive"),
    [
        ("This is an interactive problem.", True),
        ("Guess it.\n\nInteraction\n\nAsk and flush.", True),
        ("The interactor answers.", True),
        ("The interaction of two players is described.", False),
    ],
)
def test_interactive(statement: str, interactive: bool) -> None:
    assert says_interactive(statement) is interactive


def test_image() -> None:
    assert has_image("See <image> below.")
    assert not has_image("See the image below.")
