"""What is doubtful about a dataset whose every line can be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """Figures on these cases are wrong."""
    WARNING = "warning"
    """They may be: someone should look."""
    NOTE = "note"

    @property
    def rank(self) -> int:
        """The lower, the graver."""
        return list(Severity).index(self)


CHECKS = {
    "gold-conflict": "the same question with different gold",
    "duplicate": "the same question twice: it counts twice",
    "near-duplicate": "questions that differ in little",
    "split-leak": "what belongs together stands in two splits",
    "answer-in-question": "the question, or the conversation before it, says the answer",
    "question-copied": "the question repeats the words of its source",
    "unknown-source": "a label names what the corpus does not have",
    "span-outside": "a span does not lie in its document",
    "labels-at-odds": "two labels of a case exclude each other",
    "no-gold": "nothing that a score could rest on",
    "annotators-disagree": "annotators gave different labels",
    "too-easy": "answered without retrieval: such a case does not test it",
}
"""Name of a check to what it finds; in the order in which findings are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is doubtful."""

    check: str
    """One of CHECKS."""
    severity: Severity
    message: str
    cases: tuple[str, ...] = ()
    """Ids of the cases that it is about."""
    similarity: float | None = None
    """Of near-duplicates: the lowest of those that tie them together."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What checks found, and which could not be made."""

    findings: tuple[Finding, ...] = ()
    unchecked: dict[str, str] = field(default_factory=dict[str, str])
    """Check to the reason why it was not made, or not wholly."""
