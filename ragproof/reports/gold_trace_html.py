"""Where a run lost its gold, as a page of its own or a section of another."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from ragproof.analysis.gold_cases import WORST
from ragproof.analysis.gold_sight import STAGES
from ragproof.analysis.gold_trace import GoldTrace
from ragproof.core.header import RunHeader
from ragproof.reports.gold_trace_words import (
    LOST_AT,
    asides,
    headline,
    metrics,
    named,
    nothing_followed,
    remaining,
    sight,
)
from ragproof.reports.templating import environment
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted


def gold_trace_html(header: RunHeader, found: GoldTrace) -> str:
    """Write the page: no script, nothing loaded."""
    template = _environment().get_template("gold_page.html")
    return template.render(header=header, section=gold_trace_section(found))


def gold_trace_section(found: GoldTrace) -> Markup:
    """Write the section alone, for the page of a run; it uses the classes of `report.css`."""
    template = _environment().get_template("gold_trace.html")
    return Markup(  # noqa: S704  the template escapes what it prints
        template.render(
            found=found,
            headline=headline(found),
            asides=list(asides(found)),
            left=dict(remaining(found)),
            observed=found.tally.number - found.counts["not_observed"],
        )
    )


@cache
def _environment() -> Environment:
    found = environment()
    found.globals.update(STAGES=STAGES, LOST_AT=LOST_AT, CASES=WORST)
    for function in (counted, metrics, named, nothing_followed, sight):
        found.globals[function.__name__] = function
    found.filters.update(one_line=one_line)
    return found
