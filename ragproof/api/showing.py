"""A verdict of a test session as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.summary import Line
from ragproof.api.ledger import Verdict
from ragproof.reports.wording import figure, inert, interval, one_line
from ragproof.text.counting import counted


def shown(verdict: Verdict) -> Iterator[str]:
    """Give the figures, then what was asked of them and found."""
    result, name = verdict.result, verdict.table.dataset or verdict.table.config
    if result is None:
        yield inert(f"{name}: error: {verdict.wrong}")
        return
    yield inert(f"{name}: {result!r}")
    lines = [line for line in result.lines if line.mean is not None]
    width = max([len(line.key) for line in lines], default=0)
    for line in lines:
        yield f"  {line.key:<{width}}  {_figures(line)}"
    for warning in result.warnings:
        yield f"  warning: {one_line(warning, 300)}"
    if verdict.wrong is not None:
        yield f"gate error: {inert(verdict.wrong)}"
    elif verdict.gated is not None:
        yield from verdict.gated.explained().splitlines()
    else:
        yield "no thresholds: nothing was asked of these figures"


def _figures(line: Line) -> str:
    told = [figure(line.mean, line.column.declared.unit), interval(line)]
    told.append(f"({counted(line.scored, 'case')} scored")
    told[-1] += f", {line.errors:,} failed)" if line.errors else ")"
    return " ".join(one for one in told if one)
