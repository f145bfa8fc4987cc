"""The one operation: a subject in, its outcomes out. Here exceptions become outcomes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias, cast

from ragproof.core import (
    Absent,
    AdapterError,
    CaseKind,
    CaseRun,
    Cause,
    DoesNotArise,
    Failed,
    JudgeError,
    Metric,
    MissingInput,
    ModelError,
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
from ragproof.text.raised import is_wish

Arithmetic: TypeAlias = Callable[[Any], Scores]
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
    score: Arithmetic | None
    """The metric's arithmetic, if that is all it is."""
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
            score=metric.score if isinstance(metric, PureMetric) else None,
            spec=spec,
            lowest=lowest,
            highest=highest,
            tool=_tool(spec),
            other_kind=Row(key, key, Skipped(f"case is not of kind {kinds}")),
        )


def _tool(spec: Spec) -> Need[Any] | None:
    is_tool = bool(spec.needs) and spec.needs[0].paths[0].partition(".")[0] in TOOLS
    return spec.needs[0] if is_tool else None


@dataclass(frozen=True)
class _Asked:
    """What subjects of one type, and cases of one kind, are asked."""

    every: Sequence[_Measure]
    pure: Sequence[tuple[_Measure, Arithmetic]]
    tools: Sequence[_Measure]
    others: Sequence[Row]
    """What becomes of the metrics that do not cover the kind."""

    @classmethod
    def of(cls, every: Sequence[_Measure], kind: CaseKind | None) -> _Asked:
        """Sort the measures that are written for the type; only cases have a kind."""
        mine = [one for one in every if kind is None or kind in one.spec.kinds]
        return cls(
            every=every,
            pure=[(one, one.score) for one in mine if one.score is not None],
            tools=[one for one in mine if one.score is None],
            others=[
                one.other_kind for one in every if kind is not None and kind not in one.spec.kinds
            ],
        )


class Scorer:
    """The metrics of a run, looked up once and asked for every subject."""

    def __init__(self, metrics: Mapping[str, Metric[Any]]) -> None:
        self._by_subject: dict[type[Any], list[_Measure]] = defaultdict(list)
        for key, metric in metrics.items():
            self._by_subject[metric.subject].append(_Measure.of(key, metric))
        self._asked: dict[type[Any] | CaseKind, _Asked] = {}

    def _of(self, subject: Subject) -> _Asked:
        """By the kind of a case, else by the type."""
        kind = subject.case.kind if isinstance(subject, CaseRun) else None
        which = kind or type(subject)
        if (asked := self._asked.get(which)) is None:
            mine = self._by_subject.get(type(subject), ())
            asked = self._asked[which] = _Asked.of(mine, kind)
        return asked

    async def outcomes(self, subject: Subject, tools: Tools) -> list[Row]:
        """Score the subject by every metric that is written for its type."""
        asked = self._of(subject)
        if isinstance(subject, CaseRun) and subject.observation.failure is not None:
            failure = subject.observation.failure
            return [_failed(one, subject, failure) for one in asked.every]
        rows = [*asked.others]
        for measure, score in asked.pure:
            _pure(measure, score, subject, rows)
        if asked.tools:
            rows += await _by_tools(asked.tools, subject, tools)
        return rows


async def _by_tools(measures: Sequence[_Measure], subject: Subject, tools: Tools) -> list[Row]:
    rows: list[Row] = []
    asking = []
    for measure in measures:
        metric = cast("Any", measure.metric)
        if (tool := measure.tool) is not None and tool.of(tools) is None:
            rows.append(Row(measure.key, measure.key, Skipped(tool.reason)))
        elif tool is None and tools.judge is None:  # it asks nobody: others get no turn
            rows += await _asked(measure, metric, subject, tools)
        else:
            asking.append(_asked(measure, metric, subject, tools))
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
        except BaseException as error:  # noqa: BLE001  an unreadable answer is a finding, not a crash
            unread = why_not(error)
            value = unread if isinstance(unread, Failed) else None
        found[reading.need.paths[0].removeprefix("readings.")] = value
    return replace(run, readings=replace(run.readings, **found)), replies


def why_not(error: BaseException) -> Outcome:
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
        case ModelError():
            return Failed(Cause.METRIC, str(error))
        case RunError():
            raise error
        case _ if is_wish(error):
            raise error
        case _:
            return Failed(Cause.METRIC, f"{type(error).__name__}: {error}")


def _failed(measure: _Measure, run: CaseRun, failure: Failed) -> Row:
    """What becomes of a failed case; it counts where the metric would have had to score it."""
    applies = measure.spec.suits(run) and not _does_not_arise(measure, run)
    return Row(_key(measure, run), measure.key, failure, applies=applies)


def _key(measure: _Measure, subject: Subject) -> str:
    """Where a failure is entered: under the figure that the subject belongs to, if that is told."""
    each, label = measure.spec.each, measure.metric.figure_of(subject)
    return measure.key if each is None or label is None else labelled(measure.key, each, label)


def _does_not_arise(measure: _Measure, run: CaseRun) -> bool:
    """Whether the case alone tells that the metric has nothing to score on it."""
    try:
        if measure.score is not None:
            measure.score(run)
    except DoesNotArise:
        return True
    except BaseException as error:  # the observation is not there to be scored
        if is_wish(error):
            raise
    return False


def _pure(measure: _Measure, score: Arithmetic, subject: Subject, rows: list[Row]) -> None:
    """Score by arithmetic, into the rows; here a run spends most of its time."""
    key = measure.key
    try:
        scores = score(subject)
        if type(scores) is Scored and measure.lowest <= scores.value <= measure.highest:
            rows.append(Row(key, key, scores))
        else:
            rows += _rows(measure, scores)
    except MissingInput as missing:
        reason = str(missing)
        if (row := measure.skips.get(reason)) is None:
            row = measure.skips[reason] = Row(key, key, Skipped(reason))
        rows.append(row)
    except BaseException as error:  # noqa: BLE001  a broken metric must not take the case with it
        outcome = why_not(error)
        at = _key(measure, subject) if isinstance(outcome, Failed) else key
        rows.append(Row(at, key, outcome))


async def _asked(
    measure: _Measure, metric: ToolMetric[Any], subject: Subject, tools: Tools
) -> list[Row]:
    replies: list[Reply] = []
    try:
        rows = _rows(measure, await metric.score(subject, _overheard(tools, replies, subject)))
    except BaseException as error:  # noqa: BLE001  as above
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
