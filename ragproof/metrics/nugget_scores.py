"""The scores of an answer by its nuggets, the six of TREC's nuggetizer and the okay ones apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragproof.text.choice import Choice

SCORES = (
    "vital",
    "strict_vital",
    "weighted",
    "strict_weighted",
    "all",
    "strict_all",
    "okay",
    "strict_okay",
)
HALF = 0.5
"""What a nugget counts that is there in part, and what one that is merely okay weighs."""


class Label(Choice):
    """How far an answer has a nugget."""

    SUPPORT = "support"
    PARTIAL_SUPPORT = "partial_support"
    NOT_SUPPORT = "not_support"


@dataclass(frozen=True, slots=True)
class Assigned:
    """A nugget, and what was found of it."""

    vital: bool | None
    """None where it is said to be neither vital nor okay: then it counts in `all` alone."""
    label: Label | None
    """None where it is none of the three: then it is not there."""


def nugget_scores(nuggets: Sequence[Assigned]) -> dict[str, float | None]:
    """Each score by its name; None where no nugget counts in it.

    `vital` is of the vital ones, `okay` of the others, `all` of all alike, `weighted` of all with
    the okay ones at half weight; a nugget there in part counts half, in the strict scores nothing.

    Example:
        >>> there, partly = Label.SUPPORT, Label.PARTIAL_SUPPORT
        >>> found = nugget_scores([Assigned(True, there), Assigned(True, partly),
        ...                        Assigned(False, None)])
        >>> found["vital"], found["strict_vital"], found["weighted"], found["all"], found["okay"]
        (0.75, 0.5, 0.6, 0.5, 0.0)
    """
    vital = [one for one in nuggets if one.vital is True]
    okay = [one for one in nuggets if one.vital is False]
    scores: dict[str, float | None] = {}
    for strict in (False, True):
        name = "strict_" if strict else ""
        scores[f"{name}vital"] = _share(_found(vital, strict), len(vital))
        scores[f"{name}weighted"] = _share(
            _found(vital, strict) + HALF * _found(okay, strict), len(vital) + HALF * len(okay)
        )
        scores[f"{name}all"] = _share(_found(nuggets, strict), len(nuggets))
        scores[f"{name}okay"] = _share(_found(okay, strict), len(okay))
    return {name: scores[name] for name in SCORES}


def _found(nuggets: Iterable[Assigned], strict: bool) -> float:  # noqa: FBT001
    partly = 0.0 if strict else HALF
    worth = {Label.SUPPORT: 1.0, Label.PARTIAL_SUPPORT: partly}
    return sum(worth.get(one.label, 0.0) for one in nuggets if one.label is not None)


def _share(found: float, whole: float) -> float | None:
    return found / whole if whole else None
