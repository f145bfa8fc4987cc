"""Where a run lost its gold, as a JSON document: what scripts read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ragproof.analysis.gold_case import CaseTrace, SourcePath
from ragproof.analysis.gold_sight import STAGES, Sight
from ragproof.analysis.gold_trace import GoldTrace
from ragproof.core.header import RunHeader

AT_ONCE = 500
"""Cases in a piece."""


def gold_trace_json(header: RunHeader, found: GoldTrace, *, in_full: bool = False) -> Iterator[str]:
    """Write the trace piece by piece, a case a line; ASCII only.

    `in_full` tells of each source every stage.
    """
    head = _plain(_head(header, found), indent=2)
    yield f'{head[:-2]},\n  "cases": ['
    left, before = iter(found.cases), "\n    "
    while some := [_plain(_case(one, found.least, in_full)) for one in islice(left, AT_ONCE)]:
        yield before + ",\n    ".join(some)
        before = ",\n    "
    yield "]\n}\n" if before == "\n    " else "\n  ]\n}\n"


def _plain(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)


def _head(header: RunHeader, found: GoldTrace) -> dict[str, Any]:
    counts = found.counts
    return {
        "run_id": header.id,
        "label": header.label,
        "source_match": header.settings.source_match.value,
        "counts": counts,
        "partial": found.tally.partly,
        "without_gold": found.without_gold,
        "failed": [
            {"case_id": one.case_id, "repeat": one.repeat, "cause": one.failure.cause.value}
            for one in found.failed
        ],
        "only": found.only,
        "corpus": found.corpus,
        "span_share": found.least,
        "stages": {
            stage.value: {
                "lost": counts[stage],
                "not_observed": found.unseen[stage],
                "metrics": {one.metric: one.mean for one in found.beside.get(stage, ())},
            }
            for stage in STAGES
        },
        "warnings": list(found.warnings),
    }


def _case(case: CaseTrace, least: float, in_full: bool) -> dict[str, Any]:  # noqa: FBT001
    return {
        "case_id": case.case_id,
        "repeat": case.repeat,
        "question": case.question,
        "lost_at": case.lost_at,
        "missing": case.missing,
        "partial": case.partial,
        "not_observed": case.not_observed,
        "last_seen": case.last_seen,
        "sources": [_source(one, least, in_full) for one in case.sources],
    }


def _source(path: SourcePath, least: float, in_full: bool) -> dict[str, Any]:  # noqa: FBT001
    told: dict[str, Any] = {
        "id": path.gold.name,
        "grade": path.gold.grade,
        "lost_at": path.lost_at,
        "last_seen": path.last_seen,
        "disputed": path.disputed,
        "elsewhere": path.elsewhere,
    }
    if in_full:
        stages = zip(STAGES, path.sights, strict=True)
        told["stages"] = {stage.value: _sight(one, least) for stage, one in stages}
    return told


def _sight(sight: Sight, least: float) -> dict[str, Any] | None:
    """None where the stage is not observed."""
    if sight.share is None:
        return None
    return {"there": sight.share >= least, "share": sight.share, "rank": sight.rank}
