"""What reviews of drawn answers say of all traffic, and which signals they bear out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from ragproof.analysis.by_tag import MANY
from ragproof.analysis.prediction_powered import HumanScore, PredictionPowered, prediction_powered
from ragproof.analysis.review_agreement import Reviewers, reviewers
from ragproof.analysis.review_draw import RANDOM
from ragproof.analysis.review_figures import (
    BAD,
    Figures,
    Slice,
    figures,
    sessions,
    shares,
    slices,
)
from ragproof.analysis.review_signals import (
    MATTERS,
    Association,
    Candidate,
    associations,
    withheld,
)
from ragproof.core import CaseRun, UsageError
from ragproof.core.observation import EventKind
from ragproof.core.outcome import Status
from ragproof.core.record import Floats, RunRecord
from ragproof.core.spec import Better, Pool, Unit
from ragproof.datasets.review_lines import Review, Verdict
from ragproof.datasets.review_merge import Together, together, verdicts_of
from ragproof.datasets.review_promote import KEPT_OUT, sourced
from ragproof.datasets.review_queue import Key, KeyItem, combined, fingerprint, read_key
from ragproof.store.open import RunStore
from ragproof.text.faults import raise_all, shown
from ragproof.text.nearest import nearest
from ragproof.wiring.looking import Looking, open_for_reading

TOLD = ("trace.confidence", "feedback.thumbs_down", "feedback.thumbs_up")
"""What the answer says of itself, and whether a user voted, of all answers that could be voted on:
`monitoring.thumbs_down` is over those with a vote."""
FAMILY = "monitoring."
ASKED_ON = "monitoring.follow_up"
"""Signals that are also held to what reviewers say of distrust and open needs."""
DISTRUST, NEED = "distrust", "unresolved_need"


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """What is read, and what is asked of it."""

    files: tuple[Path, ...]
    keys: tuple[Path, ...]
    """Of one week, or of several, each with a run of its own."""
    run: str | None = None
    signals: tuple[str, ...] | None = None
    by: tuple[str, ...] = ()
    matters: float = MATTERS
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewReport:
    """All that the reviews say."""

    key: Key
    """Of all weeks."""
    figures: Figures
    slices: tuple[Slice, ...]
    reviewers: Reviewers
    conflicts: Mapping[str, Mapping[str, str]]
    signals: tuple[Association, ...]
    matters: float
    unlooked: str | None
    """Why no signal was looked at."""
    versions: Mapping[str, int]
    """Of the metrics that were looked at, where all weeks have the same."""
    powered: Mapping[str, PredictionPowered | str]
    """Judged metric to what it and the random sample say together of the share that is not bad."""


def reported(request: ReportRequest, environ: Mapping[str, str]) -> ReviewReport:
    """Read and estimate; raises UsageError for files that are wrong, or of another key."""
    keys = [read_key(path) for path in request.keys]
    if request.run is not None and len(keys) > 1:
        raise UsageError("--run goes with one --key; several keys name their runs themselves")
    key = combined(keys)
    found = of_the_key(together(request.files), key)
    items = tuple(key.items.values())
    verdicts = verdicts_of(found.reviews)
    if not any(one.verdict is not Verdict.CANNOT_SAY for one in found.reviews):
        why = "cannot_say is all that anybody says" if found.reviews else "no verdict is there"
        raise UsageError(f"{request.files[0]}: nothing to report yet: {why}")
    told = figures(items, verdicts, key.head)
    if unknown := [tag for tag in request.by if all(tag not in one.tags for one in items)]:
        tags = sorted({tag for one in items for tag in one.tags})
        raise UsageError(f"--by: no answer has the tag {unknown[0]!r}.{nearest(unknown[0], tags)}")
    signals, versions, powered, unlooked = _signals(request, keys, found.reviews, verdicts, environ)
    agreed = agreement(verdicts)
    if (low := agreed.told_low) is not None:
        signals = withheld(signals, low)
    return ReviewReport(
        key=key,
        figures=told,
        slices=slices(items, verdicts, request.by or _tags(items)),
        reviewers=agreed,
        conflicts=found.conflicts,
        signals=signals,
        versions=versions,
        matters=request.matters,
        unlooked=unlooked,
        powered=powered,
    )


def agreement(verdicts: Mapping[str, Mapping[str, str]]) -> Reviewers:
    """How far those who saw the same answers agree; `verdicts`: item to reviewer to verdict."""
    return reviewers(verdicts.values(), tuple(map(str, Verdict)))


def of_the_key(found: Together, key: Key) -> Together:
    """The same; raises UsageError for items and passages that the key does not have."""
    wrong = []
    for one in found.reviews:
        item = key.items.get(one.item)
        if item is None:
            wrong.append(f"{one.place}: item: {shown(one.item)} is not in the key of this queue")
            continue
        numbers = f"1 to {len(item.sources)}, " if item.sources else ""
        allowed = f"{numbers}an id, or id:17 for an id that is a number"
        wrong += [
            f"{one.place}: sources: got {shown(name)}; allowed: {allowed}"
            for name in one.sources
            if sourced(name, item) is None
        ]
    raise_all(wrong)
    return found


def _tags(items: Sequence[KeyItem]) -> tuple[str, ...]:
    """Those that part the answers into some kinds, and do not tell one from another."""
    values: dict[str, set[str]] = {}
    for one in items:
        for tag, value in one.tags.items():
            values.setdefault(tag, set()).add(value)
    most = min(MANY, max(2, len(items) // 4))
    return tuple(
        tag
        for tag, some in sorted(values.items())
        if 2 <= len(some) <= most and tag not in KEPT_OUT
    )


def _signals(
    request: ReportRequest,
    keys: Sequence[Key],
    reviews: Sequence[Review],
    verdicts: Mapping[str, Mapping[str, str]],
    environ: Mapping[str, str],
) -> tuple[tuple[Association, ...], dict[str, int], dict[str, PredictionPowered | str], str | None]:
    """Hold the runs' signals to the verdicts; without a store at hand, say why not."""
    parts, judged = [], dict[str, PredictionPowered | str]()
    versions: dict[str, set[int]] = {}
    try:
        with open_for_reading(request.config, request.store, environ) as looking:
            for key in keys:
                name, project = (
                    request.run or key.head.run,
                    looking.project if request.run else None,
                )
                record = looking.store.record(looking.store.find(name, project).header.id)
                parts.append(_measured(record, request.signals, looking, key))
                for metric, column in record.columns.items():
                    versions.setdefault(metric, set()).add(column.declared.version)
                told = dict(powered(record, key, verdicts))
                if len(keys) > 1:
                    told = dict.fromkeys(told, "it is told of one run at a time: give one --key")
                judged |= told
    except UsageError as fault:
        if request.run is not None or request.signals is not None:
            raise
        return (), {}, {}, str(fault)
    items = tuple(item for key in keys for item in key.items.values())
    labels = {BAD: shares(items, verdicts, BAD)}
    labels |= {name: _told(items, reviews, name) for name in (DISTRUST, NEED)}
    candidates = list(_candidates(_joined(parts, keys), labels))
    weights = np.array([1 / one.probability for one in items])
    looked = associations(candidates, weights, sessions(items), request.matters)
    alike = {name: min(some) for name, some in versions.items() if len(some) == 1}
    return looked, alike, judged, None


def _joined(parts: Sequence[Mapping[str, Floats]], keys: Sequence[Key]) -> dict[str, Floats]:
    """One row an item of all weeks, NaN where a run has no such signal."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: np.concatenate(
            [
                part.get(name, np.full(len(key.items), np.nan))
                for part, key in zip(parts, keys, strict=True)
            ]
        )
        for name in names
    }


def _rows(record: RunRecord, key: Key) -> list[int]:
    """The row of each item's case."""
    at = {row.id: place for place, row in enumerate(record.cases) if row.repeat == 0}
    missing = [one.case_id for one in key.items.values() if one.case_id not in at]
    if missing:
        raise UsageError(
            f"run {record.header.id} has no case {shown(missing[0])}, which was drawn for review "
            f"({len(missing)} of {len(key.items)} are not there)"
        )
    return [at[one.case_id] for one in key.items.values()]


def _measured(
    record: RunRecord,
    wanted: Sequence[str] | None,
    looking: Looking,
    key: Key,
) -> dict[str, Floats]:
    """Signal to its value on each item, NaN where it has none."""
    rows = _rows(record, key)
    of_cases = {name: one for name, one in record.columns.items() if one.subjects is None}
    judged = {*record.header.prompt_hashes, *record.header.local_models}
    names = [name for name in of_cases if name.startswith(FAMILY) or name in judged]
    seen = observed(looking.store, record.header.id, key)
    if wanted is not None:
        known = [*of_cases, *TOLD]
        for one in wanted:
            if not any(fnmatchcase(name, one) or name == one for name in known):
                raise UsageError(f"--signals: the run has no {one!r}.{nearest(one, known)}")
        names = [name for name in known if any(fnmatchcase(name, g) or name == g for g in wanted)]
    found: dict[str, Floats] = {}
    for name in names:
        if name in of_cases:
            column = of_cases[name]
            scored = column.status[rows] == Status.SCORED
            found[name] = np.where(scored, column.values[rows], np.nan)
    if wanted is None or {*TOLD} & {*names}:
        rows_told = np.array([_told_by(one) for one in seen])
        found |= {
            name: rows_told[:, at]
            for at, name in enumerate(TOLD)
            if wanted is None or name in names
        }
    return found


def observed(store: RunStore, run: str, key: Key) -> list[CaseRun]:
    """What a run did with each drawn case; raises UsageError where it is not what was reviewed."""
    found = []
    for one in key.items.values():
        seen = store.observed(run, (one.case_id, 0))
        if seen is None:
            raise UsageError(f"run {run} has no case {shown(one.case_id)}, which was reviewed")
        answer = seen.observation.answer
        if one.answer != fingerprint(answer.answer_text if answer else ""):
            raise UsageError(
                f"run {run} has another answer to case {shown(one.case_id)} than the one that was "
                "reviewed: verdicts say nothing of it"
            )
        found.append(seen)
    return found


def _told_by(seen: CaseRun) -> tuple[float, ...]:
    """How sure the answer was, and whether users voted, where they could: the order is TOLD's."""
    answer, feedback = seen.observation.answer, seen.observation.feedback
    told = answer.trace.confidence if answer and answer.trace else None
    events = {event.kind for event in feedback.events} if feedback else set[EventKind]()
    exposed = {*feedback.exposed} | events if feedback else set[EventKind]()
    votes = (EventKind.THUMBS_DOWN, EventKind.THUMBS_UP)
    return (
        np.nan if told is None else told,
        *(float(kind in events) if kind in exposed else np.nan for kind in votes),
    )


def _candidates(
    measured: Mapping[str, Floats], labels: Mapping[str, Floats]
) -> Iterator[Candidate]:
    """Every signal beside the verdict; what users say next also beside distrust and open needs."""
    for signal, values in measured.items():
        for label, said in labels.items():
            if label == BAD or (signal.startswith(ASKED_ON) and not np.isnan(said).all()):
                yield Candidate(signal, label, values, said)


def _told(items: Sequence[KeyItem], reviews: Sequence[Review], name: str) -> Floats:
    """The share of those who answer the question that answer it by yes."""
    said: dict[str, list[bool]] = {}
    for one in reviews:
        value = one.distrust if name == DISTRUST else one.unresolved_need
        if value is not None:
            said.setdefault(one.item, []).append(value)
    return np.array([np.mean(said[one.item]) if one.item in said else np.nan for one in items])


def powered(
    record: RunRecord, key: Key, verdicts: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, PredictionPowered | str]]:
    """Judged metrics, corrected by the random sample alone: the other strata are no random draw."""
    judged = {*record.header.prompt_hashes, *record.header.local_models}
    drawn = [one for one in key.items.values() if RANDOM in one.strata]
    bad = zip(drawn, shares(drawn, verdicts, BAD).tolist(), strict=True)
    labels = [
        HumanScore(case_id=one.case_id, metric="", score=1 - share)
        for one, share in bad
        if not np.isnan(share)
    ]
    for name, column in record.columns.items():
        of = column.declared
        plain = column.subjects is None and of.pool is Pool.MEAN and of.unit is Unit.FRACTION
        if name not in judged or not plain or of.better is not Better.HIGHER:
            continue
        if key.head.other_strata or key.head.drawn_before:
            yield name, "part of the run could not be drawn: its mean is not that of this traffic"
        else:
            mine = [replace(one, metric=name) for one in labels]
            yield name, prediction_powered(record, name, mine)
