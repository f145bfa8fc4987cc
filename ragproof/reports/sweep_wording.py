"""How a sweep is put into words, the same on every page. Points are called by their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.summary import Line
from ragproof.analysis.sweep import Study
from ragproof.analysis.sweep_points import SweepPoint
from ragproof.analysis.sweep_rules import Choice, Rule
from ragproof.analysis.sweep_steps import Found, Step
from ragproof.core.spec import Better, Unit
from ragproof.reports.decision_wording import interval_of, p_value, signed
from ragproof.reports.wording import figure, interval, pairs
from ragproof.text.counting import counted

FOUND = {Found.GAINS: "shown", Found.FLAT: "excluded", Found.OPEN: "neither shown nor excluded"}
COLUMNS = ("point", "quality", "95 % interval", "p95", "cost", "tokens")
COMPARED = ("point", "change", "95 % interval", "p (adj.)", "+/-/=")


def number(at: int) -> str:
    """What a point is called where there is no room for its parameters."""
    return f"#{at + 1}"


def facts(study: Study) -> Iterator[tuple[str, str]]:
    """What a reader must know of the sweep as a whole."""
    done = sum(one.record is not None and one.record.state == "completed" for one in study.points)
    total = len(study.points)
    yield "sweep", f"{study.name}: {done} of {counted(total, 'point')} completed"
    for one in study.points:
        if one.record is not None:
            header = one.record.header
            chosen = f", {pairs(header.dataset.selection)}" if header.dataset.selection else ""
            cases = counted(header.dataset.cases, "case")
            yield "dataset", f"{header.dataset.name}, {cases}{chosen}, {header.dataset.hash[:12]}"
            at_once = f"{counted(header.settings.concurrency, 'case')} at once"
            yield "latency", f"p95 of {study.axes.latency}, {at_once}"
            break
    yield "quality", f"{study.axes.quality}{_direction(study)}{_scored(study)}"
    if cost := next((one.cost for one in study.points if one.cost is not None), None):
        yield "cost", f"mean of {cost.key}"
    judge = [one.judge_usd for one in study.points]
    if any(one is None or one > 0 for one in judge):
        known = [one for one in judge if one is not None]
        unknown = ", and some calls of unknown price" if None in judge else ""
        yield "judge", f"{figure(sum(known), Unit.USD)} for all points{unknown}"


def warnings(study: Study) -> Iterator[str]:
    """What makes the figures doubtful."""
    for at, one in enumerate(study.points):
        if one.unfit is not None:
            yield f"{number(at)} {one.name}: {one.unfit}; it decides nothing"
    for doubt in study.doubts:
        yield f"the runs differ in more than the parameters: {doubt}"
    if missing := {"latency", "cost"} - {*study.frontier.axes}:
        some = [
            name
            for name in sorted(missing)
            if any(_figure_of(one, name) is not None for one in study.points)
        ]
        for name in some:
            yield f"some points have no figure of {name}, so the frontier leaves {name} out"


def verdict(study: Study) -> str:
    """Say in a line what was chosen, if a rule was asked."""
    if (choice := study.choice) is None:
        return "no rule: set sweep.select to have one chosen"
    if choice.chosen is None:
        return f"no choice by {rule_told(choice)}"
    return f"{study.points[choice.chosen].name}, by {rule_told(choice)}"


def rule_told(choice: Choice) -> str:
    """The rule and what it looks at."""
    asked = choice.selection
    along = f" along {asked.param}" if asked.param else ""
    return f"{asked.rule}{along} on {asked.metric}"


def cells(study: Study, at: int) -> list[str]:
    """A point's row: its name, quality, interval, latency, cost and tokens."""
    one = study.points[at]
    return [
        f"{number(at)} {one.name}",
        _mean(one.quality),
        "" if one.quality is None else interval(one.quality),
        figure(one.seconds, Unit.SECONDS),
        _mean(one.cost),
        tokens(one),
    ]


def tokens(point: SweepPoint) -> str:
    """The mean tokens of a case, all kinds together."""
    means = [line.mean for line in point.tokens if line.mean is not None]
    return figure(float(round(sum(means))), Unit.COUNT) if means else "-"


def compared(study: Study, at: int) -> list[str] | None:
    """A point's row of the comparison with the reference; None for what is not compared."""
    if (one := study.against.get(at)) is None:
        return None
    p = "" if one.p_adjusted is None else p_value(one.p_adjusted)
    return [
        f"{number(at)} {study.points[at].name}",
        signed(one.change.delta, one.declared.unit),
        interval_of(one),
        p,
        f"{one.wins:,}/{one.losses:,}/{one.change.ties:,}",
    ]


def reference(study: Study) -> str:
    """What the points are compared with."""
    if study.reference is None:
        return ""
    kind = "the baseline" if study.baseline is not None else "the best, as the same cases have it"
    return f"{number(study.reference)} {study.points[study.reference].name} ({kind})"


def place(study: Study, at: int) -> str:
    """Where the point stands to the frontier; empty for one that stands on it alone."""
    one = study.frontier.places[at]
    if one.left_out is not None:
        return f"not placed: {one.left_out}"
    if one.neighbour is None:
        return ""
    other = number(one.neighbour)
    alike = "neither quality nor latency is" if one.as_fast else "the quality is not"
    if one.dominated_by is not None:
        if one.told_apart:
            return f"{other} is better and takes no more"
        return f"{other} is no worse and takes no more; {alike} told apart"
    return "" if one.told_apart else f"{alike} told apart from {other}"


def step(one: Step) -> str:
    """A step that a rule looked at."""
    gain = f"{number(one.before)} -> {number(one.after)}: gain {one.gained}"
    return f"{gain}; more than {one.needed:.3g} is {FOUND[one.found]}"


def evidence(study: Study) -> list[str]:
    """What a choice rests on, a line each."""
    if study.choice is None:
        return []
    lines = [step(one) for one in study.choice.steps]
    best = "best or as good" if study.choice.selection.tolerance else "best"
    lines += [
        f"{number(one.point)} {study.points[one.point].name}: {best} in {one.share:.0%} of the "
        "resamples"
        for one in study.choice.shares
    ]
    return lines


def edge(study: Study) -> str | None:
    """Say of a weight at an end of those tried that it is one; else None."""
    choice = study.choice
    if choice is None or choice.chosen is None or choice.selection.rule is not Rule.CONVEX_WEIGHT:
        return None
    param = choice.selection.param
    values = [study.points[one.point].params.get(param or "") for one in choice.shares]
    numbers = [one for one in values if isinstance(one, int | float)]
    mine = study.points[choice.chosen].params.get(param or "")
    if len(numbers) < len(values) or mine not in {min(numbers), max(numbers)}:
        return None
    return "it is at an end of the values tried: one lane alone, or further values may be better"


def _mean(line: Line | None) -> str:
    return "-" if line is None else figure(line.mean, line.column.declared.unit)


def _figure_of(point: SweepPoint, axis: str) -> float | None:
    return point.seconds if axis == "latency" else point.price


def _scored(study: Study) -> str:
    counts = sorted({one.quality.scored for one in study.points if one.quality is not None})
    ends = f"{counts[0]:,} to {counts[-1]:,} trials" if len(counts) > 1 else ""
    return f", scored in {ends or counted(counts[0], 'trial')}" if counts else ""


def _direction(study: Study) -> str:
    line = next((one.quality for one in study.points if one.quality is not None), None)
    lower = line is not None and line.column.declared.better is Better.LOWER
    return " (lower is better)" if lower else ""
