"""Offer what runs found or answered and nobody judged, and merge what people said of it back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import CaseRun, Chunk, UsageError
from ragproof.core.header import RunHeader
from ragproof.core.subject import SourceMatch
from ragproof.datasets import dataset_hash, load
from ragproof.datasets.pool import Found, Said, Unjudged, Unreviewed, unjudged, unreviewed
from ragproof.datasets.pool_lines import refuse_filled
from ragproof.datasets.pool_merge import Merged, Prefer, merge
from ragproof.datasets.writing import refuse_name, refuse_source, write_cases
from ragproof.text.files import whole
from ragproof.wiring.looking import Looking, open_for_reading

TEXT = 2_000
"""So many characters of a source are shown to whoever judges it."""


@dataclass(frozen=True, kw_only=True)
class PoolRequest:
    """Which runs are looked through, how deep, and where the pool goes."""

    dataset: Path
    out: Path
    runs: tuple[str, ...] = ("latest",)
    depth: int | None = None
    """Sources a case; the k of each run where it is not said."""
    answers: bool = False
    """Whether answers are pooled, not sources."""
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Pooled:
    """What is to be judged."""

    rows: tuple[Unjudged, ...] | tuple[Unreviewed, ...]
    cases: int
    """Cases that have something to judge."""
    runs: tuple[str, ...]


def pooled(request: PoolRequest, environ: Mapping[str, str]) -> Pooled:
    """Write a line a source, its `grade` null, or a line an answer, its `verdict` null."""
    refuse_name(request.out)
    refuse_source(request.out, request.dataset)
    refuse_filled(request.out)
    dataset = load(request.dataset)
    rows: tuple[Unjudged, ...] | tuple[Unreviewed, ...]
    with open_for_reading(request.config, request.store, environ) as looking:
        headers = {
            header.id: header
            for header in (looking.store.find(one, looking.project).header for one in request.runs)
        }
        ids = {case.id for case in dataset.cases}
        runs = [(one, case_runs(looking, one, ids, dataset.path)) for one in headers.values()]
        if request.answers:
            rows = unreviewed(dataset.cases, _said(runs))
        else:
            rows = unjudged(dataset.cases, _found(runs, request.depth))
    _write(request.out, rows)
    return Pooled(rows, len({row.case_id for row in rows}), tuple(headers))


def _write(out: Path, rows: Iterable[Unjudged | Unreviewed]) -> None:
    with whole(out) as file:
        for row in rows:
            line = _source_line(row) if isinstance(row, Unjudged) else _answer_line(row)
            file.write(f"{json.dumps(line)}\n".encode())


def _source_line(row: Unjudged) -> dict[str, Any]:
    return {
        "case_id": row.case_id,
        "source_id": row.source_id,
        "grade": None,
        "reviewer": None,
        "question": row.question,
        "text": row.text[:TEXT],
        "best_rank": row.best_rank,
        "runs": list(row.runs),
    }


def _answer_line(row: Unreviewed) -> dict[str, Any]:
    return {
        "case_id": row.case_id,
        "answer": row.answer,
        "verdict": None,
        "corrected_answer": None,
        "reviewer": None,
        "question": row.question,
        "expected_answer": list(row.expected),
        "runs": list(row.runs),
    }


def case_runs(
    looking: Looking, header: RunHeader, ids: Set[str], dataset: Path
) -> Iterator[CaseRun]:
    """What a run did with these cases of the dataset, each once; raises UsageError for none."""
    seen = False
    for run in looking.store.case_runs(header.id):
        if run.case.id in ids and run.repeat == 0:
            seen = True
            yield run
    if not seen:
        raise UsageError(f"run {header.id} has no case of {dataset} that is asked about")


def _said(runs: Iterable[tuple[RunHeader, Iterable[CaseRun]]]) -> Iterator[Said]:
    for header, cases in runs:
        for run in cases:
            answer = run.observation.answer
            if answer is not None and answer.answer_text:
                yield Said(run.case.id, answer.answer_text, header.id)


def _found(
    runs: Iterable[tuple[RunHeader, Iterable[CaseRun]]], depth: int | None
) -> Iterator[Found]:
    for header, cases in runs:
        for run in cases:
            yield from _of_case(run, header, depth_of(header, depth))


def depth_of(header: RunHeader, depth: int | None) -> int:
    """How deep a run is looked through: its k where nothing is said."""
    return depth or header.settings.k


def source_of(chunk: Chunk, match: SourceMatch) -> str:
    """What labels call a chunk: its id, or that of the document that it belongs to."""
    if match is SourceMatch.DOCUMENT:
        return str(chunk.metadata.get("document_id", chunk.id))
    return chunk.id


def _of_case(run: CaseRun, header: RunHeader, depth: int) -> Iterator[Found]:
    """The first `depth` different sources: chunks, or the documents that they belong to."""
    ranks: dict[str, int] = {}
    for chunk in retrieved(run):
        source = source_of(chunk, header.settings.source_match)
        if source in ranks:
            continue
        if len(ranks) == depth:
            return
        ranks[source] = len(ranks) + 1
        yield Found(run.case.id, source, ranks[source], chunk.text, header.id)


def retrieved(run: CaseRun) -> tuple[Chunk, ...]:
    """What was retrieved, or what the answer says was."""
    answer = run.observation.answer
    return run.observation.retrieved or (answer and answer.retrieved_chunks) or ()


def merged(
    dataset: Path, judged: Path, out: Path, prefer: Prefer | None = None
) -> tuple[Merged, str]:
    """Write the dataset with what a reviewed pool says; returns its new hash, too."""
    refuse_name(out)
    refuse_source(out, judged)
    found = merge(load(dataset).cases, judged, prefer)
    write_cases(out, found.cases)
    return found, dataset_hash(found.cases)
