"""Windows on the wall clock."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.monitor_clock import AlertRate, Clock, Span, within

BERLIN, UTC_CLOCK = Clock.of("Europe/Berlin"), Clock.of("UTC")
DAY, HOUR = Span.parse("1d"), Span.parse("1h")


def at(text: str, zone: str = "Europe/Berlin") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def hours(clock: Clock, first: str, last: str, length: Span) -> list[float]:
    ends = at(first), at(last)
    return [(one.end - one.start) / 3600 for one in clock.windows(*ends, ends[1], length, length)]


def test_spans_are_read_and_written_back() -> None:
    assert [Span.parse(one).minutes for one in ("30m", "6h", "1d", "1w")] == [30, 360, 1440, 10080]
    assert str(Span.parse("1w")) == "7d"
    for bad in ("", "0d", "1", "d", "1 month", "-1d", "1.5h", "\u0661d"):
        with pytest.raises(ValueError, match="allowed: a length of time"):
            Span.parse(bad)


def test_a_budget_of_false_alerts_is_a_number_and_a_time() -> None:
    assert AlertRate.parse("1 per 30d") == AlertRate(1.0, Span.parse("30d"))
    assert str(AlertRate.parse("0.5 per 7d")) == "0.5 per 7d"
    for bad in ("0 per 30d", "1", "one per 30d", "1 per month", "nan per 1d"):
        with pytest.raises(ValueError, match="allowed"):
            AlertRate.parse(bad)


def test_a_day_goes_from_midnight_to_midnight_also_when_clocks_change() -> None:
    assert hours(BERLIN, "2026-03-28 12:00", "2026-03-30 12:00", DAY) == [24, 23, 24]
    assert hours(BERLIN, "2026-10-24 12:00", "2026-10-26 12:00", DAY) == [24, 25, 24]


def test_an_hour_that_clocks_leap_over_is_no_window_and_one_they_repeat_is_twice_as_long() -> None:
    assert hours(BERLIN, "2026-03-29 01:00", "2026-03-29 03:30", HOUR) == [1, 1]
    assert hours(BERLIN, "2026-10-25 01:00", "2026-10-25 03:30", HOUR) == [1, 2, 1]


def test_windows_of_a_week_begin_on_mondays() -> None:
    moment, week_long = at("2026-11-05 10:00", "UTC"), Span.parse("7d")
    (week,) = UTC_CLOCK.windows(moment, moment, moment, week_long, week_long)
    assert (week.name, week.weekday) == ("2026-11-02", 0)


def test_a_window_is_finished_when_its_end_was_seen() -> None:
    first, last = at("2026-11-02 08:00", "UTC"), at("2026-11-03 09:00", "UTC")
    told = [one.finished for one in UTC_CLOCK.windows(first, last, last, DAY, DAY)]
    assert told == [True, False]
    later = at("2026-11-04", "UTC")
    assert all(one.finished for one in UTC_CLOCK.windows(first, last, later, DAY, DAY))


def test_overlapping_windows_end_with_the_first_that_reaches_the_last_case() -> None:
    first, last = at("2026-11-02 08:00", "UTC"), at("2026-11-06 09:00", "UTC")
    found = UTC_CLOCK.windows(first, last, last + 1e7, Span.parse("3d"), DAY)
    assert [one.name for one in found] == ["2026-11-02", "2026-11-03", "2026-11-04"]


def test_too_many_windows_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match=r"at most 10,000; take a longer step, or .* --since"):
        UTC_CLOCK.windows(0.0, at("2026-11-02"), at("2026-11-02"), HOUR, HOUR)


def test_windows_before_one_lie_end_to_end_the_newest_first() -> None:
    one = BERLIN.window(BERLIN.minute_of(at("2026-11-02")), DAY, 9e9)
    found = [*BERLIN.before(one, DAY, Span.parse("9d"))]
    assert [each.name for each in found][:2] == ["2026-11-01", "2026-10-31"]
    assert found[-1].name == "2026-10-24"  # over the change of the clocks
    assert [each.end for each in found] == [one.start, *[each.start for each in found[:-1]]]


@given(
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]),
    st.integers(0, 1_800_000_000),
    st.integers(0, 40 * 86_400),
    st.sampled_from(["30m", "1h", "6h", "1d", "2d", "7d"]),
)
def test_every_moment_lies_in_one_window(zone: str, first: int, length: int, span: str) -> None:
    clock, each = Clock.of(zone), Span.parse(span)
    windows = clock.windows(first, first + length, first + length, each, each)
    for before, after in pairwise(windows):
        assert before.end == after.start
    for moment in (first, first + length // 2, first + length):
        assert sum(one.start <= moment < one.end for one in windows) == 1


def test_moments_without_an_offset_are_of_the_place() -> None:
    assert BERLIN.moment("2026-11-02") == at("2026-11-02")
    assert BERLIN.moment("2026-11-02T10:00Z") == datetime(2026, 11, 2, 10, tzinfo=UTC).timestamp()
    day = at("2026-11-02", "UTC"), at("2026-11-03", "UTC")
    assert within("2026-11-02/2026-11-03", UTC_CLOCK) == day
    for bad in ("2026-11-02", "2026-11-03/2026-11-02", "a/b", "2026-13-01/2026-12-01"):
        with pytest.raises(ValueError, match=r"allowed|ends before"):
            within(bad, UTC_CLOCK)


def test_a_time_zone_that_is_none_is_named() -> None:
    for bad in ("Mars/Olympus", "../etc/passwd", ""):
        with pytest.raises(ValueError, match="knows no such time zone"):
            Clock.of(bad)
