"""From which error rate on misread documents cost answers, class by class. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from ragproof.analysis.intervals import SEED
from ragproof.text.counting import counted

FEWEST = 10
RESAMPLES = 400


@dataclass(frozen=True, slots=True)
class Effect:
    """How badly a document was read, and what that cost the answers that rest on it."""

    document_class: str
    error_rate: float
    """CER, or any other rate of which more is worse."""
    loss: float
    """Answer quality on the reference text less that on the parsed text."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The highest error rate of a class whose expected loss is allowed."""

    documents: int
    value: float | None
    """None where not even the best read documents are good enough, or there are too few."""
    low: float | None
    high: float | None
    """95 % of resampled sets of documents have their boundary between these."""
    reason: str = ""
    """Why there is no value, or why it may well be higher."""


def boundaries(
    effects: Iterable[Effect], allowed: float, fewest: int = FEWEST
) -> Mapping[str, Boundary]:
    """Find the boundary of each document class.

    The loss is fitted as a curve that never falls as the error rate rises (isotonic regression);
    the boundary is the highest error rate seen at which that curve is at most `allowed`. Raises
    ValueError for a rate or loss that is no number.
    """
    by_class: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in effects:
        if not (math.isfinite(one.error_rate) and math.isfinite(one.loss)):
            raise ValueError(f"error rate and loss must be finite numbers, got {one}")
        by_class[one.document_class].append((one.error_rate, one.loss))
    return {
        name: _boundary(sorted(pairs), allowed, fewest) for name, pairs in sorted(by_class.items())
    }


def _boundary(pairs: Sequence[tuple[float, float]], allowed: float, fewest: int) -> Boundary:
    count = len(pairs)
    if count < fewest:
        few = f"too few: {counted(count, 'document')}, at least {fewest} are needed"
        return Boundary(count, None, None, None, few)
    value = _highest(pairs, allowed)
    draws = np.random.default_rng(SEED).integers(0, count, size=(RESAMPLES, count))
    found = sorted(
        -1.0 if (one := _highest([pairs[at] for at in sorted(draw)], allowed)) is None else one
        for draw in draws.tolist()
    )
    ends = (found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES) - 1])
    low, high = (None if one < 0 else one for one in ends)
    reason = ""
    if value is None:
        reason = "the loss is too high even where the error rate is least"
    elif value == pairs[-1][0]:
        reason = "no document was read so badly that the loss was too high"
    return Boundary(count, value, low, high, reason)


def _highest(pairs: Sequence[tuple[float, float]], allowed: float) -> float | None:
    """The highest rate whose fitted loss is allowed; pairs in order of their rates."""
    blocks: list[tuple[float, int, float]] = []  # sum of losses, documents, highest rate
    for rate, equal in groupby(pairs, key=itemgetter(0)):
        losses = [loss for _, loss in equal]
        total, count = sum(losses), len(losses)
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / count:
            before, more, _ = blocks.pop()
            total, count = total + before, count + more
        blocks.append((total, count, rate))
    fine = [rate for total, count, rate in blocks if total / count <= allowed + 1e-12]
    return fine[-1] if fine else None
