"""How the way of a case's gold is told, the same on every page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.analysis.gold_case import SourcePath
from ragproof.analysis.gold_sight import STAGES, GoldStage, Sight
from ragproof.analysis.gold_trace import GoldTrace
from ragproof.core.spec import Unit
from ragproof.reports.wording import figure, one_line
from ragproof.text.counting import counted

LOST_AT = {
    GoldStage.CORPUS: "not in the corpus",
    GoldStage.CHUNKING: "in no chunk of its document",
    GoldStage.FILTER: "filtered away",
    GoldStage.RETRIEVAL: "not retrieved",
    GoldStage.RERANKING: "dropped or pushed down by the reranker",
    GoldStage.CONTEXT: "not given to the model",
    GoldStage.ANSWER: "given to the model and not cited",
}
"""What it means to be lost at a stage."""
SHOWN = 12
"""So many sources are named in one line."""


def headline(found: GoldTrace) -> str:
    """Say how many cases kept their gold and how many lost it."""
    counts = found.counts
    lost = sum(counts[stage] for stage in STAGES)
    partly = found.tally.partly
    parts = [
        f"{counted(found.tally.number, 'case')} with gold: {counts['kept']:,} kept it, "
        f"{lost:,} lost it" + (f" ({partly:,} in part)" if partly else "")
    ]
    if counts["not_observed"]:
        parts.append(f"{counts['not_observed']:,} not observed")
    return ", ".join(parts)


def asides(found: GoldTrace) -> Iterator[str]:
    """Say what is in no count, and what cannot be trusted."""
    if found.only:
        yield f"Only {found.only}."
    if found.without_gold:
        yield f"{counted(found.without_gold, 'case')} without gold, in no count."
    if found.failed:
        names = ", ".join(one_line(one.case_id, 40) for one in found.failed[:SHOWN])
        more = ", ..." if len(found.failed) > SHOWN else ""
        yield f"{counted(len(found.failed), 'case')} failed, in no count: {names}{more}"
    if disputed := found.tally.disputed:
        names = ", ".join(one_line(one, 40) for one in found.tally.disputed_names[:SHOWN])
        more = ", ..." if disputed > SHOWN else ""
        yield (
            f"{counted(disputed, 'case')} with traces that contradict themselves, a "
            f"source being missing at a stage and there at a later one: {names}{more}"
        )


def nothing_followed(found: GoldTrace) -> str:
    """Say why there is no case to follow."""
    if found.failed:
        return "Every case that names its sources failed: nothing can be followed."
    return "No case names a source that a right answer rests on: nothing can be followed."


def remaining(found: GoldTrace) -> Iterator[tuple[GoldStage, int]]:
    """After each stage, how many cases still have lost nothing."""
    left = found.tally.number - found.counts["not_observed"]
    for stage in STAGES:
        left -= found.counts[stage]
        yield stage, left


def metrics(found: GoldTrace, stage: GoldStage) -> str:
    """Name the metrics that explain a loss at a stage, with the run's figures of them."""
    known = found.beside.get(stage, ())
    return ", ".join(
        one.metric + ("" if one.mean is None else f" {figure(one.mean, Unit.FRACTION)}")
        for one in known
    )


def named(sources: Sequence[str]) -> str:
    """List sources in one line."""
    more = f", ... ({len(sources) - SHOWN:,} more)" if len(sources) > SHOWN else ""
    return ", ".join(one_line(one, 60) for one in sources[:SHOWN]) + more


def sight(seen: Sight, path: SourcePath, least: float) -> str:
    """Say what a stage shows of a source."""
    if seen.share is None:
        return "not observed"
    share = "" if path.gold.span is None else f" {figure(seen.share, Unit.FRACTION)}"
    rank = "" if seen.rank is None else f" (rank {seen.rank:,})"
    if seen.share >= least:
        return f"there{share}{rank}"
    if seen.rank is not None and path.gold.span is None:
        return f"too low{rank}"
    return f"missing{share}"
