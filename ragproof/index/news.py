"""How late an index learns, and whether that is too late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragproof.index.freshness import Arrival, Freshness, freshness
from ragproof.index.staleness import Staleness
from ragproof.index.verdict import MIN_COMPLETION, Verdict
from ragproof.text.counting import counted


@dataclass(frozen=True)
class Unmeasured:
    """A document of which nothing can be told, and why."""

    document_id: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class News:
    """All that was measured, and the limits that it is held to."""

    source: str
    arrivals: tuple[Arrival, ...]
    lost: tuple[Unmeasured, ...]
    stale: Staleness | None
    was_live: bool
    """Whether documents were put into the index."""
    max_never: int
    max_p99: float | None
    max_stale: float | None

    @property
    def lags(self) -> Freshness | None:
        """The lags, where there are any."""
        return freshness(self.arrivals) if self.arrivals else None

    @property
    def failures(self) -> tuple[str, ...]:
        """Which limits are exceeded."""
        return tuple(self._failures())

    @property
    def gaps(self) -> tuple[str, ...]:
        """What is missing for a verdict."""
        return tuple(self._gaps())

    @property
    def verdict(self) -> Verdict:
        """Fail where a limit is exceeded, inconclusive where too much is unknown."""
        if self.failures:
            return Verdict.FAIL
        return Verdict.INCONCLUSIVE if self.gaps else Verdict.PASS

    def _failures(self) -> Iterator[str]:
        if (lags := self.lags) is not None:
            if lags.never > self.max_never:
                yield f"never retrievable: {lags.never}, at most {self.max_never} may be"
            if self.max_p99 is not None and lags.p99_of_all > self.max_p99:
                yield f"p99 of all documents is over {self.max_p99:g} s"
        if self.stale is not None and self.max_stale is not None:
            share = self.stale.share
            if share is not None and share > self.max_stale:
                yield f"stale share is over {self.max_stale:g}"

    def _gaps(self) -> Iterator[str]:
        tried = len(self.arrivals) + len(self.lost)
        if tried and len(self.arrivals) < MIN_COMPLETION * tried:
            yield f"not measured: {len(self.lost):,} of {counted(tried, 'document')}"
        if self.stale is not None and self.max_stale is not None:
            least, most = self.stale.limits
            if self.stale.share is None or least <= self.max_stale < most:
                yield (
                    f"{self.stale.unknown} of {self.stale.queries} queries have no version that "
                    "is known: the share may be below the limit or above"
                )
