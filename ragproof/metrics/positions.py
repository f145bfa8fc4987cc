"""A context in another order, and what the pipeline answers from it."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.core import Answer, CaseRun, Chunk, DoesNotArise, Json
from ragproof.core.needs import EXPECTED_SOURCES, SUPPLIED
from ragproof.metrics.saying import said
from ragproof.metrics.supplied import distinct


def parted(run: CaseRun) -> tuple[list[Chunk], list[Chunk]]:
    """The supplied chunks of expected sources, and the others, each in the order supplied.

    Raises DoesNotArise where no expected source was supplied.
    """
    expected, match = run[EXPECTED_SOURCES], run.source_match
    given: tuple[Chunk, ...] = run[SUPPLIED]
    chunks = distinct(given)
    gold = [one for one in chunks if match.source(one) in expected]
    if not gold:
        raise DoesNotArise("no expected source was supplied", {"expected": sorted(expected)})
    return gold, [one for one in chunks if match.source(one) not in expected]


def in_the_middle(gold: Sequence[Chunk], others: Sequence[Chunk]) -> list[Chunk]:
    """The gold between two halves of the rest."""
    half = len(others) // 2
    return [*others[:half], *gold, *others[half:]]


def to_the_ends(ranked: Sequence[Chunk]) -> list[Chunk]:
    """The best first, the second best last and so on inwards: the worst stand in the middle.

    Example:
        >>> "".join(one.id for one in to_the_ends([Chunk(id=one) for one in "12345"]))
        '13542'
    """
    return [*ranked[::2], *ranked[1::2][::-1]]


def told(answer: Answer, accepted: Sequence[str], context: Sequence[Chunk]) -> dict[str, Json]:
    """The evidence of one answer from one context."""
    return {
        "context": [one.id for one in context],
        "answer": answer.answer_text,
        "said": said(answer.answer_text, accepted),
        "usd": usd(answer),
    }


def usd(answer: Answer) -> float | None:
    """What the pipeline says the answer cost; None where one of its stages, or all, do not tell."""
    costs = [one.usd for one in (answer.trace and answer.trace.stages) or ()]
    told_costs = [one for one in costs if one is not None]
    return sum(told_costs) if told_costs and len(told_costs) == len(costs) else None
