"""What a filter did to the sources that should be found: what every filter metric starts from.

The sources that count are fixed before the filter is looked at: those expected that the caller may
see. Whoever rebuilds them from what the filter let through asks another question.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from ragproof.core import CaseRun, DoesNotArise, SourceMatch
from ragproof.core.needs import ELIGIBLE, EXPECTED_SOURCES, PARTS, SURVIVORS

NOT_ELIGIBLE = "no expected source is eligible"
IN_PARTS = "expected sources are chunks, and a filter lets documents through"


def eligible_gold(run: CaseRun) -> frozenset[str] | None:
    """The expected sources that the caller may see; all, where the case does not say which.

    None without expected sources. Raises DoesNotArise where none of them is eligible: whether
    such a source stays hidden is asked by `filter.entitlement_violations`.
    """
    expected, eligible = run.get(EXPECTED_SOURCES), run.get(ELIGIBLE)
    if expected is None or eligible is None:
        return expected
    if not expected & eligible:
        raise DoesNotArise(NOT_ELIGIBLE, {"not_eligible": sorted(expected)})
    return expected & eligible


def gold_and_kept(run: CaseRun) -> tuple[frozenset[str], frozenset[str]]:
    """The eligible expected sources, and those of them that the filter let through.

    Raises MissingInput where the survivors are not told or nothing is expected, and DoesNotArise
    where nothing expected is eligible, or the sources are chunks: of a chunk that was not
    retrieved nobody knows the document.
    """
    gold = eligible_gold(run)  # a question that does not count is none, whatever was observed
    survivors = run[SURVIVORS]
    gold = run[EXPECTED_SOURCES] if gold is None else gold
    if labels_name_parts(run):
        raise DoesNotArise(IN_PARTS, {"source_match": str(run.source_match)})
    return gold, gold & survivors


def labels_name_parts(run: CaseRun) -> bool:
    """Whether the case's ids are those of chunks, in a pipeline that cuts documents.

    Matched by chunk they are, unless what the caller may see lists none of the chunks seen: then
    ids of documents were written down.
    """
    parts, eligible = run.get(PARTS), run.get(ELIGIBLE)
    if run.source_match is SourceMatch.DOCUMENT or parts is None:
        return False
    return eligible is None or bool(parts & eligible)


def false_exclusion_rate(
    queries: Iterable[tuple[AbstractSet[str], AbstractSet[str], AbstractSet[str]]],
) -> tuple[float, int]:
    """Share of queries that lost all eligible gold to a filter, and of how many queries.

    A query is its gold, what its caller may see, and what the filter let through. Queries
    without eligible gold are not counted. Raises ValueError where no query has any: there is no
    rate then, least of all 0.

    Example:
        >>> all_may_be_seen = {"a", "b"}
        >>> false_exclusion_rate([({"a"}, all_may_be_seen, {"b"}), ({"b"}, all_may_be_seen, {"b"})])
        (0.5, 2)
    """
    counted = [
        not gold & eligible & survivors for gold, eligible, survivors in queries if gold & eligible
    ]
    if not counted:
        raise ValueError("no query has gold that its caller may see: there is no rate")
    return sum(counted) / len(counted), len(counted)
