"""The spans of a turn by what they do; a step inside one of its own kind counts as part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ragproof.datasets.traffic.conventions import Role, role
from ragproof.datasets.traffic.spans import Span


@dataclass
class Steps:
    """Spans in the order of their start, with who holds whom."""

    spans: Sequence[Span]
    _outer: dict[Role, list[Span]] = field(default_factory=dict[Role, list[Span]], init=False)
    _inner: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]], init=False)

    def __post_init__(self) -> None:
        by_id = {one.id: one for one in self.spans}
        holders: dict[str, dict[Role, str]] = {}
        """Of each span: role to the outermost span of that role that holds it, or is it."""
        for one in self.spans:
            way, met = [one], {one.id}
            while (up := by_id.get(way[-1].parent or "")) and up.id not in met:
                if up.id in holders:
                    break
                way.append(up)
                met.add(up.id)
            for step in reversed(way):
                self._enter(step, holders)

    def _enter(self, step: Span, holders: dict[str, dict[Role, str]]) -> None:
        if step.id in holders:
            return
        above = holders.get(step.parent or "", {})
        mine = role(step)
        if mine is None:
            holders[step.id] = above
        elif mine in above:
            holders[step.id] = above
            self._inner.setdefault(above[mine], []).append(step)
        else:
            holders[step.id] = {**above, mine: step.id}
            self._outer.setdefault(mine, []).append(step)

    def of(self, wanted: Role) -> list[Span]:
        """The outermost spans of a role: instrumentation of two layers counts once."""
        return sorted(self._outer.get(wanted, []), key=lambda one: (one.start, one.id))

    def inside(self, span: Span) -> list[Span]:
        """Those of its own role that it holds."""
        return self._inner.get(span.id, [])
