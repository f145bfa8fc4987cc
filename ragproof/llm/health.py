"""Whether an endpoint is worth asking, as far as its last answers show."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ragproof.core import JudgeError
from ragproof.llm.fault import LASTING, Fault, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to go on."""

    deadline_seconds: float = 360.0
    """For one question, from its first attempt; no attempt goes on, or begins, beyond it."""
    attempts: int = 6
    """At one question, while the endpoint answers others. Refusals for coming too often (429) do
    not count, and while it answers nobody there is only the deadline."""
    paid_attempts: int = 4
    """At one question, of those that may have been paid."""
    outage_seconds: float = 60.0
    """Without any answer, and the endpoint counts as down."""
    first_outage_seconds: float = 15.0
    """The same before its first answer."""
    rest_seconds: float = 30.0
    """One question goes to an endpoint that is down so often; all others fail at once."""
    lasting_faults: int = 3
    """In a row, such as a wrong key, and nothing more is asked."""
    backoff_seconds: float = 0.5
    """Before the second attempt; then twice as long each time."""
    longest_backoff_seconds: float = 8.0

    @classmethod
    def of(cls, timeout_seconds: float) -> Patience:
        """Leave time for three attempts of that length, and a minute at least."""
        return cls(deadline_seconds=max(3 * timeout_seconds, 60.0))


class Health:
    """Remembers how the calls went."""

    def __init__(self, patience: Patience, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self.answers = 0
        """Replies so far."""
        self.unanswered = 0
        """Questions without a reply since the last one that had one."""
        self.last_fault: str | None = None
        """Why the newest of them had none."""
        self._lasting = 0
        self._failing_since: float | None = None
        self._cause: str | None = None
        """Why the endpoint is not asked; None while it is."""
        self._again_at = float("inf")

    @property
    def is_down(self) -> bool:
        """Whether the endpoint is not asked now, or only now and then."""
        return self._cause is not None

    def check(self) -> None:
        """Raise JudgeError where asking is of no use."""
        if self._cause is None:
            return
        now = self._clock()
        if now < self._again_at:
            raise JudgeError(f"not asked, because earlier calls failed: {self._cause}")
        self._again_at = now + self._patience.rest_seconds

    def answered(self) -> None:
        """Note a reply."""
        self.answers += 1
        self.unanswered = 0
        self._lasting, self._failing_since, self._cause = 0, None, None

    @property
    def breakdown(self) -> str | None:
        """Why the endpoint has stopped answering; None while nothing shows that it has."""
        if self._cause is not None:
            return self._cause
        return self.last_fault if self.unanswered >= self._patience.lasting_faults else None

    def gave_up(self, fault: JudgeError) -> None:
        """Note a question that ended without a reply. One that is its own fault says nothing."""
        cause = fault.__cause__
        if not (isinstance(cause, Fault) and cause.kind is Kind.INPUT):
            self.unanswered += 1
            self.last_fault = str(cause or fault)

    def failed(self, fault: Fault) -> None:
        """Note an attempt that brought none. What is one question's own fault says nothing."""
        if fault.kind is Kind.INPUT:
            return
        if fault.kind in LASTING:
            self._lasting += 1
            if self._lasting >= self._patience.lasting_faults:
                self._cause, self._again_at = str(fault), float("inf")
            return
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        if now - self._failing_since >= self._bearable(fault) and self._cause is None:
            self._cause, self._again_at = str(fault), now + self._patience.rest_seconds

    def _bearable(self, fault: Fault) -> float:
        if fault.kind is Kind.BUSY:
            return self._patience.deadline_seconds
        seconds = self._patience.outage_seconds
        return seconds if self.answers else self._patience.first_outage_seconds
