"""Stretches of time on the clock of a place: where windows begin and end.

Windows lie on the wall clock, so a day is from midnight to midnight also when clocks are changed:
it then has 23 or 25 hours. Windows of whole weeks begin on Mondays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

MINUTES = {"m": 1, "h": 60, "d": 1_440, "w": 10_080}
DAY, WEEK = MINUTES["d"], MINUTES["w"]
MONDAY = datetime(1970, 1, 5)  # noqa: DTZ001  the clock on the wall, whatever the place
MOST = 10_000
"""So many windows are laid over one stretch of traffic."""
_SPAN = re.compile(r"([1-9][0-9]{0,5})\s*([mhdw])", re.ASCII)
_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s+(?:per|in)\s+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A length of time on the wall clock."""

    minutes: int

    @classmethod
    def parse(cls, text: str) -> Span:
        """Read `30m`, `6h`, `1d` or `2w`; ValueError says what is allowed."""
        found = _SPAN.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"got {text!r}; allowed: a length of time such as 6h, 1d or 7d")
        return cls(int(found[1]) * MINUTES[found[2]])

    def __str__(self) -> str:
        """Write it in the largest unit that it is a multiple of, days at most.

        >>> str(Span.parse("48h")), str(Span.parse("90m"))
        ('2d', '90m')
        """
        unit = next(one for one in "dhm" if self.minutes % MINUTES[one] == 0)
        return f"{self.minutes // MINUTES[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class AlertRate:
    """How many false alerts are put up with in how long a time."""

    alerts: float
    period: Span

    @classmethod
    def parse(cls, text: str) -> AlertRate:
        """Read `1 per 30d`; ValueError says what is allowed."""
        found = _RATE.fullmatch(text.strip())
        if found is None or not float(found[1]) > 0:
            raise ValueError(f"got {text!r}; allowed: a number above 0 and a time, as 1 per 30d")
        return cls(float(found[1]), Span.parse(found[2]))

    def __str__(self) -> str:
        return f"{self.alerts:g} per {self.period}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of time, its end not in it."""

    start: float
    """Seconds since 1970, like the end."""
    end: float
    name: str
    """Its beginning on the wall clock: `2026-11-03`, or `2026-11-03 06:00`."""
    weekday: int
    """Of its beginning: 0 is Monday."""
    minute: int
    """Of the day, at its beginning."""
    finished: bool = True
    """Whether it had ended when the traffic was read."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The wall clock of a place."""

    zone: tzinfo
    name: str

    @classmethod
    def of(cls, name: str) -> Clock:
        """Find a time zone by its IANA name; ValueError where there is none."""
        if name.upper() == "UTC":
            return cls(UTC, "UTC")
        try:
            return cls(ZoneInfo(name), name)
        except (ValueError, OSError, LookupError):
            told = "a name such as UTC or Europe/Berlin"
            raise ValueError(
                f"got {name!r}; this system knows no such time zone; allowed: {told}"
            ) from None

    def minute_of(self, at: float) -> int:
        """Minutes on the wall clock since a Monday's midnight long ago."""
        local = datetime.fromtimestamp(at, self.zone).replace(tzinfo=None)
        return (local - MONDAY) // timedelta(minutes=1)

    def time_of(self, minute: int) -> float:
        """The first moment at which the wall clock shows this, or has passed it."""
        local = MONDAY + timedelta(minutes=minute)
        return local.replace(tzinfo=self.zone).timestamp()

    def told(self, at: float) -> str:
        """Write a moment as the wall clock shows it, to the minute."""
        return f"{datetime.fromtimestamp(at, self.zone):%Y-%m-%d %H:%M}"

    def moment(self, text: str) -> float:
        """Read a date or time of ISO 8601; without an offset it is one of this place."""
        try:
            found = datetime.fromisoformat(text.strip())
        except ValueError:
            raise ValueError(
                f"got {text!r}; allowed: a date or time as 2026-11-03 or 2026-11-03T14:00"
            ) from None
        return (found if found.tzinfo else found.replace(tzinfo=self.zone)).timestamp()

    def window(self, begin: int, length: Span, until: float) -> Window:
        """The window that begins at a minute of the wall clock."""
        start, end = self.time_of(begin), self.time_of(begin + length.minutes)
        local = MONDAY + timedelta(minutes=begin)
        whole = begin % DAY == 0 and length.minutes % DAY == 0
        return Window(
            start=start,
            end=end,
            name=f"{local:%Y-%m-%d}" if whole else f"{local:%Y-%m-%d %H:%M}",
            weekday=local.weekday(),
            minute=begin % DAY,
            finished=end <= until,
        )

    def windows(
        self, first: float, last: float, until: float, length: Span, step: Span
    ) -> list[Window]:
        """Lay windows over the time from the first moment to the last.

        Each begins a step after the one before; the newest is the first that reaches the last
        moment. Raises ValueError where they would be more than MOST.
        """
        begin, end = (self.minute_of(at) // step.minutes for at in (first, last))
        if end - begin >= MOST:
            raise ValueError(
                f"traffic from {self.told(first)} to {self.told(last)} in steps of {step} makes "
                f"{end - begin + 1:,} windows, at most {MOST:,}; take a longer step, or a part "
                "with --since and --until"
            )
        found: list[Window] = []
        for number in range(begin, end + 1):
            one = self.window(number * step.minutes, length, until)
            if one.end > one.start:  # an hour that clocks leap over is none
                found.append(one)
            if one.end > last:
                break
        return found

    def before(self, window: Window, length: Span, how_far: Span) -> Iterator[Window]:
        """Windows of the same length that end where the next begins, the newest first.

        The first ends where the given one begins; none begins earlier than `how_far` before it.
        """
        end = self.minute_of(window.start)
        for begin in range(end - length.minutes, end - how_far.minutes - 1, -length.minutes):
            one = self.window(begin, length, window.start)
            if one.end > one.start:
                yield one


def within(text: str, clock: Clock) -> tuple[float, float]:
    """Read `2026-11-01/2026-11-08`, the end not in it; ValueError says what is allowed."""
    parts: Sequence[str] = text.split("/")
    if len(parts) != 2:
        raise ValueError(f"got {text!r}; allowed: a beginning and an end, 2026-11-01/2026-11-08")
    start, end = (clock.moment(one) for one in parts)
    if end <= start:
        raise ValueError(f"got {text!r}, which ends before it begins")
    return start, end
