"""Spans from one tag a token: IOB2 and IOB1, BIOES and BILOU, as taggers of names give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Tokens: TypeAlias = tuple[int, int, str]
"""First token, the token after the last, type."""
_ENDS = frozenset("ESLU")
_STARTS = frozenset("BSU")


def tagged_spans(tags: Sequence[str], *, strict: bool = False) -> list[Tokens]:
    """Give the entities that the tags mark: `B-PER`, `I-PER`, `O`.

    As conlleval and seqeval's default read them, an entity also begins with an `I-` after `O` or
    after another type: a tagger that forgot its `B-` has still found something. With `strict` only
    what is marked whole counts: a `B-` and the `I-` of its type that follow, or, where `E`, `L`,
    `S` or `U` occur at all, what they end. Raises ValueError for a tag that is none.

    >>> tagged_spans(["B-PER", "I-PER", "O", "I-ORG"])
    [(0, 2, 'PER'), (3, 4, 'ORG')]
    >>> tagged_spans(["B-PER", "I-PER", "O", "I-ORG"], strict=True)
    [(0, 2, 'PER')]
    """
    parts = [_parts(tag) for tag in tags]
    runs = list(_runs(parts))
    if not strict:
        return runs
    is_closed = any(prefix in _ENDS for prefix, _ in parts)
    return [
        run
        for run in runs
        if _is_whole([parts[at][0] for at in range(*run[:2])], is_closed=is_closed)
    ]


def _parts(tag: str) -> tuple[str, str]:
    if tag == "O":
        return "O", ""
    prefix, dash, kind = tag.partition("-")
    if prefix not in {*"BIESLU"} or not dash or not kind:
        raise ValueError(f"a tag is O, or B-, I-, E-, S-, L- or U- and a type; got {tag!r}")
    return prefix, kind


def _runs(parts: Sequence[tuple[str, str]]) -> Iterator[Tokens]:
    start, open_kind = 0, ""
    for at, (prefix, kind) in enumerate([*parts, ("O", "")]):
        is_after_end = at > 0 and parts[at - 1][0] in _ENDS
        if open_kind and (kind != open_kind or prefix in _STARTS or is_after_end):
            yield start, at, open_kind
            open_kind = ""
        if kind and not open_kind:
            start, open_kind = at, kind


def _is_whole(prefixes: list[str], *, is_closed: bool) -> bool:
    if not is_closed:
        return prefixes[0] == "B" and set(prefixes[1:]) <= {"I"}
    if len(prefixes) == 1:
        return prefixes[0] in "SU"
    return prefixes[0] == "B" and prefixes[-1] in "EL" and set(prefixes[1:-1]) <= {"I"}


def characters(
    spans: Sequence[Tokens], places: Sequence[tuple[int, int]]
) -> list[dict[str, int | str]]:
    """Make spans of tokens spans of characters, as `named_entities` lists them.

    `places` holds start and end of each token.

    >>> characters([(0, 2, "PER")], [(0, 3), (4, 7)])
    [{'start': 0, 'end': 7, 'type': 'PER'}]
    """
    return [
        {"start": places[first][0], "end": places[after - 1][1], "type": kind}
        for first, after, kind in spans
    ]
