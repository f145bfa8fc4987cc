"""Have a model write a dataset: attempt after attempt, until there are as many cases as asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ragproof.core import Judge, QuestionCase
from ragproof.datasets.attempts import CHALLENGES, Attempt, Draw
from ragproof.datasets.generate_files import UNUSABLE, Book
from ragproof.datasets.generate_rules import Asked
from ragproof.datasets.generate_write import Desk, Made, Rejected
from ragproof.datasets.waves import AHEAD, Waves

TRIES = 3
"""So many attempts are made for each case that is wanted."""


@dataclass
class Progress:
    """How far a kind got, in this sitting and those before."""

    wanted: int
    made: int = 0
    tried: int = 0
    failed: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why attempts were turned down."""

    @property
    def is_short(self) -> bool:
        """Whether less came of it than was asked."""
        return self.made < self.wanted

    @property
    def left(self) -> int:
        """Attempts that a resume makes again: those that had no usable reply."""
        return self.failed + self.reasons[UNUSABLE]


@dataclass
class Generating:
    """A sitting."""

    draw: Draw
    judge: Judge
    book: Book
    at_once: int = 8
    broken: Callable[[], str | None] = lambda: None
    """Why the model has stopped answering; None while nothing shows that it has."""
    settle: Callable[[], None] = lambda: None
    """Called when what was done so far should be summed up."""
    progress: dict[str, Progress] = field(default_factory=dict[str, Progress])
    asked: Asked = field(default_factory=Asked)

    async def make(self, wanted: Mapping[str, int]) -> None:
        """Make so many cases of each kind.

        Raises RunError when the model stops answering, OverBudget and StoreError; what was made
        until then is in the files.
        """
        self._note(self.book.cases)
        for kind in CHALLENGES:
            if wanted.get(kind, 0):
                await self._make(kind, wanted[kind])

    async def _make(self, kind: str, wanted: int) -> None:
        progress = self.progress.setdefault(kind, Progress(wanted))
        attempts = islice(self.draw.attempts(kind), TRIES * wanted)
        self._count(kind, progress)
        to_do = self._left(attempts, progress)
        waves = self._waves(kind, progress)
        while missing := max(0, wanted - progress.made):
            wave = list(islice(to_do, min(missing, AHEAD * self.at_once)))
            if not wave:
                return
            await waves.one(wave)

    def _waves(self, kind: str, progress: Progress) -> Waves[Attempt, Made | Rejected]:
        def settle(failed: int) -> None:
            progress.failed += failed
            progress.reasons = self.book.reasons(kind)
            self.settle()

        return Waves(
            work=lambda attempt: Desk(self.judge, self.draw.material, attempt).work(),
            keep=lambda attempt, told: self._keep(attempt, told, progress),
            out=self.book.out,
            at_once=self.at_once,
            broken=self.broken,
            settle=settle,
        )

    def _count(self, kind: str, progress: Progress) -> None:
        """Count what earlier sittings came to."""
        progress.made = self.book.made(kind)
        progress.reasons = self.book.reasons(kind)

    def _left(self, attempts: Iterator[Attempt], progress: Progress) -> Iterator[Attempt]:
        """Those that are not over."""
        done = self.book.done
        for one in attempts:
            progress.tried += 1
            if one.id not in done:
                yield one

    def _keep(self, attempt: Attempt, told: Made | Rejected, progress: Progress) -> None:
        if isinstance(told, Made) and (like := self._double(told.cases)) is not None:
            draft = {"question": told.cases[-1].question}
            told = Rejected("a question that is nearly the same is there already", like, draft)
        if isinstance(told, Made):
            self.book.add(told.cases)
            self._note(told.cases)
            progress.made += 1
            return
        place = {"passage": attempt.passage.place}
        if attempt.other is not None:
            place["other"] = attempt.other.place
        self.book.reject(
            {
                "id": attempt.id,
                "kind": attempt.kind,
                "challenge": attempt.challenge,
                "reason": told.reason,
                "detail": told.detail,
                "draft": dict(told.draft),
                **place,
            }
        )

    def _note(self, cases: Sequence[QuestionCase]) -> None:
        for case in cases:
            if not case.history:
                self.asked.add(case.id, case.question, _answer(case))

    def _double(self, cases: Sequence[QuestionCase]) -> str | None:
        """Name a case that asks nearly the same as one of these; follow-ups are never the same."""
        alone = [case for case in cases if not case.history]
        likes = (self.asked.like(case.question, _answer(case)) for case in alone)
        return next((like for like in likes if like is not None), None)


def _answer(case: QuestionCase) -> str | None:
    """The answer that was written for it."""
    return case.expected_answer if isinstance(case.expected_answer, str) else None
