"""The one operation: a subject in, its outcomes out. Here exceptions become outcomes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ragproof.core import (
    Absent,
    CaseRun,
    Cause,
    DoesNotArise,
    Failed,
    Judge,
    JudgeError,
    Metric,
    NotApplicable,
    Outcome,
    Prompt,
    PureMetric,
    Reading,
    ReadingError,
    Reply,
    Row,
    RunError,
    Scored,
    Scores,
    Skipped,
    Spec,
    Subject,
    ToolMetric,
    Tools,
    accept,
    labelled,
)

T = TypeVar("T")


async def outcomes(subject: Subject, metrics: Mapping[str, Metric[Any]], tools: Tools) -> list[Row]:
    """Score the subject by every metric that is written for its type."""
    rows: list[Row] = []
    asking = []
    for key, metric in metrics.items():
        if metric.subject is not type(subject):
            continue
        if (bar := _bar(key, metric.spec, subject)) is not None:
            rows.append(bar)
        elif isinstance(metric, PureMetric):
            rows += _pure(key, metric, subject)
        else:
            asking.append(_asked(key, metric, subject, tools))
    for found in await asyncio.gather(*asking) if asking else ():
        rows += found
    return rows


async def read(
    run: CaseRun, readings: Iterable[Reading[Any]], tools: Tools
) -> tuple[CaseRun, list[Reply]]:
    """Read what several metrics need to know of the answer, each thing once."""
    replies: list[Reply] = []
    found: dict[str, Any] = {}
    judge = _overheard(tools, replies).judge
    for reading in readings if run.observation.failure is None else ():
        try:
            value = await reading.by_judge(run, judge) if judge else reading.by_rule(run)
        except Exception as error:  # noqa: BLE001  an unreadable answer is a finding, not a crash
            unread = why_not(error)
            value = unread if isinstance(unread, Failed) else None
        found[reading.need.paths[0].removeprefix("readings.")] = value
    return replace(run, readings=replace(run.readings, **found)), replies


def why_not(error: Exception) -> Outcome:
    """The outcome that an exception stands for; what is not one subject's affair goes on."""
    match error:
        case DoesNotArise():
            return NotApplicable(str(error), error.evidence)
        case Absent():
            return Skipped(str(error))
        case ReadingError():
            return error.failed
        case JudgeError():
            return Failed(Cause.JUDGE, str(error))
        case RunError():
            raise error
        case _:
            return Failed(Cause.METRIC, f"{type(error).__name__}: {error}")


def _bar(key: str, spec: Spec, subject: Subject) -> Row | None:
    """What keeps the metric from being asked: a failed case, or one of another kind."""
    if not isinstance(subject, CaseRun):
        return None
    covered = subject.case.kind in spec.kinds
    if subject.observation.failure is not None:
        asked = (need for need in spec.needs if need.is_of_the_case)
        applies = covered and all(need.of(subject) is not None for need in asked)
        return Row(key, key, subject.observation.failure, applies=applies)
    if not covered:
        return Row(key, key, Skipped(f"case is not of kind {' or '.join(sorted(spec.kinds))}"))
    return None


def _pure(key: str, metric: PureMetric[Any], subject: Subject) -> list[Row]:
    try:
        return _rows(key, metric.spec, metric.score(subject))
    except Exception as error:  # noqa: BLE001  a broken metric must not take the case with it
        return [Row(key, key, why_not(error))]


async def _asked(key: str, metric: ToolMetric[Any], subject: Subject, tools: Tools) -> list[Row]:
    replies: list[Reply] = []
    try:
        rows = _rows(key, metric.spec, await metric.score(subject, _overheard(tools, replies)))
    except Exception as error:  # noqa: BLE001  as above
        rows = [Row(key, key, why_not(error))]
    return [replace(rows[0], replies=tuple(replies)), *rows[1:]]


def _rows(key: str, spec: Spec, scores: Scores) -> list[Row]:
    if isinstance(scores, Scored):
        return [Row(key, key, _in_range(spec, scores))]
    if spec.each is None or not scores:
        raise ValueError(f"several figures need a spec with `each`, and at least one: {scores!r}")
    return [
        Row(labelled(key, spec.each, label), key, _in_range(spec, scored))
        for label, scored in scores.items()
    ]


def _in_range(spec: Spec, scored: Scored) -> Scored:
    low, high = spec.unit.range
    if not low <= scored.value <= high:
        raise ValueError(f"a {spec.unit} lies in [{low}, {high}], got {scored.value!r}")
    return scored


@dataclass(frozen=True)
class _Overheard:
    """A judge whose every reply is written down."""

    judge: Judge
    replies: list[Reply]

    @property
    def fingerprint(self) -> str:
        return self.judge.fingerprint

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
    ) -> T:
        def noted(reply: Reply) -> None:
            self.replies.append(reply)
            heard(reply)

        return await self.judge.ask(prompt, variables, shape, check=check, heard=noted)


def _overheard(tools: Tools, replies: list[Reply]) -> Tools:
    return replace(tools, judge=_Overheard(tools.judge, replies)) if tools.judge else tools
