"""The four contracts: what the author of a plugin implements.

A component is a class with an options model and one verb. It names its options by deriving from the contract with
them in brackets: `class Wall(Profiler[WallOptions])`. It is made once per entry of the experiment file.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, get_args, get_origin

from evalfw.domain.profile import MemoryProfile, Profile

if TYPE_CHECKING:
    from evalfw.domain.answer import Completion, Request, Usage
    from evalfw.domain.cohort import Cohort, Estimate, Measure, Measured
    from evalfw.domain.problem import Json, Problem
    from evalfw.options import Options, References

OptionsT = TypeVar("OptionsT", bound="Options")


class Component(ABC, Generic[OptionsT]):
    """What the four kinds have in common.

    Args:
        options: The validated options of this entry of the experiment file.
        base: Folder of the experiment file; relative paths in options are meant from there.
    """

    options_model: ClassVar[type[Options]]

    def __init__(self, options: OptionsT, base: Path = Path()) -> None:
        self.options = options
        self.base = base
        self.notes: list[str] = []
        """What the user should know about the input of this component, e.g. rows that could not be used."""

    def __init_subclass__(cls) -> None:
        """Take the options model from the brackets, so that it is named once."""
        super().__init_subclass__()
        for generic in getattr(cls, "__orig_bases__", ()):
            origin, arguments = get_origin(generic), get_args(generic)
            if isinstance(origin, type) and issubclass(origin, Component) and isinstance(arguments[0], type):
                cls.options_model = arguments[0]


class Dataset(Component[OptionsT]):
    """A source of problems."""

    @abstractmethod
    def problems(self) -> Iterable[Problem]:
        """The problems, in a fixed order, each id once.

        Raises:
            InputError: The source is missing or not of the expected form.
        """

    def prompt(self, problem: Problem) -> str:
        """The text for a model. The default is the statement, the signature if there is one, and what to answer."""
        parts = [problem.statement.strip()]
        if problem.starter_code:
            parts.append(f"Complete this code:\n\n```python\n{problem.starter_code.strip()}\n```")
        parts.append("Answer with the complete Python 3 code in one ```python block, and nothing else.")
        return "\n\n".join(parts) + "\n"

    def revision(self) -> str | None:
        """Version of the source, for the manifest; None where it has none beyond its content."""
        return None


class Model(Component[OptionsT]):
    """A source of completions."""

    samples_by_temperature: bool = True
    """Whether temperature means something here; read from the instance. A model without it has one condition, not
    one per temperature."""

    free: ClassVar[bool] = False
    """Whether an answer costs nothing, as one that is read from a file. No budget binds such a model."""

    @property
    def label(self) -> str | None:
        """Name in results tables, unless the experiment gives a `label`; None for the name of the plugin."""
        return None

    def depends_on(self, request: Request) -> str:
        """What an answer depends on besides the request and the options, as a part of the key it is stored under.

        The default is nothing: what was sampled once is never sampled again.
        """
        return ""

    def at_most(self, request: Request) -> Usage | None:
        """The tokens a request can come to, reasoning included; None where that is unknown. Nothing is sent."""
        return None

    def cost(self, usage: Usage) -> float | None:
        """What these tokens cost, in the currency of the prices in the experiment file; None without prices."""
        return None

    @abstractmethod
    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer requests, in any order, each at most once, yielding every completion as soon as it is there.

        Take the next request only when there is room for it: where a budget is used up there is no next one.
        It is called in a thread of its own, and again for requests that turn up later, one call at a time: keep what
        is expensive to make. After a completion it goes on when that is stored. A run that is stopped closes the
        iterator, or leaves it where it hangs.
        A request without an answer (an outage, no more stored completions) is left out: it is reported as
        missing, is not counted as a sample and is asked for again by the next run.

        Raises:
            InputError: The model cannot be used as configured.
        """


class Profiler(Component[OptionsT]):
    """A measuring instrument.

    The measuring itself is in a file of its own, the *instrument*: `measure(program, settings)`, in the process that
    runs the solution, or `observe(processes, settings)`, in the one that watches it, or both. The sandbox loads that
    file and nothing else of the plugin: it may import the standard library and, while it is prepared, its `packages`,
    never `evalfw`. See `evalfw.Program`.
    """

    produces: ClassVar[type[Profile]] = MemoryProfile
    """Kind of profile."""

    instrument: ClassVar[str]
    """File name of the instrument, beside the module of the class."""

    packages: ClassVar[tuple[str, ...]] = ()
    """Distributions that the instrument imports, at its top or in `prepare`; later it can import nothing of them."""

    exclusive: ClassVar[bool] = False
    """Whether its executions have the machine for themselves, as for timings: one after the other, model by model and
    temperature by temperature, on one processor, with nothing else of the run at work."""

    @property
    def references(self) -> References:
        """Which accepted solutions of a problem are measured beside the solutions of a model.

        Others are compared with them. As the options say, if these derive from `ReferenceOptions`; else none. Where the
        instrument is `exclusive`, they are measured anew for each model and temperature, so that they also say how
        stable the measuring is.
        """
        from evalfw.options import ReferenceOptions

        return self.options.references if isinstance(self.options, ReferenceOptions) else "none"

    def settings(self) -> Mapping[str, Json]:
        """What the instrument is given: plain data. The default is all options, without those of `ReferenceOptions`."""
        from evalfw.options import ReferenceOptions

        aside = set(ReferenceOptions.model_fields) if isinstance(self.options, ReferenceOptions) else None
        settings: Mapping[str, Json] = self.options.model_dump(mode="json", exclude=aside)
        return settings

    @abstractmethod
    def profile(self, record: Mapping[str, Json]) -> Profile:
        """Turn what the instrument returned into a profile.

        The record comes from a process that ran untrusted code: check what can be checked. What was observed from
        outside is in it under `observed`.

        Raises:
            ValueError: The record cannot be a measurement. It becomes an `instrumentation_error`.
        """

    @classmethod
    def instrument_path(cls) -> Path:
        """Where the instrument is."""
        return Path(inspect.getfile(cls)).with_name(cls.instrument)


class Metric(Component[OptionsT]):
    """A number about cohorts and conditions.

    `measure` looks at one cohort at a time and may report on pairs, solutions and the problem; `aggregate` turns what
    was found for all problems of a condition into the cells of the results table. Undefined is null with a reason.
    """

    needs: type[Profile] | None = None
    """Kind of profile that is read, from the instance; None for a metric that reads verdicts or code only."""

    @property
    def over(self) -> str | None:
        """Label of another metric whose measures are aggregated instead of this one's own."""
        return None

    def measure(self, cohort: Cohort) -> Iterable[Measure]:
        """What is found in one cohort. The default is nothing."""
        return ()

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterable[Estimate]:
        """Cells of the results table from the measures of every cohort of one condition. The default is none."""
        return ()
