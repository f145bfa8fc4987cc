"""Where the relevant sources stand in a ranked list: what every ranking metric starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragproof.core import CaseRun, Chunk, Need
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL


def _found(_: object, run: CaseRun) -> Mapping[str, int]:
    ranked, relevant = run[RETRIEVAL], run[EXPECTED_SOURCES]
    return {source: rank for rank, source in enumerate(ranked, 1) if source in relevant}


_FOUND: Need[Mapping[str, int]] = Need(RETRIEVAL.paths, RETRIEVAL.reason, _found)
"""Worked out once a case, for all the metrics that start from it."""


def relevant_ranks(run: CaseRun, k: int | None = None) -> dict[str, int]:
    """Each relevant source among the first k retrieved (all, without k), and its rank from 1.

    In order of rank. Ranks count distinct sources. Raises MissingInput without retrieval, then
    without expected sources.
    """
    found = run[_FOUND]
    if k is None:
        return dict(found)
    return {source: rank for source, rank in found.items() if rank <= k}


def as_retrieved(run: CaseRun, chunks: Sequence[Chunk]) -> CaseRun:
    """The run as if these chunks had been retrieved: what ranking metrics score of another list."""
    return replace(run, observation=replace(run.observation, retrieved=tuple(chunks)))


def check_k(k: object) -> None:
    """Raise ValueError for a cut-off that is not a whole number of at least 1; True is none."""
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ValueError(f"k must be a whole number of at least 1, got {k!r}")
