"""Read a log, draw from it, and write cases that wait for their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ragproof.core import QuestionCase, Split, UsageError
from ragproof.datasets.clusters import clusters
from ragproof.datasets.imports.mapped import within
from ragproof.datasets.imports.records import records
from ragproof.datasets.imports.tables import OTHERS
from ragproof.datasets.sample import Allocation, Query, Sample, draw
from ragproof.datasets.validate import UNJUDGED
from ragproof.datasets.writing import refuse_name, refuse_source, write_cases
from ragproof.text.clean import uncarried, unclean

SAMPLED = "sampling"
"""Under a case's metadata: stratum, weight, how often it was asked, seed."""
SESSIONS = ("group", "session_id", "session", "conversation_id", "thread_id")


@dataclass(frozen=True, kw_only=True)
class SampleRequest:
    """What is drawn from, and how much."""

    log: Path
    out: Path
    places: int
    stratify: str | None = None
    number: int | None = None
    """Of clusters, where no column says the intent."""
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    allocation: Allocation = Allocation.PROPORTIONAL
    seed: int = 0
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Sampled:
    """What was drawn, and what of the log could not be."""

    sample: Sample
    traffic: int
    unread: int
    """Lines without a question."""


def sampled(request: SampleRequest) -> Sampled:
    """Draw and write; raises UsageError for a log in which the columns are not found."""
    refuse_name(request.out)
    refuse_source(request.out, request.log)
    if (request.stratify is None) == (request.number is None):
        raise UsageError("give --stratify COLUMN or --clusters N, one of the two")
    rows, unread = _rows(request)
    if request.number is not None:
        sorts = clusters([text for _, text, _, _ in rows], request.number, request.seed)
        named = [f"cluster-{one + 1}" for one in sorts]
    else:
        named = [stratum or "(none)" for _, _, stratum, _ in rows]
    queries = [
        Query(name, text, stratum, session)
        for (name, text, _, session), stratum in zip(rows, named, strict=True)
    ]
    found = draw(queries, request.places, request.allocation, request.seed)
    write_cases(request.out, _cases(found, request))
    return Sampled(found, len(queries), unread)


def _rows(request: SampleRequest) -> tuple[list[tuple[str, str, str | None, str | None]], int]:
    rows, unread, stratified = [], 0, False
    for number, (_, record) in enumerate(records(request.log), 1):
        columns = [request.mapping["question"]] if "question" in request.mapping else None
        text = _first(record, columns or OTHERS["question"])
        if text is None or not text.strip() or uncarried(text):
            unread += 1
            continue
        stratum = None if request.stratify is None else _first(record, [request.stratify])
        stratified = stratified or stratum is not None
        session = _first(
            record, [request.mapping["group"]] if "group" in request.mapping else SESSIONS
        )
        rows.append((_id(record, request, number), text, stratum, session))
    if not rows:
        raise UsageError(
            f"{request.log}: no line has a question. Say which column holds it: "
            "--map question=COLUMN"
        )
    if request.stratify is not None and not stratified:
        raise UsageError(f"--stratify: no line of {request.log} has a column {request.stratify!r}")
    return rows, unread


def _first(record: Mapping[str, object], columns: Sequence[str]) -> str | None:
    for column in columns:
        value = within(record, column)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return None


def _id(record: Mapping[str, object], request: SampleRequest, number: int) -> str:
    columns = [request.mapping["id"]] if "id" in request.mapping else list(OTHERS["id"])
    found = _first(record, columns)
    return (
        found if found and not unclean(found) else f"{request.log.name.partition('.')[0]}-{number}"
    )


def _cases(found: Sample, request: SampleRequest) -> list[QuestionCase]:
    """Cases that nobody has judged yet; the stratum is the tag `intent`."""
    name, value = UNJUDGED
    taken: set[str] = set()
    cases = []
    for one in found.drawn:
        case_id = one.query.id
        if case_id in taken:
            case_id = f"{case_id}-{len(taken)}"
        taken.add(case_id)
        session = one.query.session
        cases.append(
            QuestionCase(
                id=case_id,
                question=one.query.text,
                group=session if session and not unclean(session) else None,
                tags={"intent": _label(one.query.stratum), name: value},
                split=request.split,
                metadata={
                    SAMPLED: {
                        "stratum": one.query.stratum,
                        "weight": one.weight,
                        "asked": one.asked,
                        "seed": request.seed,
                    }
                },
            )
        )
    return cases


def _label(text: str) -> str:
    return "(unclean)" if not text.strip() or unclean(text) else text
