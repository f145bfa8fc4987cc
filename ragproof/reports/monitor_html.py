"""Traffic by windows as one HTML file: no script, nothing loaded, readable on a phone."""

from __future__ import annotations

from ragproof.analysis.monitor_windows import Monitored, Series
from ragproof.reports.monitor_chart import drawn
from ragproof.reports.monitor_wording import (
    NO_CAUSE,
    called,
    change_told,
    course_told,
    ends_told,
    facts,
    laid,
    on_review,
    tested,
    told_of,
    unit_of,
)
from ragproof.reports.templating import environment
from ragproof.reports.wording import figure


def windows_html(found: Monitored) -> str:
    """Write the page."""
    names = [window.name for window in found.windows]
    rows = [
        {
            "window": window,
            "load": load,
            "cells": [
                figure(one.rows[at].figure.value, unit_of(one))
                + ends_told(one.rows[at].figure.bounds.ends, unit_of(one))
                for one in found.series
            ],
        }
        for at, (window, load) in enumerate(zip(found.windows, found.loads, strict=True))
    ]
    sections = [
        {
            "title": called(found.traffic, one),
            "note": on_review(found.traffic, one.key),
            "chart": drawn(found, one),
            "facts": list(_latest(found, one, names)),
        }
        for one in found.series
    ]
    slices = [[f"{one.key} {one.statistic}", *_slice(one)] for one in found.slices]
    return (
        environment()
        .get_template("monitor.html")
        .render(
            facts=list(facts(found.traffic, laid(found))),
            notes=found.notes,
            titles=[f"{one.key} {one.statistic}" for one in found.series],
            rows=rows[::-1],
            sections=sections,
            by=found.by,
            slices=slices,
            no_cause=NO_CAUSE,
        )
    )


def _latest(found: Monitored, one: Series, names: list[str]) -> list[tuple[str, str]]:
    if one.latest is None:
        why = next((row.figure.why for row in one.rows[::-1] if row.figure.why), "no window")
        return [("not measured", why)]
    row, unit = one.rows[one.latest], unit_of(one)
    return [
        ("latest", f"{told_of(row.figure, unit)} ({names[one.latest]})"),
        ("since previous", change_told(row.from_before, unit)),
        ("since reference", change_told(row.from_reference, unit)),
        ("shape", course_told(one, names, tested(found.series))),
    ]


def _slice(one: Series) -> list[str]:
    unit = unit_of(one)
    there = "-" if one.reference is None else figure(one.reference.value, unit)
    if one.latest is None:
        return [one.value_of or "", "0", "-", there, "-"]
    row = one.rows[one.latest]
    told = figure(row.figure.value, unit) + ends_told(row.figure.bounds.ends, unit)
    change = change_told(row.from_reference, unit)
    return [one.value_of or "", f"{row.figure.n:,}", told, there, change]
