from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import ValidationError

from evalfw import Completion, InputError, Request
from evalfw.options import keyed
from evalfw_models.llama_cpp import LlamaCpp, LlamaCppOptions
from tests.evalfw_models.asking import ask
from tests.evalfw_models.tiny_weights import CONTEXT, save_gguf

needs_llama_cpp = pytest.mark.skipif(
    find_spec("llama_cpp") is None or find_spec("gguf") is None,
    reason="needs llama-cpp-python and gguf: pip install -e '.[dev,llama_cpp]' gguf",
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_gguf(tmp_path_factory.mktemp("weights") / "tiny.gguf")


def model(path: Path, **options: object) -> LlamaCpp:
    return LlamaCpp(LlamaCppOptions.model_validate({"path": path, "context": CONTEXT, "threads": 1, **options}))


def texts(answers: list[Completion]) -> list[str]:
    return [answer.text for answer in answers]


def answer(path: Path, request: Request, **options: object) -> Completion:
    (one,) = model(path, **options).complete([request])
    return one


@needs_llama_cpp
def test_every_request_is_answered_in_order(path: Path) -> None:
    requests = [ask("Hi" * number, seed=number, max_tokens=5 + number) for number in range(1, 6)]
    answers = list(model(path).complete(requests))
    assert [one.request for one in answers] == requests
    for number, one in enumerate(answers, 1):
        ended = one.finish_reason == "stop"  # the noise may end by itself
        assert one.usage.output_tokens in (range(5 + number) if ended else [5 + number])
    assert [one.usage.input_tokens for one in answers] == [20 + 2 * number for number in range(1, 6)]
    assert "length" in {one.finish_reason for one in answers}
    assert all(one.seconds is not None and one.seconds > 0 for one in answers)


@needs_llama_cpp
def test_a_sample_depends_on_its_seed_and_not_on_what_was_asked_before(path: Path) -> None:
    prompts = ["Hi", "Hi there", "Hi there, all of you", "Ho"]
    requests = [ask(prompts[seed % 4], [0.7, 1.5][seed % 2], seed=seed) for seed in range(8)]
    alone = [answer(path, request).text for request in requests]
    together = model(path)
    assert texts(list(together.complete(requests))) == alone
    assert texts(list(together.complete(reversed(requests)))) == alone[::-1]
    assert len(set(alone)) == 8


@needs_llama_cpp
def test_every_seed_of_a_request_gives_the_same_sample_again(path: Path) -> None:
    for seed in (0, 0xFFFFFFFE, 0xFFFFFFFF):
        assert answer(path, ask(seed=seed)).text == answer(path, ask(seed=seed)).text


@needs_llama_cpp
def test_temperature_zero_is_greedy_whatever_the_seed(path: Path) -> None:
    first, second, warm = model(path).complete([ask("Hi", 0.0, seed=1), ask("Hi", 0.0, seed=2), ask("Hi", 1.0, seed=2)])
    assert first.text == second.text != warm.text
    assert answer(path, ask("Hi", 1.0, seed=9, top_p=1e-6)).text == first.text


@needs_llama_cpp
def test_unlikely_tokens_are_not_cut_off(path: Path) -> None:
    """Noise at a high temperature shows most of the vocabulary; the sampler's own defaults would leave 40 tokens."""
    made = "".join(texts(list(model(path).complete(ask("Hi", 50.0, seed=seed, max_tokens=200) for seed in range(4)))))
    assert len(set(made)) > 60


@needs_llama_cpp
def test_stop_texts_end_an_answer_and_are_left_out(path: Path) -> None:
    whole = answer(path, ask(seed=5, max_tokens=60)).text
    stop = next(character for character in whole[10:] if character.isascii() and character.isprintable())
    stopped = answer(path, ask(seed=5, max_tokens=60, stop=("never said", stop)))
    assert stopped.text == whole[: whole.index(stop)]
    assert stopped.finish_reason == "stop"


@needs_llama_cpp
def test_the_chat_template_of_the_file_is_used(path: Path) -> None:
    chat = answer(path, ask("Hi", 0.0))
    with_system = answer(path, ask("Hi", 0.0), system="Be short.")
    written_out = answer(path, ask("<s>user: Hi\n<s>assistant: ", 0.0), mode="completion")
    plain = answer(path, ask("Hi", 0.0), mode="completion")
    assert chat.text == written_out.text
    assert chat.usage.input_tokens == 2 + len("user: Hi\nassistant: ")
    assert with_system.usage.input_tokens == 3 + len("system: Be short.\nuser: Hi\nassistant: ")
    assert plain.usage.input_tokens == 2
    assert len({chat.text, with_system.text, plain.text}) == 3


@needs_llama_cpp
def test_a_file_without_a_chat_template_completes_only(tmp_path: Path) -> None:
    base = save_gguf(tmp_path / "base.gguf", chat_template=None)
    assert answer(base, ask(), mode="completion").text
    with pytest.raises(InputError, match=r"base\.gguf: there is no chat template in it; say `mode: completion`"):
        answer(base, ask())


@needs_llama_cpp
def test_a_template_that_refuses_is_reported(tmp_path: Path) -> None:
    strict = save_gguf(tmp_path / "strict.gguf", chat_template="{{ raise_exception('no system here') }}")
    with pytest.raises(InputError, match="its chat template refuses the messages: no system here"):
        answer(strict, ask())


@needs_llama_cpp
def test_an_answer_fills_the_context_at_most(path: Path) -> None:
    requests = [ask("x" * 240, seed=seed, max_tokens=longest) for seed in range(30) for longest in (None, 10_000)]
    answers = list(model(path, mode="completion").complete(requests))
    assert texts(answers[::2]) == texts(answers[1::2])
    full = [one.usage.output_tokens for one in answers if one.finish_reason == "length"]
    assert len(full) >= 30
    assert set(full) == {CONTEXT - 240}


@needs_llama_cpp
def test_a_prompt_without_room_is_left_out(path: Path) -> None:
    crowded = model(path, mode="completion")
    long = ask("x" * CONTEXT)
    answers = list(crowded.complete([long, ask(), long]))
    assert [one.request.prompt for one in answers] == ["Hi"]
    assert crowded.notes == ["the prompt of 'p' has 256 tokens, which leaves no room for an answer: `context` is 256"]


@needs_llama_cpp
def test_a_context_beyond_the_weights_is_refused(path: Path) -> None:
    with pytest.raises(InputError, match="made for at most 256 tokens, and `context` is 257"):
        answer(path, ask(), context=257)


@needs_llama_cpp
def test_halves_of_surrogate_pairs_do_not_stop_it(path: Path) -> None:
    assert answer(path, ask("a\ud835b", 0.0)).text == answer(path, ask("a?b", 0.0)).text


@needs_llama_cpp
def test_a_completion_says_how_it_came_about(path: Path) -> None:
    one = answer(path, ask(seed=7, top_p=0.9, stop=("never said",)))
    assert one.sent == {
        **{"mode": "chat", "system": None, "temperature": 1.0, "top_p": 0.9, "max_tokens": 20, "seed": 7},
        **{"stop": ["never said"], "top_k": 0, "min_p": 0.0, "typical_p": 1.0, "repeat_penalty": 1.0},
    }
    assert one.served_by == "tiny"
    assert one.fingerprint is not None and one.fingerprint.endswith(model(path).depends_on(ask()))


@needs_llama_cpp
def test_a_file_that_only_begins_as_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(b"GGUF and no more")
    with pytest.raises(InputError, match=r"cut\.gguf: llama\.cpp cannot use it: "):
        answer(tmp_path / "cut.gguf", ask())


@needs_llama_cpp
def test_other_weights_at_the_same_path_are_asked_anew(tmp_path: Path) -> None:
    first = model(save_gguf(tmp_path / "tiny.gguf")).depends_on(ask())
    second = model(save_gguf(tmp_path / "tiny.gguf", seed=1)).depends_on(ask())
    moved = model((tmp_path / "tiny.gguf").rename(tmp_path / "elsewhere.gguf")).depends_on(ask())
    assert first != second == moved


@pytest.fixture
def stub(tmp_path: Path) -> Path:
    """A file that is taken for one with weights as long as nobody is asked."""
    stub = tmp_path / "small-q4.gguf"
    stub.write_bytes(b"GGUF")
    return stub


def test_how_the_work_is_done_is_no_part_of_the_key(stub: Path) -> None:
    assert keyed(LlamaCppOptions(path=stub, threads=7)) == keyed(LlamaCppOptions(path=Path("copy.gguf")))
    assert keyed(LlamaCppOptions(path=stub)) != keyed(LlamaCppOptions(path=stub, context=512))


def test_the_label_is_the_name_of_the_file(stub: Path) -> None:
    assert model(stub).label == "small-q4"


def test_a_path_is_meant_from_the_experiment_file(stub: Path) -> None:
    assert LlamaCpp(LlamaCppOptions(path=Path(stub.name)), base=stub.parent).label == "small-q4"


def test_a_missing_file_is_refused_before_any_work(stub: Path) -> None:
    with pytest.raises(InputError, match=r"small-q5\.gguf: there is no such file; did you mean 'small-q4\.gguf'\?"):
        model(stub.with_name("small-q5.gguf"))


def test_options_are_checked(stub: Path) -> None:
    for wrong in ({"threads": 0}, {"context": 1}, {"gpu_layers": -2}, {"mode": "chatty"}):
        with pytest.raises(ValidationError):
            model(stub, **wrong)


def test_a_missing_library_is_named(stub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(InputError, match=r"pip install 'evalfw\[llama_cpp\]'"):
        list(model(stub, mode="completion").complete([ask()]))


def test_nothing_heavy_is_imported_before_the_first_request(stub: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom evalfw_models.llama_cpp import LlamaCpp, LlamaCppOptions\n"
        f"model = LlamaCpp(LlamaCppOptions(path=Path({str(stub)!r})))\n"
        "model.depends_on(None)\nassert list(model.complete([])) == []\n"
        "assert not {'llama_cpp', 'numpy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)
