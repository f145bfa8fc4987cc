"""`ragproof drift --calibrate`: what detectors see of known shifts of the user's own sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragproof.analysis.drift import LEAST
from ragproof.analysis.drift_pool import Points
from ragproof.analysis.drift_result import Calibration
from ragproof.analysis.drift_shifts import (
    Altered,
    Mixed,
    Moved,
    Noticed,
    Shift,
    Unshifted,
    one_a_unit,
    step_along_first_axis,
    study,
)
from ragproof.analysis.drift_texts import LENGTH, word_counts
from ragproof.analysis.intervals import Indices
from ragproof.core import UsageError
from ragproof.datasets.mutate_rules import typo
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest
from ragproof.wiring.drift_samples import Sample
from ragproof.wiring.drifting import DriftRequest, Prepared, prepared

MOVED = (0.25, 0.5, 1.0)
"""Standard deviations along the first axis, of all rows."""
MIXED = (0.05, 0.1, 0.2, 0.4)
TYPOS = (0.25, 0.5, 1.0)
"""Shares of the current sample."""
SIZES = (50, 100, 200)


@dataclass(frozen=True, kw_only=True)
class CalibrationRequest:
    """What was asked of `ragproof drift --calibrate`."""

    drift: DriftRequest
    sizes: tuple[int, ...] = ()
    tries: int = 50
    mix: str | None = None
    """`TAG=VALUE`: the rows that are mixed in."""


def calibrate(
    request: CalibrationRequest,
    environ: Mapping[str, str],
    watch: Callable[[Noticed], None] = lambda _: None,
) -> Calibration:
    """Put known shifts into the reference itself, and count what is noticed.

    Raises UsageError for whatever the caller can mend.
    """
    asked = request.drift
    paths = [one for one in (asked.reference, asked.current) if one is not None]
    if request.mix is not None and asked.current is not None:
        raise UsageError("--mix and CURRENT both say what is mixed in; give one of them")
    ready = prepared(paths, asked, environ)
    draw = np.random.default_rng(asked.setup.seed)
    parts = _parts(ready, request.mix, draw)
    shifts = list(_shifts(ready, parts, draw))
    sizes = _sizes(request.sizes, len(parts.base), asked.reference)
    found = tuple(study(parts.base, shifts, sizes, request.tries, asked.setup, watch))
    return Calibration(
        source=ready.sides[0].source,
        representation=ready.representation,
        rows=len(parts.base),
        alpha=asked.setup.alpha,
        deals=asked.setup.deals,
        seed=asked.setup.seed,
        noticed=found,
        notes=tuple(_notes(ready, parts, sizes)),
    )


@dataclass(frozen=True)
class _Parts:
    """What samples are drawn from, and what is mixed in."""

    base: Points
    rows: Indices
    """Of the reference, those of the base."""
    others: Points | None
    name: str


def _parts(ready: Prepared, mix: str | None, draw: np.random.Generator) -> _Parts:
    points, sample = ready.points[0], ready.samples[0]
    others, name = None, ""
    rest = np.ones(len(points), dtype=np.bool_)
    if len(ready.points) > 1:
        others, name = one_a_unit(ready.points[1], draw), f"of {ready.sides[1].source}"
    elif (chosen := _slice(sample, mix)) is not None:
        tag, value = chosen
        there = np.array([one.get(tag) == value for one in sample.tags], dtype=np.bool_)
        others, name, rest = one_a_unit(points.only(np.flatnonzero(there)), draw), "", ~there
        name = f"{tag}={value}"
    rows = np.flatnonzero(rest)
    order = draw.permutation(rows)
    firsts = np.unique(points.units[order], return_index=True)[1]
    rows = np.sort(order[firsts])
    base = points.only(rows)
    numbers = np.arange(len(base))
    return _Parts(replace(base, units=numbers), rows, _apart(others, len(base)), name)


def _apart(others: Points | None, after: int) -> Points | None:
    """Rows of their own, as samples are drawn row by row."""
    if others is None:
        return None
    return replace(others, units=np.arange(after, after + len(others)))


def _slice(sample: Sample, mix: str | None) -> tuple[str, str] | None:
    """The tag and value that are named, else the most frequent value that is no majority."""
    counts = Counter((tag, value) for one in sample.tags for tag, value in one.items())
    if mix is None:
        fine = [key for key, n in counts.items() if LEAST <= n <= len(sample) // 2]
        return max(sorted(fine), key=lambda key: counts[key], default=None)
    tag, sign, value = mix.partition("=")
    if not sign or (tag, value) not in counts:
        known = [f"{tag}={value}" for tag, value in counts]
        raise UsageError(
            f"--mix: got {shown(mix)}; allowed: TAG=VALUE that rows have.{nearest(mix, known)}"
        )
    return tag, value


def _shifts(ready: Prepared, parts: _Parts, draw: np.random.Generator) -> Iterator[Shift]:
    yield Unshifted()
    for by in MOVED:
        yield Moved("moved (SD)", by, step_along_first_axis(parts.base, by, draw))
    if parts.others is not None:
        for share in MIXED:
            yield Mixed(f"share {parts.name}", share, parts.others)
    if (versions := _with_typos(ready, parts)) is not None:
        for share in TYPOS:
            yield Altered("share with a typo", share, versions)


def _with_typos(ready: Prepared, parts: _Parts) -> Points | None:
    """Each row of the base with one slip of the fingers; None where that cannot be had for free."""
    texts, how = ready.samples[0].texts, ready.how
    if texts is None or how is None or not how.is_free:
        return None
    slipped = [typo(texts[row], str(row)) or texts[row] for row in parts.rows.tolist()]
    values = np.asarray(how.vectors(slipped), dtype=np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    if ready.metric == "cosine":
        values = values / np.where(lengths > 0, lengths, 1)
    columns = {**parts.base.columns, LENGTH: word_counts(slipped)}
    return replace(parts.base, values=values, columns=columns)


def _sizes(asked: tuple[int, ...], rows: int, source: object) -> tuple[int, ...]:
    most = rows // 2
    if most < LEAST:
        raise UsageError(
            f"{source}: {rows} independent rows to draw both samples from; allowed: "
            f"{2 * LEAST} at least, and some hundreds to learn anything"
        )
    if too_many := [one for one in asked if not LEAST <= one <= most]:
        raise UsageError(
            f"--sizes: got {too_many[0]}; allowed: {LEAST} to {most:,}, half of the {rows:,} "
            f"independent rows of {source}"
        )
    return asked or tuple(one for one in SIZES if one <= most) or (most,)


def _notes(ready: Prepared, parts: _Parts, sizes: Sequence[int]) -> Iterator[str]:
    if len(parts.rows) < ready.sides[0].rows and parts.name == "":
        yield "one row of each group was taken, as samples are drawn row by row"
    if parts.others is not None and len(parts.others) < MIXED[-1] * sizes[-1]:
        told = f"{counted(len(parts.others), 'row')} {parts.name} to mix in"
        yield f"only {told}; shares that take more were not tried"
    if ready.samples[0].texts is None or ready.how is None:
        yield "no shift by typos: that takes texts, and embedding them anew"
    elif not ready.how.is_free:
        yield f"no shift by typos: every text would have to be embedded again by {ready.how.name}"
