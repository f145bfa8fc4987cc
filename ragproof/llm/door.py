"""The one way to a model: look up, ask once, never beyond the budget, keep before anything else."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, replace

from ragproof.core import JudgeError, OverBudget, Reply, UsageError
from ragproof.llm.budget import Budget, Hold
from ragproof.llm.fault import PASSING, Fault, Kind
from ragproof.llm.health import Health, Patience
from ragproof.llm.limiter import Limiter, Slot
from ragproof.llm.model import Ask, Model
from ragproof.llm.prices import UNPRICED, Prices
from ragproof.llm.replies import Replies


@dataclass(slots=True)
class Used:
    """What went through the door."""

    calls: int = 0
    """Questions that the model was asked; attempts at one are not counted again."""
    attempts: int = 0
    """Requests sent."""
    cache_hits: int = 0
    """Questions answered by an earlier reply, or by that to the same question in flight."""
    failures: int = 0
    """Questions that brought no reply."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """What was paid and what may have been; None when a price is unknown."""


@dataclass(slots=True)
class _Course:
    """How one question fares."""

    key: str
    ask: Ask
    most: float | None
    """USD that one attempt may cost."""
    until: float = 0.0
    """No attempt goes on beyond it, in the loop's time; 0 before the first."""
    attempts: int = 0
    paid_attempts: int = 0
    own_faults: int = 0
    """Those that met it while others were answered."""
    answers: int = 0
    """Of the endpoint, when the last fault met it."""
    lost: float = 0.0
    """USD of attempts that were given up and may have been paid."""
    booked: float | None = None


class Door:
    """A model, asked no more than it must be. `reply` may be awaited by many at once.

    The order of a call: the sum is held, a slot taken, the call booked as possibly paid, sent;
    the slot given back, the reply kept, the sum settled. So what waits for the disk or for the
    next attempt holds no slot, and what waits for a slot is not booked.
    """

    def __init__(
        self,
        model: Model,
        replies: Replies,
        budget: Budget | None = None,
        prices: Prices = UNPRICED,
        *,
        max_output_tokens: int = 2048,
        limiter: Limiter | None = None,
        patience: Patience | None = None,
    ) -> None:
        """Join the parts. Raises UsageError for a budget without prices."""
        self._budget = budget or Budget(None, replies.spent(), replies.unanswered())
        if self._budget.limited and not prices.known:
            raise UsageError(
                "there is a budget (RAGPROOF_MAX_COST_USD, max_cost_usd), but what the judge costs "
                "is not known; set RAGPROOF_JUDGE_INPUT_COST_PER_MTOK and "
                "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK (judge.prices), or take the budget away"
            )
        self._model = model
        self._replies = replies
        self._prices = prices
        self._most_out = max_output_tokens
        self._limiter = limiter or Limiter(16)
        self._patience = patience or Patience()
        self._health = Health(self._patience)
        self._flights: dict[str, asyncio.Task[Reply]] = {}
        """By key: so that a question is out once, whoever asks it."""
        self.used = Used()
        """What went through so far."""

    @property
    def fingerprint(self) -> str:
        """Identifies endpoint, model and settings."""
        return self._model.fingerprint

    @property
    def breakdown(self) -> str | None:
        """Why the model has stopped answering; None while nothing shows that it has."""
        return self._health.breakdown

    async def reply(self, ask: Ask, /) -> Reply:
        """Answer from what is kept, else ask the model.

        Raises JudgeError when no reply could be had, OverBudget when it may cost too much and
        StoreError when it could not be kept. A caller that is cancelled leaves the call to
        others that wait for it, and its reply to the next run.
        """
        key = ask.key(self.fingerprint)
        while (flight := self._flights.get(key)) is not None:
            reply = await asyncio.shield(flight)
            if not (ask.anew and reply.cached):  # else it may be one of before, which will not do
                self.used.cache_hits += 1
                return replace(reply, cached=True, usd=0.0)
        flight = asyncio.create_task(self._fetched(key, ask))
        self._flights[key] = flight
        flight.add_done_callback(lambda done: self._landed(key, done))
        return await asyncio.shield(flight)

    async def settled(self) -> None:
        """Wait for the calls in flight, so that what they bring is kept; nobody else need wait."""
        await asyncio.gather(*self._flights.values(), return_exceptions=True)

    async def close(self) -> None:
        """Let go of calls in flight, which stay booked as possibly paid, and of connections."""
        flights = list(self._flights.values())
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        await self._model.close()

    def _landed(self, key: str, flight: asyncio.Task[Reply]) -> None:
        del self._flights[key]
        if not flight.cancelled():
            flight.exception()  # seen, even if nobody waits any more

    async def _fetched(self, key: str, ask: Ask) -> Reply:
        kept = await self._replies.found(key, anew=ask.anew)
        if kept is not None:
            self.used.cache_hits += 1
            return replace(kept, cached=True, usd=0.0)
        most = self._prices.most(ask, self._most_out)
        course = _Course(key, ask, most, answers=self._health.answers)
        try:
            while True:
                try:
                    return await self._attempt(course)
                except Fault as fault:
                    wait = self._wait(course, fault)
                await asyncio.sleep(wait)
        except (JudgeError, OverBudget) as error:
            self.used.failures += 1
            if isinstance(error, JudgeError):
                self._health.gave_up(error)
            if course.booked is not None:
                usd = None if course.most is None else course.lost
                await self._replies.failed(key, usd)
            raise

    async def _attempt(self, course: _Course) -> Reply:
        """Make one attempt; what it cost, or may have cost, is settled whatever comes."""
        hold = await self._budget.hold(course.most or 0.0)
        cost, answered = 0.0, False
        try:
            async with self._limiter.slot() as slot:
                self._health.check()
                await self._book(course, hold)
                cost = hold.usd
                reply = await self._sent(course, slot)
            reply, cost = self._priced(course, reply)
            answered = True
            await self._replies.received(course.key, course.ask, reply, lost=course.lost)
        except JudgeError as error:
            paid = isinstance(error, Fault) and error.paid
            cost = hold.usd if paid else 0.0
            course.lost += cost
            course.paid_attempts += paid
            raise
        finally:
            self._settle(hold, cost, answered=answered)
        return reply

    async def _book(self, course: _Course, hold: Hold) -> None:
        """Write down what may be paid from now on, where that is not written yet."""
        usd = course.lost + hold.usd
        if course.booked is None or usd > course.booked:
            known = course.most is not None
            await self._replies.sent(course.key, course.ask, usd if known else None)
            course.booked = usd

    async def _sent(self, course: _Course, slot: Slot) -> Reply:
        now = asyncio.get_running_loop().time()
        if not course.attempts:
            course.until = now + self._patience.deadline_seconds
            self.used.calls += 1
        course.attempts += 1
        self.used.attempts += 1
        in_time = now < course.until  # a question may have waited too long for its slot
        try:
            async with asyncio.timeout_at(course.until):
                reply = await self._model.reply(course.ask)
        except TimeoutError:
            seconds = self._patience.deadline_seconds
            why = f"no complete reply within the {seconds:g} s that a question has"
            fault = Fault(Kind.TIMEOUT, why, paid=in_time)
            self._health.failed(fault)
            raise fault from None
        except Fault as fault:
            slot.refused = fault.kind is Kind.BUSY
            self._health.failed(fault)
            raise
        slot.answered = True
        self._health.answered()
        return reply

    def _priced(self, course: _Course, reply: Reply) -> tuple[Reply, float]:
        """Say what the reply cost, and what of that this attempt did."""
        sent, told = reply.input_tokens or 0, reply.output_tokens or 0
        self.used.input_tokens += sent
        self.used.output_tokens += told
        cost = self._prices.cost(sent, told)
        if cost is None:
            self.used.cost_usd = None
            return replace(reply, usd=None), 0.0
        return replace(reply, usd=course.lost + cost), cost

    def _settle(self, hold: Hold, cost: float, *, answered: bool) -> None:
        self._budget.settle(hold, cost, answered=answered)
        if self.used.cost_usd is not None:
            self.used.cost_usd += cost

    def _wait(self, course: _Course, fault: Fault) -> float:
        """Give the seconds until the next attempt, or raise what the question ends with."""
        patience, answers = self._patience, self._health.answers
        if fault.kind is not Kind.BUSY and answers > course.answers:
            course.own_faults += 1
        course.answers = answers
        doubled = patience.backoff_seconds * 2.0 ** min(course.attempts - 1, 16)
        backoff = min(doubled, patience.longest_backoff_seconds)
        wait = max(fault.wait or 0.0, backoff * random.uniform(0.5, 1.0))  # noqa: S311
        left = course.until - asyncio.get_running_loop().time()
        over = (
            fault.kind not in PASSING
            or self._health.is_down
            or course.own_faults >= patience.attempts
            or course.paid_attempts >= patience.paid_attempts
        )
        if not over and wait < left:
            return wait
        raise JudgeError(_ended(course, fault, late=not over, wait=wait)) from fault


def _ended(course: _Course, fault: Fault, *, late: bool, wait: float) -> str:
    tried = f" (after {course.attempts} attempts)" if course.attempts > 1 else ""
    if late and fault.wait is not None and fault.wait >= wait:
        tried += f" (it asks to wait {fault.wait:g} s, longer than a question has)"
    return f"{fault}{tried}"
