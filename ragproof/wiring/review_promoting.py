"""Put reviewed answers of traffic into a golden set, and say how that changes its mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.analysis.review_agreement import Reviewers
from ragproof.core import Case, QuestionCase, Split, UsageError
from ragproof.datasets import dataset_hash, load
from ragproof.datasets.canonical import dump
from ragproof.datasets.review_lines import Review
from ragproof.datasets.review_merge import together, verdicts_of
from ragproof.datasets.review_promote import KEPT_OUT, Promoted, Reviewed, promoted
from ragproof.datasets.review_queue import Key, combined, read_key
from ragproof.datasets.writing import refuse_name, refuse_source, write_cases
from ragproof.store.open import RunStore
from ragproof.text.faults import shown
from ragproof.wiring.looking import open_for_reading
from ragproof.wiring.review_reporting import agreement, observed, of_the_key


@dataclass(frozen=True, kw_only=True)
class PromoteRequest:
    """What is put where."""

    files: tuple[Path, ...]
    keys: tuple[Path, ...]
    out: Path
    into: Path | None = None
    """The set that grows; None for the first cases of one."""
    split: Split | None = Split.DEVELOPMENT
    random_only: bool = False
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Mix:
    """The share that a value of a tag has, in the set before and after, and in the traffic."""

    tag: str
    value: str
    before: float
    after: float
    traffic: float


@dataclass(frozen=True, slots=True)
class Done:
    """What became of it."""

    promoted: Promoted
    mix: tuple[Mix, ...]
    hash: str
    agreed: Reviewers


def promote(request: PromoteRequest, environ: Mapping[str, str]) -> Done:
    """Write the set with what was reviewed; raises UsageError for what cannot be read."""
    refuse_name(request.out)
    refuse_source(request.out, request.into, *request.keys, *request.files)
    golden = _golden(request.into)
    keys = [read_key(path) for path in request.keys]
    key = combined(keys)
    found = of_the_key(together(request.files), key)
    with open_for_reading(request.config, request.store, environ) as looking:
        reviewed = [one for week in keys for one in _reviewed(looking.store, week, found.reviews)]
    done = promoted(golden, reviewed, request.split, random_only=request.random_only)
    if not done.cases:
        told = ", ".join(f"{number} {reason}" for reason, number in done.left_out.items())
        raise UsageError(f"no reviewed answer makes a case: {told}")
    _refuse_loss(request.out, done.cases)
    write_cases(request.out, done.cases)
    agreed = agreement(verdicts_of(found.reviews))
    return Done(done, _mix(golden, done, key), dataset_hash(done.cases), agreed)


def _golden(into: Path | None) -> Sequence[Case]:
    if into is None:
        return ()
    if not into.exists():
        told = "there is no such file; without --into, a first golden set is started"
        raise UsageError(f"--into: {into}: {told}")
    return load(into).cases


def _refuse_loss(out: Path, cases: Sequence[Case]) -> None:
    """Raise UsageError where a file is there and is not of these cases alone."""
    if not out.is_file():
        return
    mine = {dump(case) for case in cases}
    try:
        lost = [case.id for case in load(out).cases if dump(case) not in mine]
    except UsageError:
        raise UsageError(f"--out: {out} is there already, and is no golden set") from None
    if lost:
        told = f"case {shown(lost[0])} would be lost or changed ({len(lost)} in all)"
        raise UsageError(f"--out: {out} is there already: {told}; give another name")


def _reviewed(store: RunStore, key: Key, reviews: Sequence[Review]) -> Iterator[Reviewed]:
    """The answers of which anybody said anything, as the run has them."""
    run = store.find(key.head.run, None).header.id
    for item, seen in zip(key.items.values(), observed(store, run, key), strict=True):
        mine = tuple(one for one in reviews if one.item == item.item)
        if mine and seen.observation.answer is not None:
            assert isinstance(seen.case, QuestionCase)
            yield Reviewed(item, seen.case, seen.observation.answer.answer_text, run, mine)


def _mix(golden: Sequence[Case], done: Promoted, key: Key) -> tuple[Mix, ...]:
    """By the tags of the new cases; the traffic's shares are weighted estimates."""
    new = {*done.new}
    names = sorted({tag for case in done.cases if case.id in new for tag in case.tags})
    weights = [(item.tags, 1 / item.probability) for item in key.items.values()]
    whole = sum(weight for _, weight in weights)
    found = []
    for tag in names:
        if tag in KEPT_OUT:
            continue
        before, after = (
            Counter(case.tags.get(tag) for case in some) for some in (golden, done.cases)
        )
        for value in sorted({one for one in after if one is not None}):
            there = sum(weight for tags, weight in weights if tags.get(tag) == value)
            share = before[value] / len(golden) if golden else 0.0
            found.append(Mix(tag, value, share, after[value] / len(done.cases), there / whole))
    return tuple(found)
