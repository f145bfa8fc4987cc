"""Offer what runs found and nobody judged, and merge judgments back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ragproof.core import CaseRun, UsageError
from ragproof.core.subject import SourceMatch
from ragproof.datasets import Dataset, dataset_hash, load
from ragproof.datasets.pool import Found, Merged, Unjudged, merge, unjudged
from ragproof.datasets.writing import refuse_name, write_cases
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
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Pooled:
    """What is to be judged."""

    rows: tuple[Unjudged, ...]
    cases: int
    """Cases that have something to judge."""
    runs: tuple[str, ...]


def pooled(request: PoolRequest, environ: Mapping[str, str]) -> Pooled:
    """Write a line a source, its `grade` null; judges fill it in."""
    refuse_name(request.out)
    dataset = load(request.dataset)
    with open_for_reading(request.config, request.store, environ) as looking:
        ids = tuple(
            dict.fromkeys(
                looking.store.find(one, looking.project).header.id for one in request.runs
            )
        )
        rows = unjudged(
            dataset.cases, (one for run in ids for one in _found(looking, run, request, dataset))
        )
    with whole(request.out) as file:
        for row in rows:
            line = {
                "case_id": row.case_id,
                "source_id": row.source_id,
                "grade": None,
                "question": row.question,
                "text": row.text[:TEXT],
                "best_rank": row.best_rank,
                "runs": list(row.runs),
            }
            file.write(f"{json.dumps(line)}\n".encode())
    return Pooled(rows, len({row.case_id for row in rows}), ids)


def _found(
    looking: Looking, run_id: str, request: PoolRequest, dataset: Dataset
) -> Iterator[Found]:
    header = looking.store.find(run_id).header
    here, seen = {case.id for case in dataset.cases}, 0
    depth = request.depth or header.settings.k
    for run in looking.store.case_runs(run_id):
        if run.case.id in here and run.repeat == 0:
            seen += 1
            yield from _of_case(run, run_id, header.settings.source_match, depth)
    if not seen:
        raise UsageError(f"run {run_id} has no case of {request.dataset}")


def _of_case(run: CaseRun, run_id: str, match: SourceMatch, depth: int) -> Iterator[Found]:
    """The first `depth` different sources: chunks, or the documents that they belong to."""
    answer = run.observation.answer
    chunks = run.observation.retrieved or (answer and answer.retrieved_chunks) or ()
    ranks: dict[str, int] = {}
    for chunk in chunks:
        source = str(chunk.metadata.get("document_id", chunk.id))
        source = source if match is SourceMatch.DOCUMENT else chunk.id
        if source in ranks:
            continue
        if len(ranks) == depth:
            return
        ranks[source] = len(ranks) + 1
        yield Found(run.case.id, source, ranks[source], chunk.text, run_id)


def merged(dataset: Path, judged: Path, out: Path) -> tuple[Merged, str]:
    """Write the dataset with the grades of a judged pool; returns its new hash, too."""
    refuse_name(out)
    found = merge(load(dataset).cases, judged)
    write_cases(out, found.cases)
    return found, dataset_hash(found.cases)
