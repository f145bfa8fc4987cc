"""Compare two runs of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from ragproof.analysis.comparable import obstacles
from ragproof.analysis.comparison import Comparison, Confirmatory, UpClose, compare
from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.requirements import Role
from ragproof.core import RunHeader, UsageError
from ragproof.core.record import RunRecord
from ragproof.store.open import RunStore
from ragproof.text.nearest import nearest
from ragproof.wiring.baselines import Tolerated, hindrance
from ragproof.wiring.candidates import candidates_told
from ragproof.wiring.gating import requirements
from ragproof.wiring.looking import Kept, Looking
from ragproof.wiring.schema import Config


def compare_runs(
    looking: Looking,
    baseline: str,
    candidate: str,
    tolerated: Tolerated,
    metrics: Sequence[str] | None = None,
) -> Comparison:
    """Compare; `metrics` are ids, keys or globs of those to be tested together.

    Raises UsageError that names the difference where the runs do not fit.
    """
    store = looking.store
    runs = [store.find(one, looking.project).header for one in (baseline, candidate)]
    if runs[0].id == runs[1].id:
        raise UsageError(f"{baseline!r} and {candidate!r} are one run ({runs[0].id}); name two")
    named = [] if metrics is None else [_named(metrics, runs)]
    kept = [Kept(store, one.id) for one in runs]
    beforehand = [*named, *chosen(looking.config, runs[1])]
    found = compare_kept(kept[0], kept[1], tolerated, beforehand)
    if named and found.confirmatory.chosen != named[0].chosen:
        raise UsageError(f"--metrics: none of them is compared: {', '.join(metrics or ())}")
    return found


def _named(patterns: Sequence[str], runs: Iterable[RunHeader]) -> Confirmatory:
    """The metrics that the command line names."""
    known = {key: one.id for run in runs for key, one in run.metrics.items()}
    keys: set[str] = set()
    for pattern in patterns:
        found = {k for k, one in known.items() if k == pattern or fnmatchcase(one, pattern)}
        if not found and pattern.partition("[")[0] in known:
            found = {pattern}  # one figure of several, which only the scores name
        if not found:
            raise UsageError(f"the runs have no metric {pattern!r}.{nearest(pattern, known)}")
        keys |= found
    return Confirmatory(frozenset(keys), "those named by --metrics")


def chosen(config: Config, candidate: RunHeader) -> Iterator[Confirmatory]:
    """The metrics that were chosen beforehand, by their role or by being asked for by name."""
    held = {one.metric for one in requirements(config.gate) if one.role is not Role.EXPLORATORY}
    rules = (section.rule(name) for name, section in config.decisions.items())
    held |= {
        clause.metric
        for rule in rules
        for clause in rule.clauses
        if clause.role is not Role.EXPLORATORY
    }
    yield Confirmatory(frozenset(held), "primary ones and guardrails of the config")
    if "metrics" in candidate.asked:
        told = "those that the candidate was run for"
        yield Confirmatory(frozenset(candidate.metrics), told)


def compare_kept(
    baseline: Kept, candidate: Kept, tolerated: Tolerated, chosen: Iterable[Confirmatory] = ()
) -> Comparison:
    """The same for two runs that are found, each in a store of its own perhaps."""
    before, after = (one.store.find(one.id).header for one in (baseline, candidate))
    if why := hindrance(before, after, tolerated.obstacles):
        raise UsageError(f"runs {before.id} and {after.id} are not compared: {why}")
    records = (baseline.store.record(before.id), candidate.store.record(after.id))
    found = compare(*records, tuple(chosen))
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
    stores = (baseline.store, candidate.store)
    candidates = candidates_told(*stores, records, keys)
    return replace(found, details=details, doubts=doubts, candidates=candidates)


def _detail(store: RunStore, record: RunRecord, case_id: str) -> CaseDetail:
    """The case's first trial that is there: a run that was stopped may lack others."""
    repeat = next(case.repeat for case in record.cases if case.id == case_id)
    saved = store.detail(record.header.id, case_id, repeat)
    assert saved.run is not None
    return CaseDetail(saved.run, {row.key: row.outcome for row in saved.rows})
