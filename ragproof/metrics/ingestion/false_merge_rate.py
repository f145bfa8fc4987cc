"""ingestion.false_merge_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, DoesNotArise, Interval, PureMetric, Scored, SetRun
from ragproof.core.needs import DUPLICATE_GROUP, MERGED, REPEAT
from ragproof.core.spec import Spec, Unit
from ragproof.metrics.merges import merges


@dataclass(frozen=True)
class FalseMergeRate(PureMetric[SetRun]):
    """Share of the merged pairs of documents that are no duplicates.

    Question: How much is lost by merging what is not the same?
    Formula: merged pairs that are no duplicates / merged pairs
    Range: 0, none, to 1, all of them.
    Edge cases: A document is merged with every one that it duplicates, directly or by way of
        others; `duplicate_of` names a case; an original names none, itself, or an empty text. A
        detector that finds no duplicate at all says so with one of the last two: where every
        document is silent there is no detector to be scored. Where groups are labelled, a document
        without `duplicate_group` is one of a kind. Where no two were merged it is not applicable.
        The evidence counts the pairs and lists the first that are wrong. It is one figure of the
        whole set: documents that failed or are not of the set are in no pair, and repeats are
        counted apart.
    Not to be confused with: `ingestion.missed_merge_rate`: a false merge loses a document and
        spoils answers, a missed one only wastes room.
    References: Fellegi and Sunter 1969, "A theory for record linkage"; Christen and Goiser 2007.

    Example:
        >>> merged = (("a", None), ("b", "a"), ("c", "a"), ("d", None))
        >>> groups = ("1", "1", None, "1")
        >>> run = SetRun({MERGED: merged, DUPLICATE_GROUP: groups, REPEAT: (0, 0, 0, 0)})
        >>> round(FalseMergeRate().score(run).value, 3)  # two of three merged pairs
        0.667
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(MERGED,),
        uses=(DUPLICATE_GROUP, REPEAT),
        version=2,
        kinds=DOCUMENTS,
        interval=Interval.NONE,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Count pairs."""
        found = merges(run)
        if not found.merged:
            raise DoesNotArise("no documents were merged", found.evidence)
        return Scored((found.merged - found.both) / found.merged, found.evidence)
