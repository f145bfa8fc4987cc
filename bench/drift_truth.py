"""False alarms of `ragproof drift`: `python -m bench.drift_truth [TRIES]`.

Draws two samples of one distribution, 400 times where nothing else is said, and counts alarms of
each detector alone and of all together: normal rows, rows in groups, many equal rows, samples of
unequal size, SciFact's claims by their spelling and its vectors (SCIFACT says where they are; left
out where they are absent). Also how often the intervals of the classifier and of KL hold the truth.
Exits with 1 where alarms exceed alpha beyond chance (1 in 1,000).
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np

from ragproof.analysis.drift import Setup, detect
from ragproof.analysis.drift_classifier import separation
from ragproof.analysis.drift_kl import divergences
from ragproof.analysis.drift_pool import Points, Pool, Values
from ragproof.analysis.drift_texts import spelled
from ragproof.analysis.intervals import Indices

HERE = Path(__file__).parent
ALPHA = 0.05
Draw = Callable[[np.random.Generator], Pool]


def pool(reference: Values, current: Values, groups: int | None = None) -> Pool:
    """Samples; with `groups`, runs of so many rows belong together."""

    def numbered(size: int, first: int) -> Indices:
        return first + np.arange(size) // (groups or 1)

    parts, first = [], 0
    for one in (reference, current):
        units = numbered(len(one), first)
        parts.append(Points(one, {}, units, units))
        first = int(units[-1]) + 1
    return Pool(*parts)


def halves(rows: Values, n: int, m: int) -> Draw:
    def drawn(draw: np.random.Generator) -> Pool:
        order = draw.permutation(len(rows))
        return pool(rows[order[:n]], rows[order[n : n + m]])

    return drawn


def grouped(draw: np.random.Generator) -> Pool:
    rows = np.repeat(draw.normal(size=(60, 8)), 4, axis=0)
    rows += draw.normal(scale=0.3, size=rows.shape)
    return pool(rows[:120], rows[120:], groups=4)


def situations() -> Iterator[tuple[str, Draw]]:
    yield "normal, 60 and 60", lambda draw: pool(*draw.normal(size=(2, 60, 10)))
    yield (
        "normal, 200 and 25",
        lambda draw: pool(draw.normal(size=(200, 10)), draw.normal(size=(25, 10))),
    )
    yield "30 and 30 groups of 4", grouped
    yield (
        "5 different rows, 80 and 80",
        lambda draw: pool(*np.eye(5)[draw.integers(0, 5, size=(2, 80))]),
    )
    scifact = Path(os.environ.get("SCIFACT") or HERE.parents[1] / "shared/data/scifact")
    if scifact.is_dir():
        lines = (scifact / "claims_train.jsonl").read_text(encoding="utf-8").splitlines()
        claims = spelled([json.loads(one)["claim"] for one in lines])
        yield "claims by spelling, 100 and 100", halves(claims, 100, 100)
        documents = np.load(scifact / "minilm_vectors.npz")["doc"].astype(np.float32)
        documents /= np.linalg.norm(documents, axis=1, keepdims=True)
        yield "MiniLM vectors, 100 and 100", halves(documents, 100, 100)


def alarms(drawn: Draw, tries: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for at in range(tries):
        setup = Setup(alpha=ALPHA, deals=199, seed=at, intervals=False)
        told = detect(drawn(np.random.default_rng([7, at])), setup)
        for one in told.detected:
            found[one.name] = found.get(one.name, 0) + (one.p_value <= ALPHA)
        found["together"] = found.get("together", 0) + told.is_alarm
    return found


def covered(tries: int) -> tuple[float, float]:
    """How often intervals of the area hold its mean, and those of KL its true value; 150 rows."""

    tenths = [NormalDist().inv_cdf(one / 10) for one in range(1, 10)]
    truth = _kl_between(tenths)
    areas, kls = [], []
    for at in range(tries):
        rows = np.random.default_rng([3, at]).normal(size=(2, 150, 10))
        rows[1, :, 0] += 1.0
        some = pool(*rows)
        areas.append(separation(some, 99, np.random.default_rng(at)))
        numbers = some.rows(np.arange(len(some)))[:, 0]
        kls.append(divergences(some, {"": numbers}, 1, np.random.default_rng(at))[""].ends)
    mean = float(np.mean([one.areas[0] for one in areas]))
    return _share([one.ends for one in areas], mean), _share(kls, truth)


def _share(ends: Sequence[tuple[float, float] | None], truth: float) -> float:
    return float(np.mean([one is not None and one[0] <= truth <= one[1] for one in ends]))


def _kl_between(edges: Sequence[float]) -> float:
    """Of a normal moved by 1 from a normal, over cells of a tenth each."""
    below, ends = NormalDist().cdf, [-math.inf, *edges, math.inf]
    p, q = (np.diff([below(one - shift) for one in ends]) for shift in (1.0, 0.0))
    return float((p * np.log(p / q)).sum())


def main(tries: int) -> int:
    most = ALPHA * tries + 3.1 * math.sqrt(ALPHA * (1 - ALPHA) * tries)
    fine = True
    print(f"alarms in {tries} tries without drift at alpha {ALPHA}; by chance up to {most:.0f}")
    for name, drawn in situations():
        found = alarms(drawn, tries)
        fine &= max(found.values()) <= most
        print(f"{name:<32}", "  ".join(f"{one} {count}" for one, count in found.items()))
    area, kl = covered(min(tries, 200))
    print(f"intervals that hold the truth: area {area:.3f}, KL {kl:.3f}")
    return 0 if fine and min(area, kl) >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
