"""What people scored, for a judge to be measured by: the shipped fixtures, or a user's labels.

JSON Lines. `docs/judge.md` describes the fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragproof.core import (
    Answer,
    CaseRun,
    Chunk,
    Citation,
    Judge,
    Nugget,
    Observation,
    QuestionCase,
    Tools,
    Turn,
)
from ragproof.core.case import STRICT
from ragproof.judge.foreseen import Foreseen
from ragproof.text.faults import faults, raise_all
from ragproof.text.jsonl import read_lines
from ragproof.text.strict_json import parse

SHIPPED = Path(__file__).parent / "fixtures"
UNTOLD = "annotation condition not told"


class Identified(Protocol):
    """What a line of such a file is."""

    @property
    def identity(self) -> tuple[str, ...]:
        """What no two lines share."""
        ...

    def check(self) -> None:
        """Raise ValueError where the values do not fit together."""
        ...


I = TypeVar("I", bound=Identified)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Claim:
    """A factual claim that a person found in the answer."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    text: str
    supported: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One answer, and the score that a person gave it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    id: str
    metric: str
    """`generation.groundedness`, or `readings.refusal` for 1 where the answer declines."""
    question: str = ""
    history: tuple[Turn, ...] | None = None
    answer: str
    context: tuple[Chunk | str, ...] | None = None
    """Chunks, or texts alone, whose ids then are 1, 2, ..."""
    citations: tuple[Citation | str, ...] | None = None
    """Citations, or the cited ids alone."""
    expected_answer: str | tuple[str, ...] | None = None
    expected_nuggets: tuple[Nugget, ...] | None = None
    pipeline: Foreseen | None = None
    """What the pipeline would answer, for metrics that call it again."""
    score: float | None
    """In [0, 1]; null where a person finds that the question does not arise."""
    because: str = ""
    kind: Literal["clear", "borderline", "adversarial"] | None = None
    claims: tuple[Claim, ...] | None = None
    """Of metrics that take an answer apart: the claims that the person found, each that counts."""
    annotator: str | None = None
    condition: str = UNTOLD
    """How the labels came about: `from scratch`, `post-edited`, `majority of three`."""

    @property
    def identity(self) -> tuple[str, ...]:
        """Metric and id, and whose label it is."""
        return self.metric, self.id, self.annotator or ""

    def check(self) -> None:
        """Raise ValueError for a score that is none."""
        if self.score is not None and not 0 <= self.score <= 1:
            raise ValueError(f"score: got {self.score}; allowed: 0 to 1, or null")

    def to_run(self) -> CaseRun:
        """The case run that a metric is to score."""
        case = QuestionCase(
            id=self.id,
            question=self.question,
            history=self.history,
            expected_answer=self.expected_answer,
            expected_nuggets=self.expected_nuggets,
        )
        answer = Answer(
            answer_text=self.answer,
            citations=None
            if self.citations is None
            else tuple(Citation(chunk_id=c) if isinstance(c, str) else c for c in self.citations),
            retrieved_chunks=None
            if self.context is None
            else tuple(
                Chunk(id=str(number), text=chunk) if isinstance(chunk, str) else chunk
                for number, chunk in enumerate(self.context, 1)
            ),
        )
        return CaseRun(case, Observation(case_id=self.id, answer=answer))

    def tools(self, judge: Judge, tools: Tools | None = None) -> Tools:
        """What a metric is handed: this judge, and what the item foresees before what is there."""
        there = replace(tools or Tools(), judge=judge)
        if self.pipeline is None:
            return there
        return replace(there, pipeline=self.pipeline.before(there))

    @property
    def whatever_is_asked(self) -> frozenset[str]:
        """The calls of a pipeline that it answers in whatever words they come."""
        return frozenset() if self.pipeline is None else self.pipeline.whatever_is_asked


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two answers to one question, and which of them a person prefers."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    id: str
    question: str
    answer_1: str
    answer_2: str
    label: Literal["1", "2", "tie"]
    change: Literal["expansion", "truncation"] | None = None
    """How the one was made of the other, where it was."""
    families: tuple[str, str] | None = None
    """The model families that wrote the first and the second; never shown to a judge."""
    because: str = ""
    condition: str = UNTOLD

    @property
    def identity(self) -> tuple[str, ...]:
        """The id."""
        return (self.id,)

    def check(self) -> None:
        """Accept."""


def shipped_items() -> tuple[Item, ...]:
    """The fixtures of every prompt."""
    files = [file for file in sorted(SHIPPED.glob("*.jsonl")) if file.name != "pairs.jsonl"]
    return tuple(item for file in files for item in read_items(file))


def shipped_pairs() -> tuple[Pair, ...]:
    """The pairs of answers by which a judge's leanings are measured."""
    return read_pairs(SHIPPED / "pairs.jsonl")


def claim_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """Each claim that a person found, as an answer of its own.

    On these a judge has nothing to take apart: how it agrees on them is how well it checks
    support, and what it loses on the whole answers is lost in finding the claims.
    """
    return tuple(
        replace(
            item,
            id=f"{item.id} claim {number}",
            answer=claim.text,
            score=float(claim.supported),
            claims=(claim,),
        )
        for item in items
        for number, claim in enumerate(item.claims or (), 1)
    )


def read_items(path: Path, known: Iterable[str] = ()) -> tuple[Item, ...]:
    """Read labelled answers; `known` are the metrics there may be, if not any.

    Raises UsageError with file, line and field of all that is wrong.
    """
    items = read_labels(path, Item)
    if wrong := [one for one in items if known and one.metric not in known]:
        allowed = ", ".join(sorted(known))
        raise_all(
            [f"{path}: {one.id}: metric: got {one.metric!r}; allowed: {allowed}" for one in wrong]
        )
    return items


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read labelled pairs. Raises UsageError with file, line and field of all that is wrong."""
    return read_labels(path, Pair)


def read_labels(path: Path, shape: type[I]) -> tuple[I, ...]:
    """Read lines of any of these shapes, none twice. Raises UsageError with all that is wrong."""
    adapter, wrong = TypeAdapter(shape), list[str]()
    found: dict[tuple[str, ...], I] = {}
    for number, raw in read_lines(path):
        try:
            parse(raw.decode())
            one = adapter.validate_json(raw, strict=True)
            one.check()
        except ValidationError as error:
            wrong += [f"{path}:{number}: {fault}" for fault in faults(error, shape)]
        except ValueError as fault:
            wrong.append(f"{path}:{number}: {fault}")
        else:
            if one.identity in found:
                name = " ".join(filter(None, one.identity))
                wrong.append(f"{path}:{number}: id: {name} is there twice")
            found[one.identity] = one
    raise_all(wrong)
    if not found:
        raise_all([f"{path}: the file is empty; it needs one JSON object a line"])
    return tuple(found.values())
