"""The shape of experiment.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, Discriminator, Field, Tag, model_validator

from evalfw.config.document import Document, FieldPath, read
from evalfw.config.source import validate
from evalfw.config.steps import Sweep
from evalfw.domain.isolation import Level
from evalfw.domain.problem import Json
from evalfw.errors import ConfigError, Mistake
from evalfw.options import Bytes, File, Options, Seconds

KINDS: Final = ("datasets", "models", "profilers", "metrics", "plugins")
"""The fields of an experiment that are lists of uses."""

_FILE_SAFE = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_ONE_LINE = r"\S(.*\S)?"

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


def _file_safe(name: str) -> str:
    if not re.fullmatch(_FILE_SAFE, name):
        raise ValueError(
            "a name fit for files is needed: letters, digits, '.', '_' and '-', 100 at most, "
            "the first a letter or a digit"
        )
    return name


def _one_line(label: str) -> str:
    if not re.fullmatch(_ONE_LINE, label) or not label.isprintable():
        raise ValueError("one line of text without blanks around it is needed")
    return label


def _distinct(values: tuple[T, ...]) -> tuple[T, ...]:
    repeated = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if repeated is not None:
        raise ValueError(f"every value may be given once, but {repeated!r} is given again")
    return values


def _enough(size: int) -> int:
    if size < 1 << 20:
        raise ValueError("1MiB or more is needed to run Python at all; a number without a unit means bytes")
    return size


class Use(Options):
    """One entry of a list of plugins: which plugin, under which label, with which options.

    In a file it is the plugin's name alone, or a mapping with `use`, perhaps `label`, and the options of the
    plugin beside them. The options are validated by `options`, once the plugin is known.
    """

    use: str = Field(min_length=1, description="Name of a plugin, or `./file.py:Class` for one of your own.")
    label: Annotated[str, AfterValidator(_one_line)] | None = Field(
        default=None,
        description="Name in results tables; needed where a plugin is used twice.",
        json_schema_extra={"pattern": f"^{_ONE_LINE}$"},
    )
    options: dict[str, object] = Field(default_factory=dict, description="The plugin's own options.")

    @property
    def name(self) -> str:
        """The label, or else the name of the plugin: unique within its list."""
        return self.use if self.label is None else self.label


def _entry(raw: object) -> object:
    if isinstance(raw, Use):
        return raw
    if isinstance(raw, str):
        return {"use": raw}
    if not isinstance(raw, Mapping):
        raise ValueError("the name of a plugin or a mapping such as {use: NAME} is needed")
    own = {key: raw[key] for key in ("use", "label") if key in raw}
    return own | {"options": {key: value for key, value in raw.items() if key not in own}}


Uses: TypeAlias = tuple[Annotated[Use, BeforeValidator(_entry)], ...]
PoolToProfile: TypeAlias = Literal["private", "generated", "public"]
# Adding zero turns -0.0, which would be a second spelling of the same condition, into 0.0.
Temperature: TypeAlias = Annotated[float, Field(ge=0), AfterValidator(lambda value: value + 0.0)]


def _swept(values: tuple[float, ...] | Sweep) -> tuple[float, ...]:
    if not isinstance(values, Sweep):
        return _distinct(values)
    if values.first < 0:
        raise ValueError(f"`from` is {values.first}, and a temperature is at least 0")
    return values.numbers()


if TYPE_CHECKING:  # a list or a sweep is read, and a tuple always comes of it, which no annotation can say
    Temperatures: TypeAlias = tuple[float, ...]
else:
    Temperatures = Annotated[
        Annotated[
            tuple[Temperature, ...],
            Field(strict=False, min_length=1, json_schema_extra={"uniqueItems": True}),
            Tag("list"),
        ]
        | Annotated[Sweep, Tag("sweep")],
        Discriminator(lambda given: "sweep" if isinstance(given, Mapping | Sweep) else "list"),
        AfterValidator(_swept),
    ]


class Target(Options):
    """Sampling until there are enough correct solutions."""

    correct: int = Field(ge=1, description="Correct solutions that are wanted per problem, model and temperature.")
    max: int = Field(ge=1, description="Completions after which sampling ends in any case.")

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.max < self.correct:
            raise ValueError(f"`max` is {self.max}, and {self.correct} correct solutions need as many completions")
        return self


class Sampling(Options):
    """How completions are sampled."""

    n: int = Field(default=5, ge=1, description="Completions per problem, model and temperature.")
    until: Target | None = Field(
        default=None, description="In place of `n`: sample until there are so many correct solutions."
    )
    temperatures: Temperatures = Field(
        default=(0.0,), description="Sampling temperatures, a list or a sweep; each is a condition of its own."
    )
    top_p: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None, description="Nucleus of the distribution to sample from. Default: the model's own."
    )
    max_tokens: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Longest answer in tokens, reasoning included. Default: the model's own."
    )
    stop: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], AfterValidator(_distinct)] = Field(
        default=(),
        strict=False,
        description="Texts that end an answer, themselves left out.",
        json_schema_extra={"uniqueItems": True},
    )
    prompt: File | None = Field(
        default=None, description="Jinja2 template of the prompt. Default: each dataset has a prompt of its own."
    )
    max_cost: Annotated[float, Field(gt=0)] | None = Field(
        default=None, description="What all completions of the run directory may cost. Default: no limit."
    )
    max_requests: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="How many completions may be asked for in the run directory. Default: no limit."
    )

    @model_validator(mode="after")
    def _one_rule(self) -> Self:
        if self.until is not None and "n" in self.model_fields_set:
            raise ValueError("`n` and `until` are two rules for the number of samples; give one of them")
        return self

    @property
    def most(self) -> int:
        """The most completions per problem, model and temperature."""
        return self.n if self.until is None else self.until.max


class Comparison(Options):
    """Which of the correct solutions are compared."""

    distinct: bool = Field(
        default=False, description="Compare different programs only: of equal ones, the first stands for all."
    )


class Generated(Options):
    """Tests by size, made by the generators of the problems (paper A, section 4.1)."""

    sizes: Annotated[tuple[Annotated[int, Field(ge=1)], ...], AfterValidator(_distinct)] = Field(
        strict=False,
        min_length=1,
        description="Sizes of the inputs, exactly; each is a condition of its own.",
        json_schema_extra={"uniqueItems": True},
    )
    per_size: int = Field(default=10, ge=1, description="Tests per problem and size.")


class Selection(Options):
    """Which tests of a problem are used for what."""

    public: Literal["all"] | Annotated[int, Field(ge=0)] = Field(
        default="all", description="How many public tests filter solutions: the first so many, or all."
    )
    private: Literal["all"] | Annotated[int, Field(ge=1)] = Field(
        default=10, description="How many private tests are judged and profiled: the first so many, or all."
    )
    pools: Annotated[tuple[PoolToProfile, ...], AfterValidator(_distinct)] = Field(
        default=("private", "generated"),
        strict=False,
        min_length=1,
        description="Pools from which private tests are taken: the first that has any.",
        json_schema_extra={"uniqueItems": True},
    )
    correct_on: Literal["all", "public"] = Field(
        default="all",
        description="Which tests a solution must pass to be correct: public and private ones, or, as in "
        "paper A, the public ones only.",
    )
    generated: Generated | None = Field(
        default=None,
        description="Profile generated tests, bucket by bucket, instead of the private ones. Default: none.",
    )


class Bounds(Options):
    """What one execution of a solution may use."""

    time: Seconds | None = Field(default=None, description="CPU time. Default: the problem's own, else 10s.")
    memory: Annotated[Bytes, AfterValidator(_enough)] | None = Field(
        default=None,
        description="Peak resident memory, interpreter included. Default: the problem's own, else 1GiB.",
    )
    output: Bytes = Field(
        default=16 << 20,
        description="Bytes on standard output, and of the result of a function.",
        json_schema_extra={"default": "16MiB"},
    )
    profile_time: Seconds | None = Field(
        default=None, description="CPU time of a profiled execution. Default: 20 times the time limit."
    )
    profile_memory: Annotated[Bytes, AfterValidator(_enough)] | None = Field(
        default=None, description="Memory of a profiled execution. Default: 4 times the memory limit."
    )


class Processes(Options):
    """How work is spread."""

    workers: int | None = Field(
        default=None, ge=1, description="Processes at work. Default: the number of usable CPUs."
    )


class Isolation(Options):
    """What a solution can see of this machine."""

    site_packages: bool = Field(
        default=False,
        description="Let solutions import what is installed beside evalfw; off, so that results do not depend on it.",
    )
    require: Level | None = Field(
        default=None,
        description="The least level of isolation; below it, nothing is run. Default: whatever works here, best first.",
    )


class Inference(Options):
    """How sure the numbers are."""

    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = Field(
        default=2000, description="Bootstrap resamples of the problems behind each confidence interval."
    )
    confidence: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=0.95, description="Share of the resamples that lie within an interval."
    )


class Experiment(Options):
    """An experiment: which problems, which models, which instruments, which numbers."""

    name: Annotated[str, AfterValidator(_file_safe)] = Field(
        description="Name of the experiment and of its files.",
        json_schema_extra={"pattern": f"^{_FILE_SAFE}$"},
    )
    seed: int = Field(default=0, description="Every seed of the run is derived from this one.")
    datasets: Uses = Field(strict=False, min_length=1, description="Where problems come from.")
    models: Uses = Field(strict=False, min_length=1, description="What answers them.")
    sampling: Sampling = Field(default=Sampling(), description="How completions are sampled.")
    tests: Selection = Field(default=Selection(), description="Which tests are used for what.")
    cohorts: Comparison = Field(default=Comparison(), description="Which correct solutions are compared.")
    limits: Bounds = Field(default=Bounds(), description="What one execution may use.")
    profilers: Uses = Field(
        default=(), strict=False, description="What correct solutions are measured with; may be empty."
    )
    metrics: Uses = Field(strict=False, min_length=1, description="What is computed.")
    statistics: Inference = Field(default=Inference(), description="How sure the numbers are.")
    plugins: Uses = Field(default=(), strict=False, description="Plugins that watch the run through hooks.")
    executor: Processes = Field(default=Processes(), description="How work is spread.")
    sandbox: Isolation = Field(default=Isolation(), description="What a solution can see of this machine.")


def load_experiment(path: Path) -> tuple[Experiment, Document]:
    """Read an experiment file; the options of plugins are still as written.

    Raises:
        InputError: There is no such file, or it cannot be read.
        ConfigError: The file is no experiment; holds every mistake, with line and column.
    """
    document = read(path)
    experiment = validate(document, document.data, Experiment)
    wrong = experiment if isinstance(experiment, list) else []
    wrong = wrong + [mistake for kind in KINDS for mistake in _clashes(document, kind)]
    if isinstance(experiment, list) or wrong:
        raise ConfigError(path, sorted(wrong, key=lambda mistake: (mistake.line or 0, mistake.column or 0)))
    return experiment, document


def _clashes(document: Document, kind: str) -> list[Mistake]:
    """Uses of one name in a list. It looks at the raw entries, since other mistakes must not hide these.

    Models without a `label` may bring labels of their own, and sweeps make labels; both are compared later.
    """
    entries = document.data.get(kind)
    first: dict[str, int] = {}
    found = []
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        name = _name(entry)
        if name is None or (kind == "models" and name == _plugin(entry)) or (kind == "profilers" and _has_sweep(entry)):
            continue
        if name in first:
            line, other = document.position((kind, first[name]))[0], document.position((kind, index))[0]
            message = f"'{name}' is used twice, in lines {line} and {other}; give one of them a `label` of its own"
            found.append(document.mistake((kind, index), message))
        first.setdefault(name, index)
    return found


def _name(entry: Json) -> str | None:
    name = entry.get("label") or entry.get("use") if isinstance(entry, Mapping) else entry
    return name if isinstance(name, str) else None


def _plugin(entry: Json) -> str | None:
    name = entry.get("use") if isinstance(entry, Mapping) else entry
    return name if isinstance(name, str) else None


def is_sweep(value: object) -> bool:
    """Whether the value of an option stands for several, `{sweep: [1, 5, 10]}`."""
    return isinstance(value, Mapping) and list(value) == ["sweep"]


def _has_sweep(entry: Json) -> bool:
    return isinstance(entry, Mapping) and any(map(is_sweep, entry.values()))


def options(
    document: Document, path: Sequence[str | int], use: Use, options_model: type[ModelT]
) -> ModelT | list[Mistake]:
    """The options of a use as its plugin's options model, or everything that is wrong with them.

    Args:
        document: The experiment file.
        path: Where the use stands in it, e.g. `("profilers", 0)`; empty for a document of nothing but options.
        use: The use.
        options_model: Of the plugin that it names.
    """
    at: FieldPath = tuple(path)
    return validate(document, use.options, options_model, at, also=("use", "label") if at else ())
