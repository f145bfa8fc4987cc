"""Follow each case's gold from left to right and find the first stage that lost it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ragproof.analysis.gold_cases import CaseTraces, LostThere, Seen, Tally
from ragproof.analysis.gold_knowledge import Knowledge
from ragproof.analysis.gold_sight import STAGES, GoldStage, witness
from ragproof.core.case import DocumentCase
from ragproof.core.corpus import Corpus
from ragproof.core.outcome import Failed
from ragproof.core.subject import CaseRun

LEAST = 0.5
"""The share of a span that must be at a stage: below it, more of the evidence is gone than left."""
QUESTION = 300
"""So many characters of a question are kept."""


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

    cases: CaseTraces
    """In the order of the run; judged anew each time they are gone through."""
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
    def tally(self) -> Tally:
        """What the cases come to, found by going through them once."""
        return Tally.of(self.cases)

    @property
    def counts(self) -> dict[str, int]:
        """Cases by the stage at which they lost any of it, then those that did not."""
        return {name: self.tally.counts[name] for name in (*STAGES, "kept", "not_observed")}

    def lost(self, stage: GoldStage) -> LostThere:
        """The cases that lost gold at a stage."""
        return self.tally.lost[stage]

    @property
    def unseen(self) -> Mapping[GoldStage, int]:
        """Stage to the number of cases for which it is not observed."""
        return {stage: self.tally.unseen[stage] for stage in STAGES}


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
    aside = _Aside()
    cases = CaseTraces.of(_seen(runs, known, aside, depth), known)
    warnings = tuple(known.warnings())
    return GoldTrace(cases, tuple(aside.failed), aside.without_gold, warnings, least=least)


@dataclass
class _Aside:
    """What is in no count."""

    failed: list[LostCase] = field(default_factory=list[LostCase])
    without_gold: int = 0


def _seen(runs: Iterable[CaseRun], known: Knowledge, aside: _Aside, depth: int) -> Iterator[Seen]:
    """Take note of every case, and yield those whose gold can be followed."""
    for run in runs:
        if isinstance(run.case, DocumentCase):
            known.add_document(run)
            continue
        found = witness(run, depth, known.least)
        failure = run.observation.failure
        if found is None:
            aside.without_gold += 1
        elif failure is not None:
            aside.failed.append(LostCase(run.case.id, run.repeat, failure))
        else:
            known.add(found, run.source_match)
            question = getattr(run.case, "question", "")[:QUESTION]
            yield Seen(run.case.id, run.repeat, question, known.kept(found))
