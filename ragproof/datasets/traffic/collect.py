"""All of the traffic in the order in which it was asked, each case with what came after it."""

from __future__ import annotations

import tempfile
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from os import SEEK_END
from pathlib import Path
from typing import TypeAlias

from ragproof.core import UsageError
from ragproof.datasets.traffic import reading
from ragproof.datasets.traffic.draft import Draft, Wanted, drafted, told_by, unpacked
from ragproof.datasets.traffic.parts import Parts
from ragproof.datasets.traffic.spans import Span
from ragproof.datasets.traffic.turns import turns

AGAIN = "there already, all the same (delivered again)"
ZIPPED = 10
"""A file that is packed holds about so many times its size."""
MESSAGES = 20
"""Of a session: so many of the latest become the history of its next question."""
NAMES = 10_000
"""Of attributes: so many are remembered, to say which one was probably meant."""
History: TypeAlias = list[dict[str, str]]


@dataclass
class Counts:
    """What the traffic came to."""

    spans: int = 0
    traces: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    """Reason why a turn made no case, to their number."""
    told: Counter[str] = field(default_factory=Counter[str])
    """`--tag NAME=ATTRIBUTE` or `--map` to the number of cases that it told something."""
    attributes: set[str] = field(default_factory=set[str])
    """Names of attributes that spans have."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where a draft lies, and by what it is put in order."""

    asked_at: float | None
    id: str
    group: str | None
    offset: int


@dataclass(frozen=True, slots=True)
class Followed:
    """A draft with what its session said before, and the draft that the session asked next."""

    draft: Draft
    after: Draft | None
    """Within the gap."""
    is_known: bool
    """Whether what came after it could be seen: not where the traffic ends before."""


class Collected(ExitStack):
    """Drafts on disk; a short entry of each is in memory."""

    def __init__(self) -> None:
        """Make the place where drafts lie until it is left."""
        super().__init__()
        self.counts = Counts()
        self._file = self.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._entry_of: dict[str, _Entry] = {}

    def __len__(self) -> int:
        return len(self._entry_of)

    def times(self) -> Iterator[tuple[str, float | None]]:
        """Yield the id of each case, and when it was asked."""
        return ((one.id, one.asked_at) for one in self._entry_of.values())

    @property
    def period(self) -> tuple[float, float] | None:
        """When the first was asked, and the last."""
        times = [one.asked_at for one in self._entry_of.values() if one.asked_at is not None]
        return (min(times), max(times)) if times else None

    def take(self, sources: Sequence[Path], form: str, wanted: Wanted) -> None:
        """Read all files; raises UsageError with up to 20 faults of the first that has any."""
        with Parts(sum(map(_size, sources))) as parts:
            for source in sources:
                for one in reading.read(source, form):
                    if isinstance(one, Span):
                        self.counts.spans += 1
                        if len(self.counts.attributes) < NAMES:
                            self.counts.attributes.update(one.attributes, one.resource)
                        parts.add(one)
                    else:
                        self._add(one)
            for spans in parts.traces():
                self.counts.traces += 1
                for turn in turns(spans, wanted.turn):
                    made = drafted(turn, wanted)
                    if isinstance(made, str):
                        self.counts.left_out[made] += 1
                    else:
                        self._add(made)
                        self.counts.told.update(told_by(turn, wanted))

    def followed(self, gap: float) -> Iterator[Followed]:
        """Yield all drafts by the time they were asked, those without a time last.

        One without a history has that of its session: the latest messages before it, each asked
        within the gap after the one before.
        """
        ordered = sorted(
            self._entry_of.values(),
            key=lambda one: (one.asked_at is None, one.asked_at or 0.0, one.id),
        )
        after: dict[int, _Entry] = {}
        latest: dict[str, _Entry] = {}
        for one in ordered:
            if one.group is not None and one.asked_at is not None:
                if (before := latest.get(one.group)) is not None:
                    after[before.offset] = one
                latest[one.group] = one
        end = self.period[1] if self.period else 0.0
        talks = _Talks(gap)
        for one in ordered:
            draft = talks.continued(self._at(one))
            if one.group is None or one.asked_at is None or not gap:
                yield Followed(draft, None, is_known=False)
                continue
            until = one.asked_at + gap
            came = after.get(one.offset)
            if came is not None and came.asked_at is not None and came.asked_at <= until:
                yield Followed(draft, self._at(came), is_known=True)
            else:
                yield Followed(draft, None, is_known=end >= until)

    def _add(self, draft: Draft) -> None:
        packed = draft.packed()
        if (first := self._entry_of.get(draft.id)) is not None:
            before = self._at(first)
            self._file.seek(0, SEEK_END)
            if before.packed() == replace(draft, place=before.place).packed():
                self.counts.left_out[AGAIN] += 1
                return
            raise UsageError(
                f"{draft.place}: id: got {draft.id!r}, already the id of {before.place}; allowed: "
                "an id of its own"
            )
        entry = _Entry(draft.asked_at, draft.id, draft.group, self._file.tell())
        self._entry_of[draft.id] = entry
        self._file.write(packed + b"\n")

    def _at(self, entry: _Entry) -> Draft:
        self._file.seek(entry.offset)
        return unpacked(self._file.readline())


class _Talks:
    """What was said in the sessions that are open, as time goes on."""

    def __init__(self, gap: float) -> None:
        self._gap = gap
        self._open: OrderedDict[str, tuple[float, History]] = OrderedDict()
        """Session to when it last asked, and its messages; the longest silent first."""

    def continued(self, draft: Draft) -> Draft:
        """The draft with its history; drafts are given in the order in which they were asked."""
        group, at = draft.group, draft.asked_at
        if group is None or at is None or not self._gap:
            return draft
        while self._open and next(iter(self._open.values()))[0] + self._gap < at:
            self._open.popitem(last=False)
        _, before = self._open.pop(group, (at, []))
        history = draft.history or before
        self._open[group] = at, [*history, *_said(draft)][-MESSAGES:]
        return replace(draft, history=history)


def _said(draft: Draft) -> History:
    """The question, and the answer where there is one."""
    said = [{"role": "user", "content": draft.question}]
    told = draft.observation.get("answer")
    answer = told.get("answer_text") if isinstance(told, dict) else told
    if isinstance(answer, str) and answer.strip():
        said.append({"role": "assistant", "content": answer})
    return said


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        return 0  # said when it is read
    return size * ZIPPED if path.suffix.lower() == ".gz" else size
