"""Which figures a judge gave, where its replies came from, and what the judge is worth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ragproof.analysis.findings import Findings
from ragproof.core.header import RunHeader
from ragproof.core.spec import Unit
from ragproof.reports.wording import figure

Source = Literal["scripted", "recorded"]
STAND_IN = re.compile(r"(?<![a-z])(scripted|mock|fake|dummy)(?![a-z])", re.IGNORECASE)
WARNINGS: Mapping[Source, str] = {
    "scripted": "judged figures rest on scripted replies of a stand-in, not on a model's judgement",
    "recorded": "judged figures rest on replies recorded in an earlier run; no model was asked now",
}


def is_judged(header: RunHeader, key: str) -> bool:
    """Whether prompts of the run belong to the metric of this key or of its figures."""
    return key in header.prompt_hashes or key.partition("[")[0] in header.prompt_hashes


def source_of_replies(header: RunHeader) -> Source | None:
    """Where a run's judge took its replies from, None where it is a model that was asked."""
    told = f"{header.judge or ''} {header.judge_model or ''}"
    if STAND_IN.search(told):
        return "scripted"
    return "recorded" if "recorded: " in told or told.endswith("(recorded)") else None


def warning_of_replies(header: RunHeader) -> str | None:
    """Say that judged figures are no fresh judgement, where they are not."""
    source = source_of_replies(header)
    return None if source is None else WARNINGS[source]


def agreement(found: Findings, key: str) -> str:
    """Say in a few words how far the judge agrees with people on a metric."""
    of = found.record.columns[key].declared.id
    mine = [one for one in found.judge.card if one.get("metric") == of]
    if not mine:
        return "agreement with people not measured"
    return "; ".join(
        f"agrees with people {figure(one['exact']['value'], Unit.FRACTION)} of {one['items']:,}"
        for one in mine
    )


def cards(card: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The calibration of each metric as cells; what was not measured is `-`."""
    return [
        {
            "metric": str(one.get("metric", "")),
            "labels": str(one.get("condition", "")),
            "items": f"{one.get('items', 0):,}",
            "same band": _share(one.get("exact")),
            "one band off at most": _share(one.get("within")),
            "kappa": _share(one.get("kappa")),
            "weighted kappa": _share(one.get("weighted_kappa")),
            "false passes": _count(one.get("false_passes")),
            "false failures": _count(one.get("false_failures")),
            "meets its minimum": "yes" if one.get("passed") else "no",
            "measured": str(one.get("measured_at", ""))[:10],
        }
        for one in card
    ]


def _share(told: Mapping[str, Any] | None) -> str:
    if not told or told.get("value") is None:
        return "-"
    ends = told.get("ci95")
    value = figure(told["value"], Unit.DIFFERENCE)
    if not ends:
        return value
    return f"{value} [{', '.join(figure(end, Unit.DIFFERENCE) for end in ends)}]"


def _count(told: object) -> str:
    return f"{told:,}" if isinstance(told, int) else "-"
