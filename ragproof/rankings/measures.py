"""The measures, each for all queries at once: trec_eval's arithmetic, in trec_eval's order.

A query without a relevant document, or that the run lacks, scores 0. Ranks count from 0 here, so
the first k are those below k. Every function takes what was found and what was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np

from ragproof.core.arrays import Floats
from ragproof.rankings.found import Found, Relevant, numbered
from ragproof.rankings.rows import Ints

UNSEEN = 1e-5
"""What infAP adds to counts, so that there is a ratio where nothing was judged yet."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of a measure; each looks at its own."""

    cutoff: int | None = None
    """Only the first so many of each list count; all, without one."""
    level: int = 1
    """The least grade that is relevant."""
    exponential: bool = False
    """Whether a grade gains 2^grade - 1 instead of grade."""
    share: float = 0.0
    """Of recall, or of the relevant documents."""
    persistence: float = 0.8
    beta: float = 1.0

    def first(self, rank: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Which ranks count."""
        return rank < (self.cutoff if self.cutoff is not None else np.iinfo(np.int64).max)


def over(upper: Floats | Ints, lower: Floats | Ints) -> Floats:
    """Divide; 0 where there is nothing to divide by."""
    return np.divide(upper, lower, out=np.zeros(upper.size), where=lower > 0)


def _hits(found: Found, asked: Asked) -> tuple[Floats, Relevant]:
    relevant = found.relevant(asked.level)
    return relevant.per_query(asked.first(relevant.rank)), relevant


def precision(found: Found, asked: Asked) -> Floats:
    """Relevant in the first k, over k."""
    assert asked.cutoff is not None
    return _hits(found, asked)[0] / asked.cutoff


def recall(found: Found, asked: Asked) -> Floats:
    """Relevant in the first k, over all that are relevant."""
    hits, relevant = _hits(found, asked)
    return over(hits, relevant.total)


def relative_precision(found: Found, asked: Asked) -> Floats:
    """Relevant in the first k, over the most that can be."""
    hits, relevant = _hits(found, asked)
    return over(hits, np.minimum(relevant.total, asked.cutoff or 0))


def success(found: Found, asked: Asked) -> Floats:
    """1 if any of the first k is relevant."""
    return (_hits(found, asked)[0] > 0).astype(np.float64)


def reciprocal_rank(found: Found, asked: Asked) -> Floats:
    """1 over the rank of the first relevant, 0 behind the cut-off."""
    relevant = found.relevant(asked.level)
    first = (relevant.order == 1) & asked.first(relevant.rank)
    return relevant.per_query(first, 1.0 / (relevant.rank + 1))


def average_precision(found: Found, asked: Asked) -> Floats:
    """Precision at each relevant in the first k, summed, over all that are relevant."""
    relevant = found.relevant(asked.level)
    precisions = relevant.order / (relevant.rank + 1)
    return over(relevant.per_query(asked.first(relevant.rank), precisions), relevant.total)


def ndcg(found: Found, asked: Asked) -> Floats:
    """Discounted gain of the first k, over that of the best order of all that was judged."""
    gains = (found.grade > 0) & asked.first(found.rank)
    worth = _gain(found.grade[gains], asked) / discounts(found.rank[gains])
    gained = found.summed(found.query[gains], worth)
    return over(gained, _ideal(found, asked))


def _ideal(found: Found, asked: Asked) -> Floats:
    gains = found.judged_grade > 0
    query, grade = found.judged_query[gains], found.judged_grade[gains]
    order = np.lexsort((-grade, query))
    query, grade = query[order], grade[order]
    rank = numbered(query) - 1
    first = asked.first(rank)
    worth = _gain(grade[first], asked) / discounts(rank[first])
    return found.summed(query[first], worth)


def discounts(rank: Ints) -> Floats:
    """What a gain at each rank is divided by: log2(rank + 2), as the C library has it."""
    table = [log2(place) for place in range(2, int(rank.max(initial=0)) + 3)]
    return np.array(table)[rank]


def _gain(grade: Ints, asked: Asked) -> Floats:
    return np.exp2(grade) - 1 if asked.exponential else grade.astype(np.float64)


def r_precision(found: Found, asked: Asked) -> Floats:
    """Relevant in the first R, over R; R are all that are relevant."""
    relevant = found.relevant(asked.level)
    within = relevant.rank < relevant.total[relevant.query]
    return over(relevant.per_query(within), relevant.total)


def r_precision_multiple(found: Found, asked: Asked) -> Floats:
    """Precision at a multiple of R, rounded up as trec_eval does."""
    relevant = found.relevant(asked.level)
    depth = (asked.share * relevant.total + 0.9).astype(np.int64)
    return over(relevant.per_query(relevant.rank < depth[relevant.query]), depth)


def interpolated_precision(found: Found, asked: Asked) -> Floats:
    """The greatest precision at any rank from the given share of recall on."""
    relevant = found.relevant(asked.level)
    needed = np.floor(asked.share * relevant.total + 0.5)
    enough = relevant.order >= needed[relevant.query]
    greatest = np.zeros(found.queries)
    precisions = relevant.order / (relevant.rank + 1)
    np.maximum.at(greatest, relevant.query[enough], precisions[enough])
    return greatest


def eleven_points(found: Found, asked: Asked) -> Floats:
    """Interpolated precision at recall 0, 0.1, ..., 1, averaged."""
    points = [Asked(level=asked.level, share=tenth / 10) for tenth in range(11)]
    total: Floats = sum((interpolated_precision(found, one) for one in points), np.zeros(1))
    return total / len(points)


def bpref(found: Found, asked: Asked) -> Floats:
    """How many of the judged pairs are in the right order; what nobody judged counts nowhere."""
    before, total, others = _judged_before(found, asked)
    relevant = found.relevant(asked.level)
    most = np.minimum(total, others)[relevant.query]
    wrong = over(np.minimum(before, total[relevant.query]), most)
    return over(relevant.per_query(weights=1.0 - wrong), total)


def _judged_before(found: Found, asked: Asked) -> tuple[Ints, Ints, Ints]:
    """Not relevant before each relevant; and per query all relevant and all that are not."""
    judged = found.grade >= 0
    query, grade = found.query[judged], found.grade[judged]
    hit = grade >= asked.level
    place = numbered(query)
    relevant = found.relevant(asked.level)
    below = (found.judged_grade >= 0) & (found.judged_grade < asked.level)
    others = np.bincount(found.judged_query[below], minlength=found.queries)
    return place[hit] - relevant.order, relevant.total, others


def inferred_ap(found: Found, asked: Asked) -> Floats:
    """Average precision as it would be, were the pool judged whole; Yilmaz and Aslam 2006.

    A negative grade says that a document is in the pool, but was not drawn for judgment.
    """
    relevant = found.relevant(asked.level)
    nonrelevant, total, _ = _judged_before(found, asked)
    pooled = numbered(found.query)[found.grade >= asked.level] - 1
    hits = relevant.order - 1
    share = (hits + UNSEEN) / (hits + nonrelevant + 2 * UNSEEN)
    inferred = (1 + pooled * share) / (relevant.rank + 1)
    return over(relevant.per_query(weights=inferred), total)


def rank_biased_precision(found: Found, asked: Asked) -> Floats:
    """What a reader gains who goes on to the next rank with this probability."""
    relevant = found.relevant(asked.level)
    worth = asked.persistence ** relevant.rank.astype(np.float64)
    gained = relevant.per_query(asked.first(relevant.rank), worth)
    return (1.0 - asked.persistence) * gained


def judged(found: Found, asked: Asked) -> Floats:
    """Judged in the first k, over as many as there are."""
    places = found.returned if asked.cutoff is None else np.minimum(found.returned, asked.cutoff)
    return over(found.count((found.grade >= 0) & asked.first(found.rank)), places)


def unjudged(found: Found, asked: Asked) -> Floats:
    """Not judged in the first k, over k."""
    assert asked.cutoff is not None
    known = found.count((found.grade >= 0) & asked.first(found.rank))
    return (np.minimum(found.returned, asked.cutoff) - known) / asked.cutoff


def set_precision(found: Found, asked: Asked) -> Floats:
    """Relevant, over all that were returned."""
    return over(_hits(found, asked)[0], found.returned)


def set_relative_precision(found: Found, asked: Asked) -> Floats:
    """Relevant, over the most that could be among so many."""
    hits, relevant = _hits(found, asked)
    return over(hits, np.minimum(found.returned, relevant.total))


def set_f(found: Found, asked: Asked) -> Floats:
    """Precision and recall of the whole list in one; `beta` is what recall weighs."""
    precise, complete = set_precision(found, asked), recall(found, asked)
    return over((asked.beta + 1) * precise * complete, complete + asked.beta * precise)


def set_ap(found: Found, asked: Asked) -> Floats:
    """Precision of the whole list times its recall."""
    return set_precision(found, asked) * recall(found, asked)


def returned(found: Found, asked: Asked) -> Floats:  # noqa: ARG001
    """Documents that were returned."""
    return found.returned.astype(np.float64)


def relevant_total(found: Found, asked: Asked) -> Floats:
    """Documents that are relevant."""
    return found.relevant(asked.level).total.astype(np.float64)


def relevant_returned(found: Found, asked: Asked) -> Floats:
    """Relevant documents that were returned."""
    return found.relevant(asked.level).per_query()


def nonrelevant_returned(found: Found, asked: Asked) -> Floats:
    """Documents that were returned and judged not relevant."""
    below = (found.grade >= 0) & (found.grade < asked.level)
    return found.count(below).astype(np.float64)
