"""Fuse whole files of ranked lists into one, and score it as any other."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TypeAlias

from ragproof.core import Json, UsageError
from ragproof.fusion import convex, rrf
from ragproof.rankings.formats import Format, read
from ragproof.rankings.lists import FusedRun, Ranked, RunScattered, side_by_side
from ragproof.rankings.origin import Kind, Origin
from ragproof.rankings.trec import trec_lines
from ragproof.text.files import whole
from ragproof.wiring.ranking import Ranked as Scored
from ragproof.wiring.ranking import RankingRequest, rank

Fuse: TypeAlias = Callable[[Sequence[Ranked]], list[tuple[bytes, float]]]
NOWHERE = Path("(fused)")
"""What a fused run is called that no file was named for."""
LISTS_OF_CONVEX = 2


class Way(StrEnum):
    """How lists are fused."""

    RRF = "rrf"
    CONVEX = "convex"


@dataclass(frozen=True, kw_only=True)
class FusionRequest:
    """What is fused, and how; None for what nothing was said of."""

    runs: tuple[Path, ...]
    way: str | None = None
    """`rrf`, which is the default, or `convex`."""
    k: float | None = None
    weights: tuple[float, ...] | None = None
    """One a run, in their order."""
    alpha: float | None = None
    """Weight of the first of two runs."""
    normalise: str | None = None
    into: Path | None = None
    """Where the fused run is written."""
    form: str | None = None


def fuse_and_rank(
    fusion: FusionRequest, request: RankingRequest | None
) -> tuple[FusedRun, Scored | None]:
    """Fuse the runs, score what comes of it where judgments are given, and write it to a file.

    Raises UsageError that names the file, query and line at fault, RunError where there is no room
    for the result; then nothing is written.
    """
    way = _way(fusion)
    with TemporaryDirectory() as folder:
        draft = Path(folder) / "fused.trec"
        found = _fused(fusion, way, draft)
        scored = None
        if request is not None:
            scored = rank(replace(request, run=draft, run_form=Format.TREC))
            scored = replace(scored, request=replace(request, run=fusion.into or NOWHERE))
        if fusion.into is not None:
            with whole(fusion.into) as out, draft.open("rb") as file:
                shutil.copyfileobj(file, out)
    return found, scored


@dataclass(frozen=True)
class _Fuses:
    """A way to fuse a query's lists, all said."""

    way: Way
    params: Mapping[str, Json]
    fuse: Fuse


def _way(request: FusionRequest) -> _Fuses:
    """Raises UsageError for what cannot be fused so, or for what would have no effect."""
    lists = len(request.runs)
    if Way(request.way or Way.RRF) is Way.RRF:
        _refuse({"--alpha": request.alpha, "--normalise": request.normalise}, Way.RRF)
        k, weights = request.k or 60.0, request.weights
        shown = list(weights or [1.0] * lists)
        found = _Fuses(
            Way.RRF, {"k": k, "weights": shown}, partial(_by_places, k=k, weights=weights)
        )
    else:
        _refuse({"--rrf-k": request.k, "--weights": request.weights}, Way.CONVEX)
        if lists != LISTS_OF_CONVEX:
            raise UsageError(f"a convex combination takes two runs, got {lists}: give one --fuse")
        alpha = 0.5 if request.alpha is None else request.alpha
        scale = request.normalise or "min-max"
        found = _Fuses(
            Way.CONVEX,
            {"alpha": alpha, "normalise": scale},
            partial(_by_scores, alpha=alpha, normalise=scale),
        )
    try:
        found.fuse([{}] * lists)
    except ValueError as fault:
        raise UsageError(str(fault)) from fault
    return found


def _refuse(given: Mapping[str, object], way: Way) -> None:
    for option, value in given.items():
        if value is not None:
            raise UsageError(f"{option} has no effect with --fusion {way}")


def _fused(request: FusionRequest, way: _Fuses, draft: Path) -> FusedRun:
    scattered = set[int]()
    while True:  # that the rows of a query are scattered is known once they have been read
        try:
            with whole(draft) as out:
                return _written(request, way, scattered, out)
        except RunScattered as found:
            _refuse_unrepeatable(request.runs, request.runs[found.number])
            scattered.add(found.number)


def _refuse_unrepeatable(runs: Sequence[Path], scattered: Path) -> None:
    """Raise UsageError where runs have to be read again and one, a pipe, gives nothing then."""
    for run in runs:
        if not run.is_file():
            raise UsageError(
                f"{scattered}: the rows of a query do not stand together, so all runs are read "
                f"again, and {run} is no file that can be. Sort it by query, or save {run} first"
            )


def _written(
    request: FusionRequest, way: _Fuses, scattered: Collection[int], out: BinaryIO
) -> FusedRun:
    form = None if request.form is None else Format(request.form)
    runs = [
        (partial(read, path, Kind.RUN, form), Origin(str(path), Kind.RUN)) for path in request.runs
    ]
    queries, documents, missing = 0, 0, [0] * len(runs)
    for query, lists in side_by_side(runs, scattered, finite=way.way is Way.CONVEX):
        found = way.fuse(lists)
        out.write(trec_lines(query, found, way.way))
        queries, documents = queries + 1, documents + len(found)
        missing = [before + (not one) for before, one in zip(missing, lists, strict=True)]
    return FusedRun(
        way=way.way.value,
        params=way.params,
        runs=request.runs,
        missing=tuple(missing),
        queries=queries,
        documents=documents,
        path=request.into,
    )


def _by_places(
    lists: Sequence[Ranked], *, k: float, weights: Sequence[float] | None
) -> list[tuple[bytes, float]]:
    return rrf([list(one) for one in lists], k, weights=weights)


def _by_scores(
    lists: Sequence[Ranked], *, alpha: float, normalise: str
) -> list[tuple[bytes, float]]:
    dense, sparse = lists
    return convex(dense, sparse, alpha, normalise)
