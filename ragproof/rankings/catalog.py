"""The measures that there are, what each is called and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from ragproof.core.arrays import Floats
from ragproof.core.direction import Better
from ragproof.rankings import measures
from ragproof.rankings.found import Found
from ragproof.rankings.measures import Asked

Compute: TypeAlias = Callable[[Found, Asked], Floats]


class Pool(StrEnum):
    """What makes one figure of the queries' values."""

    MEAN = "mean"
    SUM = "sum"
    GEOMETRIC = "geometric mean"


class At(StrEnum):
    """What stands behind a measure's `@`."""

    NOTHING = "nothing"
    MAYBE = "a cut-off, or nothing"
    CUTOFF = "a cut-off"
    SHARE = "a share from 0 to 1"
    MULTIPLE = "a multiple of R"


@dataclass(frozen=True, slots=True)
class Family:
    """A measure without its parameters."""

    compute: Compute
    at: At = At.NOTHING
    params: tuple[str, ...] = ("rel",)
    pool: Pool = Pool.MEAN
    better: Better = Better.HIGHER


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as someone asked for it."""

    name: str
    family: Family
    asked: Asked

    def __call__(self, found: Found) -> Floats:
        """Its value for each query."""
        return self.family.compute(found, self.asked)


FAMILIES: Mapping[str, Family] = {
    "nDCG": Family(measures.ndcg, At.MAYBE, ("dcg",)),
    "P": Family(measures.precision, At.CUTOFF),
    "R": Family(measures.recall, At.CUTOFF),
    "RR": Family(measures.reciprocal_rank, At.MAYBE),
    "AP": Family(measures.average_precision, At.MAYBE),
    "Success": Family(measures.success, At.CUTOFF),
    "Rprec": Family(measures.r_precision),
    "bpref": Family(measures.bpref),
    "infAP": Family(measures.inferred_ap),
    "RBP": Family(measures.rank_biased_precision, At.MAYBE, ("p", "rel")),
    "Judged": Family(measures.judged, At.MAYBE, ()),
    "Unjudged": Family(measures.unjudged, At.CUTOFF, (), better=Better.LOWER),
    "IPrec": Family(measures.interpolated_precision, At.SHARE),
    "RelativeP": Family(measures.relative_precision, At.CUTOFF),
    "RprecMult": Family(measures.r_precision_multiple, At.MULTIPLE),
    "11pt_avg": Family(measures.eleven_points),
    "gm_map": Family(measures.average_precision, pool=Pool.GEOMETRIC),
    "gm_bpref": Family(measures.bpref, pool=Pool.GEOMETRIC),
    "SetP": Family(measures.set_precision),
    "SetR": Family(measures.recall),
    "SetF": Family(measures.set_f, params=("beta", "rel")),
    "SetAP": Family(measures.set_ap),
    "SetRelativeP": Family(measures.set_relative_precision),
    "NumRet": Family(measures.returned, params=(), pool=Pool.SUM, better=Better.NEITHER),
    "NumRel": Family(measures.relevant_total, pool=Pool.SUM, better=Better.NEITHER),
    "NumRelRet": Family(measures.relevant_returned, pool=Pool.SUM),
    "num_nonrel_judged_ret": Family(
        measures.nonrelevant_returned, pool=Pool.SUM, better=Better.NEITHER
    ),
}
