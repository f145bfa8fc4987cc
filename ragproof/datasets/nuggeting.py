"""Nuggets for the cases of a dataset, from a pool of passages a case; a model drafts them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ragproof.core import Case, CaseKind, Nugget, QuestionCase, UsageError, UselessReply
from ragproof.core.corpus import Corpus
from ragproof.datasets.chunker import passages
from ragproof.datasets.generate import Progress
from ragproof.datasets.generate_files import UNUSABLE, Book
from ragproof.datasets.pool import grades
from ragproof.datasets.pool_lines import SourceLine, pool_lines
from ragproof.datasets.validate import relevant
from ragproof.datasets.waves import Waves
from ragproof.datasets.writing import write_cases
from ragproof.text.faults import shown

KIND = "nuggets"
"""Under which progress is counted, and rejects are written down."""
SOURCES = "nugget_sources"
"""Under a case's metadata: place of a nugget in its list, to the sources that say it."""
DRAFTED = "nuggets_drafted"
"""Under a case's metadata: by which model, from how many passages."""
EMPTY = "the pool has no passage for it"
NONE_HELD = "no nugget stands in the passages"


@dataclass(frozen=True, slots=True)
class PoolText:
    """A passage of a pool."""

    source_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A passage that a run, a judged pool or a corpus brings for a case."""

    case_id: str
    source_id: str
    text: str
    rank: int
    """From 1; 0 for what was judged."""
    grade: int | None = None
    """What a judged pool says of it; None where it says nothing."""


class Draft(Protocol):
    """What a model made of a question and its pool."""

    @property
    def nuggets(self) -> tuple[Nugget, ...]:
        """The vital ones first."""
        ...

    @property
    def said_by(self) -> tuple[tuple[int, ...], ...]:
        """For each nugget, places in the pool."""
        ...

    @property
    def turned(self) -> tuple[tuple[str, str], ...]:
        """What does not stay, and why."""
        ...


Drafting = Callable[[str, Sequence[str], Sequence[Nugget]], Awaitable[Draft]]
"""From a question, its passages and the nuggets that it has to a draft; raises
UselessReply where the model is of no use."""


def is_asked_for(case: Case, *, refine: bool) -> bool:
    """Whether a case is to have nuggets: a question that has an answer, and none of them yet."""
    if not isinstance(case, QuestionCase) or case.kind is not CaseKind.QA:
        return False
    return refine or not case.expected_nuggets


def pools(
    cases: Sequence[QuestionCase], drawn: Iterable[Drawn], *, judged_only: bool
) -> dict[str, tuple[PoolText, ...]]:
    """Gather the passages of each case: those of a higher grade first, then by the best rank.

    Equal texts count once. Sources that are judged not relevant, and those that mislead, are
    superseded or carry a payload, are left out; with `judged_only` those that nobody judged, too.
    """
    by_case: defaultdict[str, list[Drawn]] = defaultdict(list)
    for one in drawn:
        by_case[one.case_id].append(one)
    return {
        case.id: tuple(_pool(case, by_case[case.id], judged_only=judged_only)) for case in cases
    }


def _pool(case: QuestionCase, drawn: Sequence[Drawn], *, judged_only: bool) -> Iterator[PoolText]:
    known = dict(grades(case))
    known |= {one.source_id: one.grade for one in drawn if one.grade is not None}
    wrong = {
        *(case.distractor_source_ids or ()),
        *(case.superseded_source_ids or ()),
        *(case.planted_source_ids or ()),
    }
    seen: set[str] = set()
    for one in sorted(drawn, key=lambda one: (-known.get(one.source_id, 0), one.rank)):
        judged = known.get(one.source_id)
        left_out = one.source_id in wrong or (judged is not None and judged < 1)
        text = " ".join(one.text.split())
        if left_out or not text or text in seen or (judged_only and judged is None):
            continue
        seen.add(text)
        yield PoolText(one.source_id, one.text)


def of_judged_pool(path: Path, known: Set[str]) -> Iterator[Drawn]:
    """The lines of a pool that `judge-pool` wrote, with the grades that people gave.

    Raises UsageError for a line that cannot be read, and for a case that is not among the known.
    """
    for line in pool_lines(path):
        if line.case_id not in known:
            name = shown(line.case_id)
            raise UsageError(f"{line.place}: case_id: {name} is no case of the dataset")
        if isinstance(line, SourceLine):
            yield Drawn(line.case_id, line.source_id, line.text, line.best_rank, line.grade)


def of_corpus(cases: Sequence[QuestionCase], corpus: Corpus) -> Iterator[Drawn]:
    """The expected documents of each case, cut into passages."""
    for case in cases:
        named = [*relevant(case), *(span.document_id for span in case.expected_spans or ())]
        for document in dict.fromkeys(named):
            for one in passages(document, corpus.text(document) or ""):
                yield Drawn(case.id, document, one.text, 0, 1)


@dataclass
class Nuggeting:
    """A sitting: case after case gets its nuggets."""

    cases: Sequence[Case]
    """All of the dataset, in order."""
    pools: Mapping[str, tuple[PoolText, ...]]
    """Id of each case that is to have nuggets, to its pool."""
    book: Book
    draft: Drafting
    model: str
    at_once: int = 8
    broken: Callable[[], str | None] = lambda: None
    settle: Callable[[], None] = lambda: None
    progress: Progress = field(default_factory=lambda: Progress(0))

    async def make(self) -> None:
        """Go through the cases that are not over; raises as `Waves` does.

        However it ends, the file then holds the whole dataset, in order.
        """
        self.progress.wanted = len(self.pools)
        self.progress.made = len(self.book.cases)
        self.progress.reasons = self.book.reasons(KIND)
        asked = [one for one in self.cases if one.id in self.pools]
        left = [one for one in asked if one.id not in self.book.done]
        waves = Waves(
            work=self._drafted,
            keep=self._keep,
            out=self.book.out,
            at_once=self.at_once,
            broken=self.broken,
            settle=self._settle,
        )
        try:
            await waves.all(iter([one for one in left if isinstance(one, QuestionCase)]))
        finally:
            self.close()

    def close(self) -> None:
        """Write the whole dataset, with the nuggets that there are."""
        made = {one.id: one for one in self.book.cases}
        write_cases(self.book.out, [made.get(one.id, one) for one in self.cases])

    def _settle(self, failed: int) -> None:
        self.progress.failed += failed
        self.progress.reasons = self.book.reasons(KIND)
        self.settle()

    async def _drafted(self, case: QuestionCase) -> Draft | str:
        """The draft, or why there is none."""
        pool = self.pools[case.id]
        if not pool:
            return EMPTY
        try:
            return await self.draft(
                _asked(case), [one.text for one in pool], case.expected_nuggets or ()
            )
        except UselessReply:
            return UNUSABLE

    def _keep(self, case: QuestionCase, told: Draft | str) -> None:
        if not isinstance(told, str) and told.nuggets:
            self.book.add([self._with(case, told)])
            self.progress.made += 1
            return
        reason, turned = (told, ()) if isinstance(told, str) else (NONE_HELD, told.turned)
        self.book.reject(
            {"id": case.id, "kind": KIND, "reason": reason, "turned": [list(one) for one in turned]}
        )

    def _with(self, case: QuestionCase, told: Draft) -> QuestionCase:
        pool = self.pools[case.id]
        sources = {
            str(at): list(dict.fromkeys(pool[place].source_id for place in places))
            for at, places in enumerate(told.said_by)
        }
        drafted: dict[str, Any] = {"by": self.model, "passages": len(pool)}
        if told.turned:
            drafted["turned"] = [{"text": text, "reason": why} for text, why in told.turned]
        metadata = {**case.metadata, SOURCES: sources, DRAFTED: drafted}
        return dataclasses.replace(case, expected_nuggets=told.nuggets, metadata=metadata)


def _asked(case: QuestionCase) -> str:
    """The question, after what was said before it."""
    before = [f"{turn.role}: {turn.content}" for turn in case.history or ()]
    return "\n".join([*before, f"user: {case.question}"]) if before else case.question
