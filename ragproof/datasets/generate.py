"""Have a model write a dataset: attempt after attempt, until there are as many cases as asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ragproof.core import Judge, JudgeError, QuestionCase, RunError
from ragproof.datasets.attempts import CHALLENGES, Attempt, Draw
from ragproof.datasets.generate_files import Book
from ragproof.datasets.generate_rules import Asked
from ragproof.datasets.generate_write import Desk, Made, Rejected

TRIES = 3
"""So many attempts are made for each case that is wanted."""
AHEAD = 4
"""Attempts that are begun for each call that may be out."""


@dataclass(frozen=True)
class Failed:
    """An attempt at which the model could not be reached; it is made again on a resume."""

    message: str


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
        while missing := max(0, wanted - progress.made):
            wave = list(islice(to_do, min(missing, AHEAD * self.at_once)))
            if not wave:
                return
            await self._wave(wave, progress)

    def _count(self, kind: str, progress: Progress) -> None:
        """Count what earlier sittings came to."""
        before = [one for one in self.book.rejects if one["kind"] == kind]
        progress.made = self.book.made(kind)
        progress.reasons.update(str(one["reason"]) for one in before)

    def _left(self, attempts: Iterator[Attempt], progress: Progress) -> Iterator[Attempt]:
        """Those that are not over."""
        done = self.book.done
        for one in attempts:
            progress.tried += 1
            if one.id not in done:
                yield one

    async def _wave(self, wave: Sequence[Attempt], progress: Progress) -> None:
        """Work on several at once; they are written down in order, whatever their order was."""
        places = asyncio.Semaphore(self.at_once)
        tasks = [asyncio.create_task(self._one(one, places)) for one in wave]
        failed: list[str] = []
        over: RunError | None = None
        try:
            for attempt, task in zip(wave, tasks, strict=True):
                try:
                    told = await task
                except RunError as fault:
                    over = over or fault
                    continue
                if isinstance(told, Failed):
                    failed.append(told.message)
                else:
                    self._keep(attempt, told, progress)
        finally:
            await _let_go(tasks)
            progress.failed += len(failed)
            self.settle()
        if over is not None:
            raise over
        if failed and (len(failed) == len(wave) or self.broken() is not None):
            raise RunError(
                f"the model stopped answering: {self.broken() or failed[-1]}; what was made is in "
                f"{self.book.out}, and --resume goes on with it"
            )

    async def _one(self, attempt: Attempt, places: asyncio.Semaphore) -> Made | Rejected | Failed:
        async with places:
            try:
                return await Desk(self.judge, self.draw.material, attempt).work()
            except JudgeError as fault:
                return Failed(str(fault))

    def _keep(self, attempt: Attempt, told: Made | Rejected, progress: Progress) -> None:
        if isinstance(told, Made) and (like := self._double(told.cases)) is not None:
            draft = {"question": told.cases[-1].question}
            told = Rejected("a question that is nearly the same is there already", like, draft)
        if isinstance(told, Made):
            self.book.add(told.cases)
            self._note(told.cases)
            progress.made += 1
            return
        progress.reasons[told.reason] += 1
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


async def _let_go(tasks: Sequence[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
