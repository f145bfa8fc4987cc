"""CLAPNQ: questions with one passage, long answers that people wrote, and where these stand.

The passages have no ids; a passage is called by its question, `<id>-0`, and `--corpus-out` writes
it under that name. Sentences that annotators selected become spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.inside import id_in, list_in, objects_in, text_in
from ragproof.datasets.imports.records import json_lines
from ragproof.text.faults import shown


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a question; one without an answer is unanswerable from its passage."""
    for place, value in json_lines(asked.source):
        record = value if isinstance(value, Mapping) else {}
        if not isinstance(record.get("input"), str) or "passages" not in record:
            raise UsageError(f"{place}: got {shown(value)}; allowed: id, input, passages, output")
        yield place, _case(asked, record, place)


def _case(asked: Asked, record: Mapping[str, Any], place: str) -> Fields:
    name = id_in(record, "id", place)
    texts = {
        f"{name}-{at}": _text(passage, f"{place}: passages.{at}")
        for at, passage in enumerate(objects_in(record, "passages", place))
    }
    asked.notes.documents.update({document: ("", text) for document, text in texts.items()})
    ids = list(texts)
    outputs = objects_in(record, "output", place)
    said = [text_in(one, "answer", f"{place}: output") for one in outputs if one.get("answer")]
    answers = [one for one in dict.fromkeys(map(str.strip, said)) if one]
    case: Fields = {"id": name, "question": record["input"], "metadata": {}}
    annotators = [one["meta"] for one in outputs if one.get("meta")]
    if annotators:
        case["metadata"]["annotated"] = annotators
        asked.notes.kept["output.meta"] += 1
    if not answers:
        return case | {
            "kind": "unanswerable",
            "distractor_source_ids": ids,
            "answerable_from_context": False,
        }
    return case | {
        "expected_answer": answers[0] if len(answers) == 1 else answers,
        "expected_source_ids": ids,
        "expected_spans": _spans(asked, texts, outputs, place) or None,
        "answerable_from_context": True,
    }


def _text(passage: Mapping[str, Any], place: str) -> str:
    """The title stands above the text, so that spans count from where a reader of it counts."""
    title, text = str(passage.get("title") or "").strip(), text_in(passage, "text", place)
    return f"{title}\n{text}" if title else text


def _spans(
    asked: Asked, texts: Mapping[str, str], outputs: list[Mapping[str, Any]], place: str
) -> list[dict[str, Any]]:
    found: dict[tuple[str, int, int], None] = {}
    selected = [list_in(one, "selected_sentences", f"{place}: output") for one in outputs]
    for text in sorted({str(one) for several in selected for one in several if one}):
        places = [
            (document, at, at + len(text))
            for document, passage in texts.items()
            if (at := passage.find(text)) >= 0
        ]
        if not places:
            asked.notes.lost["selected sentence that is not in the passage"] += 1
        found |= dict.fromkeys(places[:1])
    return [
        {"document_id": document, "start": start, "end": end}
        for document, start, end in sorted(found)
    ]
