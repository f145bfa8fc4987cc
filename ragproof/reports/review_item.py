"""One answer of a review queue, as a person reads it on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof.reports.page import Page
from ragproof.reports.wording import one_line

MOST = 12
"""Passages that are shown; the others are counted."""


def print_item(page: Page, line: Mapping[str, Any]) -> None:
    """Print question, answer and passages, and what is filled in."""
    page.line(f"item {one_line(str(line.get('item')), 40)}", "dim")
    for turn in _listed(line.get("history")):
        page.entry(f"{one_line(str(turn.get('role')), 12)}: ", str(turn.get("content")), "dim")
    page.entry("Question: ", str(line.get("question") or ""), label_style="bold")
    page.line()
    page.entry("Answer: ", str(line.get("answer") or ""), label_style="bold")
    passages = line.get("passages")
    if isinstance(passages, str):  # as a sheet has them
        page.line()
        page.line(passages)
    found = _listed(passages)
    for one in found[:MOST]:
        page.line()
        page.line(f"[{one.get('number')}] {one_line(str(one.get('id')), 60)}", "bold")
        page.line(str(one.get("text") or "(no text was recorded)"), indent=4)
    if len(found) > MOST:
        page.line(f"... {len(found)} passages in all", "dim")
    verdict = line.get("verdict")
    if verdict:
        page.line()
        reasons = line.get("reasons")
        more = f" ({', '.join(map(str, reasons))})" if isinstance(reasons, list) and reasons else ""
        page.line(f"Verdict: {one_line(f'{verdict}{more}', 70)}", "green")


def _listed(value: object) -> list[Mapping[str, Any]]:
    found = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, Mapping)]
