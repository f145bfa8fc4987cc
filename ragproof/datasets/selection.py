"""Which of a dataset's cases a run is about."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from ragproof.core import Case, Split, UsageError
from ragproof.text.nearest import nearest


def select(
    cases: Sequence[Case],
    *,
    split: str | None = None,
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> tuple[Case, ...]:
    """Take the cases of a split, of these the first `limit` or a sample; in the file's order.

    A sample is stratified by kind, then tags: each kind, and within it each combination of tags,
    gets its share of the places, give or take one, and every case has the same chance. Which
    cases are taken depends on the cases and the seed, not on their order in the file. More
    places than cases takes all.

    Raises UsageError for an unknown or empty split, a number below 1, and limit with sample.
    """
    if limit is not None and sample is not None:
        raise UsageError("limit and sample both choose cases; give one of them")
    for name, number in (("limit", limit), ("sample", sample)):
        if number is not None and number < 1:
            raise UsageError(f"{name}: got {number}; allowed: a whole number (at least 1)")
    chosen = tuple(cases) if split is None else _of_split(cases, split)
    return chosen[:limit] if sample is None else _sampled(chosen, sample, seed)


def _of_split(cases: Sequence[Case], split: str) -> tuple[Case, ...]:
    if split not in tuple(Split):
        allowed = ", ".join(Split)
        raise UsageError(f"split: got {split!r}; allowed: {allowed}.{nearest(split, tuple(Split))}")
    if chosen := tuple(case for case in cases if case.split == split):
        return chosen
    held = ", ".join(sorted({case.split for case in cases if case.split})) or "none"
    raise UsageError(f"split: no case is of split {split!r}; the dataset has: {held}")


def _sampled(cases: Sequence[Case], places: int, seed: int) -> tuple[Case, ...]:
    """Systematic sampling: strata one after the other, shuffled within; then every n-th.

    Unlike rounding the share of each stratum, this keeps kinds in proportion also where nearly
    every case has tags of its own.
    """
    if places >= len(cases):
        return tuple(cases)
    row = sorted(cases, key=lambda case: (_stratum(case), _draw(seed, case.id)))
    step = Fraction(len(cases), places)
    start = Fraction(int.from_bytes(_draw(seed, "")), 2**256)
    taken = {row[int((place + start) * step)].id for place in range(places)}
    return tuple(case for case in cases if case.id in taken)


def _stratum(case: Case) -> tuple[str, ...]:
    return (case.kind, *(f"{name}={value}" for name, value in sorted(case.slices.items())))


def _draw(seed: int, case_id: str) -> bytes:
    """A lot of 32 bytes: the same on every machine and Python, whatever other cases there are."""
    return sha256(f"{seed}:{case_id}".encode()).digest()
