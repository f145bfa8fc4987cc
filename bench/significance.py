"""Paired tests of big runs: `python -m bench.significance [QUERIES [MEASURES]]` (100000 10).

What `ragproof rankings --against` computes of two scored runs: the interval of each change from
10,000 resamples and its p-value from 10,000 random swaps. CPU seconds of the computation alone; the
first 1,000 queries are each resampled, more are put together to 1,000 random blocks.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from ragproof.rankings.evaluation import Evaluated
from ragproof.rankings.measures import Asked
from ragproof.rankings.notation import measures
from ragproof.wiring.ranking_change import RESAMPLES, compared

NAMES = ("nDCG@10", "AP", "RR", "P@10", "R@10", "R@100", "Success@1", "bpref", "Rprec", "RR@10")


def main() -> None:
    """Print what it took."""
    queries, count = [*map(int, sys.argv[1:]), 100_000, 10][:2] if sys.argv[1:] else (100_000, 10)
    wanted = [next(measures(name, Asked())) for name in NAMES[:count]]
    baseline, candidate = _runs(queries, [one.name for one in wanted])
    begun = time.process_time()
    found = compared(wanted, baseline, candidate)
    spent = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{queries} queries, {len(found)} measures, {RESAMPLES} resamples: {spent:.2f} CPU s")
    print(f"peak {peak:.0f} MB")
    for one in found[:3]:
        ends = one.change.bounds.ends
        print(f"{one.key:>10} {one.change.delta:+.5f} {ends} p = {one.change.p_value:.5f}")


def _runs(queries: int, names: list[str]) -> tuple[Evaluated, Evaluated]:
    """Two runs that differ in a third of the queries, a little for the better."""
    draw = np.random.default_rng(1)
    before = {name: draw.beta(2, 2, queries).round(6) for name in names}
    after = {}
    for name, values in before.items():
        moved = np.where(draw.random(queries) < 1 / 3, draw.normal(0.001, 0.1, queries), 0)
        after[name] = np.clip(values + moved, 0, 1)
    ids, returned = tuple(map(str, range(queries))), np.ones(queries, dtype=np.int64)
    sides = [Evaluated(ids, returned, values, {}, 0) for values in (before, after)]
    return sides[0], sides[1]


if __name__ == "__main__":
    main()
