"""Many cases: packed as they were seen, judged again each time someone goes through them.

What became of a source is known only when the whole run has been seen: another case may show that
a chunk is in the index. So each case waits, as little as is needed of it, in blocks that are
packed; a judged case is there only while it is looked at.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from ragproof.analysis.gold_case import CaseTrace, source_paths
from ragproof.analysis.gold_knowledge import Knowledge
from ragproof.analysis.gold_sight import STAGES, Gold, GoldStage, Sight, Witness
from ragproof.core.case import SourceSpan

BLOCK = 50
"""Cases that are packed together: more take less room, and longer to be unpacked."""
WORST = 100
"""So many cases of each stage are kept to be shown."""
FASTEST = 1
"""Of zlib's levels; the others take longer and hardly less room."""

Keep: TypeAlias = Callable[[str, int], bool]
"""Whether a trial, by id and repeat, is looked at."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A trial before it is judged."""

    case_id: str
    repeat: int
    question: str
    witness: Witness


class CaseTraces:
    """The cases of a run, in its order; each is judged when it is come to."""

    def __init__(self, blocks: tuple[bytes, ...], known: Knowledge, keep: Keep | None) -> None:
        self._blocks, self._known, self._keep = blocks, known, keep

    @classmethod
    def of(cls, seen: Iterable[Seen], known: Knowledge) -> CaseTraces:
        """Pack all cases; `known` has to have been told of every one before any is judged."""
        return cls(tuple(_packed(seen)), known, None)

    def __iter__(self) -> Iterator[CaseTrace]:
        for row in self._rows():
            one = _unpacked(row)
            paths = tuple(source_paths(self._known, one.witness))
            yield CaseTrace.of(one.case_id, one.repeat, one.question, paths)

    def __len__(self) -> int:
        return sum(1 for _ in self._rows())

    @property
    def ids(self) -> Iterator[str]:
        """Their ids, a repeat's once more."""
        return (row[0] for row in self._rows())

    def among(self, keep: Keep) -> CaseTraces:
        """Those of them that are meant."""
        before = self._keep
        if before is None:
            return CaseTraces(self._blocks, self._known, keep)
        both: Keep = lambda case_id, repeat: before(case_id, repeat) and keep(case_id, repeat)  # noqa: E731
        return CaseTraces(self._blocks, self._known, both)

    def _rows(self) -> Iterator[list[Any]]:
        for block in self._blocks:
            rows: list[list[Any]] = json.loads(zlib.decompress(block))
            for row in rows:
                if self._keep is None or self._keep(row[0], row[1]):
                    yield row


def _packed(seen: Iterable[Seen]) -> Iterator[bytes]:
    left = iter(seen)
    while some := [_row(one) for one in islice(left, BLOCK)]:
        yield zlib.compress(json.dumps(some, separators=(",", ":")).encode(), FASTEST)


def _row(seen: Seen) -> list[Any]:
    found = seen.witness
    gold = [
        (
            one.name,
            one.grade,
            one.span and (one.span.document_id, one.span.start, one.span.end),
            one.document,
        )
        for one in found.gold
    ]
    sights = [[(one.share, one.rank) for one in row] for row in found.sights]
    survivors = None if found.survivors is None else list(found.survivors)
    return [seen.case_id, seen.repeat, seen.question, gold, sights, survivors]


def _unpacked(row: list[Any]) -> Seen:
    case_id, repeat, question, gold, sights, survivors = row
    witness = Witness(
        tuple(Gold(name, grade, _span(span), document) for name, grade, span, document in gold),
        tuple(tuple(Sight(share, rank) for share, rank in one) for one in sights),
        None if survivors is None else frozenset(survivors),
        {},
    )
    return Seen(case_id, repeat, question, witness)


def _span(place: tuple[str, int, int] | None) -> SourceSpan | None:
    if place is None:
        return None
    document_id, start, end = place
    return SourceSpan(document_id=document_id, start=start, end=end)


@dataclass(slots=True)
class LostThere:
    """The cases that lost gold at one stage."""

    number: int = 0
    partly: int = 0
    """Those of them that did not lose all of it."""
    open_to: Counter[GoldStage] = field(default_factory=Counter[GoldStage])
    """An earlier stage that is not observed, to how many of the cases it may have lost."""
    worst: list[CaseTrace] = field(default_factory=list[CaseTrace])
    """The first of them, `WORST` at most, the worst first: the share lost, then its grade."""

    def add(self, case: CaseTrace) -> None:
        """Count a case."""
        self.number += 1
        self.partly += case.partial
        self.open_to.update(case.open_to)
        self.worst.append(case)
        if len(self.worst) >= 2 * WORST:
            self.settle()

    def settle(self) -> None:
        """Keep only the worst."""
        self.worst = sorted(self.worst, key=lambda one: one.badness)[:WORST]


@dataclass(slots=True)
class Tally:
    """What many cases come to."""

    number: int = 0
    partly: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    """What became of cases: the stage that lost it, `kept` or `not_observed`."""
    lost: Mapping[GoldStage, LostThere] = field(
        default_factory=lambda: {stage: LostThere() for stage in STAGES}
    )
    unseen: Counter[GoldStage] = field(default_factory=Counter[GoldStage])
    """Stage to the number of cases for which it is not observed."""
    disputed: int = 0
    """Cases in which what the pipeline says of a source contradicts itself."""
    disputed_names: list[str] = field(default_factory=list[str])
    """The first of them, `WORST` at most."""

    @classmethod
    def of(cls, cases: Iterable[CaseTrace]) -> Tally:
        """Count every case once."""
        found = cls()
        for case in cases:
            found.number += 1
            found.partly += case.partial
            found.counts[case.became] += 1
            found.unseen.update(case.not_observed)
            if case.lost_at is not None:
                found.lost[case.lost_at].add(case)
            if any(path.disputed for path in case.sources):
                found.disputed += 1
                if len(found.disputed_names) < WORST:
                    found.disputed_names.append(case.name)
        for one in found.lost.values():
            one.settle()
        return found
