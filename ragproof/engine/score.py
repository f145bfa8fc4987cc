"""The one operation: a subject in, its outcomes out. Here exceptions become outcomes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from ragproof.core import (
    Absent,
    AdapterError,
    CaseRun,
    Cause,
    DoesNotArise,
    Failed,
    JudgeError,
    Metric,
    MissingInput,
    Need,
    NotApplicable,
    Outcome,
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
    labelled,
)
from ragproof.core.overheard import Overheard

TOOLS = frozenset(field.name for field in fields(Tools))
MOST_LABELS = 200
"""Figures that one metric may have; a pipeline that puts a request id into a name has more."""


async def outcomes(subject: Subject, metrics: Mapping[str, Metric[Any]], tools: Tools) -> list[Row]:
    """Score the subject by every metric that is written for its type."""
    return await Scorer(metrics).outcomes(subject, tools)


@dataclass(frozen=True)
class _Measure:
    """A metric, and what has to be looked up of it for every subject."""

    key: str
    metric: Metric[Any]
    pure: PureMetric[Any] | None
    """The metric, if it is arithmetic."""
    spec: Spec
    lowest: float
    highest: float
    tool: Need[Any] | None
    """The first need, where it is a tool: without it nothing else has to be looked at."""
    other_kind: Row
    """What becomes of a case that the metric does not cover."""
    labels: set[str] = field(default_factory=set[str])
    """Those of its figures so far."""
    skips: dict[str, Row] = field(default_factory=dict[str, Row])
    """By reason: most metrics are skipped in most runs, and for the same reason in each case."""

    @classmethod
    def of(cls, key: str, metric: Metric[Any]) -> _Measure:
        """Look everything up."""
        spec = metric.spec
        lowest, highest = spec.unit.range
        kinds = " or ".join(sorted(spec.kinds))
        return cls(
            key=key,
            metric=metric,
            pure=metric if isinstance(metric, PureMetric) else None,
            spec=spec,
            lowest=lowest,
            highest=highest,
            tool=_tool(spec),
            other_kind=Row(key, key, Skipped(f"case is not of kind {kinds}")),
        )


def _tool(spec: Spec) -> Need[Any] | None:
    is_tool = bool(spec.needs) and spec.needs[0].paths[0].partition(".")[0] in TOOLS
    return spec.needs[0] if is_tool else None


class Scorer:
    """The metrics of a run, looked up once and asked for every subject."""

    def __init__(self, metrics: Mapping[str, Metric[Any]]) -> None:
        self._by_subject: dict[type[Any], list[_Measure]] = defaultdict(list)
        for key, metric in metrics.items():
            self._by_subject[metric.subject].append(_Measure.of(key, metric))

    def _of(self, subject: Subject) -> Sequence[_Measure]:
        return self._by_subject.get(type(subject), ())

    async def outcomes(self, subject: Subject, tools: Tools) -> list[Row]:
        """Score the subject by every metric that is written for its type."""
        rows: list[Row] = []
        asking = []
        case = subject if isinstance(subject, CaseRun) else None
        if case is not None and case.observation.failure is not None:
            return [_failed(one, case, case.observation.failure) for one in self._of(subject)]
        for measure in self._of(subject):
            if case is not None and case.case.kind not in measure.spec.kinds:
                rows.append(measure.other_kind)
            elif measure.pure is not None:
                rows += _pure(measure, measure.pure, subject)
            elif (tool := measure.tool) is not None and tool.of(tools) is None:
                rows.append(Row(measure.key, measure.key, Skipped(tool.reason)))
            elif tool is None and tools.judge is None:  # it asks nobody: others get no turn
                rows += await _asked(measure, cast("Any", measure.metric), subject, tools)
            else:
                asking.append(_asked(measure, cast("Any", measure.metric), subject, tools))
        for found in await asyncio.gather(*asking) if asking else ():
            rows += found
        return rows


async def read(
    run: CaseRun, readings: Sequence[Reading[Any]], tools: Tools
) -> tuple[CaseRun, list[Reply]]:
    """Read what several metrics need to know of the answer, each thing once."""
    replies: list[Reply] = []
    if not readings or run.observation.failure is not None:
        return run, replies
    found: dict[str, Any] = {}
    judge = _overheard(tools, replies, run).judge
    for reading in readings:
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
        case AdapterError():
            return Failed(Cause.ADAPTER, str(error))
        case RunError():
            raise error
        case _:
            return Failed(Cause.METRIC, f"{type(error).__name__}: {error}")


def _failed(measure: _Measure, run: CaseRun, failure: Failed) -> Row:
    """What becomes of a failed case; it counts where the metric would have had to score it."""
    applies = measure.spec.suits(run) and not _does_not_arise(measure, run)
    return Row(measure.key, measure.key, failure, applies=applies)


def _does_not_arise(measure: _Measure, run: CaseRun) -> bool:
    """Whether the case alone tells that the metric has nothing to score on it."""
    try:
        if measure.pure is not None:
            measure.pure.score(run)
    except DoesNotArise:
        return True
    except Exception:  # noqa: BLE001  the observation is not there to be scored
        return False
    return False


def _pure(measure: _Measure, metric: PureMetric[Any], subject: Subject) -> list[Row]:
    try:
        return _rows(measure, metric.score(subject))
    except MissingInput as missing:
        reason = str(missing)
        if (row := measure.skips.get(reason)) is None:
            row = measure.skips[reason] = Row(measure.key, measure.key, Skipped(reason))
        return [row]
    except Exception as error:  # noqa: BLE001  a broken metric must not take the case with it
        return [Row(measure.key, measure.key, why_not(error))]


async def _asked(
    measure: _Measure, metric: ToolMetric[Any], subject: Subject, tools: Tools
) -> list[Row]:
    replies: list[Reply] = []
    try:
        rows = _rows(measure, await metric.score(subject, _overheard(tools, replies, subject)))
    except Exception as error:  # noqa: BLE001  as above
        rows = [Row(measure.key, measure.key, why_not(error))]
    return [replace(rows[0], replies=tuple(replies)), *rows[1:]]


def _rows(measure: _Measure, scores: Scores) -> list[Row]:
    key, each = measure.key, measure.spec.each
    if isinstance(scores, Scored):
        return [Row(key, key, _in_range(measure, scores))]
    if each is None or not scores:
        raise ValueError(f"several figures need a spec with `each`, and at least one: {scores!r}")
    measure.labels.update(scores)
    if len(measure.labels) > MOST_LABELS:
        raise ValueError(f"more than {MOST_LABELS} different labels: name the {each}, not the case")
    return [
        Row(labelled(key, each, label), key, _in_range(measure, scored))
        for label, scored in scores.items()
    ]


def _in_range(measure: _Measure, scored: Scored) -> Scored:
    if not measure.lowest <= scored.value <= measure.highest:
        unit, low, high = measure.spec.unit, measure.lowest, measure.highest
        raise ValueError(f"a {unit} lies in [{low}, {high}], got {scored.value!r}")
    return scored


def _overheard(tools: Tools, replies: list[Reply], subject: Subject) -> Tools:
    if tools.judge is None:
        return tools
    repeat = subject.repeat if isinstance(subject, CaseRun) else 0
    return replace(tools, judge=Overheard(tools.judge, replies, repeat))
