"""A gate as JUnit XML, as CI servers show it: failure, error and skipped kept apart.

JUnit knows no warning: a test that warns passes, and says so in its name and its output.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from ragproof.analysis.gate import Check, Gate, Verdict
from ragproof.reports.decision_wording import asked_for, more_on, outcome, run_name
from ragproof.reports.wording import inert

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gate_junit(gate: Gate) -> str:
    """Write one test case for each check."""
    suite = ET.Element("testsuite", name=_clean(f"ragproof gate {gate.run.header.project}"))
    counts = {"failures": 0, "errors": 0, "skipped": 0}
    for check in gate.checks:
        case = ET.SubElement(suite, "testcase", classname=_clean(check.asked.metric), time="0")
        case.set("name", _clean(_name(check)))
        told = "\n".join([check.detail, *more_on(check)])
        if (kind := _kind(check)) is None:
            ET.SubElement(case, "system-out").text = _clean(told)
            continue
        counts[f"{kind}s" if kind != "skipped" else kind] += 1
        ET.SubElement(
            case, kind, message=_clean(check.detail), type=str(check.verdict)
        ).text = _clean(told)
    suite.set("tests", str(len(gate.checks)))
    for name, count in counts.items():
        suite.set(name, str(count))
    about = [outcome(gate), f"run {run_name(gate.run.header)}", *gate.notes]
    ET.SubElement(suite, "system-out").text = _clean("\n".join(about))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    page: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return page.decode() + "\n"


def _kind(check: Check) -> str | None:
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
