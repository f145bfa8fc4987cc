"""Windows, guardrails and bands on every kind of page, whatever the traffic."""

from __future__ import annotations

import html
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from traffic_made import (
    AGAIN,
    DAY,
    DOWN,
    MONDAY,
    SECONDS,
    UTC_CLOCK,
    guardrail,
    share,
    traffic,
    watch,
)

from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_check import checked
from ragproof.analysis.monitor_clock import Span
from ragproof.analysis.monitor_guardrails import Release
from ragproof.analysis.monitor_traffic import joined
from ragproof.analysis.monitor_windows import Asked, Monitored, monitored
from ragproof.core.outcome import Outcome, Skipped
from ragproof.reports.monitor_html import windows_html
from ragproof.reports.monitor_json import check_json, windows_json
from ragproof.reports.monitor_markdown import check_markdown, windows_markdown
from ragproof.reports.monitor_terminal import print_check, print_windows

NASTY = "</script>[/x] `|` \x1b[31m \u202e & @all"
PERCENTILE_BAND = guardrail(SECONDS, statistic="p95", band=BandRule(), required=False)
OUTCOMES = st.one_of(st.floats(0, 30), st.just(DOWN), st.just(Skipped("not exposed")))
DAYS = st.lists(st.lists(OUTCOMES, max_size=12), min_size=1, max_size=14)


def laid(days: Sequence[Sequence[float | Outcome]], key: str = AGAIN, **changed: Any) -> Monitored:
    tags = changed.pop("tags", ({"intent": "a"}, {"intent": "b"}))
    asked: dict[str, Any] = {
        "clock": UTC_CLOCK,
        "length": Span.parse("1d"),
        "step": Span.parse("1d"),
        "metrics": ((key, "mean"), (key, "p95"), (key, "completion")),
        "by": "intent",
    }
    return monitored(joined([traffic(days, key, tags=tags)]), Asked(**(asked | changed)))


def printed(found: Monitored, width: int = 80) -> str:
    out = io.StringIO()
    print_windows(Console(file=out, width=width), found, 14)
    return out.getvalue()


@settings(deadline=None, max_examples=60)
@given(DAYS, st.sampled_from(["6h", "1d", "3d", "7d"]), st.sampled_from(["6h", "1d"]))
def test_no_figure_is_ever_nan_and_no_case_is_lost(
    days: list[list[float | Outcome]], length: str, step: str
) -> None:
    spans = Span.parse(length), Span.parse(min(step, length, key=lambda one: Span.parse(one)))
    found = laid(days, SECONDS, length=spans[0], step=spans[1])
    document = json.loads(windows_json(found), parse_constant=pytest.fail)
    if spans[0] == spans[1]:
        assert sum(one["cases"] for one in document["windows"]) == document["cases"]["total"]
    for one in document["metrics"]:
        for window, load in zip(one["windows"], document["windows"], strict=True):
            assert window["cases"] == load["cases"]
            assert window["scored"] + window["errors"] <= window["cases"]
            assert (window["value"] is None) == (not (window["scored"] or _completes(one, window)))
    for page in (printed(found), windows_markdown(found), windows_html(found)):
        assert " nan" not in page.lower()


def _completes(one: dict[str, Any], window: dict[str, Any]) -> bool:
    return bool(one["statistic"] == "completion" and window["errors"])


@settings(deadline=None, max_examples=60)
@given(DAYS)
def test_guardrails_stand_in_some_way_whatever_the_traffic(
    days: list[list[float | Outcome]],
) -> None:
    slow = guardrail(SECONDS, max=4.0, min_samples=1, by="intent")
    asked = watch(slow, PERCENTILE_BAND, guardrail(SECONDS, statistic="p95", max=9.0))
    made = traffic(days, SECONDS, tags=({"intent": "a"}, {"intent": "b"}))
    found = checked(joined([made]), asked, all_windows=True)
    document = json.loads(check_json(found), parse_constant=pytest.fail)
    assert document["alerts"] == sum(one["status"] == "alert" for one in document["results"])
    for one in document["results"]:
        if one["status"] in {"pass", "alert"} and one["figure"]["value"] is None:
            assert one["detail"].startswith("completion")
        assert (one["triage"] is None) or one["status"] == "alert"
    out = io.StringIO()
    print_check(Console(file=out, width=80), found)
    assert max(len(line) for line in out.getvalue().splitlines()) <= 80
    check_markdown(found)


def test_foreign_text_is_shown_and_never_obeyed() -> None:
    tags = ({"intent": NASTY}, {"intent": "b"})
    found = laid([share(2, 40), share(20, 40)], tags=tags)
    releases = (Release(MONDAY + DAY, NASTY, "model"),)
    made = traffic([share(2, 40), [*[Skipped(NASTY)] * 20, *share(20, 20)]], tags=tags)
    alert = checked(joined([made]), watch(guardrail(max=0.2), releases=releases))
    assert alert.alerts
    out = io.StringIO()
    print_check(Console(file=out, width=80), alert)
    pages = [printed(found), out.getvalue(), windows_markdown(found), check_markdown(alert)]
    for page in (*pages, windows_html(found)):
        assert "\x1b" not in page
        assert "\u202e" not in page
        assert "\\x1b" in html.unescape(page)
    assert "</script>" not in windows_html(found)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_screens_keep_to_their_width(width: int) -> None:
    told = printed(laid([share(2, 40), [DOWN] * 5, [], share(20, 40)]), width)
    assert max(len(line) for line in told.splitlines()) <= max(width, 72)


def test_a_sparkline_has_a_place_for_every_window() -> None:
    told = printed(laid([share(2, 40), [], share(20, 40)], by=None))
    assert "▁ █" in told


def test_a_terminal_without_block_characters_has_no_sparkline() -> None:
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding="ascii"), width=80)
    print_windows(console, laid([share(2, 40), share(20, 40)]), 14)
    console.file.flush()
    assert raw.getvalue().decode("ascii")
