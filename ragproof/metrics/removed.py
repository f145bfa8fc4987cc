"""What cleaning removed, and what was to be removed: characters of the input text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragproof.core import CaseRun
from ragproof.core.needs import DOCUMENT_TEXT, EXPECTED_BOILERPLATE, REMOVED
from ragproof.core.outcome import Json
from ragproof.metrics.spans import Cover, cover, length, shared


@dataclass(frozen=True, slots=True)
class Removal:
    """How many characters were removed, were to be removed, and both."""

    removed: int
    boilerplate: int
    both: int

    @property
    def evidence(self) -> dict[str, Json]:
        """For a reader."""
        return {"removed": self.removed, "boilerplate": self.boilerplate, "both": self.both}


def removal(run: CaseRun) -> Removal:
    """Count; stretches that overlap count once, and none reaches beyond a text that is known."""
    given, wanted = run[REMOVED], run[EXPECTED_BOILERPLATE]
    text = run.get(DOCUMENT_TEXT)
    end = None if text is None else len(text)
    removed, boilerplate = _covered(given, end), _covered(wanted, end)
    return Removal(length(removed), length(boilerplate), shared(removed, boilerplate))


def _covered(spans: Iterable[tuple[int, int]], last: int | None) -> Cover:
    return cover(
        ("", max(start, 0), end if last is None else min(end, last)) for start, end in spans
    )
