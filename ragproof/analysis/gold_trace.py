"""Follow each case's gold from left to right and find the first stage that lost it. Pure.

A source is *lost at* the first stage at which it is missing and after which it does not come back.
A stage that lacks it though a later one up to the context has it did not lose it: the pipeline's
own words disagree, and that is reported. A citation brings nothing back: an answer may name what
it was never given.

A case is lost at the first stage at which any of its sources is. It is lost *in part* where some
source reaches the last stage that is observed. A stage that is not observed is never blamed; the
loss then lies anywhere after the last stage at which the source was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ragproof.analysis.gold_knowledge import Knowledge
from ragproof.analysis.gold_sight import (
    BEFORE,
    STAGES,
    Gold,
    GoldStage,
    Sight,
    Witness,
    witness,
)
from ragproof.core.case import DocumentCase
from ragproof.core.corpus import Corpus
from ragproof.core.outcome import Failed
from ragproof.core.subject import CaseRun

LEAST = 0.5
"""The share of a span that must be at a stage: below it, more of the evidence is gone than left."""
QUESTION = 300
"""So many characters of a question are kept."""


@dataclass(frozen=True, slots=True)
class SourcePath:
    """One gold source on its way through the stages."""

    gold: Gold
    sights: tuple[Sight, ...]
    """One a stage."""
    lost_at: GoldStage | None
    last_seen: GoldStage | None
    """The last stage that had it before it was lost."""
    disputed: tuple[GoldStage, ...] = ()
    """Stages that lack it though a later one has it."""
    elsewhere: bool = False
    """Whether another case of the run was given it, so that it is in the index."""


@dataclass(frozen=True, slots=True)
class CaseTrace:
    """One trial and what became of its gold."""

    case_id: str
    repeat: int
    question: str
    sources: tuple[SourcePath, ...]
    lost_at: GoldStage | None
    """The first stage that lost any of it."""
    last_seen: GoldStage | None
    """The last stage that had what was lost there; of a case that lost nothing, that had any."""
    missing: tuple[str, ...]
    """The sources that were lost anywhere, in the order of the dataset."""
    not_observed: tuple[GoldStage, ...]
    """Stages that show nothing of any source."""

    @classmethod
    def of(
        cls, case_id: str, repeat: int, question: str, sources: tuple[SourcePath, ...]
    ) -> CaseTrace:
        """Judge a case by its sources."""
        lost = [one for one in sources if one.lost_at is not None]
        first = min(lost, key=_lost_at, default=None)
        seen = [one.last_seen for one in sources if one.last_seen is not None]
        last = max(seen, key=STAGES.index, default=None)
        blank = [
            stage
            for at, stage in enumerate(STAGES)
            if all(one.sights[at].share is None for one in sources)
        ]
        return cls(
            case_id,
            repeat,
            question,
            sources,
            lost_at=None if first is None else first.lost_at,
            last_seen=last if first is None else first.last_seen,
            missing=tuple(one.gold.name for one in lost),
            not_observed=tuple(blank),
        )

    @property
    def name(self) -> str:
        """For people: the case id, with the repeat's number from the second on (`q1 #1`)."""
        return f"{self.case_id} #{self.repeat}" if self.repeat else self.case_id

    @property
    def partial(self) -> bool:
        """Whether some sources were lost and some were not."""
        return 0 < len(self.missing) < len(self.sources)

    @property
    def became(self) -> str:
        """The stage that lost it, `kept`, or `not_observed` where no stage of the question is."""
        if self.lost_at is not None:
            return self.lost_at
        return "kept" if {*STAGES} - {*BEFORE} - {*self.not_observed} else "not_observed"


@dataclass(frozen=True, slots=True)
class LostCase:
    """A trial that gave nothing to trace."""

    case_id: str
    repeat: int
    failure: Failed


@dataclass(frozen=True, slots=True)
class Beside:
    """A metric that explains a loss, and what the run has of it."""

    metric: str
    mean: float | None = None
    """None where the run has no figure of it."""


@dataclass(frozen=True)
class GoldTrace:
    """A run's cases and where each lost its gold."""

    cases: tuple[CaseTrace, ...]
    """In the order of the run."""
    failed: tuple[LostCase, ...] = ()
    """Trials with gold whose pipeline failed; in no count."""
    without_gold: int = 0
    """Trials of questions that name no source; in no count."""
    warnings: tuple[str, ...] = ()
    corpus: str | None = None
    """Where the documents were looked up."""
    least: float = LEAST
    beside: Mapping[GoldStage, tuple[Beside, ...]] = field(
        default_factory=dict[GoldStage, tuple[Beside, ...]]
    )
    """The metrics that explain a loss at each stage."""
    only: str | None = None
    """What the cases were restricted to, in words."""

    @cached_property
    def _grouped(self) -> Mapping[str, list[CaseTrace]]:
        found: dict[str, list[CaseTrace]] = {name: [] for name in (*STAGES, "kept", "not_observed")}
        for one in self.cases:
            found[one.became].append(one)
        return found

    @property
    def counts(self) -> dict[str, int]:
        """Cases by the stage at which they lost any of it, then those that did not."""
        return {name: len(cases) for name, cases in self._grouped.items()}

    def lost(self, stage: GoldStage) -> tuple[CaseTrace, ...]:
        """The cases that lost gold at a stage, the worst first: the share lost, then its grade."""
        return tuple(sorted(self._grouped[stage], key=_badness))

    @cached_property
    def unseen(self) -> Mapping[GoldStage, int]:
        """Stage to the number of cases for which it is not observed."""
        found = Counter(stage for one in self.cases for stage in one.not_observed)
        return {stage: found[stage] for stage in STAGES}

    @cached_property
    def disputed(self) -> tuple[CaseTrace, ...]:
        """The cases in which what the pipeline says of a source contradicts itself."""
        return tuple(one for one in self.cases if any(path.disputed for path in one.sources))


def trace_gold(
    runs: Iterable[CaseRun],
    *,
    depth: int,
    corpus: Corpus | None = None,
    least: float = LEAST,
) -> GoldTrace:
    """Follow the gold of every case.

    Args:
        runs: The saved cases; looked at once, one at a time.
        depth: How many chunks were asked for.
        corpus: The documents, where they are known.
        least: The share of a span that must be at a stage.
    """
    known = Knowledge(corpus, least)
    seen: list[tuple[str, int, str, Witness]] = []
    failed: list[LostCase] = []
    without = 0
    for run in runs:
        if isinstance(run.case, DocumentCase):
            known.add_document(run)
            continue
        found = witness(run, depth, least)
        failure = run.observation.failure
        if found is None:
            without += 1
        elif failure is not None:
            failed.append(LostCase(run.case.id, run.repeat, failure))
        else:
            known.add(found, run.source_match)
            question = getattr(run.case, "question", "")[:QUESTION]
            seen.append((run.case.id, run.repeat, question, known.kept(found)))
    cases = [
        CaseTrace.of(case_id, repeat, question, tuple(_paths(known, found)))
        for case_id, repeat, question, found in seen
    ]
    return GoldTrace(tuple(cases), tuple(failed), without, tuple(known.warnings()), least=least)


def _paths(known: Knowledge, found: Witness) -> Iterator[SourcePath]:
    for gold, later in zip(found.gold, found.sights, strict=True):
        sights = (*known.sights(gold, found), *later)
        yield _path(gold, sights, known)


def _path(gold: Gold, sights: Sequence[Sight], known: Knowledge) -> SourcePath:
    """Judge a source by what each stage shows of it."""
    there = [None if one.share is None else one.share >= known.least for one in sights]
    last = max((at for at, has in enumerate(there[:-1]) if has), default=-1)
    lost = next((at for at in range(last + 1, len(there)) if there[at] is False), None)
    disputed = [at for at in range(last) if there[at] is False]
    if there[-1] and lost is not None:
        disputed.append(lost)
    if there[-1] and lost is None:
        last = len(there) - 1
    return SourcePath(
        gold,
        tuple(sights),
        None if lost is None else STAGES[lost],
        None if last < 0 else STAGES[last],
        tuple(STAGES[at] for at in disputed),
        lost is not None and last < STAGES.index(GoldStage.RETRIEVAL) and known.is_indexed(gold),
    )


def _lost_at(path: SourcePath) -> int:
    return len(STAGES) if path.lost_at is None else STAGES.index(path.lost_at)


def _badness(case: CaseTrace) -> tuple[float, int, str, int]:
    """What sorts the worst case first."""
    missing = [one.gold.grade for one in case.sources if one.lost_at is not None]
    return -len(missing) / len(case.sources), -sum(missing), case.case_id, case.repeat
