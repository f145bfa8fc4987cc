"""Where the relevant sources stand in a ranked list: what every ranking metric starts from."""

from __future__ import annotations

from ragproof.core import CaseRun
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL


def relevant_ranks(run: CaseRun, k: int | None = None) -> dict[str, int]:
    """Each relevant source among the first k retrieved (all, without k), and its rank from 1.

    In order of rank. Ranks count distinct sources. Raises MissingInput without retrieval, then
    without expected sources.
    """
    ranked, relevant = run[RETRIEVAL], run[EXPECTED_SOURCES]
    return {source: rank for rank, source in enumerate(ranked[:k], 1) if source in relevant}


def check_k(k: object) -> None:
    """Raise ValueError for a cut-off that is not a whole number of at least 1; True is none."""
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ValueError(f"k must be a whole number of at least 1, got {k!r}")
