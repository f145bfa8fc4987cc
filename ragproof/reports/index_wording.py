"""How figures of an index are put into words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ragproof.core.spec import Unit
from ragproof.index.advice import Ground, Measured, Study
from ragproof.index.settings import GRAPH_CHECK, Kind
from ragproof.index.tune import Point, Tuned
from ragproof.index.verdict import MIN_COMPLETION, IndexRecall, Verdict
from ragproof.reports.wording import figure
from ragproof.text.counting import counted


def point_name(point: Point) -> str:
    """An index and its effort."""
    effort = point.setting.kind.effort
    return point.setting.name if effort is None else f"{point.setting.name} {effort}={point.effort}"


def speed(qps: float) -> str:
    """Write a speed with three digits that count.

    >>> speed(12345.6), speed(9.876)
    ('12,300/s', '9.88/s')
    """
    digits = 2 - math.floor(math.log10(qps))
    return f"{round(qps, digits):,.{max(digits, 0)}f}/s"


def recall(value: float | None) -> str:
    """Write a recall so that it never reads as 1 when it is less.

    >>> recall(0.99996), recall(1.0), recall(None)
    ('0.9999', '1.0000', '-')
    """
    if value is None:
        return "-"
    text = f"{value:.4f}"
    return "0.9999" if text == "1.0000" and value < 1 else text


def span(ends: tuple[float, float] | None) -> str:
    """Write an interval."""
    return "" if ends is None else f"[{recall(ends[0])}, {recall(ends[1])}]"


def size(number: int) -> str:
    """Write a number of bytes.

    >>> size(1_234_567), size(999)
    ('1.2 MB', '0.0 MB')
    """
    return f"{number / 1e6:,.1f} MB"


def seconds(value: float | None) -> str:
    """Write a lag; one without end is `never`.

    >>> seconds(0.25), seconds(float("inf")), seconds(None)
    ('250 ms', 'never', '-')
    """
    if value is None:
        return "-"
    return figure(value, Unit.SECONDS) if math.isfinite(value) else "never"


def recall_verdict(found: IndexRecall) -> str:
    """Say in a sentence whether the index finds enough."""
    bound = f"{found.least:g}"
    match found.verdict:
        case Verdict.INCONCLUSIVE if found.mean is None:
            return "inconclusive: no query has a recall"
        case Verdict.INCONCLUSIVE:
            return (
                f"inconclusive: {counted(found.errors, 'search')} failed; at least "
                f"{MIN_COMPLETION:.0%} must be scored"
            ).replace("searchs", "searches")
        case Verdict.PASS:
            told = f"pass: recall {recall(found.mean)} is at least {bound}"
        case Verdict.FAIL:
            told = f"fail: recall {recall(found.mean)} is below {bound}"
    if found.ends is not None and found.ends[0] < found.least <= found.ends[1]:
        told += f"; but {bound} lies within the interval: more queries would settle it"
    return told


def recall_remarks(found: IndexRecall) -> Iterator[str]:
    """What a reader must know of the figure."""
    unknown = [one for one in found.queries if one.found.unknown]
    repeated = sum(one.found.repeated > 0 for one in found.queries)
    none_eligible = sum(one.recall is None and one.found.error is None for one in found.queries)
    few = sum(0 < one.wanted < found.k for one in found.queries)
    if found.absent:
        yield f"{counted(found.absent, 'query')} missing in the results (they score 0)"
    if found.errors:
        first = next(one.found.error for one in found.queries if one.found.error is not None)
        yield f"{counted(found.errors, 'query')} failed and have no score; the first: {first}"
    if found.short:
        short = counted(found.short, "query")
        yield f"{short} given fewer than asked for; what is missing is not found"
    if unknown:
        example = unknown[0].found.unknown[0]
        yield (
            f"{counted(len(unknown), 'query')} given ids that no vector has, such as {example!r}: "
            "not found. Is the index of the same vectors?"
        )
    if repeated:
        yield f"{counted(repeated, 'query')} given an id more than once; it counts once"
    if few:
        told = f"{counted(few, 'query')} with fewer than {found.k} eligible"
        yield f"{told}: held to those that there are"
    if none_eligible:
        yield f"{counted(none_eligible, 'query')} without anything eligible: no score"


def recommended(study: Study) -> Iterator[str]:
    """Say what to take and why."""
    advised = study.advice
    one = study.plain[advised.chosen]
    least = f"{study.least:g}"
    yield (
        f"{point_name(one.point)}: recall {recall(one.mean)} {span(one.ends)}, "
        f"{speed(one.point.qps)}, {study.speed_up(advised.chosen):.1f}x exact search, "
        f"{size(one.size)}"
    )
    match advised.ground:
        case Ground.INTERVAL:
            yield f"It is the fastest of which the whole interval reaches {least}."
        case Ground.MEAN:
            yield f"It is the fastest that reaches {least}; its interval does not wholly."
        case Ground.HIGHEST:
            yield f"Nothing reaches {least}; this comes nearest. Raise M or efSearch."
    if one.point.setting.kind is Kind.FLAT:
        yield "That is exact search: at this size no approximate index is faster and good enough."
    yield from _beyond(study, one)
    yield from _with_filter(study, one, advised.chosen)


def _beyond(study: Study, one: Measured) -> Iterator[str]:
    """What more recall would cost on the same index."""
    built = next(each for each in study.tuned if each.setting == one.point.setting)
    effort = built.setting.kind.effort
    if effort is None:
        return
    if built.settled is None:
        yield f"Its recall still rises at the last {effort} tried, {built.points[-1].effort}."
        return
    settled = built.points[built.settled]
    if settled.effort == one.point.effort:
        yield f"More {effort} is not shown to raise its recall."
    elif settled.mean > one.mean:
        yield (
            f"Its recall stops rising at {effort}={settled.effort}: {recall(settled.mean)}, at "
            f"{settled.qps / one.point.qps:.2f}x its speed."
        )


def _with_filter(study: Study, one: Measured, at: int) -> Iterator[str]:
    if not study.filtered:
        return
    under = study.under_filters(at)
    if under is None:
        yield "With filters this effort was not reached: recall had stopped rising before."
        return
    told = f"With filters its recall is {recall(under.mean)} at {speed(under.point.qps)}"
    if under.mean >= study.least:
        yield told + "."
        return
    enough = [
        other
        for other in study.filtered
        if other.point.setting == one.point.setting and other.mean >= study.least
    ]
    if enough:
        best = max(enough, key=lambda other: other.point.qps)
        yield f"{told}, below {study.least:g}; {point_name(best.point)} reaches it."
    else:
        yield f"{told}, below {study.least:g}, and no effort that was tried on it reaches it."


def remarks(study: Study, one: Tuned) -> Iterator[str]:
    """What is to be said of one index."""
    if one.graph_recall is not None and one.graph_recall < GRAPH_CHECK:
        yield (
            f"the graph can improve: at efSearch = efConstruction the recall of M neighbours is "
            f"{recall(one.graph_recall)}, below {GRAPH_CHECK}. Raise efConstruction"
        )
    if one.settled is None and one.setting.kind is not Kind.FLAT:
        last = one.points[-1].effort
        yield f"recall still rises at {one.setting.kind.effort}={last}, the last that was tried"
    if one.setting.nlist is not None and study.vectors < 39 * one.setting.nlist:
        yield (
            f"{study.vectors / one.setting.nlist:.0f} vectors a cell; faiss advises 39 or more to "
            "train on"
        )
