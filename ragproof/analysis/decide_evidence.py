"""What two runs have to say on each clause of a decision rule."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.analysis.comparable import why_apart
from ragproof.analysis.decide_figures import (
    agreement_column,
    between,
    completion_column,
    percentile_bounds,
)
from ragproof.analysis.decide_rules import Bar, Clause
from ragproof.analysis.evidence import Evidence, ends_of_change, gather, widest_change
from ragproof.analysis.gate import exceeds
from ragproof.analysis.intervals import UNKNOWN, Bounds, Z
from ragproof.analysis.paired import Change
from ragproof.analysis.prediction_powered import HumanScore, PredictionPowered, prediction_powered
from ragproof.analysis.requirements import PERCENTILES, Limit, Requirement, Statistic
from ragproof.analysis.slicing import sliced
from ragproof.analysis.summary import Line, summarise
from ragproof.core.header import Declared
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.text.counting import counted


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The figure that a clause is about."""

    value: float
    """The gain, the change, or the candidate's own figure, as the clause asks."""
    bounds: Bounds
    error: float | None
    count: int
    """Scored cases, or pairs of them."""
    units: int | None
    """Independent units of a change."""
    baseline: float | None
    """The figure in the baseline, where it was compared."""
    candidate: float | None
    declared: Declared
    relative: bool
    unchanged: Change | None = None
    """The change, where no pair did."""
    widest: float = math.inf
    """How far apart two such figures can be."""
    arms: bool = False
    """Whether it is a difference of two arms, whose cases make no pairs."""
    doubt: str | None = None
    """Why no verdict may rest on it."""
    corrected: PredictionPowered | None = None
    """What human labels say, where it rests on them."""

    @property
    def unit(self) -> Unit:
        """Of the value."""
        return self.declared.unit


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Whence the figures come."""

    baseline: RunRecord
    candidate: RunRecord
    labels: Sequence[HumanScore] = ()
    arms: bool = False
    """Whether the runs are of different cases: the arms of an experiment."""
    min_completion: float = 0.95
    min_samples: int = 1


def measure(clauses: Sequence[Clause], sources: Sources) -> list[Measured | str]:
    """Find the figure of each clause; a text says why there is none."""
    found: list[Measured | str] = [_missing(one, sources) or "" for one in clauses]
    there = [at for at, told in enumerate(found) if not told]
    asked = {at: _Asked.of(clauses[at], sources) for at in there}
    extra = _with_columns([*asked.values()], sources)
    paired = [at for at in there if not (extra.arms and asked[at].relative)]
    wanted = [asked[at].requirement for at in paired]
    known = gather(extra.candidate, extra.baseline, wanted) if wanted else []
    for at, evidence in zip(paired, known, strict=True):
        found[at] = _told(asked[at], evidence, extra)
    for at in there:
        if at not in paired:
            found[at] = _between_arms(asked[at], extra)
    return found


def _missing(clause: Clause, sources: Sources) -> str | None:
    """Why a figure cannot be had at all."""
    after = sources.candidate.columns.get(clause.metric)
    if after is None:
        return f"the candidate has no {clause.metric}"
    if clause.is_relative(after.declared):
        before = sources.baseline.columns.get(clause.metric)
        if why := why_apart(before, after):
            return f"it cannot be compared: {why}"
    if clause.estimate == "plain":
        return None
    if not any(one.metric == clause.metric for one in sources.labels):
        return "there are no human labels of this metric"
    if clause.estimate == "agreement" and (
        after.declared.unit is not Unit.FRACTION or after.subjects is not None
    ):
        return "agreement is told of metrics that give each case a score from 0 to 1"
    return None


@dataclass(frozen=True)
class _Asked:
    """A clause, and the column that answers it."""

    clause: Clause
    declared: Declared
    relative: bool

    @classmethod
    def of(cls, clause: Clause, sources: Sources) -> _Asked:
        """Of a clause whose metric the candidate has."""
        declared = sources.candidate.columns[clause.metric].declared
        return cls(clause, declared, clause.is_relative(declared))

    @property
    def key(self) -> str:
        """Of the column: the metric's own, or one that is made of it."""
        clause = self.clause
        if clause.estimate == "agreement":
            return f"{clause.metric} agreement"
        return f"{clause.metric} completion" if clause.statistic == "completion" else clause.metric

    @property
    def statistic(self) -> Statistic:
        """Of that column."""
        return self.clause.statistic if self.key == self.clause.metric else "mean"

    @property
    def requirement(self) -> Requirement:
        """The same as a gate asks it, for the figure alone."""
        return Requirement(
            metric=self.key,
            limit=Limit.MAX_RISE if self.relative else Limit.MIN,
            bound=0.0,
            statistic=self.statistic,
            slice=self.clause.slice,
        )

    def turned(self, value: float) -> float:
        """A change, as a gain where the clause asks for one."""
        wants = self.clause.bar is Bar.MIN_GAIN and self.relative
        return -value if wants and self.clause.better(self.declared) is Better.LOWER else value


def _with_columns(asked: Sequence[_Asked], sources: Sources) -> Sources:
    """The runs with the columns that are made of others."""
    runs = []
    for run in (sources.baseline, sources.candidate):
        columns = dict(run.columns)
        for one in asked:
            column = run.columns.get(one.clause.metric)
            if column is None or one.key in columns:
                continue
            columns[one.key] = (
                agreement_column(run, one.clause.metric, sources.labels)
                if one.clause.estimate == "agreement"
                else completion_column(column)
            )
        runs.append(dataclasses.replace(run, columns=columns))
    return dataclasses.replace(sources, baseline=runs[0], candidate=runs[1])


def _told(asked: _Asked, evidence: Evidence, sources: Sources) -> Measured | str:
    line = evidence.line
    if line is None:
        return "no case is of this slice"
    if asked.relative:
        if evidence.change is None:
            return evidence.why_unknown or "it cannot be compared"
        shares = (line.completion, evidence.baseline_completion)
        return _of_change(asked, evidence.change, line, shares, sources)
    return _of_figure(asked, line, sources)


def _of_change(
    asked: _Asked,
    change: Change,
    line: Line,
    shares: tuple[float | None, float | None],
    sources: Sources,
) -> Measured | str:
    if change.delta is None:
        where = "in each arm" if sources.arms else "in both runs"
        return f"no case was scored {where}{_why(line)}"
    declared, statistic = line.column.declared, asked.statistic
    ends = ends_of_change(change, declared, statistic)
    turned = None if ends is None else sorted(asked.turned(end) for end in ends)
    alike = "none changed" if change.is_none else "all alike"
    method = change.bounds.method if change.bounds.ends else alike
    return Measured(
        value=asked.turned(change.delta),
        bounds=UNKNOWN if turned is None else Bounds((turned[0], turned[1]), method),
        error=change.reach,
        count=change.pairs,
        units=change.units,
        baseline=change.baseline,
        candidate=change.candidate,
        declared=declared,
        relative=True,
        unchanged=change if change.is_none else None,
        widest=widest_change(declared, statistic),
        arms=sources.arms,
        doubt=_doubt(shares, change.pairs, sources, asked.clause),
    )


def _of_figure(asked: _Asked, line: Line, sources: Sources) -> Measured | str:
    value = getattr(line, asked.statistic)
    if value is None:
        return f"nothing was scored{_why(line)}"
    bounds, corrected = line.bounds, None
    part = sliced(sources.candidate, asked.clause.slice)
    if asked.statistic in PERCENTILES:
        fraction = PERCENTILES[asked.statistic]
        bounds = percentile_bounds(part, part.columns[asked.key], fraction)
    if asked.clause.estimate == "prediction_powered":
        told = prediction_powered(part, asked.key, sources.labels)
        if isinstance(told, str):
            return told
        corrected, value = told, told.tuned.value
        bounds = Bounds(told.tuned.ends, "prediction-powered") if told.tuned.ends else UNKNOWN
    ends = bounds.ends
    return Measured(
        value=value,
        bounds=bounds,
        error=None if ends is None else (ends[1] - ends[0]) / (2 * Z),
        count=line.scored,
        units=None,
        baseline=None,
        candidate=value,
        declared=line.column.declared,
        relative=False,
        doubt=_doubt((line.completion, None), line.scored, sources, asked.clause),
        corrected=corrected,
    )


def _between_arms(asked: _Asked, sources: Sources) -> Measured | str:
    clause = asked.clause
    parts = [sliced(run, clause.slice) for run in (sources.baseline, sources.candidate)]
    if any(asked.key not in part.columns for part in parts):
        return "no case is of this slice"
    before, after = (_line(part, asked.key) for part in parts)
    change = between(parts[0], parts[1], asked.key, asked.statistic)
    return _of_change(asked, change, after, (after.completion, before.completion), sources)


def _line(record: RunRecord, key: str) -> Line:
    alone = dataclasses.replace(record, columns={key: record.columns[key]})
    return summarise(alone).lines[0]


def _doubt(
    shares: tuple[float | None, float | None], count: int, sources: Sources, clause: Clause
) -> str | None:
    """Why no verdict may rest on the figure."""
    names = ("candidate", "baseline")
    for name, share in zip(names, shares, strict=True):
        if clause.statistic == "completion" or share is None:
            continue
        if exceeds(sources.min_completion, share):
            return f"the {name} scored only {share:.3g} of what it was to score"
    if count < sources.min_samples:
        return f"{counted(count, 'case')} counted, at least {sources.min_samples} are wanted"
    return None


def _why(line: Line) -> str:
    reasons = {**line.skip_reasons, **line.not_applicable_reasons, **line.error_reasons}
    why = max(reasons, key=lambda one: reasons[one], default="")
    return f": {why}" if why else ""
