"""What several reviewers filled in, put together; where they differ is named, never settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.datasets.imports.records import records
from ragproof.datasets.review_lines import SHOWN, Review, Verdict, reviews, text
from ragproof.datasets.review_queue import BLANK


@dataclass(frozen=True, slots=True)
class Together:
    """The reviews of several files."""

    reviews: tuple[Review, ...]
    """Those with a verdict, by item and reviewer."""
    waiting: int
    """Items that nobody has said anything of."""
    conflicts: Mapping[str, Mapping[str, str]]
    """Item to the verdicts of its reviewers, where those who could say differ."""
    shown: Mapping[str, Mapping[str, Any]]
    """Item to what its reviewers see."""

    @property
    def items(self) -> int:
        """How many items have a verdict."""
        return len({one.item for one in self.reviews})

    def lines(self) -> list[dict[str, Any]]:
        """A line a verdict."""
        return [
            {
                **self.shown[one.item],
                "verdict": one.verdict,
                "reasons": list(one.reasons),
                "unresolved_need": one.unresolved_need,
                "distrust": one.distrust,
                "better_answer": one.better_answer,
                "sources": list(one.sources),
                "reviewer": one.reviewer,
                "notes": one.notes,
            }
            for one in self.reviews
        ]

    def unsettled(self) -> list[dict[str, Any]]:
        """A line for each conflict, empty: one more reviewer sees it as the others did."""
        return [{**self.shown[item], **BLANK} for item in self.conflicts]


def together(paths: Sequence[Path]) -> Together:
    """Read and sort; raises UsageError for lines that are wrong or contradict each other."""
    found = reviews(paths)
    said = sorted(
        (one for one in found if one.verdict is not None), key=lambda one: (one.item, one.reviewer)
    )
    verdicts = verdicts_of(said)
    return Together(
        reviews=tuple(said),
        waiting=len({one.item for one in found} - {*verdicts}),
        conflicts={
            item: by
            for item, by in verdicts.items()
            if len({*by.values()} - {str(Verdict.CANNOT_SAY)}) > 1
        },
        shown=_shown(paths),
    )


def verdicts_of(found: Iterable[Review]) -> dict[str, dict[str, str]]:
    """Item to reviewer to verdict."""
    by: dict[str, dict[str, str]] = {}
    for one in found:
        if one.verdict is not None:
            by.setdefault(one.item, {})[one.reviewer] = str(one.verdict)
    return by


def majority(verdicts: Iterable[str]) -> Verdict | None:
    """What more than half of the reviewers say, those who cannot say not counted.

    >>> majority(["bad", "bad", "good"]), majority(["bad", "good"]), majority(["cannot_say"])
    (<Verdict.BAD: 'bad'>, None, None)
    """
    counts = Counter(one for one in verdicts if one != Verdict.CANNOT_SAY)
    most = counts.most_common(1)
    return Verdict(most[0][0]) if most and 2 * most[0][1] > counts.total() else None


def _shown(paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in paths:
        for _, line in records(path):
            item = text(line, "item") or ""
            found.setdefault(item, {name: line[name] for name in SHOWN if name in line})
    return found
