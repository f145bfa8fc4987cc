"""A queue of answers for people, and the key that says what was hidden from them."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from ragproof.core import UsageError
from ragproof.core.case import STRICT
from ragproof.datasets.exports import guarded
from ragproof.datasets.imports.records import json_lines
from ragproof.datasets.review_lines import FILLED, SHOWN, Review, reviews, text
from ragproof.text.counting import counted
from ragproof.text.faults import faults, raise_all, shown
from ragproof.text.files import whole, write_whole
from ragproof.text.jsonl import read_lines
from ragproof.text.strict_json import parse

CUT = "\n... cut here; the .jsonl has all of it"
PRIVATE = 0o600
LEAST = 1e-9
"""No draw has a smaller chance, and 1 over it is still a number."""
CELL = 32_000
"""Characters of a cell; a spreadsheet takes 32,767 and breaks longer ones."""
BLANK: Mapping[str, Any] = {name: [] if name in ("reasons", "sources") else None for name in FILLED}


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawnStratum:
    """What was drawn of what."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: str
    pool: int
    drawn: int


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHead:
    """The first line of a key: which traffic, and how it was drawn from."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    review: int = 1
    """Version of this form."""
    run: str
    drawn_at: str
    """ISO 8601, UTC."""
    seed: int
    traffic: int
    """Cases of the run that came from traffic at random, answered or not."""
    unanswered: int
    """Of these, those without an answer: there is nothing to review."""
    drawn_before: int
    """Left out because an earlier queue had them."""
    other_strata: int
    """Cases of the run left out because traffic was not drawn at random there."""
    strata: tuple[DrawnStratum, ...]
    reviewers: tuple[str, ...]
    overlap: float

    @property
    def population(self) -> int:
        """Answers that could be drawn."""
        return self.traffic - self.unanswered - self.drawn_before


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyItem:
    """What a reviewer is not told of an answer."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    item: str
    case_id: str
    strata: tuple[str, ...]
    probability: float
    answer: str
    """What `fingerprint` makes of the answer, so that verdicts are held to no other."""
    group: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    sources: tuple[str, ...] = ()
    """The ids of the passages, in the order in which they are numbered."""
    reviewers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """A key file."""

    head: KeyHead
    items: Mapping[str, KeyItem]


def fingerprint(answer: str) -> str:
    """What tells an answer from another."""
    return sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def key_path(queue: Path) -> Path:
    """`queue.key.jsonl` for `queue.jsonl`."""
    return queue.with_name(f"{queue.stem}.key.jsonl")


def queue_paths(queue: Path, reviewers: Sequence[str]) -> dict[str, Path]:
    """Where each reviewer's lines go: `queue.ada.jsonl`, or `queue.jsonl` where there is one."""
    if len(reviewers) == 1:
        return {reviewers[0]: queue}
    return {name: queue.with_name(f"{queue.stem}.{name}{queue.suffix}") for name in reviewers}


def write_key(path: Path, key: Key) -> None:
    """Write a key that only its owner can read; raises UsageError where another lies there."""
    if path.exists() and _settled(read_key(path)) != _settled(key):
        raise UsageError(f"{path} is there already, and is of another draw; give another name")
    with whole(path, mode=PRIVATE) as file:
        for told in (asdict(key.head), *map(asdict, key.items.values())):
            file.write(f"{json.dumps(told)}\n".encode())


def _settled(key: Key) -> object:
    """What makes a draw the same one."""
    return {**asdict(key.head), "drawn_at": ""}, {
        name: asdict(one) for name, one in key.items.items()
    }


def read_key(path: Path) -> Key:
    """Read a key; raises UsageError with file, line and field of all that is wrong."""
    head: KeyHead | None = None
    items: dict[str, KeyItem] = {}
    wrong: list[str] = []
    for number, raw in read_lines(path):
        place = f"{path}:{number}"
        kind = KeyItem if head is not None else KeyHead
        try:
            parse(raw.decode())
            one: Any = TypeAdapter(kind).validate_json(raw)
        except ValidationError as error:
            wrong += [f"{place}: {fault}" for fault in faults(error, kind)]
            if head is None:
                raise_all([f"{wrong[0]}. This is not the key of a review queue"])
            continue
        except ValueError as fault:
            raise UsageError(f"{place}: {fault}") from None
        if isinstance(one, KeyHead):
            head = one
        elif not LEAST <= one.probability <= 1:
            wrong.append(
                f"{place}: probability: got {one.probability:g}; allowed: above 0, up to 1"
            )
        elif one.item in items:
            wrong.append(f"{place}: item: {shown(one.item)} is there twice")
        else:
            items[one.item] = one
    raise_all(wrong)
    if head is None:
        raise UsageError(f"{path}: the file is empty; it is not the key of a review queue")
    return Key(head, items)


def combined(keys: Sequence[Key]) -> Key:
    """The keys of several weeks as one; raises UsageError where traffic was drawn from twice.

    Every week is a stratum of its own, so the chances stay as they are. A draw that left out what
    an earlier one had was from no whole week.
    """
    rest = [key.head for key in keys if key.head.drawn_before]
    if rest and len(keys) > 1:
        raise UsageError(
            f"--key: the draw from run {rest[0].run} left out "
            f"{counted(rest[0].drawn_before, 'answer')} of an earlier queue: both are of the same "
            "traffic. Report each by itself"
        )
    items: dict[str, KeyItem] = {}
    cases: set[str] = set()
    runs: set[str] = set()
    for key in keys:
        mine = {one.case_id for one in key.items.values()}
        if key.head.run in runs or (twice := cases & mine):
            what = f"run {key.head.run}" if key.head.run in runs else f"case {shown(min(twice))}"
            raise UsageError(
                f"--key: {what} is in two keys: the chance to be in either draw is not known. "
                "Report each by itself"
            )
        items |= key.items
        cases |= mine
        runs.add(key.head.run)
    return Key(_summed([key.head for key in keys]), items)


def _summed(heads: Sequence[KeyHead]) -> KeyHead:
    if len(heads) == 1:
        return heads[0]
    strata: dict[str, DrawnStratum] = {}
    for one in (stratum for head in heads for stratum in head.strata):
        before = strata.get(one.name, DrawnStratum(name=one.name, pool=0, drawn=0))
        strata[one.name] = DrawnStratum(
            name=one.name, pool=before.pool + one.pool, drawn=before.drawn + one.drawn
        )
    return KeyHead(
        run=", ".join(head.run for head in heads),
        drawn_at=max(head.drawn_at for head in heads),
        seed=heads[0].seed,
        traffic=sum(head.traffic for head in heads),
        unanswered=sum(head.unanswered for head in heads),
        drawn_before=sum(head.drawn_before for head in heads),
        other_strata=sum(head.other_strata for head in heads),
        strata=tuple(strata.values()),
        reviewers=tuple(dict.fromkeys(name for head in heads for name in head.reviewers)),
        overlap=max(head.overlap for head in heads),
    )


def write_queue(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write the lines of one reviewer."""
    write_whole(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def write_sheet(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write the same for a spreadsheet; a cell that it would take for a formula is guarded."""
    with whole(path) as file:
        sheet = csv.writer(codecs.getwriter("utf-8-sig")(file))
        sheet.writerow([*SHOWN, *FILLED])
        for line in lines:
            cells = [_cell(line.get(name)) for name in (*SHOWN, *FILLED)]
            sheet.writerow([guarded(one[:CELL] + (CUT if one[CELL:] else "")) for one in cells])


def _cell(value: object) -> str:
    """Passages and messages as paragraphs, each with its number or role; words parted by `;`."""
    if not isinstance(value, list):
        return "" if value is None else str(value)
    if not any(isinstance(one, Mapping) for one in value):
        return "; ".join(map(str, value))
    parts = [
        f"[{one['number']}] {one['id']}\n{one['text']}"
        if "number" in one
        else f"{one['role']}: {one['content']}"
        for one in value
    ]
    return "\n\n".join(parts)


def refuse_reviewed(path: Path, kept: Iterable[Review] = ()) -> None:
    """Raise UsageError for a queue with other verdicts than those kept, and for another file."""
    if not path.exists():
        return
    try:
        found = reviews([path])
    except UsageError:
        told = f"{path} is there already, and is no untouched review queue; give another name"
        raise UsageError(told) from None
    mine = {(one.item, one.reviewer, *one.said, one.notes) for one in kept}
    said = [one for one in found if one.verdict is not None]
    lost = [one for one in said if (one.item, one.reviewer, *one.said, one.notes) not in mine]
    if lost:
        told = f"{counted(len(lost), 'verdict')} would be lost ({lost[0].place})"
        raise UsageError(f"{path} is filled in already: {told}; give another name")


def queue_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a queue as they stand; raises UsageError where they are not such lines."""
    reviews([path])
    if path.suffix.casefold() not in (".jsonl", ".ndjson"):
        raise UsageError(f"{path}: name the .jsonl that `review sample` wrote beside it")
    return [dict(line) for _, line in json_lines(path)]


class Filling:
    """A queue that is filled in; every verdict is on the disk before the next is asked for.

    What another program changes in the file meanwhile stays.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lines = queue_lines(path)

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """The lines without a verdict."""
        return [line for line in self.lines if text(line, "verdict") is None]

    def save(self, line: Mapping[str, Any], said: Mapping[str, Any]) -> None:
        """Put what was said into a line, and the whole file on the disk.

        Raises UsageError where the line is no longer there as it was shown.
        """
        self.lines = queue_lines(self._path)
        if line not in self.lines:
            raise UsageError(
                f"{self._path}: item {shown(line.get('item'))} was changed meanwhile by another "
                "program; what you said of it is not saved, all else is. Start again"
            )
        self.lines[self.lines.index(dict(line))] = {**line, **said}
        write_queue(self._path, self.lines)
