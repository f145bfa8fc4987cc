"""How decisions are shown: every number, and nothing that a label could do to a page."""

from __future__ import annotations

import json
import re
from io import StringIO

import pytest
from hand_made import FRACTION, cases, column, declared, record
from rich.console import Console

from ragproof.analysis.decide import Decisions, Registration, decide
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Clause, Experiment
from ragproof.analysis.prediction_powered import HumanScore
from ragproof.analysis.requirements import Role
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.reports.adoption_json import decisions_json
from ragproof.reports.adoption_markdown import decisions_markdown
from ragproof.reports.adoption_terminal import print_decisions

HOSTILE = "<script>[/x]|`@all`\x1b[31m"
SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
CHANGED = Registration(
    hash="ab" * 32, baseline=True, candidate=False, changed={"clauses[x].bound": (0.1, 0.2)}
)
LABELS = [
    HumanScore(case_id=f"c{at:04}", metric=FRACTION.id, score=at % 2 * 0.2) for at in range(10)
]


def run(shift: float, label: str) -> RunRecord:
    scores = [min(1.0, max(0.0, 0.1 * (at % 9) + shift + 0.01 * (at % 4))) for at in range(40)]
    seconds = [0.1 + 0.01 * at for at in range(40)]
    columns = {FRACTION.id: column(FRACTION, scores), SECONDS.id: column(SECONDS, seconds)}
    return record(cases(40), columns, label=label, id=label[:6] + str(shift))


def clause(role: Role, metric: str, bar: Bar | None, bound: float = 0.0, **more: str) -> Clause:
    return Clause(role=role, metric=metric, bar=bar, bound=bound, **more)  # type: ignore[arg-type]


def shown() -> Decisions:
    before, after = run(0.0, HOSTILE), run(0.03, "after")
    rule = AdoptionRule(
        name=HOSTILE,
        clauses=(
            clause(Role.PRIMARY, FRACTION.id, Bar.MIN_GAIN, 0.0),
            clause(Role.GUARDRAIL, FRACTION.id, Bar.MIN, 0.35),
            clause(Role.GUARDRAIL, SECONDS.id, Bar.MAX_RISE, 0.2),
            clause(Role.GUARDRAIL, f"{HOSTILE}.x", Bar.MAX, 0.02),
            clause(Role.GUARDRAIL, FRACTION.id, Bar.MIN, 0.9, estimate="prediction_powered"),
            clause(Role.EXPLORATORY, FRACTION.id, None),
        ),
        experiment=Experiment(
            unit="query", estimand=HOSTILE, stopping_rule="at 100", sample_size=100, looks=(40,)
        ),
        otherwise=HOSTILE,
    )
    decided = decide(rule, before, after, CHANGED, LABELS)
    return Decisions(
        baseline=before, candidate=after, decided=(decided,), doubts=(HOSTILE,), notes=(HOSTILE,)
    )


def printed(found: Decisions, width: int) -> str:
    out = StringIO()
    print_decisions(Console(file=out, width=width, force_terminal=False), found)
    return out.getvalue()


@pytest.mark.parametrize("width", [40, 80, 140])
def test_the_terminal_shows_every_clause_and_obeys_no_label(width: int) -> None:
    text = printed(shown(), width)
    assert all(len(line) <= width for line in text.splitlines())
    words = " ".join(text.split())
    for told in (
        "Not adopted: 1 reject",
        "met retrieval.recall_at_k gain above 0 (whole interval)",
        "system.latency_seconds rise at most 200 ms",
        "missing evidence <script>[/x]",
        "not met retrieval.recall_at_k at least 0.9",
        "prediction-powered 0",
        "10 cases of 40 labelled; judged",
        "assigned by query; stops: at 100",
        "queries: 40 and 40 of 100 planned an arm; looks at 40",
        "NOT pre-registered",
        "clauses[x].bound was 0.1, now 0.2",
    ):
        assert told.replace(" ", "") in words.replace(" ", ""), told
    assert "\x1b" not in text


def test_markdown_obeys_no_label() -> None:
    text = decisions_markdown(shown())
    assert text.startswith("### Not adopted: 1 reject")
    assert "\x1b" not in text
    outside = re.sub(r"``.*?``(?!`)|`[^`\n]*`|<code>.*?</code>", "", text)
    assert not any(mark in outside for mark in ("script", "@", "[/x]"))
    for line in text.splitlines():
        if line.startswith("| :"):
            assert line.count(" | ") == 2, line


def test_json_has_every_number_and_only_ascii() -> None:
    text = decisions_json(shown())
    assert text.isascii()
    document = json.loads(text)
    assert document["adopted"] is False
    (one,) = document["decisions"].values()
    assert (one["verdict"], one["pre_registered"]) == ("reject", False)
    gain, least, rise, absent, corrected, exploratory = one["clauses"]
    assert gain["status"] == "met"
    assert gain["value"] == pytest.approx(gain["candidate_value"] - gain["baseline_value"])
    assert gain["ci95"][0] > 0
    assert (least["of"], least["baseline_value"]) == ("candidate", None)
    assert (rise["limit"], rise["value"]) == ("max_rise", 0.0)
    assert (absent["status"], absent["value"]) == ("missing evidence", None)
    assert corrected["prediction_powered"]["labelled"] == 10
    assert corrected["value"] == corrected["prediction_powered"]["value"]
    assert (exploratory["status"], exploratory["limit"]) == ("shown", None)
    assert one["experiment"]["look"] == 40
    assert one["experiment"]["intervals_widened_by"] == pytest.approx(1.1436, abs=1e-3)
