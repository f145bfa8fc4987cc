"""The sockets: what the engine plugs in, and all that others know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, get_args

from ragproof.core.case import Case
from ragproof.core.corpus import Corpus
from ragproof.core.errors import MissingInput
from ragproof.core.local import LocalModels
from ragproof.core.need import Need
from ragproof.core.observation import Observation
from ragproof.core.ontology import Ontology
from ragproof.core.outcome import Outcome, Scored
from ragproof.core.pipeline import Pipeline
from ragproof.core.price_list import PriceList
from ragproof.core.prompt import Prompt
from ragproof.core.spec import Spec
from ragproof.core.subject import CaseRun, Level, Subject

S = TypeVar("S", bound=Subject)
T = TypeVar("T")
Scores: TypeAlias = Scored | Mapping[str, Scored]
"""One figure, or label to figure."""


class _Typed(Generic[S]):
    """Knows for which type of subject it is written; its level follows from that."""

    spec: ClassVar[Spec]
    prompts: ClassVar[tuple[Prompt, ...]] = ()
    calibrated_with: ClassVar[Mapping[str, object]] = {}
    """Parameters with which its values are held to people's labels, to find its threshold."""
    subject: ClassVar[type[Any]]
    level: ClassVar[Level]

    def __init_subclass__(cls) -> None:
        """Take the type from `PureMetric[CaseRun]`."""
        bases = cls.__dict__.get("__orig_bases__", ())
        if found := [arg for base in bases for arg in get_args(base) if isinstance(arg, type)]:
            cls.subject, cls.level = found[0], Level.of(found[0])

    def figure_of(self, subject: S, /) -> str | None:  # noqa: ARG002  for metrics that know
        """Label of the only figure that the subject can be in, where it tells before it is scored.

        A failure is then entered under that figure alone, else under each.
        """
        return None


@dataclass(frozen=True)
class PureMetric(_Typed[S], ABC, Generic[S]):
    """A metric that is arithmetic: no I/O, no clock, no randomness."""

    @abstractmethod
    def score(self, subject: S, /) -> Scores:
        """Score the subject, or raise Absent."""


@dataclass(frozen=True)
class ToolMetric(_Typed[S], ABC, Generic[S]):
    """A metric that asks a judge or another tool. It lists the prompts it asks with."""

    @abstractmethod
    async def score(self, subject: S, tools: Tools, /) -> Scores:
        """Score the subject with the tools' help, or raise Absent."""


Metric: TypeAlias = PureMetric[S] | ToolMetric[S]


@dataclass(frozen=True)
class Reading(ABC, Generic[T]):
    """One thing read of every answer once: by the judge where there is one, else by rule."""

    need: ClassVar[Need[Any]]
    """Where it is kept: `readings.<field>`."""
    prompts: ClassVar[tuple[Prompt, ...]]

    @abstractmethod
    def by_rule(self, run: CaseRun, /) -> T:
        """Read it without a judge, or raise Absent."""

    @abstractmethod
    async def by_judge(self, run: CaseRun, judge: Judge, /) -> T:
        """Have the judge read it, or raise Absent."""


class Adapter(Protocol):
    """The system under test."""

    @property
    def name(self) -> str:
        """What messages call it: its import path, endpoint or file."""
        ...

    async def observe(self, case: Case, /) -> Observation:
        """Put the case to the system and report all that it exposes.

        Raises AdapterError for a result of the wrong shape and RunError when the system can
        take no further case; whatever else it raises is this case's failure.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


calling: ContextVar[Callable[[], None]] = ContextVar("calling", default=lambda: None)
"""An adapter that calls foreign code in a thread of its own calls this there first, so that a
call that never returns can be told from the others."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word that the model said, and how likely it was to say that or another there."""

    at: int
    """Characters of the reply before it."""
    said: str
    among: Mapping[str, float]
    """Words that the prompt weighs, to their probabilities, as far as the endpoint tells them."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the judge's model said, word for word, and what that cost."""

    text: str
    usd: float | None = None
    """None when the price is unknown. Attempts that were given up, but may have been paid, are in
    it by their estimate."""
    cached: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    estimated: bool = False
    """Whether the tokens were estimated from the text, the provider having told none."""
    seconds: float | None = None
    """From sending the request until the reply was there."""
    model: str | None = None
    """Which model answered, in the provider's words."""
    finish: str | None = None
    """Why it stopped, in the provider's word."""
    truncated: bool = False
    """Whether it stopped because the reply reached the limit of tokens."""
    weighed: tuple[Weighed, ...] | None = None
    """Where it said one of the words that its prompt weighs; None where nothing tells how likely
    they were."""


def accept(_: object, /) -> None:
    """Check nothing."""


class Judge(Protocol):
    """A model that answers a prompt in a given shape."""

    @property
    def fingerprint(self) -> str:
        """Identifies model and settings; stored with every run."""
        ...

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
        repeat: int = 0,
    ) -> T:
        """Ask, and parse the reply into `shape`.

        A reply that does not parse, or on which `check` raises ValueError, is sent back once
        with the message; the second such reply raises JudgeError. `heard` is the engine's: it
        is given every reply before it is parsed. So is `repeat`, which tells apart what is
        asked again on purpose.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Tools:
    """What a metric that is not pure is handed. Each may be None: a missing need."""

    judge: Judge | None = None
    pipeline: Pipeline | None = None
    """The system under test, for metrics that call it again."""
    corpus: Corpus | None = None
    ontology: Ontology | None = None
    prices: PriceList | None = None
    local: LocalModels | None = None
    """Small models on this machine."""

    def __getitem__(self, need: Need[T], /) -> T:
        value = need.of(self)
        if value is None:
            raise MissingInput(need.reason)
        return value


@dataclass(frozen=True, slots=True)
class Row:
    """One metric's outcome on one subject, as stored."""

    key: str
    """The metric's key, label included: `system.stage_seconds[stage=retrieve]`."""
    metric: str
    """The metric's key without label, by which the header knows it."""
    outcome: Outcome
    replies: tuple[Reply, ...] = ()
    applies: bool = True
    """False for a failed case that the metric would not have scored anyway."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A subject that is done with: all there is to store about it."""

    subject: str
    """Case id, or name of the group or the set; with the repeat unique within its level."""
    rows: Sequence[Row]
    level: Level = Level.CASE
    run: CaseRun | None = None
    """None for groups and sets."""
    replies: Sequence[Reply] = ()
    """What the judge said for the readings."""


class Store(Protocol):
    """Runs at rest, as the engine sees them.

    A subject is saved whole or not at all; saved again, it is replaced.
    """

    async def append(self, run_id: str, batch: Sequence[Finished], /) -> None:
        """Save finished subjects; return once they are durable. May be awaited by many."""
        ...

    def done(self, run_id: str, /) -> AbstractSet[tuple[str, int]]:
        """Keys of the trials already saved, for resuming."""
        ...

    def waiting(self, run_id: str, /) -> AbstractSet[tuple[str, int]]:
        """Keys of the trials that were observed and set aside, to be scored later."""
        ...

    def observed(self, run_id: str, trial: tuple[str, int], /) -> CaseRun | None:
        """What the pipeline did on a trial, set aside or saved; None if nothing, or a failure."""
        ...

    def case_runs(self, run_id: str, /) -> Iterator[CaseRun]:
        """The saved case runs, readings included, one at a time."""
        ...
