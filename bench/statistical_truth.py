"""Whether verdicts are as sure as they say: `python -m bench.statistical_truth [PAIRS]` (2000).

Pairs of runs are simulated, in which the truth is known, and put to the gate as it is shipped with
the rule `max_drop: 0`. Shown are, in percent: how often it fails where nothing changed (a drop is
half of a two-sided test at 5 %, so at most 2.5), how often the randomisation test says p <= 0.05
there (at most 5), how often the 95 % interval holds the true change, how often a decision rule
would find a gain there (2.5), how often a true drop fails, and how often a rule of
`non_inferiority` passes one that is exactly its bound (at most 2.5). Beside it stands what most
tools do: two bootstraps that forget which scores belong together.

A score comes of a case's difficulty, which both runs share, and of chance, which they do not
(correlation 0.64). In clusters of five cases, 60 % of either is common to the cluster.

Last comes the mean of a lenient judge, who passes three bad answers in ten, and what human labels
of some of the cases make of it: how often the 95 % intervals of PPI, of PPI++ and of the labels
alone hold the truth, how wide they are, and how often the judge's own interval would.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from scipy.special import ndtr

from ragproof.analysis.evidence import ends_of_change
from ragproof.analysis.gate import Check, Verdict, weigh
from ragproof.analysis.prediction_powered import (
    HumanScore,
    PredictionPowered,
    prediction_powered,
)
from ragproof.analysis.requirements import Limit, Policy, Requirement, Role
from ragproof.analysis.summary import summarise
from ragproof.core import (
    AdapterInfo,
    CaseKind,
    DatasetInfo,
    Declared,
    RunHeader,
    RunState,
    Status,
)
from ragproof.core.record import CaseRow, Column, Floats, RunRecord
from ragproof.core.spec import Better, Interval, Layer, Pool, Unit
from ragproof.core.subject import Level

SEED = 20_261_130
MEAN = 0.7
SHARED = 0.64
TOGETHER = 0.6
CLUSTER = 5
AT_ONCE = 500
RESAMPLES = 1_000
AT_BOUND = 0.05
POLICY = Policy(today=date(2026, 1, 1))
NORMAL = NormalDist()
Latent: TypeAlias = Floats
"""Standard normal; shape (cases, pairs of runs)."""


def yes_or_no(latent: Latent, mean: float) -> Floats:
    """Scores 0 and 1."""
    return (latent < NORMAL.inv_cdf(mean)).astype(np.float64)


def three_bands(latent: Latent, mean: float) -> Floats:
    """Scores 0, 0.5 and 1; both steps are met as often as their mean wants, 0.15 apart."""
    return (yes_or_no(latent, mean + 0.15) + yes_or_no(latent, mean - 0.15)) / 2


def continuous(latent: Latent, mean: float) -> Floats:
    """Scores from 0 to 1: the normal distribution of a shifted value, whose mean is known."""
    return np.asarray(ndtr(np.sqrt(2) * NORMAL.inv_cdf(mean) - latent))


KINDS: Mapping[str, Callable[[Latent, float], Floats]] = {
    "0/1": yes_or_no,
    "three bands": three_bands,
    "continuous": continuous,
}


@dataclass(frozen=True)
class Rates:
    """Shares of the simulated pairs, in percent."""

    fails: float
    significant: float
    covered: float
    adopts: float
    """How often a decision rule with `min_gain: 0` would have found a gain."""
    passes: float
    """How often a drop up to the bound counts as shown."""
    unpaired: float
    """How often two unpaired bootstraps would have failed it."""


def main() -> None:
    """Print the tables."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    begun = time.process_time()
    print(f"{pairs} pairs a row where nothing changed, {pairs // 4} where something did\n")
    head = f"{'nothing changed':<28}{'fails':>8}{'p<=.05':>8}{'covered':>9}"
    print(f"{head}{'adopts':>8}{'unpaired':>10}")
    for clustered in (False, True):
        for name in KINDS:
            for cases in (50, 100, 300):
                rates = simulated(name, cases, 0.0, pairs, clustered=clustered)
                title = f"{name}, n={cases}{', clusters' if clustered else ''}"
                print(
                    f"{title:<28}{rates.fails:>8.1f}{rates.significant:>8.1f}"
                    f"{rates.covered:>9.1f}{rates.adopts:>8.1f}{rates.unpaired:>10.1f}"
                )
    print(f"\n{'true drop':<18}{'n':>5}{'fails':>8}{'covered':>9}{'unpaired':>10}")
    for name in KINDS:
        for drop in (0.02, 0.05, 0.10):
            for cases in (50, 100, 300):
                rates = simulated(name, cases, drop, pairs // 4, clustered=False)
                title = f"{name}, {drop:.2f}"
                print(
                    f"{title:<18}{cases:>5}{rates.fails:>8.1f}{rates.covered:>9.1f}"
                    f"{rates.unpaired:>10.1f}"
                )
    print_at_bound(pairs)
    print_corrected(pairs // 2)
    print(f"\n{time.process_time() - begun:.0f} CPU s")


def print_at_bound(pairs: int) -> None:
    """Print how often a drop passes that is exactly what `non_inferiority` allows."""
    print(f"\n{'true drop = bound':<28}{'n':>5}{'passes':>8}{'covered':>9}")
    for clustered in (False, True):
        for name in KINDS:
            for cases in (50, 100, 300):
                rates = simulated(name, cases, AT_BOUND, pairs, clustered=clustered, bound=AT_BOUND)
                title = f"{name}{', clusters' if clustered else ''}"
                print(f"{title:<28}{cases:>5}{rates.passes:>8.1f}{rates.covered:>9.1f}")


def simulated(
    name: str, cases: int, drop: float, pairs: int, *, clustered: bool, bound: float = 0.0
) -> Rates:
    """Put so many pairs of runs to the gate, whose rule allows a drop up to the bound."""
    draw = np.random.default_rng([SEED, list(KINDS).index(name), cases, round(drop * 100)])
    score = KINDS[name]
    checks: list[Check] = []
    unpaired = 0
    for start in range(0, pairs, AT_ONCE):
        size = (cases, min(AT_ONCE, pairs - start))
        shared = _latent(draw, size, clustered=clustered)
        before, after = (
            score(
                np.sqrt(SHARED) * shared
                + np.sqrt(1 - SHARED) * _latent(draw, size, clustered=clustered),
                mean,
            )
            for mean in (MEAN, MEAN - drop)
        )
        checks += _checks(before, after, bound, clustered=clustered)
        unpaired += _unpaired(before, after, draw)
    return Rates(
        fails=_percent(one.verdict is Verdict.WARN for one in checks),
        significant=_percent(_p(one) <= 0.05 for one in checks),
        covered=_percent(_covers(one, -drop) for one in checks),
        adopts=_percent(_gains(one) for one in checks),
        passes=_percent(one.verdict is Verdict.PASS for one in checks),
        unpaired=100 * unpaired / pairs,
    )


def print_corrected(runs: int) -> None:
    """Print the table of judged means that labels correct."""
    titles = ("judge", "PPI", "PPI++", "labels", "width", "(PPI++)", "(labels)")
    print(f"\n{'corrected by labels':<38}{''.join(f'{one:>9}' for one in titles)}")
    for clustered in (False, True):
        for name in ("0/1", "continuous"):
            for cases, labelled in ((300, 30), (300, 60), (300, 150), (1000, 100)):
                found = _corrected(name, cases, labelled, runs, clustered=clustered)
                title = f"{name}, {labelled} of {cases}{', clusters' if clustered else ''}"
                shares = "".join(f"{one:>9.1f}" for one in found[:4])
                print(f"{title:<38}{shares}{''.join(f'{one:>9.3f}' for one in found[4:])}")


def _corrected(name: str, cases: int, labelled: int, runs: int, *, clustered: bool) -> list[float]:
    """Coverage of the judge, of PPI, PPI++ and the labels alone; widths of the last three."""
    draw = np.random.default_rng([SEED, list(KINDS).index(name), cases, labelled, int(clustered)])
    people = KINDS[name](_latent(draw, (cases, runs), clustered=clustered), MEAN)
    lenient = np.where(draw.random(people.shape) < 0.3, 1.0, people)
    judge = np.where(draw.random(people.shape) < 0.03, 0.0, lenient)
    record = _record(judge, 0, clustered=clustered)
    lines = {line.key: line for line in summarise(record).lines}
    ends: list[list[tuple[float, float]]] = []
    for at, key in enumerate(record.columns):
        chosen = draw.permutation(cases)[:labelled].tolist()
        scores = [
            HumanScore(case_id=f"c{one:04}", metric=key, score=float(people[one, at]))
            for one in chosen
        ]
        found = prediction_powered(record, key, scores)
        alone = prediction_powered(_only(record, key, chosen), key, scores)
        assert isinstance(found, PredictionPowered)
        assert isinstance(alone, PredictionPowered)
        bounds = (lines[key].bounds.ends, found.plain.ends, found.tuned.ends, alone.tuned.ends)
        ends.append([one or (MEAN, MEAN) for one in bounds])
    table = np.array(ends)
    covered = 100 * ((table[:, :, 0] <= MEAN) & (table[:, :, 1] >= MEAN)).mean(axis=0)
    widths = (table[:, 1:, 1] - table[:, 1:, 0]).mean(axis=0)
    return [*covered.tolist(), *widths.tolist()]


def _only(record: RunRecord, key: str, rows: list[int]) -> RunRecord:
    """The labelled part of a run: there people have said it all."""
    column, kept = record.columns[key], sorted(rows)
    part = replace(
        column,
        status=column.status[kept],
        values=column.values[kept],
        weights=column.weights[kept],
        applies=column.applies[kept],
        reasons=(None,) * len(kept),
    )
    cases = tuple(record.cases[at] for at in kept)
    return RunRecord(record.header, record.state, cases, {key: part})


def _latent(draw: np.random.Generator, size: tuple[int, int], *, clustered: bool) -> Latent:
    own = draw.normal(size=size)
    if not clustered:
        return own
    common: Latent = draw.normal(size=(size[0] // CLUSTER, size[1])).repeat(CLUSTER, axis=0)
    mixed: Latent = np.sqrt(TOGETHER) * common + np.sqrt(1 - TOGETHER) * own
    return mixed


def _checks(
    baseline: Floats, candidate: Floats, bound: float, *, clustered: bool
) -> tuple[Check, ...]:
    """Each pair of columns is a metric; exploratory, so that none is adjusted for the others."""
    records = [
        _record(one, number, clustered=clustered)
        for number, one in enumerate((baseline, candidate))
    ]
    asked = [
        Requirement(
            metric=key,
            limit=Limit.MAX_DROP,
            bound=bound,
            role=Role.EXPLORATORY,
            non_inferiority=bound > 0,
        )
        for key in records[0].columns
    ]
    return weigh(records[1], records[0], asked, POLICY).checks


def _record(scores: Floats, number: int, *, clustered: bool) -> RunRecord:
    cases = tuple(
        CaseRow(f"c{at:04}", 0, CaseKind.QA, {}, f"g{at // CLUSTER}" if clustered else None, None)
        for at in range(len(scores))
    )
    ones = np.ones(len(cases))
    columns = {
        f"m{at:04}": Column(
            declared=DECLARED,
            subjects=None,
            status=np.full(ones.size, Status.SCORED, np.int8),
            values=values,
            weights=ones,
            applies=ones.astype(np.bool_),
            reasons=(None,) * ones.size,
        )
        for at, values in enumerate(scores.T)
    }
    header = RunHeader(
        id=f"run-{number}",
        project="truth",
        started_at="2026-01-01",
        dataset=DatasetInfo(name="d", path="/d", hash="0", total=ones.size, cases=ones.size),
        adapter=AdapterInfo(type="python", target="a:b"),
        metrics={},
    )
    return RunRecord(header, RunState.COMPLETED, cases, columns)


def _unpaired(baseline: Floats, candidate: Floats, draw: np.random.Generator) -> int:
    """How many pairs an unpaired percentile bootstrap fails."""
    cases = len(baseline)
    before, after = (
        draw.multinomial(cases, np.full(cases, 1 / cases), RESAMPLES) @ run / cases
        for run in (baseline, candidate)
    )
    return int((np.percentile(after - before, 97.5, axis=0) < 0).sum())


def _p(check: Check) -> float:
    change = check.evidence.change
    return 1.0 if change is None or change.p_value is None else change.p_value


def _covers(check: Check, truth: float) -> bool:
    """Whether the interval holds the truth; where nothing changed there is none to be wrong."""
    change = check.evidence.change
    if change is None or change.bounds.ends is None:
        return True
    low, high = change.bounds.ends
    return low <= truth <= high


def _gains(check: Check) -> bool:
    """Whether the whole interval lies above 0."""
    change = check.evidence.change
    ends = None if change is None else ends_of_change(change, DECLARED, "mean")
    return ends is not None and ends[0] > 0


def _percent(found: Iterable[bool]) -> float:
    return 100 * float(np.mean([*found]))


DECLARED = Declared(
    id="m",
    params={},
    version=1,
    unit=Unit.FRACTION,
    better=Better.HIGHER,
    pool=Pool.MEAN,
    interval=Interval.AUTO,
    level=Level.CASE,
    kinds=(CaseKind.QA,),
    each=None,
    layer=Layer.ANSWER,
    headline=False,
)


if __name__ == "__main__":
    main()
