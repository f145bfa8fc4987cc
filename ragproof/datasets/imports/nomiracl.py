"""NoMIRACL: questions whose passages hold the answer, and questions whose passages do not.

Two forms: with the passages told apart (`positive_passages`, `negative_passages`), and prompts
with the ids of their passages, of which only the file's name says whether any is relevant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.inside import id_in, list_in, objects_in, text_in
from ragproof.datasets.imports.records import json_lines
from ragproof.text.faults import shown

SUBSETS = ("non_relevant", "relevant")
_QUESTION = re.compile(r"QUESTION:\s*\n(.+?)\n\s*\nCONTEXTS?:\s*\n(.*)", re.DOTALL)
_PASSAGE = re.compile(r"^\[(\d+)\] (.*?)(?=\n\s*\n\[\d+\] |\n\s*\nOUTPUT:|\Z)", re.DOTALL | re.M)


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a question; where no passage is relevant it is unanswerable."""
    for place, value in json_lines(asked.source):
        record = value if isinstance(value, Mapping) else {}
        if "positive_passages" in record or "negative_passages" in record:
            yield place, _told_apart(asked, record, place)
        elif isinstance(record.get("prompt"), str) and isinstance(record.get("docids"), list):
            yield place, _prompt(asked, record, place)
        else:
            raise UsageError(
                f"{place}: got {shown(value)}; allowed: query_id and query with positive_passages "
                "and negative_passages, or query_id, docids and prompt"
            )


def _told_apart(asked: Asked, record: Mapping[str, Any], place: str) -> Fields:
    question = text_in(record, "query", place)
    grades: dict[str, int] = {}
    for name, grade in (("positive_passages", 1), ("negative_passages", 0)):
        for at, passage in enumerate(objects_in(record, name, place)):
            document = id_in(passage, "docid", f"{place}: {name}.{at}")
            grades[document] = grade
            title, text = passage.get("title", ""), passage.get("text", "")
            asked.notes.documents[document] = (str(title), str(text))
    case: Fields = {"id": id_in(record, "query_id", place), "question": question, "metadata": {}}
    if answers := [one for one in list_in(record, "answers", place) if one]:
        case["expected_answer"] = answers
    if any(grades.values()):
        return case | {"expected_source_ids": grades, "answerable_from_context": True}
    return case | _unanswerable(list(grades))


def _prompt(asked: Asked, record: Mapping[str, Any], place: str) -> Fields:
    subset = next((one for one in SUBSETS if asked.source.name.startswith(one)), None)
    if subset is None:
        raise UsageError(
            f"{place}: whether a passage is relevant is told by the file's name alone, which "
            f"must begin with {' or '.join(SUBSETS)}; got {shown(asked.source.name)}"
        )
    found = _QUESTION.search(record["prompt"])
    if found is None:
        raise UsageError(f"{place}: prompt: no `QUESTION:` followed by `CONTEXTS:` is in it")
    ids = [str(one) for one in record["docids"]]
    for number, passage in _PASSAGE.findall(found[2]):
        if int(number) <= len(ids):
            title, _, text = passage.strip().partition(": ")
            asked.notes.documents[ids[int(number) - 1]] = (title, text)
    for name in record:
        if name not in ("query_id", "docids", "prompt"):
            asked.notes.lost[name] += 1
    case: Fields = {"id": id_in(record, "query_id", place), "question": found[1].strip()}
    if subset == "non_relevant":
        return case | _unanswerable(ids) | {"metadata": {}}
    asked.notes.lost["which of the passages is relevant"] += 1
    return case | {
        "answerable_from_context": True,
        "tags": {"judged": "no"},
        "metadata": {"passages": ids},
    }


def _unanswerable(ids: list[str]) -> Fields:
    return {
        "kind": "unanswerable",
        "distractor_source_ids": ids or None,
        "answerable_from_context": False,
    }
