"""What people said of the cases of a run, or of values that come from elsewhere. JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ragproof.core.case import STRICT
from ragproof.judge.items import UNTOLD, read_labels
from ragproof.text.jsonl import read_lines


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseLabel:
    """One case, and the score that a person gave its answer."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    case_id: str
    score: float | None
    """In [0, 1]; null where a person finds that the question does not arise."""
    metric: str | None = None
    """Where a file has labels for several metrics: which one this is for."""
    value: float | None = None
    """What the metric says of the case, where that is not read from a run."""
    because: str = ""
    annotator: str | None = None
    condition: str = UNTOLD
    """How the labels came about."""

    @property
    def identity(self) -> tuple[str, ...]:
        """Metric and case, and whose label it is."""
        return self.metric or "", self.case_id, self.annotator or ""

    def check(self) -> None:
        """Raise ValueError for a score that is none."""
        if self.score is not None and not 0 <= self.score <= 1:
            raise ValueError(f"score: got {self.score}; allowed: 0 to 1, or null")


def is_by_case(path: Path) -> bool:
    """Whether the first line names a case instead of holding an answer."""
    for _, raw in read_lines(path):
        try:
            first = json.loads(raw)
        except ValueError:
            return False
        return isinstance(first, dict) and "case_id" in first
    return False


def read_case_labels(path: Path) -> tuple[CaseLabel, ...]:
    """Read them. Raises UsageError with file, line and field of all that is wrong."""
    return read_labels(path, CaseLabel)
