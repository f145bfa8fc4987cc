"""Several judges instead of one: each scores alone, their scores become one, all are kept."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from ragproof.core import (
    CaseRun,
    DoesNotArise,
    Json,
    Judge,
    JudgeError,
    Need,
    Prompt,
    Reading,
    Refusal,
    Reply,
    Scored,
    ToolMetric,
    Tools,
    accept,
)
from ragproof.core.needs import REFUSAL
from ragproof.judge.together import together

T = TypeVar("T")
PANEL = "panel by "
"""How the fingerprint of a panel begins."""
_speaking: ContextVar[int] = ContextVar("speaking")
"""Which juror is meant by what is asked here and now."""


@dataclass(frozen=True)
class Panel:
    """Judges who judge together. What asks it is wrapped in `Deliberated` or `Deliberation`."""

    jurors: tuple[Judge, ...]
    pooling: Literal["majority", "mean"] = "majority"

    def __post_init__(self) -> None:
        if len(self.jurors) < 2:
            raise ValueError(f"a panel needs at least 2 judges, got {len(self.jurors)}")

    @property
    def fingerprint(self) -> str:
        """Those of all jurors, and how their votes become one."""
        return panel_called((one.fingerprint for one in self.jurors), self.pooling)

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
        repeat: int = 0,
    ) -> T:
        """Ask the juror whose turn it is."""
        juror = self.jurors[_speaking.get()]
        return await juror.ask(prompt, variables, shape, check=check, heard=heard, repeat=repeat)

    async def votes(self, ask: Callable[[], Awaitable[T]]) -> list[T | DoesNotArise | JudgeError]:
        """Have each juror do it alone; what else goes wrong goes wrong for all."""

        async def one(juror: int) -> T | DoesNotArise | JudgeError:
            _speaking.set(juror)  # a task has a context of its own
            try:
                return await ask()
            except (DoesNotArise, JudgeError) as why_not:
                return why_not

        votes = await together(one(juror) for juror in range(len(self.jurors)))
        errors = [one for one in votes if isinstance(one, JudgeError)]
        if 2 * len(errors) >= len(votes):
            told = "; ".join(map(str, errors))
            raise JudgeError(f"{len(errors)} of {len(votes)} jurors gave no usable reply: {told}")
        return [*votes]


@dataclass(frozen=True)
class Deliberated(ToolMetric[CaseRun]):
    """A judged metric, scored by every juror of a panel."""

    metric: ToolMetric[CaseRun]
    panel: Panel

    def __post_init__(self) -> None:
        for name in ("spec", "prompts", "subject", "level"):
            object.__setattr__(self, name, getattr(self.metric, name))

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Score by each juror and pool; not applicable where at least half find it so."""

        async def by_juror() -> Scored:
            found = await self.metric.score(run, tools)
            if isinstance(found, Scored):
                return found
            raise TypeError("a panel pools metrics of one figure")

        votes = await self.panel.votes(by_juror)
        scored = [one for one in votes if isinstance(one, Scored)]
        absent = [one for one in votes if isinstance(one, DoesNotArise)]
        if len(absent) >= len(scored):
            raise DoesNotArise(str(absent[0]), {"jurors": _accounts(self.panel, votes)})
        values = [one.value for one in scored]
        evidence: dict[str, Json] = {
            "pooling": self.panel.pooling,
            "disagreement": max(values) - min(values),
            "unanimous": len(set(values)) == 1 and len(scored) == len(votes),
            "jurors": _accounts(self.panel, votes),
        }
        pooled = statistics.fmean(values) if self.panel.pooling == "mean" else majority(values)
        return Scored(pooled, evidence, statistics.fmean(one.weight for one in scored))


@dataclass(frozen=True)
class Deliberation(Reading[Refusal]):
    """The reading of refusals, by every juror of a panel; the majority decides."""

    reading: Reading[Refusal]
    panel: Panel

    need: ClassVar[Need[Any]] = REFUSAL
    prompts: ClassVar[tuple[Prompt, ...]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "prompts", self.reading.prompts)

    def by_rule(self, run: CaseRun, /) -> Refusal:
        """Read it as without a panel."""
        return self.reading.by_rule(run)

    async def by_judge(self, run: CaseRun, judge: Judge, /) -> Refusal:
        """Have it read by each juror. Raises JudgeError where they are split evenly."""
        votes = await self.panel.votes(lambda: self.reading.by_judge(run, judge))
        read = [one for one in votes if isinstance(one, Refusal)]
        refused = sum(one.refused for one in read)
        if 2 * refused == len(read):
            raise JudgeError(f"the jurors are split, {refused} against {refused}")
        return next(one for one in read if one.refused == (2 * refused > len(read)))


def panel_called(jurors: Iterable[str], pooling: str = "majority") -> str:
    """Make the fingerprint of a panel of those of its jurors."""
    return f"{PANEL}{pooling}: {' | '.join(jurors)}"


def majority(values: Sequence[float]) -> float:
    """The most frequent value; of several equally frequent ones the median.

    >>> majority([1.0, 0.0, 1.0]), majority([0.0, 0.5, 1.0])
    (1.0, 0.5)
    """
    counts = Counter(values)
    most = max(counts.values())
    return statistics.median(value for value, times in counts.items() if times == most)


def _accounts(panel: Panel, votes: Sequence[Scored | DoesNotArise | JudgeError]) -> list[Json]:
    accounts: list[Json] = []
    for juror, vote in zip(panel.jurors, votes, strict=True):
        account: dict[str, Json] = {"juror": juror.fingerprint}
        if isinstance(vote, Scored):
            account |= {"value": vote.value, "evidence": vote.evidence}
        else:
            account["not_scored"] = str(vote)
        accounts.append(account)
    return accounts
