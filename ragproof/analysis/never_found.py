"""Notice when nothing that was expected was ever found: most often the ids do not match."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from ragproof.analysis.detail import CaseDetail, evidence
from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord
from ragproof.core.subject import SourceMatch

METRICS = frozenset({"retrieval.recall_at_k", "retrieval.hit_at_k", "retrieval.mrr"})
FEWEST = 3
"""So many cases must have missed all of theirs before it is said."""


def never_found(record: RunRecord, details: Mapping[str, CaseDetail]) -> Iterator[str]:
    """Give a warning with an example of either id where every case found nothing of its own."""
    if not any(_is_all_zero(record, key) for key in record.columns):
        return
    for detail in details.values():
        seen = evidence(detail.run)
        if seen.expected and seen.retrieved:
            match = record.header.settings.source_match
            yield unmatched(seen.expected[0].source, [seen.retrieved[0].source], match)
            return


def unmatched(expected: str, retrieved: Collection[str], match: SourceMatch) -> str:
    """Say that ids do not match."""
    found = ", ".join(repr(one) for one in retrieved)
    return (
        "no expected source is among those retrieved. Do the ids match? Expected is "
        f"{expected!r}, retrieved {found}; compared are ids of {match}s (run.source_match)"
    )


def _is_all_zero(record: RunRecord, key: str) -> bool:
    column = record.columns[key]
    scores = column.values[column.status == Status.SCORED]
    return column.declared.id in METRICS and scores.size >= FEWEST and not np.any(scores)
