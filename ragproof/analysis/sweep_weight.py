"""The weight of a convex combination: which is best, and whether other cases would say so too.

The cases are drawn again with replacement, the same draws for every weight, and each time the best
weight is noted. A best weight that many draws do not agree on is an accident of the cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragproof.analysis.gate import apart
from ragproof.analysis.intervals import FEW
from ragproof.analysis.resampling import resampling
from ragproof.analysis.sweep_points import SweepPoint
from ragproof.analysis.sweep_rules import Choice, Selection, Share
from ragproof.analysis.sweep_steps import unfit
from ragproof.analysis.units import clusters, groups_of, parts, summed
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Floats, RunRecord
from ragproof.core.spec import Better


def convex_weight(
    points: Sequence[SweepPoint], along: Sequence[int], selection: Selection
) -> Choice:
    """Choose the best weight where it is best, or within `tolerance`, in enough resamples."""
    if (gap := unfit(points, along)) is not None:
        return Choice(selection=selection, chosen=None, reason=gap)
    figures, units = resampled([points[at] for at in along], selection.metric)
    if units < FEW:
        reason = (
            f"{units} independent cases are scored at every point; fewer than {FEW} cannot tell "
            "how stable a weight is"
        )
        return Choice(selection=selection, chosen=None, reason=reason)
    highest = figures.max(axis=1, keepdims=True)
    close = figures >= highest - selection.tolerance - 1e-12
    firsts = close if selection.tolerance else close / close.sum(axis=1, keepdims=True)
    shares = [
        Share(point=at, share=float(one))
        for at, one in zip(along, firsts.mean(axis=0).tolist(), strict=True)
    ]
    top = max(shares, key=lambda one: (points[one.point].worth or 0.0, one.share))
    name = points[top.point].name
    within = f" or within {selection.tolerance:g} of the best" if selection.tolerance else ""
    found, least = (f"{100 * float(one):g} %" for one in apart(top.share, selection.stability))
    told = f"{name} is the best{within} in {found} of the resamples of {units} cases"
    if top.share >= selection.stability:
        chosen, reason = top.point, f"{told}; at least {least} is asked for"
    else:
        chosen, reason = None, f"{told}; {least} is asked for: label more cases"
    return Choice(selection=selection, chosen=chosen, reason=reason, shares=tuple(shares))


def resampled(points: Sequence[SweepPoint], key: str) -> tuple[Floats, int]:
    """The figure of each point in each resample, better upwards, and how many units there are.

    Shape (RESAMPLES, points). Only cases that are scored at every point count, repeats averaged;
    cases that share a group are drawn together.
    """
    records = [one.record for one in points if one.record is not None]
    columns = [one.columns[key] for one in records]
    scored = [_by_case(*one) for one in zip(records, columns, strict=True)]
    common = sorted(set(scored[0]).intersection(*scored[1:]))
    groups: dict[str, str] = {}
    for one in records:
        groups |= groups_of(one.cases)
    cluster = clusters({name: groups.get(name, "") for name in common})
    unit = np.arange(len(common)) if cluster is None else cluster
    units = int(unit.max()) + 1 if unit.size else 0
    if not units:
        return np.zeros((1, len(points))), 0
    draws = resampling(units)
    sign = -1.0 if columns[0].declared.better is Better.LOWER else 1.0
    figures = []
    for mine in scored:
        sums = np.array([mine[name] for name in common])
        upper, lower = (draws.resampled(draws.by_block(unit, column)) for column in sums.T)
        figures.append(sign * upper / np.where(lower > 0, lower, np.nan))
    return np.nan_to_num(np.stack(figures, axis=1), nan=-np.inf), units


def _by_case(record: RunRecord, column: Column) -> dict[str, tuple[float, float]]:
    """Case to numerator and denominator, repeats averaged."""
    scored = column.status == Status.SCORED
    rows = np.flatnonzero(scored)
    upper, lower = parts(column, scored)
    names: dict[str, int] = {}
    place = np.array(
        [names.setdefault(record.cases[row].id, len(names)) for row in rows.tolist()],
        dtype=np.intp,
    )
    _, (upper, lower), times = summed(place, upper, lower)
    told = zip((upper / times).tolist(), (lower / times).tolist(), strict=True)
    return dict(zip(names, told, strict=True))
