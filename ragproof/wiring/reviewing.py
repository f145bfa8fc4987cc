"""Draw answers from a run of traffic into a queue for blind review."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragproof.analysis.review_draw import RANDOM, Drawn, Stratum, dealt, draw, lot
from ragproof.core import CaseRun, QuestionCase, UsageError
from ragproof.core.observation import EventKind
from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord
from ragproof.core.subject import SourceMatch
from ragproof.datasets.review_queue import (
    BLANK,
    DrawnStratum,
    Key,
    KeyHead,
    KeyItem,
    fingerprint,
    key_path,
    queue_paths,
    read_key,
    refuse_reviewed,
    write_key,
    write_queue,
    write_sheet,
)
from ragproof.datasets.writing import refuse_name, refuse_source
from ragproof.reports.wording import inert
from ragproof.text.clean import unclean
from ragproof.text.faults import shown
from ragproof.text.files import make_folder
from ragproof.text.follow_ups import patterns
from ragproof.text.nearest import nearest
from ragproof.wiring.dataset_pool import TEXT, retrieved, source_of
from ragproof.wiring.looking import Kept, open_for_reading
from ragproof.wiring.traffic_runs import is_traffic, traffic_run

COUNT = 50
"""Answers drawn at random each time, where nothing is said: enough to read in a sitting."""
STRATUM = "stratum"
"""The tag of a case that was not drawn at random from traffic, unless its value is `random`."""
LOW, DOWN, DOUBTS = "low_confidence", "thumbs_down", "follow_up"


@dataclass(frozen=True, slots=True)
class ByMetric:
    """The answers that stand at one end of a metric."""

    metric: str
    highest: bool
    places: int


@dataclass(frozen=True, kw_only=True)
class ReviewRequest:
    """What is drawn from, and how much of what."""

    out: Path
    run: str | None = None
    """None for the newest of traffic."""
    rate: float | None = None
    count: int | None = None
    low_confidence: int = 0
    thumbs_down: int = 0
    follow_ups: int = 0
    by_metric: tuple[ByMetric, ...] = ()
    reviewers: tuple[str, ...] = ("reviewer-1",)
    overlap: float = 0.0
    not_in: tuple[Path, ...] = ()
    seed: int = 0
    sheet: bool = False
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Queued:
    """What was written."""

    key: Key
    paths: Mapping[str, Path]
    """Reviewer to queue."""
    sheets: tuple[Path, ...]
    of_traffic: bool
    """Whether the answers are ones that users were given."""


@dataclass
class _Traffic:
    """What drawing needs to know of the answers of a run."""

    pool: list[str] = field(default_factory=list[str])
    traffic: int = 0
    unanswered: int = 0
    before: int = 0
    others: int = 0
    confidence: dict[str, float] = field(default_factory=dict[str, float])
    down: list[str] = field(default_factory=list[str])
    doubted: list[str] = field(default_factory=list[str])
    exposed: set[EventKind] = field(default_factory=set[EventKind])


def queued(request: ReviewRequest, environ: Mapping[str, str]) -> Queued:
    """Draw and write key and queues; raises UsageError for what cannot be drawn, or is there."""
    paths = _checked(request)
    drawn_before = {one.case_id for path in request.not_in for one in read_key(path).items.values()}
    with open_for_reading(request.config, request.store, environ) as looking:
        if request.run is None:
            header = traffic_run(looking)
        else:
            header = looking.store.find(request.run, looking.project).header
        of_traffic = is_traffic(looking.store, header)
        kept = Kept(looking.store, header.id)
        found = _traffic(looking.store.case_runs(header.id), drawn_before)
        record = looking.store.record(header.id) if request.by_metric else None
        strata = _strata(request, found, record)
        items = draw(strata, request.seed)
        lines, keys = _items(items, kept, request, header.settings.source_match)
    key = Key(_head(request, header.id, found, strata), keys)
    make_folder(request.out.parent)
    write_key(key_path(request.out), key)
    sheets = []
    for name, path in paths.items():
        mine = [lines[one] for one in _order(key, name, request.seed)]
        mine = [{**line, "reviewer": name} for line in mine]
        write_queue(path, mine)
        if request.sheet:
            sheets.append(path.with_suffix(".csv"))
            write_sheet(sheets[-1], mine)
    return Queued(key, paths, tuple(sheets), of_traffic)


def _checked(request: ReviewRequest) -> Mapping[str, Path]:
    """Where the queues go; raises UsageError where something of value lies there."""
    refuse_name(request.out)
    names = {one.casefold() for one in request.reviewers}
    wrong = [one for one in names if unclean(one) or not one or {*"/\\"} & {*one} or one == "key"]
    if wrong or len(names) != len(request.reviewers):
        got = ", ".join(map(shown, request.reviewers))
        raise UsageError(f"--reviewers: got {got}; allowed: different plain names, and not `key`")
    paths = queue_paths(request.out, request.reviewers)
    for path in paths.values():
        refuse_reviewed(path)
        refuse_source(path, *request.not_in)
        if request.sheet:
            refuse_reviewed(path.with_suffix(".csv"))
    return paths


def _traffic(runs: Iterable[CaseRun], drawn_before: set[str]) -> _Traffic:
    """Look through a run once; only what drawing needs stays in memory."""
    found = _Traffic()
    for run in runs:
        if run.repeat or not isinstance(run.case, QuestionCase):
            continue
        if run.case.tags.get(STRATUM, RANDOM) != RANDOM:
            found.others += 1
            continue
        found.traffic += 1
        answer, name = run.observation.answer, run.case.id
        if answer is None or not answer.answer_text.strip():
            found.unanswered += 1
        elif name in drawn_before:
            found.before += 1
        else:
            found.pool.append(name)
            if answer.trace and answer.trace.confidence is not None:
                found.confidence[name] = answer.trace.confidence
            _note_feedback(run, found)
    return found


def _note_feedback(run: CaseRun, found: _Traffic) -> None:
    feedback = run.observation.feedback
    if feedback is None:
        return
    found.exposed.update(feedback.exposed)
    if any(one.kind is EventKind.THUMBS_DOWN for one in feedback.events):
        found.down.append(run.case.id)
    texts = [one.text for one in feedback.events if one.kind is EventKind.FOLLOW_UP and one.text]
    if any(patterns(text) for text in texts):
        found.doubted.append(run.case.id)


def _strata(
    request: ReviewRequest, found: _Traffic, record: RunRecord | None
) -> tuple[Stratum, ...]:
    """The random stratum first; the others only where they are asked for."""
    if not found.pool:
        raise UsageError(
            f"the run has no answer to review: of {found.traffic} cases {found.unanswered} have no "
            f"answer, and {found.before} were drawn before"
        )
    wanted = [request.count or 0, math.ceil((request.rate or 0.0) * len(found.pool))]
    said = request.count is not None or request.rate is not None
    strata = [Stratum(RANDOM, tuple(found.pool), max(wanted) if said else COUNT)]
    if request.low_confidence:
        if not found.confidence:
            raise UsageError("--low-confidence: no answer of the run says how sure it is")
        pool = tuple(found.confidence)
        strata.append(Stratum(LOW, pool, request.low_confidence, found.confidence))
    for name, option, places, pool_, kind in (
        (DOWN, "--thumbs-down", request.thumbs_down, found.down, EventKind.THUMBS_DOWN),
        (DOUBTS, "--follow-ups", request.follow_ups, found.doubted, EventKind.FOLLOW_UP),
    ):
        if places and kind not in found.exposed and not pool_:
            raise UsageError(f"{option}: no answer of the run has feedback that exposes {kind}")
        if places:
            strata.append(Stratum(name, tuple(pool_), places))
    if record is not None:
        pooled = {*found.pool}
        strata += [_by_metric(one, record, pooled) for one in request.by_metric]
    return tuple(strata)


def _by_metric(one: ByMetric, record: RunRecord, pooled: set[str]) -> Stratum:
    """The scored answers, the wanted end of the metric first."""
    column = record.columns.get(one.metric)
    if column is None or column.subjects is not None:
        known = sorted(key for key, of in record.columns.items() if of.subjects is None)
        hint = nearest(one.metric, known)
        raise UsageError(f"--by-metric: the run scored no case by {one.metric!r}.{hint}")
    sign = -1.0 if one.highest else 1.0
    rows = zip(record.cases, column.status.tolist(), column.values.tolist(), strict=True)
    order = {
        row.id: sign * value
        for row, status, value in rows
        if status == Status.SCORED and row.repeat == 0 and row.id in pooled
    }
    if not order:
        raise UsageError(f"--by-metric: {one.metric} scored no answer that could be drawn")
    end = "highest" if one.highest else "lowest"
    return Stratum(f"{one.metric}:{end}", tuple(order), one.places, order)


def _head(request: ReviewRequest, run: str, found: _Traffic, strata: Sequence[Stratum]) -> KeyHead:
    return KeyHead(
        run=run,
        drawn_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=request.seed,
        traffic=found.traffic,
        unanswered=found.unanswered,
        drawn_before=found.before,
        other_strata=found.others,
        strata=tuple(
            DrawnStratum(name=one.name, pool=len(one.pool), drawn=min(one.places, len(one.pool)))
            for one in strata
        ),
        reviewers=request.reviewers,
        overlap=request.overlap,
    )


def _items(
    drawn: Sequence[Drawn], kept: Kept, request: ReviewRequest, match: SourceMatch
) -> tuple[dict[str, dict[str, Any]], dict[str, KeyItem]]:
    """What reviewers see of each answer, and what they do not."""
    who = dealt([one.case_id for one in drawn], request.reviewers, request.overlap, request.seed)
    lines: dict[str, dict[str, Any]] = {}
    keys: dict[str, KeyItem] = {}
    for one in drawn:
        run = kept.store.observed(kept.id, (one.case_id, 0))
        assert run is not None
        assert run.observation.answer is not None
        name = lot(request.seed, "item", kept.id, one.case_id).hex()[:12]
        line, sources = _shown(run, match)
        lines[name] = {"item": name, **line, **BLANK}
        keys[name] = KeyItem(
            item=name,
            case_id=one.case_id,
            strata=one.strata,
            probability=one.probability,
            group=run.case.group,
            tags=dict(run.case.tags),
            sources=sources,
            reviewers=who[one.case_id],
            answer=fingerprint(run.observation.answer.answer_text),
        )
    return lines, keys


def _shown(run: CaseRun, match: SourceMatch) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Question, answer and passages as plain text: nothing in it acts on a terminal."""
    case, answer = run.case, run.observation.answer
    assert isinstance(case, QuestionCase)
    assert answer is not None
    context = answer.trace.context if answer.trace and answer.trace.context else retrieved(run)
    passages = [
        {"number": at, "id": _plain(chunk.id), "text": _plain(chunk.text[:TEXT])}
        for at, chunk in enumerate(context, 1)
    ]
    history = [
        {"role": _plain(turn.role), "content": _plain(turn.content)} for turn in case.history or ()
    ]
    line = {
        "question": _plain(case.question),
        "history": history,
        "answer": _plain(answer.answer_text),
        "passages": passages,
    }
    return line, tuple(source_of(chunk, match) for chunk in context)


def _plain(text: str) -> str:
    return inert(text, keep="\n\t")


def _order(key: Key, reviewer: str, seed: int) -> Iterator[str]:
    """A reviewer's items, in an order of their own."""
    mine = [one.item for one in key.items.values() if reviewer in one.reviewers]
    yield from sorted(mine, key=lambda item: lot(seed, "order", reviewer, item))
