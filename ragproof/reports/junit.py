"""A gate, or a run with its gate, as JUnit XML: failure, error and skipped kept apart.

JUnit knows no warning: a test that warns passes, and says so in its name, its output and a
property of its suite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from xml.etree import ElementTree as ET

from ragproof.analysis.findings import Findings
from ragproof.analysis.gate import Check, Gate, Verdict
from ragproof.analysis.summary import Line
from ragproof.core.header import RunState
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.decision_wording import asked_for, more_on, outcome, run_name
from ragproof.reports.facts import state_sentence
from ragproof.reports.judged import warning_of_replies
from ragproof.reports.wording import figure, inert, interval
from ragproof.text.counting import counted

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gate_junit(gate: Gate) -> str:
    """Write one test case for each check."""
    about = [outcome(gate), f"run {run_name(gate.run.header)}", *gate.notes]
    name = f"ragproof gate {gate.run.header.project}"
    return _written([_suite(name, [_of_check(check) for check in gate.checks], {}, about)])


def run_junit(found: Findings, beside: Beside = NOTHING) -> str:
    """Write a suite for the run as a whole and one for each metric.

    Where the gate has rules for a metric they are its test cases; else the one test case says
    whether there is a figure. Only the gate, and a run that did not come to its end, fail.
    """
    checks: dict[str, list[Check]] = {}
    for check in beside.gate.checks if beside.gate else ():
        checks.setdefault(check.asked.metric, []).append(check)
    lines = {line.key: line for line in found.summary.lines}
    suites = [_of_run(found, beside)]
    for key in [*lines, *(key for key in checks if key not in lines)]:
        line = lines.get(key)
        tests = [_of_check(check) for check in checks.get(key, ())]
        if not tests and line is not None:
            tests = [_of_figure(line)]
        suites.append(_suite(key, tests, {} if line is None else _properties(line), ()))
    return _written(suites)


@dataclass(frozen=True)
class _Test:
    """A test case; `kind` is None where it passes."""

    classname: str
    name: str
    told: str
    kind: Literal["failure", "error", "skipped"] | None = None
    short: str = ""
    type: str = ""
    warns: bool = False


def _suite(
    name: str, tests: Sequence[_Test], properties: Mapping[str, str], about: Sequence[str]
) -> ET.Element:
    suite = ET.Element("testsuite", name=_clean(name), tests=str(len(tests)))
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(test.kind == kind for test in tests)))
    if warnings := sum(test.warns for test in tests):
        properties = {**properties, "warnings": str(warnings)}
    if properties:
        listed = ET.SubElement(suite, "properties")
        for key, value in properties.items():
            ET.SubElement(listed, "property", name=_clean(key), value=_clean(value))
    for test in tests:
        case = ET.SubElement(suite, "testcase", classname=_clean(test.classname), time="0")
        case.set("name", _clean(test.name))
        if test.kind is None:
            ET.SubElement(case, "system-out").text = _clean(test.told)
        else:
            what = ET.SubElement(case, test.kind, message=_clean(test.short), type=test.type)
            what.text = _clean(test.told)
    if about:
        ET.SubElement(suite, "system-out").text = _clean("\n".join(about))
    return suite


def _written(suites: Sequence[ET.Element]) -> str:
    root = ET.Element("testsuites")
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    page: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return page.decode() + "\n"


def _of_check(check: Check) -> _Test:
    return _Test(
        check.asked.metric,
        _name(check),
        "\n".join([check.detail, *more_on(check)]),
        _kind(check),
        check.detail,
        str(check.verdict),
        warns=not check.blocks and check.verdict in (Verdict.WARN, Verdict.INCONCLUSIVE),
    )


def _of_figure(line: Line) -> _Test:
    """Whether a metric without a rule has a figure."""
    name, told = "has a figure", "\n".join(_figures(line))
    if line.scored:
        if not line.errors:
            return _Test(line.key, name, told)
        return _Test(line.key, f"WARN: {name}, with errors", told, warns=True)
    if line.errors:
        short = f"all of {counted(line.errors, 'case')} failed"
        return _Test(line.key, name, told, "error", short, "error")
    short = next(iter([*line.skip_reasons, *line.not_applicable_reasons]), "no case")
    return _Test(line.key, name, told, "skipped", short, "skip")


def _figures(line: Line) -> Iterator[str]:
    unit = line.column.declared.unit
    yield f"mean {figure(line.mean, unit)} {interval(line)}".rstrip()
    for name, reasons in (
        ("skipped", line.skip_reasons),
        ("not applicable", line.not_applicable_reasons),
        ("error", line.error_reasons),
    ):
        yield from (f"{name}: {count:,} x {reason}" for reason, count in reasons.items())


def _properties(line: Line) -> dict[str, str]:
    """The figures themselves; one that is not there is not told."""
    ends = line.bounds.ends
    told = {
        "mean": line.mean,
        "ci95_low": None if ends is None else ends[0],
        "ci95_high": None if ends is None else ends[1],
        "scored": line.scored,
        "skipped": line.skipped,
        "not_applicable": line.not_applicable,
        "errors": line.errors,
        "completion": line.completion,
    }
    return {name: str(value) for name, value in told.items() if value is not None}


def _of_run(found: Findings, beside: Beside) -> ET.Element:
    """Whether the run came to its end, and what happened to its cases."""
    header, cases = found.record.header, found.summary.cases
    name, told = "every case was tried", state_sentence(found)
    failed = [f"{count:,} x {why}" for why, count in cases.failure_reasons.items()]
    test = _Test("run", name, "\n".join([told, *failed]))
    if found.record.state is not RunState.COMPLETED:
        test = replace(test, kind="error", short=told, type=found.record.state.value)
    elif failed:
        test = replace(test, name=f"WARN: {name}, some failed", warns=True)
    gate = beside.gate
    about = [f"run {run_name(header)}", *([outcome(gate), *gate.notes] if gate else [])]
    about += [*found.warnings, *beside.warnings]
    if (replies := warning_of_replies(header)) is not None:
        about.append(replies)
    properties = {"run_id": header.id, "dataset": header.dataset.hash}
    return _suite(f"ragproof run {header.project}", [test], properties, about)


def _kind(check: Check) -> Literal["failure", "error", "skipped"] | None:
    match check.verdict:
        case Verdict.ERROR:
            return "error"
        case Verdict.SKIP:
            return "skipped"
        case _:
            return "failure" if check.blocks else None


def _name(check: Check) -> str:
    name = asked_for(check)
    if check.verdict in (Verdict.WARN, Verdict.INCONCLUSIVE) and not check.blocks:
        return f"{check.verdict.upper()}: {name}"
    return name


def _clean(text: str) -> str:
    """Escape what XML cannot hold and what would act in a terminal."""
    return NO_XML.sub("?", inert(text, keep="\n\t"))
