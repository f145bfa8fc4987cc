"""Nuggets of TREC RAG: a topic a line, and what a good answer to it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.records import json_lines
from ragproof.text.faults import shown

VITAL, OKAY = "vital", "okay"


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a topic; an importance that is neither vital nor okay is counted, as okay."""
    for place, value in json_lines(asked.source):
        record = value if isinstance(value, Mapping) else {}
        listed = record.get("nuggets")
        topic, query = record.get("qid"), record.get("query")
        if not isinstance(query, str) or topic is None or not isinstance(listed, list):
            raise UsageError(f"{place}: got {shown(value)}; allowed: qid, query and nuggets")
        case: Fields = {"id": str(topic), "question": query, "metadata": {}}
        nuggets = [found for one in listed if (found := _nugget(one, asked)) is not None]
        if nuggets:
            case["expected_nuggets"] = nuggets
        else:
            case["tags"] = {"judged": "no"}
        for name, more in record.items():
            if name not in ("qid", "query", "nuggets"):
                case["metadata"][name] = more
                asked.notes.kept[name] += 1
        yield place, case


def _nugget(one: object, asked: Asked) -> Fields | None:
    told = one if isinstance(one, Mapping) else {"text": one}
    text = told.get("text") or told.get("nugget")
    if not isinstance(text, str) or not text.strip():
        asked.notes.lost["nugget without a text"] += 1
        return None
    importance = str(told.get("importance", "")).strip().lower()
    if importance not in (VITAL, OKAY):
        asked.notes.lost["importance neither vital nor okay, taken for okay"] += 1
    for name in told:
        if name not in ("text", "nugget", "importance"):
            asked.notes.lost[f"nugget's {name}"] += 1
    return {"text": text, "vital": importance == VITAL}
