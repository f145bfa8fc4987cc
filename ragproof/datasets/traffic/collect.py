"""All of the traffic in the order in which it was asked, each case with what came after it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from os import SEEK_END
from pathlib import Path

from ragproof.core import UsageError
from ragproof.datasets.traffic import reading
from ragproof.datasets.traffic.draft import WITHOUT_ANSWER, Draft, Wanted, drafted, unpacked
from ragproof.datasets.traffic.parts import Parts
from ragproof.datasets.traffic.spans import Span
from ragproof.datasets.traffic.turns import turns

AGAIN = "there already, all the same (delivered again)"
ZIPPED = 10
"""A file that is packed holds about so many times its size."""


@dataclass
class Counts:
    """What the traffic came to."""

    spans: int = 0
    traces: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    """Reason why a turn made no case, to their number."""
    lacking: Counter[str] = field(default_factory=Counter[str])
    """What a case has not, to their number."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where a draft lies, and by what it is put in order."""

    asked_at: float | None
    id: str
    group: str | None
    offset: int


@dataclass(frozen=True, slots=True)
class Followed:
    """A draft, and the draft that the same session asked next."""

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

    @property
    def sessions(self) -> int:
        """How many there are."""
        return len({one.group for one in self._entry_of.values() if one.group is not None})

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

    def followed(self, gap: float) -> Iterator[Followed]:
        """Yield all drafts by the time they were asked, those without a time last."""
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
        for one in ordered:
            draft = self._at(one)
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
        if "answer" not in draft.observation and "error" not in draft.observation:
            self.counts.lacking[WITHOUT_ANSWER] += 1
        entry = _Entry(draft.asked_at, draft.id, draft.group, self._file.tell())
        self._entry_of[draft.id] = entry
        self._file.write(packed + b"\n")

    def _at(self, entry: _Entry) -> Draft:
        self._file.seek(entry.offset)
        return unpacked(self._file.readline())


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        return 0  # said when it is read
    return size * ZIPPED if path.suffix.lower() == ".gz" else size
