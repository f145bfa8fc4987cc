"""Cases to look at, as SARIF 2.1.0: what code hosts show beside the lines of a file.

Rules are metrics. A case below what the gate asks of a metric is a warning (of an exploratory one a
note), a case that failed is an error. Without a gate it is the worst cases. The place of a finding
is the case's line in the dataset.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import quote

import numpy as np

from ragproof.analysis.falling_short import Shortfall, falling_short, holds_cases
from ragproof.analysis.findings import Findings
from ragproof.analysis.gate import Gate, apart
from ragproof.analysis.requirements import Limit, Role
from ragproof.core.header import Declared, RunState
from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord
from ragproof.core.spec import Unit
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.judged import warning_of_replies
from ragproof.reports.wording import figure, one_line
from ragproof.text.counting import counted

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
MOST = 5_000
"""Findings in a file: more are shown nowhere."""
FAILURES = "pipeline.failure"
"""The rule of cases that gave no observation: no metric is to blame."""
TEXT = 400
NAME = 200
Level = Literal["error", "warning", "note"]
ORDER: Sequence[Level] = ("error", "warning", "note")


@dataclass(frozen=True)
class Where:
    """The file of the cases."""

    path: str
    """Relative to the root of what is looked at, or absolute."""
    lines: Mapping[str, int]
    """Case id to its line, as far as that is known."""
    is_relative: bool = True

    @property
    def uri(self) -> str:
        """The path as SARIF wants it."""
        if self.is_relative:
            return quote(self.path)
        return PurePath(self.path).as_uri() if PurePath(self.path).is_absolute() else self.path


@dataclass(frozen=True)
class RuleText:
    """What a metric's page says."""

    summary: str
    sections: Mapping[str, str]


@dataclass(frozen=True)
class Finding:
    """One case and what is wrong with it."""

    rule: str
    level: Level
    case: str
    text: Callable[[], str]
    """Put into words only where it is shown: a run may have a hundred thousand of them."""
    distance: float = 0.0
    """How far beyond the bound; the furthest are shown where not all can be."""


def run_sarif(
    found: Findings,
    where: Where,
    beside: Beside = NOTHING,
    texts: Mapping[str, RuleText] | None = None,
) -> str:
    """Write the document; ASCII only."""
    listed = [*_failures(found.record), *_metric_errors(found.record), *_low(found, beside.gate)]
    listed.sort(key=lambda one: (ORDER.index(one.level), -one.distance, one.rule, one.case))
    shown = listed[:MOST]
    declared = {one.rule: found.record.columns[one.rule].declared for one in shown
                if one.rule in found.record.columns}  # fmt: skip
    rules = sorted({one.rule for one in shown})
    notes = _notes(found, len(listed) - len(shown))
    document = {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": _driver(found, rules, declared, texts or {})},
                "invocations": [
                    {
                        "executionSuccessful": found.record.state is RunState.COMPLETED,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": plain(one)}} for one in notes
                        ],
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, rules.index(one.rule), where) for one in shown],
                "properties": {
                    "run_id": found.record.header.id,
                    "status": found.record.state.value,
                },
            }
        ],
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=1) + "\n"


def _failures(record: RunRecord) -> Iterator[Finding]:
    """One finding a case that failed in any of its trials."""
    told: dict[str, str] = {}
    for case in record.cases:
        if case.failure is not None:
            told.setdefault(case.id, f"{case.failure.cause}: {case.failure.message}")
    for name, why in told.items():
        yield Finding(FAILURES, "error", name, partial(_said, "The pipeline failed on", name, why))


def _metric_errors(record: RunRecord) -> Iterator[Finding]:
    """Where the judge or the metric failed on a case that the pipeline answered."""
    broken = np.array([case.failure is not None for case in record.cases], dtype=np.bool_)
    for key, column in sorted(record.columns.items()):
        if column.subjects is not None:
            continue
        seen: set[str] = set()
        for at in np.flatnonzero((column.status >= Status.JUDGE_ERROR) & ~broken).tolist():
            name = record.cases[at].id
            if name not in seen:
                seen.add(name)
                why = column.reasons[at] or "no reason given"
                yield Finding(key, "error", name, partial(_said, "No score for", name, why))


def _low(found: Findings, gate: Gate | None) -> Iterator[Finding]:
    """Cases beyond what the gate asks; where it asks nothing of a case, the worst cases."""
    asked = [] if gate is None else [one.asked for one in gate.checks if holds_cases(one.asked)]
    seen: set[tuple[str, str]] = set()
    for limit in asked:
        for one in falling_short(found.record, limit):
            if (limit.metric, one.case) not in seen:
                seen.add((limit.metric, one.case))
                yield _beyond(one, found.record.columns[limit.metric].declared)
    if asked:
        return
    for case in found.listed:
        for key in case.lowest:
            unit = found.record.columns[key].declared.unit
            text = partial(_is_lowest, key, case.id, case.figures[key], unit)
            yield Finding(key, "warning", case.id, text, 1 - (case.average or 0.0))


def _beyond(one: Shortfall, declared: Declared) -> Finding:
    distance = one.distance if declared.unit is Unit.FRACTION else min(one.distance, 1.0)
    text = partial(_falls_short, one, declared.unit)
    level: Level = "note" if one.asked.role is Role.EXPLORATORY else "warning"
    return Finding(one.asked.metric, level, one.case, text, distance)


def _falls_short(one: Shortfall, unit: Unit) -> str:
    word = "below" if one.asked.limit is Limit.MIN else "above"
    said, bound = apart(one.value, one.asked.bound, unit)
    return (
        f"{one.asked.metric} is {said} for {_case(one.case)}, {word} the {bound} that the gate "
        f"asks of the {one.asked.statistic}"
    )


def _is_lowest(key: str, case: str, value: float, unit: Unit) -> str:
    return f"{key} is {figure(value, unit)} for {_case(case)}, one of the lowest of the run"


def _said(what: str, case: str, why: str) -> str:
    return f"{what} {_case(case)}: {why}"


def _case(name: str) -> str:
    return f"case {one_line(name, NAME)}"


def _notes(found: Findings, left_out: int) -> Iterator[str]:
    yield from found.warnings
    if (told := warning_of_replies(found.record.header)) is not None:
        yield told
    if found.record.state is not RunState.COMPLETED:
        yield f"the run is {found.record.state}"
    if left_out:
        yield f"{counted(left_out, 'finding')} left out: a file holds {MOST:,}"


def _driver(
    found: Findings,
    rules: Sequence[str],
    declared: Mapping[str, Declared],
    texts: Mapping[str, RuleText],
) -> dict[str, Any]:
    version = found.record.header.environment.get("ragproof", "")
    return {
        "name": "ragproof",
        "rules": [_rule(key, declared.get(key), texts) for key in rules],
        **({"version": one_line(version, 40)} if version else {}),
    }


def _rule(key: str, declared: Declared | None, texts: Mapping[str, RuleText]) -> dict[str, Any]:
    if declared is None:
        short, long = "The pipeline gave no answer", "The case is an error of every metric."
    elif (told := texts.get(declared.id)) is None:
        short, long = key, f"Metric {declared.id}, version {declared.version}."
    else:
        short = told.summary or key
        wanted = ("Question", "Formula", "Range", "Edge cases")
        long = " ".join(
            f"{name}: {told.sections[name]}" for name in wanted if name in told.sections
        )
    rule: dict[str, Any] = {
        "id": one_line(key, NAME),
        "shortDescription": {"text": plain(short)},
        "fullDescription": {"text": plain(short, 1_000)},
        "help": {"text": plain(long or short, 4_000)},
        "defaultConfiguration": {"level": "error" if declared is None else "warning"},
    }
    if declared is not None:
        tags = [declared.layer.value, *(["end-to-end"] if declared.headline else [])]
        rule["properties"] = {"tags": tags, "better": declared.better.value}
    return rule


def _result(one: Finding, rule: int, where: Where) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": where.uri}}
    if where.is_relative:
        place["artifactLocation"]["uriBaseId"] = "%SRCROOT%"
    if (line := where.lines.get(one.case)) is not None:
        place["region"] = {"startLine": line}
    return {
        "ruleId": one_line(one.rule, NAME),
        "ruleIndex": rule,
        "level": one.level,
        "message": {"text": plain(one.text())},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"ragproofCase/v1": _fingerprint(one)},
        "properties": {"case_id": one_line(one.case, 1_000)},
    }


def _fingerprint(one: Finding) -> str:
    """The same for the same finding in every run, whatever the score."""
    told = json.dumps([one.rule, one.level, one.case])
    return hashlib.sha256(told.encode()).hexdigest()


def plain(text: str, length: int = TEXT) -> str:
    """Write a message that no viewer takes for a link or a placeholder.

    >>> plain("[x](http://y.invalid) {0}")
    '[x] (http://y.invalid) { 0 }'
    """
    line = one_line(text, length).replace("](", "] (")
    return re.sub(r"\{(\d+)\}", r"{ \1 }", line)
