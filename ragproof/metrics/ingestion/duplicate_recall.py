"""ingestion.duplicate_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, DoesNotArise, Interval, PureMetric, Scored, SetRun
from ragproof.core.needs import DUPLICATE_GROUP, MERGED, REPEAT
from ragproof.core.spec import Spec, Unit
from ragproof.metrics.merges import merges


@dataclass(frozen=True)
class DuplicateRecall(PureMetric[SetRun]):
    """Share of the pairs of duplicates that were merged.

    Question: Are duplicates found?
    Formula: merged pairs that are duplicates / pairs that are duplicates
    Range: 0, none is, to 1, all are.
    Edge cases: A document is merged with every one that it duplicates, directly or by way of
        others; `duplicate_of` names a case; an original names none, itself, or an empty text. A
        detector that finds no duplicate at all says so with one of the last two: where every
        document is silent there is no detector to be scored. Where groups are labelled, a document
        without `duplicate_group` is one of a kind. Where no two are duplicates it is not
        applicable. The evidence counts the pairs and lists the first that are wrong. It is one
        figure of the whole set: documents that failed or are not of the set are in no pair, and
        repeats are counted apart.
    Not to be confused with: `ingestion.missed_merge_rate`, the rest of it.
    References: Broder 1997, "On the resemblance and containment of documents".

    Example:
        >>> merged = (("a", None), ("b", "a"), ("c", "a"), ("d", None))
        >>> groups = ("1", "1", None, "1")
        >>> run = SetRun({MERGED: merged, DUPLICATE_GROUP: groups, REPEAT: (0, 0, 0, 0)})
        >>> round(DuplicateRecall().score(run).value, 3)  # one of three pairs of duplicates
        0.333
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(MERGED,),
        uses=(DUPLICATE_GROUP, REPEAT),
        version=2,
        kinds=DOCUMENTS,
        interval=Interval.NONE,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Count pairs."""
        found = merges(run)
        if not found.duplicates:
            raise DoesNotArise("no documents are duplicates", found.evidence)
        return Scored(found.both / found.duplicates, found.evidence)
