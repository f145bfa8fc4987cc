"""The turns of a trace: each a question, what was answered, and the spans in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragproof.datasets.traffic import conventions
from ragproof.datasets.traffic.conventions import STAGES, Role
from ragproof.datasets.traffic.spans import Span
from ragproof.datasets.traffic.texts import Message

UNASKED = "no question in its spans (no message was recorded, or it is no trace of an answer)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One question put to the pipeline. Times are seconds since 1970."""

    trace: str
    root: Span
    """The step that holds the others, or the first of them."""
    spans: tuple[Span, ...]
    """All, by their start."""
    alone: bool
    """Whether it is the only turn of its trace."""
    question: str | None
    history: tuple[Message, ...] = ()
    answer: str | None = None
    start: float
    end: float | None
    error: str | None = None


@dataclass
class _Tree:
    """The spans of one trace."""

    spans: list[Span]
    below: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]])
    roots: list[Span] = field(default_factory=list[Span])
    answering: set[str] = field(default_factory=set[str])
    """Spans that search or call a model, and all that hold one."""

    def __post_init__(self) -> None:
        self.spans.sort(key=lambda one: (one.start, one.id))
        by_id = {one.id: one for one in self.spans}
        for one in self.spans:
            if one.parent in by_id and one.parent != one.id:
                self.below.setdefault(one.parent or "", []).append(one)
            else:
                self.roots.append(one)
        self.roots = self.roots or self.spans[:1]  # each names another as its parent
        for one in self.spans:
            step: Span | None = one
            if conventions.role(one) in (Role.RETRIEVE, Role.GENERATE):
                while step is not None and step.id not in self.answering:
                    self.answering.add(step.id)
                    step = by_id.get(step.parent or "")

    def under(self, top: Span) -> list[Span]:
        """The span and all below it, by their start; a circle of parents is walked once."""
        found, todo = {top.id: top}, [top]
        while todo:
            for one in self.below.get(todo.pop().id, ()):
                if one.id not in found:
                    found[one.id] = one
                    todo.append(one)
        return sorted(found.values(), key=lambda one: (one.start, one.id))


def turns(spans: Sequence[Span], named: str | None = None) -> Iterator[Turn]:
    """Yield the turns of one trace, by their start.

    The outermost steps that tell a question are turns where they are roots, or all of one name;
    steps of several names under one root are parts of one turn. `named` says which spans are turns.
    """
    tree = _Tree(list(_each_once(spans).values()))
    tops = _named(tree, named) if named else _tops(tree)
    roots = {one.id for one in tree.roots}
    repeated = len({one.name for one in tops}) == 1 or all(one.id in roots for one in tops)
    if len(tops) > 1 and repeated:
        for top in tops:
            yield _turn([top], tree.under(top), [top], alone=False)
    elif tree.spans:
        yield _turn(tops, tree.spans, tree.roots, alone=True)


def _each_once(spans: Sequence[Span]) -> dict[str, Span]:
    """By id; of what was delivered again the last, but rather one that had ended."""
    found: dict[str, Span] = {}
    for one in spans:
        before = found.get(one.id)
        if before is None or one.end is not None or before.end is None:
            found[one.id] = one
    return found


def _named(tree: _Tree, name: str) -> list[Span]:
    return [one for one in tree.spans if one.name == name]


def _tops(tree: _Tree) -> list[Span]:
    """The outermost steps that are no stage and tell a question.

    One inside another step has to search or to call a model, too: splitting a document into chunks
    has an input and an output as well.
    """
    found: list[Span] = []
    roots = {one.id for one in tree.roots}
    todo = list(reversed(tree.roots))
    seen: set[str] = set()
    while todo:
        one = todo.pop()
        if one.id in seen:
            continue
        seen.add(one.id)
        if (
            conventions.role(one) not in STAGES
            and conventions.asked(one) is not None
            and (one.id in roots or one.id in tree.answering)
        ):
            found.append(one)
        else:
            todo += reversed(tree.below.get(one.id, []))
    return sorted(found, key=lambda one: (one.start, one.id))


def _turn(
    tops: Sequence[Span], spans: Sequence[Span], around: Sequence[Span], *, alone: bool
) -> Turn:
    """One turn of these spans: it lasts as long as what is around them."""
    asking = [*tops, *_generating(spans), *_of_role(spans, Role.RETRIEVE)]
    told = next((found for one in asking if (found := conventions.asked(one)) is not None), None)
    answering = [*reversed(tops), *_generating(spans)]
    said = (found(one) for found in (conventions.answered, conventions.output) for one in answering)
    errors = (conventions.failure(one) for one in (*around, *tops))
    ends = [one.end for one in around]
    known = [one for one in ends if one is not None]
    return Turn(
        trace=around[0].trace,
        root=tops[0] if tops else around[0],
        spans=tuple(spans),
        alone=alone,
        question=None if told is None else told[0],
        history=() if told is None else tuple(told[1]),
        answer=next((one for one in said if one is not None), None),
        start=min(one.start for one in around),
        end=max(known) if len(known) == len(ends) else None,
        error=next((one for one in errors if one is not None), None),
    )


def _of_role(spans: Sequence[Span], role: Role) -> list[Span]:
    return [one for one in spans if conventions.role(one) is role]


def _generating(spans: Sequence[Span]) -> list[Span]:
    """Calls of a model, the last first: it is the one that answers."""
    return _of_role(spans, Role.GENERATE)[::-1]
