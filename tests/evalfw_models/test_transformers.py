from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import ValidationError

from evalfw import Completion, InputError, Request, RunError
from evalfw.options import keyed
from evalfw_models.transformers import Transformers, TransformersOptions
from tests.evalfw_models.asking import ask
from tests.evalfw_models.tiny_weights import CONTEXT, save_hugging_face

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None,
    reason="needs transformers and torch: pip install -e '.[dev,transformers]'",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)  # with networks as small as these, threads only wait for each other
    return save_hugging_face(tmp_path_factory.mktemp("weights") / "tiny")


def model(folder: Path, **options: object) -> Transformers:
    return Transformers(TransformersOptions.model_validate({"path": folder, **options}))


def texts(answers: list[Completion]) -> list[str]:
    return [answer.text for answer in answers]


def answer(folder: Path, request: Request, **options: object) -> Completion:
    (one,) = model(folder, **options).complete([request])
    return one


@needs_torch
def test_every_request_is_answered_in_order(folder: Path) -> None:
    requests = [ask("Hi" * number, seed=number, max_tokens=5 + number) for number in range(1, 6)]
    answers = list(model(folder, batch_size=2).complete(requests))
    assert [one.request for one in answers] == requests
    assert [one.usage.output_tokens for one in answers] == [6, 7, 8, 9, 10]
    assert [one.usage.input_tokens for one in answers] == [20 + 2 * number for number in range(1, 6)]
    assert {one.finish_reason for one in answers} == {"length"}
    assert all(one.seconds is not None and one.seconds > 0 for one in answers)


@needs_torch
def test_a_sample_depends_on_its_seed_and_not_on_its_batch(folder: Path) -> None:
    # Numbers are rounded otherwise in another batch; with these weights no token depends on it.
    requests = [ask("Hi" * (seed % 3 + 1), [0.0, 0.7, 1.5][seed % 3], seed=seed) for seed in range(6)]
    alone = texts(list(model(folder).complete(requests)))
    assert texts(list(model(folder, batch_size=4).complete(requests))) == alone
    assert texts(list(model(folder, batch_size=3).complete(reversed(requests)))) == alone[::-1]
    assert len(set(alone[1::3] + alone[2::3])) == 4


@needs_torch
def test_temperature_zero_is_greedy_whatever_the_seed(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    tokens = tokenizer("Hi", return_tensors="pt")
    with torch.inference_mode():
        expected = network.generate(**tokens, do_sample=False, max_new_tokens=20, pad_token_id=0)[0, 2:]
    answers = list(model(folder, mode="completion").complete(ask("Hi", 0.0, seed=seed) for seed in (1, 2)))
    assert texts(answers) == [tokenizer.decode(expected)] * 2


@needs_torch
def test_stop_texts_end_an_answer_and_are_left_out(folder: Path) -> None:
    whole = answer(folder, ask(seed=5, max_tokens=60)).text
    stop = next(
        whole[at : at + 2] for at in range(10, 50) if whole[at : at + 2].isascii() and "�" not in whole[at : at + 2]
    )
    (stopped, other) = model(folder, batch_size=2).complete(
        [ask(seed=5, max_tokens=60, stop=("never said", stop)), ask(seed=6, max_tokens=60)]
    )
    assert stopped.text == whole[: whole.index(stop)]
    assert stopped.finish_reason == "stop"
    assert stopped.usage.output_tokens is not None and stopped.usage.output_tokens < 60
    assert other.text == answer(folder, ask(seed=6, max_tokens=60)).text


@needs_torch
def test_end_tokens_of_the_weights_end_an_answer(folder: Path, tmp_path: Path) -> None:
    copy = save_hugging_face(tmp_path / "tiny")
    said = answer(copy, ask(seed=5)).text
    letter = next(character for character in said[3:] if character.isascii() and character.isprintable())
    end = model(copy)._loaded.tokenizer.convert_tokens_to_ids(letter)
    (copy / "generation_config.json").write_text(json.dumps({"eos_token_id": [257, end]}))
    ended = answer(copy, ask(seed=5))
    assert (ended.text, ended.finish_reason) == (said[: said.index(letter)], "stop")


@needs_torch
def test_what_weights_recommend_for_sampling_is_not_used(folder: Path, tmp_path: Path) -> None:
    copy = save_hugging_face(tmp_path / "tiny")
    said = answer(copy, ask(seed=5)).text
    recommended = {"do_sample": True, "top_k": 1, "repetition_penalty": 1.9, "eos_token_id": 257, "max_length": 5}
    (copy / "generation_config.json").write_text(json.dumps(recommended))
    assert answer(copy, ask(seed=5)).text == said


@needs_torch
def test_the_chat_template_is_used(folder: Path) -> None:
    chat = answer(folder, ask("Hi", 0.0))
    with_system = answer(folder, ask("Hi", 0.0), system="Be short.")
    written_out = answer(folder, ask("<s>user: Hi\n<s>assistant: ", 0.0), mode="completion")
    plain = answer(folder, ask("Hi", 0.0), mode="completion")
    assert chat.text == written_out.text
    assert chat.usage.input_tokens == 2 + len("user: Hi\nassistant: ")
    assert with_system.usage.input_tokens == 3 + len("system: Be short.\nuser: Hi\nassistant: ")
    assert plain.usage.input_tokens == 2
    assert len({chat.text, with_system.text, plain.text}) == 3


@needs_torch
def test_weights_without_a_chat_template_complete_only(tmp_path: Path) -> None:
    base = save_hugging_face(tmp_path / "base", chat_template=None)
    assert answer(base, ask(), mode="completion").text
    with pytest.raises(InputError, match="base: its tokenizer has no chat template; say `mode: completion`"):
        answer(base, ask())


@needs_torch
def test_a_template_that_refuses_is_reported(tmp_path: Path) -> None:
    strict = save_hugging_face(tmp_path / "strict", chat_template="{{ raise_exception('no system here') }}")
    with pytest.raises(InputError, match="its chat template refuses the messages: no system here"):
        answer(strict, ask())


@needs_torch
def test_an_answer_fills_the_context_at_most(folder: Path) -> None:
    for longest in (None, 10_000):
        filled = answer(folder, ask("x" * 230, max_tokens=longest), mode="completion")
        assert filled.usage.output_tokens == CONTEXT - 230
        assert filled.finish_reason == "length"


@needs_torch
def test_a_prompt_without_room_is_left_out(folder: Path) -> None:
    crowded = model(folder, mode="completion", batch_size=2)
    long = ask("x" * CONTEXT)
    answers = list(crowded.complete([long, ask(), long, long]))
    assert [one.request.prompt for one in answers] == ["Hi"]
    assert crowded.notes == [
        f"the prompt of 'p' has 256 tokens, which leaves no room for an answer: {folder} is made for 256"
    ]


@needs_torch
def test_halves_of_surrogate_pairs_do_not_stop_it(folder: Path) -> None:
    assert answer(folder, ask("a\ud835b", 0.0)).text == answer(folder, ask("a?b", 0.0)).text


@needs_torch
def test_a_completion_says_how_it_came_about(folder: Path) -> None:
    one = answer(folder, ask(seed=7, top_p=0.9, stop=("never said",)), dtype="bfloat16", device="cpu")
    assert one.sent == {
        **{"mode": "chat", "system": None, "temperature": 1.0, "top_p": 0.9, "max_tokens": 20, "seed": 7},
        **{"stop": ["never said"], "dtype": "torch.bfloat16", "device": "cpu", "batch": 1},
    }
    assert one.served_by == str(folder)
    assert one.fingerprint is not None and one.fingerprint.endswith(model(folder).depends_on(ask()))


@needs_torch
def test_too_little_memory_ends_the_run_with_a_way_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    full = model(folder, batch_size=2)

    def generate(**_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(full._loaded.network, "generate", generate)
    with pytest.raises(RunError, match=r"not enough memory for 2 answers at once.*\n.*smaller `batch_size`"):
        list(full.complete([ask(), ask()]))


@needs_torch
@pytest.mark.parametrize("device", ["cuda:77", "toaster"])
def test_a_device_that_is_not_there_is_refused(folder: Path, device: str) -> None:
    with pytest.raises(InputError, match="it cannot be loaded: "):
        answer(folder, ask(), device=device)


@needs_torch
def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "no-such-model"}')
    with pytest.raises(InputError, match=f"{tmp_path}: it cannot be loaded: "):
        answer(tmp_path, ask())


@needs_torch
def test_other_weights_at_the_same_path_are_asked_anew(tmp_path: Path) -> None:
    first = model(save_hugging_face(tmp_path / "tiny")).depends_on(ask())
    second = model(save_hugging_face(tmp_path / "tiny", seed=1)).depends_on(ask())
    moved = model((tmp_path / "tiny").rename(tmp_path / "elsewhere")).depends_on(ask())
    assert first != second == moved


def test_how_the_work_is_done_is_no_part_of_the_key(tmp_path: Path) -> None:
    here = TransformersOptions(path=tmp_path, device="cuda", batch_size=16)
    there = TransformersOptions(path=tmp_path / "copy")
    assert keyed(here) == keyed(there)
    assert keyed(here) != keyed(TransformersOptions(path=tmp_path, dtype="float32"))


def test_labels(tmp_path: Path) -> None:
    (tmp_path / "config.json").touch()
    assert model(tmp_path).label == tmp_path.name
    assert Transformers(TransformersOptions(hub="owner/name")).label == "name"
    assert Transformers(TransformersOptions(hub="owner/name")).depends_on(ask()) == ""


def test_a_path_is_meant_from_the_experiment_file(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").touch()
    assert Transformers(TransformersOptions(path=Path("tiny")), base=tmp_path).label == "tiny"


@pytest.mark.parametrize(
    "options",
    [{}, {"path": Path("a"), "hub": "b/c"}, {"path": Path("a"), "revision": "main"}, {"hub": ""}, {"batch_size": 0}],
)
def test_options_that_say_too_little_or_too_much_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TransformersOptions.model_validate(options)


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").touch()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'evalfw\[transformers\]'"):
        list(model(tmp_path).complete([ask()]))


def test_nothing_heavy_is_imported_before_the_first_request(tmp_path: Path) -> None:
    (tmp_path / "config.json").touch()
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from evalfw_models.transformers import Transformers, TransformersOptions\n"
        f"model = Transformers(TransformersOptions(path=Path({str(tmp_path)!r})))\n"
        "model.depends_on(None)\nassert list(model.complete([])) == []\n"
        "assert not {'torch', 'transformers'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
