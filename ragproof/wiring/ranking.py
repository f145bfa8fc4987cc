"""Score whole files of ranked lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from ragproof.core import UsageError
from ragproof.rankings.catalog import Measure
from ragproof.rankings.evaluation import Evaluated, evaluate
from ragproof.rankings.formats import Format, read
from ragproof.rankings.judgments import Judgments, judgments
from ragproof.rankings.measures import Asked
from ragproof.rankings.notation import measures
from ragproof.rankings.origin import Kind, Origin

USUAL = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Success@1", "Judged@10")
"""What is scored where nothing was asked for."""


@dataclass(frozen=True, kw_only=True)
class RankingRequest:
    """What was asked for."""

    qrels: Path
    run: Path
    against: Path | None = None
    names: tuple[str, ...] = ()
    level: int = 1
    exponential: bool = False
    float32: bool = False
    form: str | None = None
    """Of the runs; and of the qrels, where nothing else is said of them."""
    qrels_form: str | None = None
    run_form: str | None = None
    """Of the run, where it is not that of the others."""


@dataclass(frozen=True)
class Ranked:
    """A run scored, and the run that it is held against."""

    request: RankingRequest
    measures: tuple[Measure, ...]
    run: Evaluated
    against: Evaluated | None
    without_relevant: int
    """Queries for which nothing that was judged is relevant: they score 0."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the figures mean little."""
        files = [(self.request.run, self.run)]
        if self.request.against is not None and self.against is not None:
            files.append((self.request.against, self.against))
        return tuple(
            warning
            for path, found in files
            if (warning := _unlike(path, self.request.qrels, found)) is not None
        )


def _unlike(run: Path, qrels: Path, found: Evaluated) -> str | None:
    """Say where two files seem to name their queries or documents in other ways."""
    if found.missing == len(found.queries):
        return f"{run} and {qrels} have no query in common"
    if found.judged_returned == 0:
        return f"no document of {run} is judged in {qrels}. Do the ids match, byte by byte?"
    return None


def rank(request: RankingRequest) -> Ranked:
    """Read and score; raises UsageError that names the file and line at fault."""
    asked = Asked(level=request.level, exponential=request.exponential)
    wanted = _distinct(
        list(chain.from_iterable(measures(n, asked) for n in request.names or USUAL))
    )
    form = _form(request.qrels_form or request.form)
    origin = Origin(str(request.qrels), Kind.QRELS)
    judged = judgments(read(request.qrels, Kind.QRELS, form), origin)
    run = _evaluated(request.run, request, judged, wanted, request.run_form or request.form)
    against = None
    if request.against is not None:
        against = _evaluated(request.against, request, judged, wanted, request.form)
    relevant = {*judged.query[judged.grade >= request.level].tolist()}
    return Ranked(request, wanted, run, against, len(judged.code) - len(relevant))


def _evaluated(
    path: Path,
    request: RankingRequest,
    judged: Judgments,
    wanted: Sequence[Measure],
    form: str | None,
) -> Evaluated:
    rows = partial(read, path, Kind.RUN, _form(form))
    origin = Origin(str(path), Kind.RUN)
    return evaluate(judged, rows, origin, wanted, float32=request.float32)


def _form(name: str | None) -> Format | None:
    return None if name is None else Format(name)


def _distinct(wanted: Sequence[Measure]) -> tuple[Measure, ...]:
    """Each name once."""
    found = tuple({one.name: one for one in wanted}.values())
    if not found:
        raise UsageError("no measure was asked for")
    return found
