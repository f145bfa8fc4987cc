"""Compare two runs of a store."""

from __future__ import annotations

from dataclasses import replace

from ragproof.analysis.comparable import obstacles
from ragproof.analysis.comparison import Comparison, UpClose, compare
from ragproof.analysis.detail import CaseDetail
from ragproof.core import UsageError
from ragproof.core.record import RunRecord
from ragproof.store.open import RunStore
from ragproof.wiring.baselines import Tolerated, hindrance
from ragproof.wiring.candidates import candidates_told
from ragproof.wiring.looking import Kept, Looking


def compare_runs(
    looking: Looking, baseline: str, candidate: str, tolerated: Tolerated
) -> Comparison:
    """Compare; raises UsageError that names the difference where the runs do not fit."""
    store = looking.store
    ids = [store.find(one, looking.project).header.id for one in (baseline, candidate)]
    if ids[0] == ids[1]:
        raise UsageError(f"{baseline!r} and {candidate!r} are one run ({ids[0]}); name two")
    return compare_kept(Kept(store, ids[0]), Kept(store, ids[1]), tolerated)


def compare_kept(baseline: Kept, candidate: Kept, tolerated: Tolerated) -> Comparison:
    """The same for two runs that are found, each in a store of its own perhaps."""
    before, after = (one.store.find(one.id).header for one in (baseline, candidate))
    if why := hindrance(before, after, tolerated.obstacles):
        raise UsageError(f"runs {before.id} and {after.id} are not compared: {why}")
    found = compare(baseline.store.record(before.id), candidate.store.record(after.id))
    if not found.cases.common:
        raise UsageError(f"runs {before.id} and {after.id} have no case in common")
    details = {
        case.id: UpClose(
            _detail(baseline.store, found.baseline, case.id),
            _detail(candidate.store, found.candidate, case.id),
        )
        for case in found.changed
    }
    doubts = tuple(one.text for one in obstacles(before, after))
    keys = [one.key for one in found.metrics]
    stores, records = (baseline.store, candidate.store), (found.baseline, found.candidate)
    candidates = candidates_told(*stores, records, keys)
    return replace(found, details=details, doubts=doubts, candidates=candidates)


def _detail(store: RunStore, record: RunRecord, case_id: str) -> CaseDetail:
    """The case's first trial that is there: a run that was stopped may lack others."""
    repeat = next(case.repeat for case in record.cases if case.id == case_id)
    saved = store.detail(record.header.id, case_id, repeat)
    assert saved.run is not None
    return CaseDetail(saved.run, {row.key: row.outcome for row in saved.rows})
