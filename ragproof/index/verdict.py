"""What became of an index that was held to exact search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ragproof.index.exact import Distance
from ragproof.index.recall import Found

MIN_COMPLETION = 0.95
"""Below this share of searches that did not fail, no figure settles anything."""


class Verdict(StrEnum):
    """Whether an index finds enough."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, kw_only=True)
class QueryRecall:
    """One query: what there was to find, and what was found."""

    query_id: str
    recall: float | None
    """None where the search failed, or nothing is eligible."""
    hits: int
    wanted: int
    """k, or all that are eligible where they are fewer."""
    found: Found
    missed: tuple[str, ...] = ()
    """Ids of the exact nearest that the search did not give; one equally near may stand in."""


@dataclass(frozen=True, kw_only=True)
class IndexRecall:
    """All queries, and the verdict."""

    k: int
    distance: Distance
    vectors: int
    dimensions: int
    source: str
    """Where the vectors are from."""
    results: str
    """Where the results of the index are from."""
    queries: tuple[QueryRecall, ...]
    mean: float | None
    ends: tuple[float, float] | None
    interval: str
    """How the interval was found."""
    least: float
    """What the mean must reach."""
    filtered: bool = False

    @property
    def scored(self) -> int:
        """Queries that have a recall."""
        return sum(one.recall is not None for one in self.queries)

    @property
    def errors(self) -> int:
        """Queries whose search failed."""
        return sum(one.found.error is not None for one in self.queries)

    @property
    def absent(self) -> int:
        """Queries of which the results say nothing: they score 0."""
        return sum(one.found.absent for one in self.queries)

    @property
    def short(self) -> int:
        """Queries that were given fewer than there are to find."""
        return sum(
            one.recall is not None and not one.found.absent and len(one.found.places) < one.wanted
            for one in self.queries
        )

    @property
    def completion(self) -> float:
        """Scored / (scored + errors)."""
        whole = self.scored + self.errors
        return self.scored / whole if whole else 0.0

    @property
    def verdict(self) -> Verdict:
        """Whether the mean reaches the bound, if there is enough to tell."""
        if self.mean is None or self.completion < MIN_COMPLETION:
            return Verdict.INCONCLUSIVE
        return Verdict.PASS if self.mean >= self.least else Verdict.FAIL
