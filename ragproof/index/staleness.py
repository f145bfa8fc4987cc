"""The share of queries that were served by an index other than the current one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Release:
    """From when on a version of the index was the current one."""

    version: str
    since: float
    """Seconds on the clock of the queries."""


@dataclass(frozen=True)
class Served:
    """A query, and the version of the index that answered it, where that was written down."""

    at: float
    version: str | None


@dataclass(frozen=True, kw_only=True)
class Staleness:
    """Counts of queries; what could not be told is in no share but in its bounds."""

    current: int
    stale: int
    unversioned: int = 0
    """Queries without a version."""
    unlisted: int = 0
    """Queries answered by a version that the timeline does not have."""
    before: int = 0
    """Queries from before the first version of the timeline."""

    @property
    def unknown(self) -> int:
        """Queries of which nothing can be told."""
        return self.unversioned + self.unlisted + self.before

    @property
    def queries(self) -> int:
        """All of them."""
        return self.current + self.stale + self.unknown

    @property
    def share(self) -> float | None:
        """Stale / (stale + current); None where nothing can be told of any."""
        told = self.stale + self.current
        return self.stale / told if told else None

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest share of all queries, whatever the unknown ones were."""
        return self.stale / self.queries, (self.stale + self.unknown) / self.queries


def staleness(
    served: Sequence[Served], releases: Sequence[Release], grace: float = 0.0
) -> Staleness:
    """Count; there must be at least one query and one release.

    A query is stale when a later version than the one that answered it had been current for more
    than `grace` seconds. A version that becomes current again is listed again.

    >>> timeline = [Release("v1", 0.0), Release("v2", 10.0)]
    >>> staleness([Served(5, "v1"), Served(11, "v1"), Served(12, "v2")], timeline).share
    0.3333333333333333
    """
    ordered = sorted(releases, key=lambda one: one.since)
    starts = [one.since for one in ordered]
    first = {one.version: one.since for one in reversed(ordered)}
    counts = dict.fromkeys(("current", "stale", "unversioned", "unlisted", "before"), 0)
    for one in served:
        if one.version is None:
            counts["unversioned"] += 1
        elif one.version not in first:
            counts["unlisted"] += 1
        elif one.at < starts[0]:
            counts["before"] += 1
        else:
            end = bisect_right(starts, one.at)
            since = max(bisect_right(starts, one.at - grace) - 1, 0)
            fine = any(release.version == one.version for release in ordered[since:end])
            is_early = first[one.version] > one.at  # clocks differ; it is not behind
            counts["current" if fine or is_early else "stale"] += 1
    return Staleness(**counts)
