"""A run as one HTML file: no script, nothing loaded, readable on a phone and on paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ragproof.analysis.detail import CaseDetail, evidence
from ragproof.analysis.findings import Findings
from ragproof.analysis.summary import Line
from ragproof.analysis.worst import RankedCase
from ragproof.core.spec import Better, Layer, Pool, Unit
from ragproof.reports.facts import run_facts, state_sentence
from ragproof.reports.wording import LAYERS, counted, figure, inert, interval, one_line, pairs

PAGE = 50
"""Cases on one leaf of the list."""
CHUNKS = 10
TEXT = 1_500
"""A longer text is cut after so many characters."""


def run_html(found: Findings) -> str:
    """Write the report of a run."""
    header, summary = found.record.header, found.summary
    return (
        _environment()
        .get_template("run.html")
        .render(
            found=found,
            header=header,
            cases=summary.cases,
            state=state_sentence(found),
            facts=list(run_facts(found)),
            layers=_by_layer(summary.lines),
            reasons=_reasons(summary.lines),
            failed={one.id for one in found.failures},
            leaves=_leaves(found.listed),
            hidden=len({case.id for case in found.record.cases}) - len(found.listed),
            unlisted=summary.cases.errors + summary.cases.timeouts - len(found.failures),
            columns={
                key: column.declared
                for key, column in sorted(found.record.columns.items())
                if column.subjects is None
            },
            k=header.settings.k,
        )
    )


def _by_layer(lines: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """Title and lines of each layer that has any, headlines first."""

    def mine(layer: Layer) -> list[Line]:
        own = [line for line in lines if line.column.declared.layer is layer]
        return sorted(own, key=lambda line: not line.column.declared.headline)

    return [(title, found) for layer, title in LAYERS.items() if (found := mine(layer))]


def _reasons(lines: Sequence[Line]) -> list[tuple[str, str, list[tuple[str, int]]]]:
    """What became of cases without a score, why, and how often for which metric."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for line in lines:
        for status, reasons in (
            ("skipped", line.skip_reasons),
            ("not applicable", line.not_applicable_reasons),
            ("error", line.error_reasons),
        ):
            for reason, count in reasons.items():
                found[status, reason].append((line.key, count))
    order = ["error", "not applicable", "skipped"]
    listed = sorted(found.items(), key=lambda one: order.index(one[0][0]))
    return [(status, reason, metrics) for (status, reason), metrics in listed]


def _leaves(listed: Sequence[RankedCase]) -> list[tuple[int, Sequence[RankedCase]]]:
    """The number of the first case on each leaf, and its cases."""
    return [(at + 1, listed[at : at + PAGE]) for at in range(0, len(listed), PAGE)]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalised,
    )
    environment.globals.update(
        Better=Better, Unit=Unit, CHUNKS=CHUNKS, evidence=evidence, rule=_rule, counted=counted
    )
    environment.filters.update(
        figure=figure,
        interval=interval,
        one_line=one_line,
        pairs=pairs,
        breakable=_breakable,
        cut=_cut,
        question=_question,
    )
    return environment


def _finalised(value: object) -> object:
    """Make every text that a template prints inert; jinja escapes it afterwards."""
    return inert(value, keep="\n\t") if type(value) is str else value


def _breakable(key: str) -> Markup:
    """A metric's key that may go on in the next line after each of its parts."""
    parts = escape(inert(key)).replace(".", Markup(".<wbr>")).replace("_", Markup("_<wbr>"))
    return Markup(parts)  # noqa: S704  escaped in the line before


def _cut(text: str, length: int = TEXT) -> str:
    if len(text) <= length:
        return text
    return f"{text[:length].rstrip()}... ({counted(len(text) - length, 'character')} more)"


def _question(detail: CaseDetail | None) -> str:
    return one_line(detail.question, 120) if detail is not None else ""


def _rule(line: Line) -> str:
    """How the scores became one figure, in words."""
    if line.column.declared.pool is Pool.RATIO:
        return "sum of numerators / sum of denominators"
    return "mean"
