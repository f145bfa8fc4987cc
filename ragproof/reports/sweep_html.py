"""A sweep as one HTML file: no script, nothing loaded, readable on a phone and on paper."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment

from ragproof.analysis.sweep import Study
from ragproof.reports.sweep_chart import charts
from ragproof.reports.sweep_parts import part_tables, parts_note
from ragproof.reports.sweep_wording import (
    cells,
    compared,
    edge,
    evidence,
    facts,
    place,
    reference,
    verdict,
    warnings,
)
from ragproof.reports.templating import environment


def sweep_html(study: Study) -> str:
    """Write the report of a sweep."""
    rows = []
    for at, point in enumerate(study.points):
        told = {
            "cells": cells(study, at),
            "on_frontier": study.frontier.places[at].on_frontier,
            "chosen": study.choice is not None and study.choice.chosen == at,
            "place": place(study, at),
            "run": point.record.header.id if point.record is not None else "",
        }
        rows.append(told)
    return (
        _environment()
        .get_template("sweep.html")
        .render(
            study=study,
            verdict=verdict(study),
            edge=edge(study),
            evidence=evidence(study),
            facts=list(facts(study)),
            warnings=list(warnings(study)),
            rows=rows,
            parts=part_tables(study),
            parts_by=study.axes.by,
            parts_note=parts_note(study),
            reference=reference(study),
            compared=[row for at in range(len(study.points)) if (row := compared(study, at))],
            charts=charts(study),
        )
    )


@cache
def _environment() -> Environment:
    return environment()
