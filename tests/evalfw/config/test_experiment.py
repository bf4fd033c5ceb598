from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import Field

from evalfw.config.experiment import (
    Bounds,
    Comparison,
    Experiment,
    Isolation,
    Processes,
    Sampling,
    Selection,
    Target,
    Use,
    load_experiment,
    options,
)
from evalfw.errors import ConfigError
from evalfw.options import Bytes, NoOptions, Options

DATA = Path(__file__).parent / "data"
MINIMAL = "name: x\ndatasets: [starter]\nmodels: [accepted]\nmetrics: [dmpd]\n"


class LineOptions(Options):
    stride: int = Field(default=1, ge=1)
    quantum: Bytes = 64


def loaded(tmp_path: Path, text: str) -> Experiment:
    path = tmp_path / "e.yaml"
    path.write_text(text)
    return load_experiment(path)[0]


def said(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    return [f"{each.line}:{each.column} {each.field}: {each.message}" for each in caught.value.mistakes]


def test_the_quickstart() -> None:
    experiment, document = load_experiment(DATA / "quickstart.yaml")
    assert experiment == Experiment(
        name="quickstart",
        datasets=(Use(use="starter"),),
        models=(Use(use="accepted"),),
        limits=Bounds(time=10.0, memory=1 << 30, output=16 << 20),
        profilers=(Use(use="tracemalloc_line", options={"stride": 1, "quantum": "64B"}),),
        metrics=(
            Use(use="pass_at_k", options={"k": [1, 5]}),
            *(Use(use=name) for name in ("dmpd", "npd", "nmv", "mis")),
        ),
        executor=Processes(workers=2),
    )
    assert document.source == DATA / "quickstart.yaml"


def test_what_may_be_left_out(tmp_path: Path) -> None:
    experiment = loaded(tmp_path, MINIMAL)
    assert (experiment.seed, experiment.profilers, experiment.plugins) == (0, (), ())
    assert experiment.sampling == Sampling(n=5, temperatures=(0.0,))
    assert experiment.tests == Selection(public="all", private=10, pools=("private", "generated"), correct_on="all")
    assert experiment.limits == Bounds(time=None, memory=None, output=16 << 20, profile_time=None, profile_memory=None)
    assert experiment.executor == Processes(workers=None)
    assert experiment.sandbox == Isolation(site_packages=False)


def test_what_must_be_there(tmp_path: Path) -> None:
    assert said(tmp_path, "seed: 1\n") == [
        f"1:1 {field}: required, but missing" for field in ("name", "datasets", "models", "metrics")
    ]


def test_a_use_is_a_name_or_a_mapping(tmp_path: Path) -> None:
    text = MINIMAL + "profilers:\n- a\n- {use: a, label: b, options: 1, x: [y]}\n- ./mine.py:Mine\n"
    uses = loaded(tmp_path, text).profilers
    assert uses == (
        Use(use="a"),
        Use(use="a", label="b", options={"options": 1, "x": ["y"]}),
        Use(use="./mine.py:Mine"),
    )
    assert [use.name for use in uses] == ["a", "b", "./mine.py:Mine"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("profilers: [{label: x}]", "5:13 profilers.0.use: required, but missing"),
        (
            "profilers: [5]",
            "5:13 profilers.0: found 5, but the name of a plugin or a mapping such as {use: NAME} is needed",
        ),
        (
            "profilers: [[a]]",
            "5:13 profilers.0: the name of a plugin or a mapping such as {use: NAME} is needed",
        ),
        ("profilers: tracemalloc_line", "5:1 profilers: found 'tracemalloc_line', but a list is needed"),
        ("profilers: ['']", "5:13 profilers.0: found '', but text of 1 or more characters is needed"),
        (
            "profilers: [{use: a, label: 1.10}]",
            '5:22 profilers.0.label: found 1.10, but text is needed; put it in quotes: "1.10"',
        ),
        (
            "profilers: [{use: a, label: ' b'}]",
            "5:22 profilers.0.label: found ' b', but one line of text without blanks around it is needed",
        ),
        ("sampling: {n: 0}", "5:12 sampling.n: found 0, but a number of at least 1 is needed"),
        ("sampling: {n: 5.0}", "5:12 sampling.n: found 5.0, but a whole number is needed"),
        ("sampling: {n: true}", "5:12 sampling.n: found true, but a whole number is needed"),
        (
            "sampling: {temperatures: []}",
            "5:12 sampling.temperatures: found an empty list, but a list of 1 or more items is needed",
        ),
        ("sampling: {temperatures: 0.2}", "5:12 sampling.temperatures: found 0.2, but a list is needed"),
        (
            "sampling: {temperatures: [true]}",
            "5:27 sampling.temperatures.0: found true, but a number is needed",
        ),
        (
            "sampling: {temperatures: [-0.1]}",
            "5:27 sampling.temperatures.0: found -0.1, but a number of at least 0 is needed",
        ),
        (
            "sampling: {temperatures: [0, 0.2, -0.0]}",
            "5:12 sampling.temperatures: every value may be given once, but 0.0 is given again",
        ),
        (
            "sampling: {temperatures: {from: 0, to: 2, step: 0}}",
            "5:43 sampling.temperatures.step: found 0, but a number greater than 0 is needed",
        ),
        (
            "sampling: {temperatures: {from: 0, to: 2, step: 3}}",
            "5:12 sampling.temperatures: `step` is 3.0, and leads from 0.0 past 2.0 at once",
        ),
        (
            "sampling: {temperatures: {from: -1, to: 0, step: 1}}",
            "5:12 sampling.temperatures: `from` is -1.0, and a temperature is at least 0",
        ),
        (
            "sampling: {temperatures: {from: 0, to: 2, stp: 1, step: 1}}",
            "5:43 sampling.temperatures.stp: unknown field 'stp'; did you mean 'step'? (allowed: from, step, to)",
        ),
        (
            "sampling: {n: 3, until: {correct: 5, max: 50}}",
            "5:1 sampling: `n` and `until` are two rules for the number of samples; give one of them",
        ),
        (
            "sampling: {until: {correct: 5, max: 4}}",
            "5:12 sampling.until: `max` is 4, and 5 correct solutions need as many completions",
        ),
        ("sampling: {max_cost: 0}", "5:12 sampling.max_cost: found 0, but a number greater than 0 is needed"),
        ("sampling: {max_requests: 0}", "5:12 sampling.max_requests: found 0, but a number of at least 1 is needed"),
        ("tests: {private: 0}", "5:9 tests.private: found 0, but 'all' or a number of at least 1 is needed"),
        (
            "tests: {pools: []}",
            "5:9 tests.pools: found an empty list, but a list of 1 or more items is needed",
        ),
        (
            "tests: {pools: [public, public]}",
            "5:9 tests.pools: every value may be given once, but 'public' is given again",
        ),
        (
            "tests: {pools: [hidden]}",
            "5:17 tests.pools.0: unknown value 'hidden' (allowed: generated, private, public)",
        ),
        (
            "tests: {generated: {per_size: 3}}",
            "5:9 tests.generated.sizes: required, but missing",
        ),
        (
            "tests: {generated: {sizes: [1, 10, 1]}}",
            "5:21 tests.generated.sizes: every value may be given once, but 1 is given again",
        ),
        (
            "tests: {generated: {sizes: [0]}}",
            "5:29 tests.generated.sizes.0: found 0, but a number of at least 1 is needed",
        ),
        (
            "limits: {memory: 256}",
            "5:10 limits.memory: found 256, but 1MiB or more is needed to run Python at all; "
            "a number without a unit means bytes",
        ),
        ("limits: {time: 0}", "5:10 limits.time: found 0, but a number greater than 0 is needed"),
        ("executor: {workers: 0}", "5:12 executor.workers: found 0, but a number of at least 1 is needed"),
        (
            "sandbox: {site_packages: maybe}",
            "5:11 sandbox.site_packages: found 'maybe', but true or false is needed",
        ),
        (
            "sandbox: {require: namespace}",
            "5:11 sandbox.require: unknown value 'namespace'; did you mean 'namespaces'? "
            "(allowed: landlock+seccomp, namespaces, rlimits, seccomp+rlimits)",
        ),
        (
            "limits: {tme: 1s}",
            "5:10 limits.tme: unknown field 'tme'; did you mean 'time'? "
            "(allowed: memory, output, profile_memory, profile_time, time)",
        ),
    ],
)
def test_a_mistake_is_explained(tmp_path: Path, line: str, message: str) -> None:
    assert [each.removesuffix(".use") for each in said(tmp_path, MINIMAL + line)] == [message]


def test_whole_numbers_will_do_for_temperatures(tmp_path: Path) -> None:
    temperatures = loaded(tmp_path, MINIMAL + "sampling: {temperatures: [-0.0, 1, 1e-1]}").sampling.temperatures
    assert repr(temperatures) == "(0.0, 1.0, 0.1)"


def test_temperatures_may_be_a_sweep(tmp_path: Path) -> None:
    text = MINIMAL + "sampling: {temperatures: {from: 0.2, to: 0.8, step: 0.2}}"
    assert repr(loaded(tmp_path, text).sampling.temperatures) == "(0.2, 0.4, 0.6, 0.8)"


def test_sampling_may_go_on_until_enough_are_correct(tmp_path: Path) -> None:
    sampling = loaded(tmp_path, MINIMAL + "sampling: {until: {correct: 5, max: 50}}").sampling
    assert (sampling.until, sampling.most) == (Target(correct=5, max=50), 50)
    assert Sampling(n=3).most == 3


@pytest.mark.parametrize("name", ["a", "A-1._b", "0"])
def test_a_name_becomes_a_file_name(tmp_path: Path, name: str) -> None:
    assert loaded(tmp_path, MINIMAL.replace("name: x", f"name: '{name}'")).name == name


@pytest.mark.parametrize("name", ["", ".a", "../a", "a/b", "a b", "é", "a" * 101, "-a", "a\\n"])
def test_what_cannot_be_a_file_name_is_refused(tmp_path: Path, name: str) -> None:
    (message,) = said(tmp_path, MINIMAL.replace("name: x", f'name: "{name}"'))
    assert "a name fit for files is needed" in message


def test_uses_of_one_name_clash(tmp_path: Path) -> None:
    text = MINIMAL + "profilers:\n- a\n- {use: b, label: a}\n- {use: a, label: c}\n- {use: a}\n"
    advice = "give one of them a `label` of its own"
    assert said(tmp_path, text) == [
        f"7:3 profilers.1: 'a' is used twice, in lines 6 and 7; {advice}",
        f"9:3 profilers.3: 'a' is used twice, in lines 6 and 9; {advice}",
    ]
    assert loaded(tmp_path, MINIMAL + "profilers: [dmpd, accepted]").profilers, "lists do not clash"


def test_models_may_bring_labels_that_are_not_known_yet(tmp_path: Path) -> None:
    text = re.sub("models: .*", "models: [{use: r, a: 1}, {use: r, a: 2}, {use: r, label: c}]", MINIMAL)
    assert [use.name for use in loaded(tmp_path, text).models] == ["r", "r", "c"]
    (message,) = said(tmp_path, text.replace("a: 2", "label: c"))
    assert "models.2: 'c' is used twice" in message


def test_all_mistakes_of_a_file_are_collected(tmp_path: Path) -> None:
    text = "name: x\nseed: no\ndatasets: [a, a]\nmodel: [b]\nmetrics: []\nlimits: {time: 1:30}\n"
    assert [each.split(":")[0] + each.split(" ")[1] for each in said(tmp_path, text)] == [
        "1models:",
        "2seed:",
        "3datasets.1:",
        "4model:",
        "5metrics:",
        "6limits.time:",
    ]


def test_limits_written_as_numbers_are_the_same_limits(tmp_path: Path) -> None:
    limits = Bounds(time=2.5, memory=256 << 20, profile_time=50.0, profile_memory=1 << 30)
    assert loaded(tmp_path, f"{MINIMAL}limits: {limits.model_dump_json()}").limits == limits
    text = "limits: {time: 2500ms, memory: 256MiB, profile_time: 50, profile_memory: 1GiB}"
    assert loaded(tmp_path, MINIMAL + text).limits == limits


def test_options_of_a_use(tmp_path: Path) -> None:
    path = tmp_path / "e.yaml"
    path.write_text(MINIMAL + "profilers:\n- {use: line, stride: 2, quantum: 1KiB}\n- line2\n")
    experiment, document = load_experiment(path)
    first, second = experiment.profilers
    assert options(document, ("profilers", 0), first, LineOptions) == LineOptions(stride=2, quantum=1024)
    assert options(document, ("profilers", 1), second, LineOptions) == LineOptions()


def test_wrong_options_of_a_use(tmp_path: Path) -> None:
    path = tmp_path / "e.yaml"
    path.write_text(MINIMAL + "profilers:\n- use: line\n  stride: 1.0\n  quantum: 64.0\n  lable: x\n")
    experiment, document = load_experiment(path)
    found = options(document, ("profilers", 0), experiment.profilers[0], LineOptions)
    assert isinstance(found, list)
    assert [(each.line, each.field) for each in found] == [
        (7, "profilers.0.stride"),
        (8, "profilers.0.quantum"),
        (9, "profilers.0.lable"),
    ]
    assert found[2].message == ("unknown field 'lable'; did you mean 'label'? (allowed: label, quantum, stride, use)")
    none = options(document, ("profilers", 0), experiment.profilers[0], NoOptions)
    assert isinstance(none, list)
    assert len(none) == 3


def test_every_field_is_described() -> None:
    for model in (Experiment, Sampling, Target, Comparison, Selection, Bounds, Processes, Isolation, Use):
        for name, info in model.model_fields.items():
            assert info.description, f"{model.__name__}.{name}"
