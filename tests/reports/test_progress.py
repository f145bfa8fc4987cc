from __future__ import annotations

import io

import pytest
from rich.console import Console

from ragproof.reports.progress import Progress


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def console(*, terminal: bool, width: int = 80) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=width)


def written(to: Console) -> str:
    assert isinstance(to.file, io.StringIO)
    return to.file.getvalue()


def test_nothing_is_written_where_there_is_no_terminal() -> None:
    to = console(terminal=False)
    with Progress(10, to) as progress:
        progress.update(3, failed=1)
    assert written(to) == ""


def test_it_tells_counts_failures_rate_and_time_left() -> None:
    to, clock = console(terminal=True), Clock()
    with Progress(100, to, clock) as progress:
        progress.update(0)
        clock.now = 2.0
        progress.update(40, failed=3, timeouts=1)
    # 40 in 2 s are 20 a second, so 60 take 3 s
    assert "40 of 100 cases (40 %) | 3 failed, 1 timed out | 20/s | 3 s left" in written(to)
    assert written(to).endswith("\n")


def test_what_was_done_before_a_resume_does_not_count_for_the_rate() -> None:
    to, clock = console(terminal=True), Clock()
    with Progress(100, to, clock) as progress:
        progress.update(90)
        clock.now = 10.0
        progress.update(95)
    assert "0.5/s | 10 s left" in written(to)


def test_it_is_written_ten_times_a_second_at_most_but_the_end_always() -> None:
    to, clock = console(terminal=True), Clock()
    with Progress(1_000, to, clock) as progress:
        for done in range(1_001):
            progress.update(done)
            clock.now += 0.001
    assert 10 <= written(to).count("\r") <= 13
    assert "1,000 of 1,000 cases (100 %)" in written(to).split("\r")[-1]


def test_a_shorter_line_covers_the_longer_one_before() -> None:
    to, clock = console(terminal=True), Clock()
    with Progress(9, to, clock) as progress:
        progress.update(1, failed=1, timeouts=1)
        clock.now = 1.0
        progress.update(1)
    first, second = written(to).rstrip("\n").split("\r")[1:]
    assert len(second) >= len(first)


def test_it_stays_on_one_line_of_a_narrow_terminal() -> None:
    to, clock = console(terminal=True, width=20), Clock()
    with Progress(100_000, to, clock) as progress:
        progress.update(50_000, failed=700, timeouts=30)
    assert all(len(line) < 20 for line in written(to).strip().split("\r"))


def stopped(to: Console) -> None:
    with Progress(1, to) as progress:
        progress.update(0)
        raise ValueError("stop")


def test_an_error_passes_through_and_finds_the_line_ended() -> None:
    to = console(terminal=True)
    with pytest.raises(ValueError, match="stop"):
        stopped(to)
    assert written(to).endswith("\n")


def test_a_run_of_no_cases_is_no_division_by_zero() -> None:
    to = console(terminal=True)
    with Progress(0, to) as progress:
        progress.update(0)
    assert "0 of 0 cases" in written(to)
