"""How far several answers to one question agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from ragproof.core import DoesNotArise, Json, Scored
from ragproof.metrics.parameters import one_of
from ragproof.metrics.saying import token_f1
from ragproof.text.answer_tokens import answer_tokens

KINDS = ("modal", "pairwise")
REVIEW = 0.5
"""Agreement under which a person should look, as where of modal ones no two agree."""


def check_kind(kind: object) -> None:
    """Raise ValueError for a kind of agreement that there is not."""
    one_of("kind", kind, KINDS)


def agreement(samples: Sequence[str], kind: str) -> Scored:
    """Score the agreement of samples, with its course over their number in the evidence.

    Raises DoesNotArise for fewer than two.
    """
    if len(samples) < 2:
        raise DoesNotArise("there are fewer than two samples", {"samples": len(samples)})
    tokens = [answer_tokens(one) for one in samples]
    measure = modal if kind == "modal" else pairwise
    value = measure(tokens)
    commonest, times = Counter(map(tuple, tokens)).most_common(1)[0]
    shown = next(one for one, told in zip(samples, tokens, strict=True) if tuple(told) == commonest)
    evidence: dict[str, Json] = {
        "samples": len(samples),
        "distinct": len(set(map(tuple, tokens))),
        "modal": shown,
        "modal_count": times,
        "curve": [measure(tokens[:n]) for n in range(2, len(samples) + 1)],
        "review": value < REVIEW or (kind == "modal" and times == 1),
    }
    return Scored(value, evidence)


def modal(tokens: Sequence[Sequence[str]]) -> float:
    """The share of samples that are equal to the commonest.

    Example:
        >>> modal([["a"], ["a"], ["b"], ["c"]])
        0.5
    """
    return Counter(map(tuple, tokens)).most_common(1)[0][1] / len(tokens)


def pairwise(tokens: Sequence[Sequence[str]]) -> float:
    """The mean similarity of every two samples, by the F1 of their tokens.

    Example:
        >>> pairwise([["a"], ["a"], ["b"]])
        0.3333333333333333
    """
    return fmean(token_f1(one, other) for one, other in combinations(tokens, 2))
