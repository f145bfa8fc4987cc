"""Divide a dataset, and keep account of who has seen its release cases.

The ledger is the store: every run's header says which dataset and which cases it put to which
candidate, so nothing has to be written beside the dataset, and nothing can be forgotten.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.core import Case, RunHeader, Split, UsageError
from ragproof.datasets import Dataset, load
from ragproof.datasets.split import SHARES, Division, Tie, divide, retire
from ragproof.datasets.writing import refuse_name, write_cases
from ragproof.store.open import RunStore
from ragproof.wiring.looking import open_for_reading


@dataclass(frozen=True, kw_only=True)
class SplitRequest:
    """What is divided, and how."""

    dataset: Path
    out: Path | None = None
    shares: Mapping[Split, float] = dataclasses.field(default_factory=lambda: dict(SHARES))
    ties: frozenset[Tie] = frozenset({Tie.GROUP})
    strata: tuple[str, ...] = ()
    seed: int = 0
    like: Path | None = None
    """An earlier version, whose cases keep their splits."""
    retire_used: bool = False
    guided_by: tuple[str, ...] = ()
    """Runs after which something was chosen or changed."""
    uses: bool = False
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """A run that put release cases to a candidate."""

    run: str
    label: str | None
    at: str
    candidate: str
    cases: tuple[str, ...]
    """Release cases of the dataset that it saw."""
    tuning: str
    """Why it guided a choice; empty where nothing says so."""


@dataclass(frozen=True, slots=True)
class Divided:
    """What became of it."""

    dataset: Dataset
    division: Division
    uses: tuple[Use, ...] | None
    """The oldest first; None where nobody asked."""
    retired: tuple[str, ...]
    written: Path | None


def divided(request: SplitRequest, environ: Mapping[str, str]) -> Divided:
    """Divide and, where a file is named, write; raises UsageError for what cannot be done."""
    if request.out is not None:
        refuse_name(request.out)
    dataset = load(request.dataset)
    uses, retired = None, tuple[str, ...]()
    cases: Sequence[Case] = dataset.cases
    if request.uses or request.retire_used or request.guided_by:
        with open_for_reading(request.config, request.store, environ) as looking:
            named = {
                looking.store.find(one, looking.project).header.id for one in request.guided_by
            }
            uses = tuple(_uses(looking.store, dataset, named))
    if request.retire_used or request.guided_by:
        guided = {case: use.run for use in uses or () if use.tuning for case in use.cases}
        cases, retired = retire(cases, guided)
    earlier = None
    if request.like is not None:
        earlier = {case.id: case.split for case in load(request.like).cases if case.split}
    division = divide(
        cases,
        request.shares,
        ties=request.ties,
        strata=request.strata,
        seed=request.seed,
        earlier=earlier,
    )
    if request.out is not None:
        write_cases(request.out, division.cases)
    return Divided(dataset, division, uses, retired, request.out)


def _uses(store: RunStore, dataset: Dataset, named: set[str]) -> Iterator[Use]:
    """Runs that saw cases which are now release, whatever the file was called or held then."""
    release = {
        case.id: getattr(case, "question", None)
        for case in dataset.cases
        if case.split is Split.RELEASE
    }
    if not release:
        raise UsageError(f"{dataset.path}: no case is of split release, so none can have been used")
    for info in reversed(store.runs()):
        header = info.header
        seen = _seen(store, header, dataset, release)
        if seen:
            yield Use(
                header.id,
                header.label,
                header.started_at,
                _candidate(header),
                seen,
                _tuning(header, named),
            )


def _seen(
    store: RunStore, header: RunHeader, dataset: Dataset, release: Mapping[str, str | None]
) -> tuple[str, ...]:
    """Release cases of a run; of another file's, those that ask the same under the same id."""
    ids = {case for case, _ in store.done(header.id)}.intersection(release)
    if not ids or header.dataset.hash == dataset.hash:
        return tuple(sorted(ids))
    return tuple(
        sorted(
            {
                run.case.id
                for run in store.case_runs(header.id)
                if run.case.id in ids
                and getattr(run.case, "question", None) == release[run.case.id]
            }
        )
    )


def _tuning(header: RunHeader, named: set[str]) -> str:
    if header.id in named:
        return "named by --guided-by"
    if header.asked.get("sweep"):
        return "a point of a sweep"
    if header.dataset.selection.get("split") not in (None, Split.RELEASE):
        return f"a run on split {header.dataset.selection['split']}"
    return ""


def _candidate(header: RunHeader) -> str:
    version = f" {header.adapter.version}" if header.adapter.version else ""
    params = ", ".join(f"{name}={value}" for name, value in header.adapter.params.items())
    return f"{header.adapter.target}{version}" + (f" ({params})" if params else "")
