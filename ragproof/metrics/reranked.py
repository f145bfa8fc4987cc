"""One pool of candidates in two orders: what every reranking metric starts from."""

from __future__ import annotations

from ragproof.core import CaseRun, DoesNotArise, Json, PureMetric, Scored, Stage
from ragproof.core.needs import CANDIDATES, RERANKED, STAGES
from ragproof.metrics.ranks import as_retrieved

WORDS = ("rerank", "re-rank", "re_rank")
"""One of these is in the name of a stage that reranks."""


def orders(run: CaseRun) -> tuple[CaseRun, CaseRun]:
    """The run as if the candidates had been retrieved, and as if the reranked list had.

    Raises MissingInput where either is not exposed, DoesNotArise where they do not hold the same
    chunks: then they differ by more than their order.
    """
    before, after = run[CANDIDATES], run[RERANKED]
    given, got = {chunk.id for chunk in before}, {chunk.id for chunk in after}
    apart: dict[str, Json] = {"missing": sorted(given - got), "added": sorted(got - given)}
    if got - given:
        raise DoesNotArise("the reranked list holds chunks that are no candidates", apart)
    if given - got:
        raise DoesNotArise("the reranked list lacks candidates: expose it before it is cut", apart)
    if not given:
        raise DoesNotArise("there were no candidates")
    return as_retrieved(run, before), as_retrieved(run, after)


def gain(run: CaseRun, metric: PureMetric[CaseRun]) -> Scored:
    """What a metric of the retrieved list gains by the new order."""
    before, after = (_value(metric, one) for one in orders(run))
    evidence: dict[str, Json] = {"before": before, "after": after, "depth": depth(run)}
    return Scored(after - before, evidence)


def depth(run: CaseRun) -> int:
    """How many candidates there were; a chunk that is listed twice is one."""
    return len({chunk.id for chunk in run[CANDIDATES]})


def reranking_stages(run: CaseRun) -> tuple[Stage, ...]:
    """The stages whose name says that they rerank."""
    stages = run[STAGES]
    return tuple(one for one in stages if any(word in one.name.lower() for word in WORDS))


def _value(metric: PureMetric[CaseRun], run: CaseRun) -> float:
    scored = metric.score(run)
    assert isinstance(scored, Scored)
    return scored.value
