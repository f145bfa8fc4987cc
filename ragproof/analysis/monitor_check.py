"""All guardrails over the newest window that has ended, or over all. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.analysis.monitor_clock import Window
from ragproof.analysis.monitor_guardrails import Guardrail, Held, Looker, Standing, Watch
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.analysis.monitor_triage import Triage, triage
from ragproof.text.counting import counted

ORDER = ("high", "medium", "low")


@dataclass(frozen=True, kw_only=True)
class Checked:
    """How the guardrails stand."""

    traffic: Traffic
    watch: Watch
    held: tuple[Held, ...]
    """By window, the newest last; in a window by priority."""
    triages: Mapping[int, Triage]
    """Index of an alert to what it points to; in older windows only where an alert begins."""
    chance: float
    """With which one look of one guardrail may err."""
    guardrails: int
    """So many share the budget, each value of a tag counted."""
    notes: tuple[str, ...]

    @property
    def alerts(self) -> tuple[Held, ...]:
        """The guardrails that are in alert."""
        return tuple(one for one in self.held if one.standing is Standing.ALERT)

    @property
    def unmeasured(self) -> tuple[Held, ...]:
        """Those that could not be measured in their newest window, though they have to be.

        Of a guardrail with a tag it is enough that one value was measured.
        """
        newest: dict[Guardrail | int, list[Held]] = {}
        for one in self.held:
            key = id(one.guardrail)
            if key in newest and newest[key][0].window.start < one.window.start:
                newest[key] = []
            newest.setdefault(key, []).append(one)
        return tuple(
            some[0]
            for some in newest.values()
            if some[0].guardrail.required
            and all(one.standing is Standing.NOT_MEASURED for one in some)
        )


def checked(traffic: Traffic, watch: Watch, *, all_windows: bool = False) -> Checked:
    """Hold every guardrail; ValueError where there would be too many windows."""
    looker = Looker(traffic, watch)
    found: list[Held] = []
    notes = [*_ages(traffic, watch), *traffic.notes([one.metric for one in watch.guardrails])]
    for guardrail in watch.guardrails:
        windows = looker.windows(guardrail)
        if not windows:
            found.append(_no_window(looker, guardrail))
        ended = None if not windows else _ended(looker, guardrail, windows[-1])
        for window in windows if all_windows or not windows else [ended or windows[-1]]:
            found.extend(looker.look(guardrail, window))
        if ended is not None and all_windows:
            found.extend(looker.look(guardrail, ended))
    found.sort(key=lambda one: (one.window.end, ORDER.index(one.guardrail.priority)))
    return Checked(
        traffic=traffic,
        watch=watch,
        held=tuple(found),
        triages={at: triage(looker, found[at]) for at in _beginnings(found)},
        chance=looker.chance,
        guardrails=looker.held,
        notes=tuple(dict.fromkeys(notes)),
    )


def _no_window(looker: Looker, guardrail: Guardrail) -> Held:
    """What stands for a guardrail of which no window has ended."""
    at = float(looker.traffic.asked_at[-1]) if looker.traffic.size else looker.traffic.until
    step = looker.watch.step.minutes
    begin = looker.watch.clock.minute_of(at) // step * step
    window = looker.watch.clock.window(begin, guardrail.window, looker.traffic.until)
    cases = counted(looker.traffic.size, "case")
    return Held(
        guardrail=guardrail,
        value_of=None,
        window=window,
        standing=Standing.NOT_MEASURED,
        detail=f"no window of {guardrail.window} has ended yet; traffic has {cases}",
        tail=looker.chance / guardrail.tests,
    )


def _ended(looker: Looker, guardrail: Guardrail, last: Window) -> Window | None:
    """The newest window that has ended, where it began after the last one with a case had ended."""
    clock, step = looker.watch.clock, looker.watch.step.minutes
    newest = clock.minute_of(looker.traffic.until) - guardrail.window.minutes
    window = clock.window(newest // step * step, guardrail.window, looker.traffic.until)
    return window if window.start >= last.end and window.finished else None


def _beginnings(found: list[Held]) -> list[int]:
    """The alerts of the newest windows, and before that each at which one begins."""
    last: dict[tuple[int, str | None], int] = {}
    wanted: list[int] = []
    for at, one in enumerate(found):
        key = (id(one.guardrail), one.value_of)
        before = found[last[key]] if key in last else None
        if one.standing is Standing.ALERT and (
            before is None or before.standing is not Standing.ALERT
        ):
            wanted.append(at)
        last[key] = at
    ends = [at for at in last.values() if found[at].standing is Standing.ALERT]
    return sorted({*wanted, *ends})


def _ages(traffic: Traffic, watch: Watch) -> list[str]:
    """Say how long ago the traffic ended, where that is longer than a window."""
    if not traffic.size or not watch.guardrails:
        return []
    last = float(traffic.asked_at[-1])
    shortest = min(one.window for one in watch.guardrails)
    if not watch.clock.window(watch.clock.minute_of(last), shortest, traffic.until).finished:
        return []
    ended, until = watch.clock.told(last), watch.clock.told(traffic.until)
    return [
        f"the last case was asked at {ended}, long before {until}: newer traffic is not here; "
        "--until with that time holds what is"
    ]
