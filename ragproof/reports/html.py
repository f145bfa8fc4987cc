"""A run as one HTML file: no script, nothing loaded, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from ragproof.analysis.by_tag import by_tag
from ragproof.analysis.detail import CaseDetail, evidence
from ragproof.analysis.findings import Findings
from ragproof.analysis.spread import spread
from ragproof.analysis.summary import Line
from ragproof.core.spec import Better, Layer, Pool, Unit
from ragproof.reports.account import account
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.decision_wording import (
    apart,
    asked_for,
    called,
    figures_of,
    found_to_be,
    interval_of,
    joined,
    more_on,
    outcome,
    p_values,
    reach,
    run_name,
    signed,
    tested_over,
    verdicts,
    warnings,
    without_a_better,
)
from ragproof.reports.facts import run_facts, state_sentence
from ragproof.reports.html_views import (
    answers,
    by_layer,
    changes,
    evidence_of,
    leaves,
    marks,
    passages,
    reasons,
    scale,
    waivers,
    widest,
)
from ragproof.reports.judged import agreement, cards, is_judged, source_of_replies
from ragproof.reports.refusals import NOTE, refusal_rows
from ragproof.reports.stages import stage_charts
from ragproof.reports.templating import environment
from ragproof.reports.verdict import lead
from ragproof.reports.wording import figure, inert, interval, one_line, pairs
from ragproof.text.counting import counted

WORST = 10
"""So many of the worst cases are shown up close."""
HEADLINES = 6
CHUNKS = 10
OPEN = 3
"""So many passages of a case are shown before a reader opens the rest."""
TEXT = 1_500
"""A longer text is cut after so many characters."""
PASSAGE = 700


def run_html(found: Findings, beside: Beside = NOTHING) -> str:
    """Write the report of a run, and of what is beside it."""
    header, summary = found.record.header, found.summary
    return (
        _environment()
        .get_template("run.html")
        .render(
            found=found,
            beside=beside,
            lead=lead(found, beside),
            header=header,
            k=header.settings.k,
            state=state_sentence(found),
            facts=list(run_facts(found)),
            layers=by_layer(summary.lines),
            parts=by_tag(found.record),
            refusals=refusal_rows(found.record),
            refusal_note=NOTE,
            charts=stage_charts(summary.lines),
            cards=cards(found.judge.card),
            replies=source_of_replies(header),
            reasons=reasons(summary.lines),
            waivers=waivers(beside.gate),
            changes=changes(beside.comparison),
            **_figures(summary.lines),
            **_cases(found),
        )
    )


def _figures(lines: Sequence[Line]) -> dict[str, Any]:
    """The end-to-end figures that have one, and how the scores of each metric are spread."""
    told = [line for line in lines if line.mean is not None]
    return {
        "headlines": [line for line in told if line.column.declared.headline][:HEADLINES],
        "spreads": [
            (line, seen)
            for line in lines
            if line.scored > 1 and (seen := spread(line.column)) is not None
        ],
    }


def _cases(found: Findings) -> dict[str, Any]:
    """The cases that are shown, and how many are not."""
    cases, columns = found.summary.cases, found.record.columns
    return {
        "cases": cases,
        "worst": [one for one in found.listed if one.lowest][:WORST],
        "failed": {one.id for one in found.failures},
        "leaves": leaves(found.listed),
        "hidden": len({case.id for case in found.record.cases}) - len(found.listed),
        "unlisted": cases.errors + cases.timeouts - len(found.failures),
        "columns": {
            key: column.declared
            for key, column in sorted(columns.items())
            if column.subjects is None
        },
    }


@cache
def _environment() -> Environment:
    found = environment()
    found.globals.update(
        Better=Better, Layer=Layer, Unit=Unit, CHUNKS=CHUNKS, OPEN=OPEN, PASSAGE=PASSAGE, rule=_rule
    )
    for function in (
        *(
            account,
            agreement,
            answers,
            apart,
            asked_for,
            counted,
            evidence,
            evidence_of,
            figures_of,
        ),
        *(called, found_to_be, interval_of, is_judged, joined, marks, more_on, outcome, p_values),
        *(passages, reach, run_name, scale, signed, tested_over, verdicts, warnings),
        *(widest, without_a_better),
    ):
        found.globals[function.__name__] = function
    found.filters.update(
        figure=figure,
        interval=interval,
        one_line=one_line,
        pairs=pairs,
        breakable=_breakable,
        cut=_cut,
        question=_question,
    )
    return found


def _breakable(key: str) -> Markup:
    """A metric's key that may go on in the next line after each of its parts."""
    parts = escape(inert(key))
    for sign in "._[=,":
        parts = parts.replace(sign, Markup(f"{sign}<wbr>"))  # noqa: S704  one of these signs
    return parts


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
