"""Whether two runs reranked the same candidates: only then is a difference the reranker's."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.analysis.same_candidates import SameCandidates, same_candidates
from ragproof.core.record import RunRecord
from ragproof.store.open import RunStore

FAMILY = "reranking."


def candidates_told(
    before: RunStore, after: RunStore, records: tuple[RunRecord, RunRecord], keys: Iterable[str]
) -> SameCandidates | None:
    """Compare the sets case by case, where a metric of reranking is among the keys."""
    baseline, candidate = records
    reranking = any(key.startswith(FAMILY) for key in keys)
    if not reranking or not any(key.startswith(FAMILY) for key in baseline.columns):
        return None
    sets = [_sets(store, one.header.id) for store, one in ((before, baseline), (after, candidate))]
    return same_candidates(sets[0], sets[1])


def _sets(store: RunStore, run_id: str) -> dict[tuple[str, int], frozenset[str] | None]:
    """Case and repeat to the ids of its candidates; None where the pipeline does not tell them."""
    found: dict[tuple[str, int], frozenset[str] | None] = {}
    for run in store.case_runs(run_id):
        answer = run.observation.answer
        told = None if answer is None or answer.trace is None else answer.trace.candidates
        ids = None if told is None else frozenset(chunk.id for chunk in told)
        found[run.case.id, run.repeat] = ids
    return found
