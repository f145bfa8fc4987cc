"""FreshStack's layout: technical questions with nuggets, each judged against pieces of a snapshot.

Fields are those of its sets on Hugging Face (freshstack/queries-oct-2024). Title and text make one
query, joined by a space as its authors do. The snapshot and the day of a question belong to the
labels: `--revision` pins the one, and a date in the record becomes `as_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.inside import list_in
from ragproof.datasets.imports.records import records
from ragproof.text.faults import shown

DATES = ("question_date", "creation_date", "date", "timestamp")
TAKEN = {"query_id", "query_title", "query_text", "answer_text", "nuggets"}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a question: a piece that supports a nugget has grade 1, a judged other 0."""
    for place, record in records(asked.source):
        texts = [record.get("query_title"), record.get("query_text")]
        question = " ".join(one.strip() for one in texts if isinstance(one, str) and one.strip())
        nuggets = record.get("nuggets")
        if not question or "query_id" not in record or not isinstance(nuggets, list):
            raise UsageError(
                f"{place}: got {shown(record)}; allowed: query_id, query_title or query_text, "
                "and nuggets"
            )
        case: Fields = {"id": str(record["query_id"]), "question": question, "metadata": {}}
        if isinstance(record.get("answer_text"), str) and record["answer_text"].strip():
            case["expected_answer"] = record["answer_text"]
        case |= _judged(nuggets, case, place)
        if ids := [one["_id"] for one in nuggets if "_id" in one]:
            case["metadata"]["nugget_ids"] = ids
        metadata = record.get("metadata")
        dated = {**(metadata if isinstance(metadata, Mapping) else {}), **record}
        for name in DATES:
            if (day := _day(dated.get(name))) is not None:
                case["as_of"] = day
                break
        for name, value in record.items():
            if name not in TAKEN and value is not None:
                case["metadata"][name] = value
                asked.notes.kept[name] += 1
        yield place, case


def _judged(nuggets: list[Any], case: Fields, place: str) -> Fields:
    grades: dict[str, int] = {}
    texts, sources = [], {}
    for at, one in enumerate(nuggets):
        if not isinstance(one, Mapping) or not isinstance(one.get("text"), str):
            raise UsageError(f"{place}: nuggets.{at}: got {shown(one)}; allowed: one with a text")
        texts.append({"text": one["text"], "vital": True})
        where = f"{place}: nuggets.{at}"
        helpful = [str(piece) for piece in list_in(one, "relevant_corpus_ids", where)]
        sources[str(at)] = helpful
        for piece in list_in(one, "non_relevant_corpus_ids", where):
            grades.setdefault(str(piece), 0)
        grades |= dict.fromkeys(helpful, 1)
    case["metadata"]["nugget_sources"] = sources
    if not texts:
        return {"tags": {"judged": "no"}}
    return {"expected_nuggets": texts, "expected_source_ids": grades or None}


def _day(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10]).isoformat()
    except ValueError:
        return None
