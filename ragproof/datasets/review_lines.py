"""The lines of a review queue that people filled in: one answer, one reviewer, one verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from ragproof.datasets.imports.records import records
from ragproof.text.clean import uncarried
from ragproof.text.faults import raise_all, shown
from ragproof.text.nearest import nearest

SHOWN = ("item", "question", "history", "answer", "passages")
"""What a line shows; only `item` is read back."""
FILLED = (
    *("verdict", "reasons", "unresolved_need", "distrust"),
    *("better_answer", "sources", "reviewer", "notes"),
)
"""What a reviewer fills in."""
Word = TypeVar("Word", bound=StrEnum)
_WORDS = {"true": True, "yes": True, "y": True, "1": True}
_WORDS |= {"false": False, "no": False, "n": False, "0": False}


class Verdict(StrEnum):
    """What a reviewer makes of an answer."""

    GOOD = "good"
    PARTLY = "partly"
    BAD = "bad"
    CANNOT_SAY = "cannot_say"


class Reason(StrEnum):
    """What is wrong with it: the reasons that a user may give, too."""

    WRONG = "wrong"
    INCOMPLETE = "incomplete"
    OFF_TOPIC = "off-topic"
    HARMFUL = "harmful"
    SLOW = "slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What one reviewer says of one answer."""

    place: str
    """File and line."""
    item: str
    reviewer: str
    verdict: Verdict | None
    """None: not reviewed yet."""
    reasons: tuple[Reason, ...] = ()
    unresolved_need: bool | None = None
    """Whether what the user came for stays open; None where the reviewer does not say."""
    distrust: bool | None = None
    """Whether the user seems not to believe the answer."""
    better_answer: str | None = None
    sources: tuple[str, ...] = ()
    """Numbers of the passages shown, or ids of sources."""
    notes: str | None = None

    @property
    def said(self) -> tuple[object, ...]:
        """What two lines of one reviewer must have in common."""
        return (
            *(self.verdict, self.reasons, self.unresolved_need, self.distrust),
            *(self.better_answer, self.sources),
        )


def reviews(paths: Iterable[Path]) -> tuple[Review, ...]:
    """Read filled queues, JSONL or CSV; a line that comes twice counts once.

    Raises UsageError with file, line and field of all that is wrong, and where one reviewer says
    two things of one answer.
    """
    found: dict[tuple[str, str], Review] = {}
    wrong: list[str] = []
    for path in paths:
        for place, line in records(path):
            if faulty := list(_faults(line, place)):
                wrong += faulty
                continue
            one = _review(line, place)
            before = found.get((one.item, one.reviewer))
            if before is None or before.verdict is None:
                found[one.item, one.reviewer] = one
            elif one.verdict is not None and one.said != before.said:
                wrong.append(_twice(one, before))
    raise_all(wrong)
    return tuple(found.values())


def text(line: Mapping[str, Any], name: str) -> str | None:
    """A text of a line; None where it says nothing."""
    value = line.get(name)
    told = str(value).strip() if isinstance(value, str | int) else ""
    return told or None


def _twice(one: Review, before: Review) -> str:
    return (
        f"{one.place}: item {shown(one.item)}: {shown(one.reviewer)} says {one.verdict}, but said "
        f"{before.verdict} at {before.place}, or differs in another field. Keep one of the lines, "
        "or name the reviewers apart (`reviewer`)"
    )


def _review(line: Mapping[str, Any], place: str) -> Review:
    verdict = text(line, "verdict")
    return Review(
        place=place,
        item=text(line, "item") or "",
        reviewer=text(line, "reviewer") or "(unnamed)",
        verdict=_meant(verdict, Verdict) if verdict else None,
        reasons=tuple(
            dict.fromkeys(
                reason for one in listed(line.get("reasons")) if (reason := _meant(one, Reason))
            )
        ),
        unresolved_need=_flag(line.get("unresolved_need")),
        distrust=_flag(line.get("distrust")),
        better_answer=text(line, "better_answer"),
        sources=tuple(dict.fromkeys(listed(line.get("sources")))),
        notes=text(line, "notes"),
    )


def _faults(line: Mapping[str, Any], place: str) -> Iterator[str]:
    known = (*SHOWN, *FILLED)
    for name, value in line.items():
        if name not in known:
            hint = nearest(name, FILLED) or f" Allowed: {', '.join(known)}"
            yield f"{place}: {name}: unknown field.{hint}"
        elif name in FILLED or name == "item":
            yield from _of_value(name, value, place)
    if text(line, "item") is None:
        yield f"{place}: item: got {shown(line.get('item'))}; allowed: the item of a queue"
    yield from _at_odds(line, place)


def _of_value(name: str, value: object, place: str) -> Iterator[str]:
    """What is wrong with what stands in a field."""
    if name in ("reasons", "sources"):
        if not isinstance(value, str | int | list | None) or isinstance(value, bool):
            yield f"{place}: {name}: got {shown(value)}; allowed: a list, or texts parted by ;"
        elif name == "reasons":
            yield from _choices(name, listed(value), Reason, place)
    elif name in ("unresolved_need", "distrust"):
        if value is not None and _flag(value) is None and str(value).strip():
            yield f"{place}: {name}: got {shown(value)}; allowed: true, false, or nothing"
    elif isinstance(value, bool) or not isinstance(value, str | int | None):
        yield f"{place}: {name}: got {shown(value)}; allowed: a text, or null"
    elif name == "verdict":
        yield from _choices(name, [str(value)] if text({name: value}, name) else [], Verdict, place)
    if any(uncarried(one) for one in listed(value)):
        yield f"{place}: {name}: holds half of a character; remove it"


def _choices(name: str, said: Iterable[str], kind: type[StrEnum], place: str) -> Iterator[str]:
    allowed = [str(one) for one in kind]
    for one in said:
        if _meant(one, kind) is None:
            hint = nearest(one, allowed)
            told = f"{', '.join(allowed)}, or nothing{hint and '.'}{hint}"
            yield f"{place}: {name}: got {shown(one)}; allowed: {told}"


def _at_odds(line: Mapping[str, Any], place: str) -> Iterator[str]:
    """A line that says something must have a verdict, and reasons are reasons against."""
    verdict = _meant(text(line, "verdict") or "", Verdict)
    names = [name for name in FILLED if name not in ("verdict", "reviewer", "notes")]
    said = [name for name in names if listed(line.get(name))]
    if text(line, "verdict") is None and said:
        allowed = ", ".join(Verdict)
        yield f"{place}: verdict: missing, but {said[0]} is filled in; allowed: {allowed}"
    if verdict is Verdict.GOOD and listed(line.get("reasons")):
        yield f"{place}: reasons: they go with the verdicts partly and bad; got the verdict good"


def _meant(said: str, kind: type[Word]) -> Word | None:
    """The word, in whatever case it is written, its parts joined or not."""
    plain = re.sub(r"[\s_-]+", " ", said).strip().casefold()
    return next((one for one in kind if re.sub("[_-]", " ", one) == plain), None)


def listed(value: object) -> list[str]:
    """The texts of a list, or of a cell in which they are parted by `;`, numbers also by `,`."""
    if isinstance(value, list):
        return [str(one).strip() for one in value if str(one).strip()]
    told = "" if value is None else str(value)
    parts = re.split(r"[;,\s]+" if re.fullmatch(r"[\d;,\s]*", told) else r"[;\n]", told)
    return [one.strip() for one in parts if one.strip()]


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else _WORDS.get(str(value).strip().casefold())
