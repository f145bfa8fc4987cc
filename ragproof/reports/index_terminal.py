"""What was measured of an index on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof.index.advice import Measured, Study, frontier
from ragproof.index.news import News
from ragproof.index.staleness import Staleness
from ragproof.index.tune import FILTERS, Tuned
from ragproof.index.verdict import IndexRecall, Verdict
from ragproof.reports.index_wording import (
    recall,
    recall_remarks,
    recall_verdict,
    recommended,
    remarks,
    seconds,
    size,
    span,
    speed,
)
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.INCONCLUSIVE: "yellow"}
WORST = 5
"""Queries or documents that are named."""
TITLES = ("recall", "95 % interval", "queries/CPU s", "x exact", "")


def print_recall(console: Console, found: IndexRecall) -> None:
    """Print the recall of an index, and the queries that lost most."""
    page = Page(console)
    facts = f"{found.vectors:,} of {found.dimensions} dimensions, {found.distance}"
    page.entry("vectors  ", f"{one_line(found.source, 300)}: {facts}", "", "bold")
    page.entry("results  ", one_line(found.results, 300), "", "bold")
    page.entry("queries  ", f"{len(found.queries):,}, {found.scored:,} scored", "", "bold")
    named = f"Recall@{found.k} against exact search"
    under = " under the same filters" if found.filtered else ""
    page.line()
    page.line(f"{named}{under}: {recall(found.mean)} {span(found.ends)}".rstrip())
    page.line(recall_verdict(found), STYLES[found.verdict])
    for one in recall_remarks(found):
        page.entry("  - ", one)
    worst = sorted(
        (one for one in found.queries if one.recall is not None and one.recall < 1),
        key=lambda one: one.recall or 0.0,
    )
    if worst:
        page.heading(f"Lost most, of {len(worst):,} that are not whole")
    for query in worst[:WORST]:
        missed = one_line(", ".join(query.missed), 60)
        name = one_line(query.query_id, 40)
        page.line(f"{name}: {query.hits} of {query.wanted}; missed {missed}", indent=2)


def print_study(console: Console, study: Study) -> None:
    """Print every index with its points, and what to take."""
    page = Page(console)
    facts = f"{study.vectors:,} of {study.dimensions} dimensions, {study.distance}"
    page.entry("vectors  ", f"{one_line(study.source, 300)}: {facts}", "", "bold")
    lost = ""
    if study.without_eligible:
        lost = f", {study.without_eligible:,} of them without anything their filter allows"
    page.entry("queries  ", f"{study.queries:,}{lost}", "", "bold")
    libraries = ", ".join(f"{name} {version}" for name, version in study.versions.items())
    page.entry("machine  ", f"{study.machine}; {libraries}", "", "bold")
    passes = counted(study.repeats, "pass")
    told = f"one thread, queries one by one, median of {passes} after a warm-up"
    page.entry("speed    ", told, "", "bold")
    _print_points(page, study, study.plain, "Without filters")
    if study.filtered:
        _print_points(page, study, study.filtered, "With filters, against exact search under them")
        page.line()
        for name in study.versions:
            page.entry(f"  {name:<7}  ", f"filtered {FILTERS[name]}", "", "dim")
    page.heading("Recommended")
    for line in recommended(study):
        page.line(line, indent=2)
    page.line()
    page.line("*: on the frontier: nothing finds as much, as fast. =: recall stops rising.", "dim")


def _print_points(page: Page, study: Study, points: Sequence[Measured], title: str) -> None:
    on_it = dict(zip(map(id, points), frontier(points), strict=True))
    flat = {one.point.setting.library: one.point.qps for one in points if one.point.effort is None}
    is_plain = points is study.plain
    for one in study.tuned:
        its = [each for each in points if each.point.setting == one.setting]
        settled = one.settled if is_plain else one.filtered_settled
        page.heading(f"{title}: {one.setting.name}" if one is study.tuned[0] else one.setting.name)
        if is_plain:
            page.line(_built(one), "dim", indent=2)
        rows = [
            _row(each, flat[one.setting.library], is_on=on_it[id(each)], is_settled=at == settled)
            for at, each in enumerate(its)
        ]
        name = f"  {one.setting.kind.effort or 'all'}"
        widths = page.fitted([(name, *TITLES), *rows])
        page.cells([(name, "dim"), *((title, "dim") for title in TITLES)], widths)
        for row in rows:
            page.cells([(cell, "") for cell in row], widths)
        if is_plain:
            for remark in remarks(study, one):
                page.entry("  - ", remark, "yellow")


def _built(one: Tuned) -> str:
    told = f"built in {seconds(one.seconds)} of CPU, {size(one.bytes)}"
    if one.graph_recall is None:
        return told
    return f"{told}, recall of M at ef = efConstruction {recall(one.graph_recall)}"


def _row(one: Measured, flat: float, *, is_on: bool, is_settled: bool) -> tuple[str, ...]:
    effort = "" if one.point.effort is None else f"{one.point.effort}"
    marks = ("*" if is_on else " ") + ("=" if is_settled and one.point.effort else " ")
    times = f"{one.point.qps / flat:.2g}"
    return f"  {effort}", recall(one.mean), span(one.ends), speed(one.point.qps), times, marks


def print_news(console: Console, news: News) -> None:
    """Print how late the index learns."""
    page = Page(console)
    if news.source:
        page.entry("documents  ", one_line(news.source, 300), "", "bold")
    if news.was_live:
        page.line("Documents were added to the index; they are still there.", "yellow")
    lags = news.lags
    if lags is not None:
        page.heading("Lag from commit to retrievable")
        there = len(lags.arrivals) - lags.never
        page.line(f"retrievable  {there:,} of {len(lags.arrivals):,}, never: {lags.never:,}", "", 2)
        page.line(f"p50          {seconds(lags.p50)}   of all: {seconds(lags.p50_of_all)}", "", 2)
        page.line(f"p99          {seconds(lags.p99)}   of all: {seconds(lags.p99_of_all)}", "", 2)
        page.line(f"greatest     {seconds(lags.greatest)}", "", 2)
        uncertain = max(one.uncertain for one in lags.arrivals)
        if uncertain:
            page.line(f"Each may be up to {seconds(uncertain)} less: between two looks.", "dim", 2)
        if there < 100:
            page.line("Of fewer than 100 documents p99 is the greatest of them.", "dim", 2)
    for one in news.lost[:WORST]:
        name = one_line(one.document_id, 60)
        page.entry("  - ", f"{name} not measured: {one_line(one.reason, 300)}")
    if len(news.lost) > WORST:
        page.line(f"and {len(news.lost) - WORST:,} more not measured", indent=4)
    if news.stale is not None:
        _print_stale(page, news.stale)
    page.line()
    reasons = "; ".join(news.failures or news.gaps)
    page.line(f"{news.verdict}: {reasons}" if reasons else news.verdict, STYLES[news.verdict])


def _print_stale(page: Page, stale: Staleness) -> None:
    page.heading("Queries served by an index that was not current")
    least, most = stale.limits
    told = stale.stale + stale.current
    page.line(f"{recall(stale.share)}: {stale.stale:,} of {told:,} that can be told", indent=2)
    if stale.unknown:
        page.line(
            f"{stale.unknown:,} cannot be told: {stale.unversioned:,} without a version, "
            f"{stale.unlisted:,} of a version that is not listed, {stale.before:,} from before the "
            f"first. Of all, the share is {recall(least)} to {recall(most)}",
            indent=2,
        )
