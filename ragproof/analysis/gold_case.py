"""One case and what became of each of its gold sources. Pure.

A source is *lost at* the first stage at which it is missing and after which it does not come back.
A stage that lacks it though a later one up to the context has it did not lose it: the pipeline's
own words disagree, and that is reported. A citation brings nothing back: an answer may name what
it was never given.

A case is lost at the first stage at which any of its sources is. It is lost *in part* where some
source reaches the last stage that is observed. A stage that is not observed is never blamed; the
loss then lies anywhere after the last stage at which the source was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragproof.analysis.gold_knowledge import Knowledge
from ragproof.analysis.gold_sight import BEFORE, STAGES, Gold, GoldStage, Sight, Witness


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
    def open_to(self) -> tuple[GoldStage, ...]:
        """Where else the loss may lie: stages before it, not observed, since it was last seen."""
        found: set[GoldStage] = set()
        for path in self.sources:
            if path.lost_at is not None and path.lost_at is self.lost_at:
                first = 0 if path.last_seen is None else STAGES.index(path.last_seen) + 1
                if path.elsewhere:  # what another case was given is in the index
                    first = max(first, len(BEFORE))
                found.update(STAGES[first : STAGES.index(path.lost_at)])
        return tuple(one for one in STAGES if one in found and one in self.not_observed)

    @property
    def badness(self) -> tuple[float, int, str, int]:
        """What sorts the worst case first: the share that was lost, then its grade."""
        missing = [one.gold.grade for one in self.sources if one.lost_at is not None]
        return -len(missing) / len(self.sources), -sum(missing), self.case_id, self.repeat

    @property
    def became(self) -> str:
        """The stage that lost it, `kept`, or `not_observed` where no stage of the question is."""
        if self.lost_at is not None:
            return self.lost_at
        return "kept" if {*STAGES} - {*BEFORE} - {*self.not_observed} else "not_observed"


def source_paths(known: Knowledge, found: Witness) -> Iterator[SourcePath]:
    """Judge each source of a case."""
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
