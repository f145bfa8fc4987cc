"""What `ragproof check` says of metrics: how many will be measured, and what the others lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

STEMS = ("adapter does not expose", "case has no", "no stage tells its")
"""How reasons begin that are told in one line."""


@dataclass(frozen=True)
class Measurable:
    """What became of metrics, and why."""

    name: str
    """`metrics` for what can be measured, `missing` for what cannot, `failed`."""
    why: str
    keys: tuple[str, ...]


def print_measurable(console: Console, found: Sequence[Measurable]) -> None:
    """Print a line for what is measured, and one for each thing that is lacking."""
    page = Page(console)
    for name, told in measurable(found):
        label = f"{name:<9}" if name else " " * 9 + "- "
        page.entry(label, told, label_style="bold" if name == "metrics" else "yellow")


def measurable(found: Sequence[Measurable]) -> Iterator[tuple[str, str]]:
    """Name and text of each line, the longest list of what is lacking first."""
    told = [one for one in found if one.name == "metrics"]
    for one in told[:1]:
        total = counted(len(one.keys), "metric")
        yield "metrics", f"{total} {one.why}: {families(one.keys)}"
    if spared := sum(len(one.keys) for one in told[1:]):
        yield "metrics", f"{counted(spared, 'other')} not about this case, perhaps about later ones"
    for one in found:
        if one.name not in ("metrics", "missing"):
            yield one.name, f"{one.why}: {', '.join(one.keys)}"
    lacking = [one for one in found if one.name == "missing"]
    if lacking:
        total = counted(sum(len(one.keys) for one in lacking), "metric")
        yield "missing", f"{total} cannot be measured (which: --json):"
    yield from (("", line) for line in _lacking(lacking))


def families(keys: Iterable[str]) -> str:
    """Count keys by family: `context 2, retrieval 9`."""
    counts = Counter(key.partition(".")[0] for key in keys)
    return ", ".join(f"{family} {number:,}" for family, number in counts.items())


def _lacking(found: Sequence[Measurable]) -> Iterator[str]:
    by_stem: dict[str, list[Measurable]] = {}
    for one in found:
        head, colon, reason = one.why.rpartition(": ")
        stem = next((stem for stem in STEMS if reason.startswith(stem)), reason)
        by_stem.setdefault(f"{head}{colon}{stem}", []).append(one)
    for stem, several in sorted(by_stem.items(), key=lambda one: -len(one[1])):
        rests = [one.why[len(stem) :].strip() for one in several]
        told = ", ".join(
            f"{rest} ({families(one.keys)})".strip()
            for rest, one in zip(rests, several, strict=True)
        )
        yield f"{stem} {told}"
