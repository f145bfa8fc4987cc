"""Recall against speed as a drawing that needs nothing else: one SVG file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from ragproof.index.advice import Measured, Study, frontier
from ragproof.index.settings import Kind
from ragproof.reports.index_wording import point_name, speed
from ragproof.reports.wording import inert
from ragproof.text.counting import counted

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 24, 40, 56
COLOURS = {Kind.FLAT: "#666666", Kind.HNSW: "#1f5fa8", Kind.IVF: "#b3541e"}


def frontier_svg(study: Study) -> str:
    """Draw every point without filters, the frontier as a line, the recommended one ringed."""
    place = _Place(study.plain)
    on_it = frontier(study.plain)
    line = sorted(
        (place.x(one), place.y(one.mean))
        for one, is_on in zip(study.plain, on_it, strict=True)
        if is_on
    )
    drawn = [*_axes(place, study), _polyline(line)]
    for at, one in enumerate(study.plain):
        drawn.append(_dot(one, place, is_on=on_it[at], is_chosen=at == study.advice.chosen))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">'
    )
    title = f"Recall@{study.k} against speed, {counted(study.vectors, 'vector')}"
    return "\n".join([head, f"<title>{_told(title)}</title>", *drawn, "</svg>", ""])


class _Place:
    """Where a point lies: speed to the right, on a logarithmic scale; recall upwards."""

    def __init__(self, points: Sequence[Measured]) -> None:
        speeds = [one.point.qps for one in points]
        self.first = math.floor(math.log10(min(speeds)))
        self.last = max(math.ceil(math.log10(max(speeds))), self.first + 1)
        lowest = min(one.ends[0] if one.ends else one.mean for one in points)
        self.low = min(0.9, math.floor(lowest * 10) / 10)

    def x(self, one: Measured) -> float:
        return self.x_of(one.point.qps)

    def x_of(self, qps: float) -> float:
        share = (math.log10(qps) - self.first) / (self.last - self.first)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, recall: float) -> float:
        share = (recall - self.low) / (1 - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _axes(place: _Place, study: Study) -> Iterator[str]:
    for step in range(6):
        value = place.low + step * (1 - place.low) / 5
        y = place.y(value)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{value:.2f}</text>'
    for power in range(place.first, place.last + 1):
        x = place.x_of(10.0**power)
        yield f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        where = f'x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle"'
        yield f"<text {where}>{10.0**power:g}</text>"
    y = place.y(study.least)
    if TOP <= y <= HEIGHT - BOTTOM:
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#a00" stroke-dasharray="4 3"/>'
    below = HEIGHT - 14
    yield f'<text x="{LEFT}" y="{below}">queries a CPU second, one thread (logarithmic)</text>'
    yield f'<text x="{LEFT}" y="20">Recall@{study.k} against exact search; red: the least</text>'
    for at, (kind, colour) in enumerate(COLOURS.items()):
        x = WIDTH - RIGHT - 60 * (len(COLOURS) - at)
        yield f'<text x="{x}" y="20" fill="{colour}">{kind}</text>'


def _polyline(line: Sequence[tuple[float, float]]) -> str:
    points = " ".join(f"{x},{y}" for x, y in line)
    return f'<polyline points="{points}" fill="none" stroke="#999"/>'


def _dot(one: Measured, place: _Place, *, is_on: bool, is_chosen: bool) -> str:
    x, y, colour = place.x(one), place.y(one.mean), COLOURS[one.point.setting.kind]
    words = f"{point_name(one.point)}: recall {one.mean:.4f}, {speed(one.point.qps)}"
    drawn = f"<g><title>{_told(words)}</title>"
    if one.ends is not None:
        drawn += f'<path d="M{x} {place.y(one.ends[0])}V{place.y(one.ends[1])}" stroke="{colour}"/>'
    drawn += f'<circle cx="{x}" cy="{y}" r="{4 if is_on else 2.5}" fill="{colour}"/>'
    if is_chosen:
        drawn += f'<circle cx="{x}" cy="{y}" r="8" fill="none" stroke="#000"/>'
    return drawn + "</g>"


def _told(text: str) -> str:
    return escape(inert(text))
