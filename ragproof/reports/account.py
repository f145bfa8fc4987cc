"""The evidence of a score, put so that people can read it: claims, verdicts, quotes, reasons.

Metrics leave evidence as plain data. What looks like a list of claims, citations or aspects
becomes rows; votes of jurors become accounts of their own; the rest becomes facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ragproof.core.outcome import Json

ROWS = 40
"""So many claims are listed."""
DEPTH = 3
"""What is nested deeper is left out."""
LISTED = 12
SUBJECTS = "text", "claim", "statement", "question", "nugget", "chunk_id", "name", "id"
"""Keys that say what a row is about, the best first."""
REASONS = "reason", "reasoning", "explanation", "because"
GOOD = {
    *("supported", "support", "ok", "relevant", "complete", "covered", "correct", "right"),
    *("entailed", "entailment", "full", "yes", "pass", "passed", "true", "found", "answered"),
}
BAD = {
    *("unsupported", "wrong", "irrelevant", "incomplete", "missing", "incorrect", "contradicted"),
    *("contradiction", "refuted", "none", "no", "fail", "failed", "false", "fabrication", "absent"),
}
Tone = Literal["good", "bad", "neutral"]


@dataclass(frozen=True, slots=True)
class Told:
    """What was found of one claim, citation or aspect."""

    subject: str
    verdict: str
    tone: Tone
    quote: str | None
    quote_found: bool | None
    """Whether the quote stands in the text, where that was looked up."""
    reason: str
    more: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Account:
    """The evidence of one score."""

    rows: tuple[Told, ...] = ()
    unlisted: int = 0
    """Rows that are not shown."""
    facts: tuple[tuple[str, str], ...] = ()
    jurors: tuple[tuple[str, str, Account], ...] = field(default=())
    """Name, vote and account of each, where several judged."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.rows or self.facts or self.jurors)


def account(evidence: Mapping[str, Json], depth: int = DEPTH) -> Account:
    """Put evidence in order."""
    rows: list[Told] = []
    facts: list[tuple[str, str]] = []
    jurors: tuple[tuple[str, str, Account], ...] = ()
    rest = dict(evidence)
    if isinstance(rest.get("verdict"), str | bool):
        rows.append(_told("", {name: rest.pop(name) for name in ("verdict", *REASONS, "quote")
                               if name in rest}))  # fmt: skip
    for name, value in rest.items():
        if name == "jurors" and depth and _is_rows(value):
            jurors = tuple(_juror(one, depth - 1) for one in _mappings(value))
        elif _is_rows(value):
            rows += [_told("", one) for one in _mappings(value)]
        elif isinstance(value, Mapping) and ("verdict" in value or "reason" in value):
            rows.append(_told(_named(name), value))
        elif (said := _said(value)) != "":
            facts.append((_named(name), said))
    return Account(tuple(rows[:ROWS]), max(0, len(rows) - ROWS), tuple(facts), jurors)


def _is_rows(value: Json) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) > 0
        and all(isinstance(one, Mapping) for one in value)
    )


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    assert isinstance(value, Sequence)
    for one in value:
        assert isinstance(one, Mapping)
        yield one


def _told(subject: str, row: Mapping[str, Json]) -> Told:
    rest = dict(row)
    if not subject:
        key = next((key for key in SUBJECTS if isinstance(rest.get(key), str | int)), None)
        subject = "" if key is None else _said(rest.pop(key))
    rest.pop("id", None)
    verdict = _said(rest.pop("verdict", ""))
    quote = rest.pop("quote", None)
    found = rest.pop("quote_found", None)
    reason = "; ".join(said for key in REASONS if (said := _said(rest.pop(key, ""))))
    failure = rest.pop("failure_mode", None)
    if isinstance(failure, str) and failure != "none":
        verdict = f"{verdict}: {failure}" if verdict else failure
    return Told(
        subject=subject,
        verdict=verdict.replace("_", " "),
        tone=_tone(verdict),
        quote=quote if isinstance(quote, str) and quote else None,
        quote_found=found if isinstance(found, bool) else None,
        reason=reason,
        more=tuple((_named(key), said) for key, value in rest.items() if (said := _said(value))),
    )


def _tone(verdict: str) -> Tone:
    word = verdict.partition(":")[0].strip().casefold()
    return "good" if word in GOOD else "bad" if word in BAD else "neutral"


def _juror(vote: Mapping[str, Json], depth: int) -> tuple[str, str, Account]:
    evidence = vote.get("evidence")
    said = vote.get("value", vote.get("not_scored", ""))
    told = account(evidence, depth) if isinstance(evidence, Mapping) else Account()
    return _said(vote.get("juror", "")), _said(said), told


def _named(key: str) -> str:
    return key.replace("_", " ")


def _said(value: Json) -> str:
    """A value in words: lists with commas, mappings as name and value; empty for nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case float():
            return f"{value:.4g}"
        case int():
            return str(value)
        case Mapping():
            return ", ".join(f"{_named(key)} {_said(one)}" for key, one in value.items())
        case _:
            more = f", and {len(value) - LISTED:,} more" if len(value) > LISTED else ""
            return ", ".join(map(_said, value[:LISTED])) + more
