"""Topics of TREC, in any of their forms, and judgments where there are some.

A topic is a line `id <tab> text`, an element `<top>` or `<topic>`, or a JSON object a line. One
without judgments is marked by the tag `judged: no`: it is asked, and nothing scores it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.records import json_lines, lines, whole_text
from ragproof.text.faults import shown

UNJUDGED = {"judged": "no"}
IDS, TEXTS = ("qid", "id", "_id", "query_id", "number"), ("query", "title", "text", "question")
_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(r"<(\w+)>\s*(.*?)\s*(?=</?\w+>|\Z)", re.DOTALL)
_NUMBER = re.compile(r"""(?:number|id|qid)\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_LABEL = re.compile(r"^(number|topic|description|narrative)\s*:\s*", re.IGNORECASE)
_HIGHEST = 100


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a topic. Raises UsageError for a judged topic that is not among them."""
    judged = {} if asked.qrels is None else judgments(asked.qrels)
    seen: set[str] = set()
    for place, topic, question, more in _topics(asked.source, asked):
        seen.add(topic)
        case: Fields = {"id": topic, "question": question, "metadata": more}
        case |= (
            {"expected_source_ids": judged[topic]} if topic in judged else {"tags": dict(UNJUDGED)}
        )
        yield place, case
    for topic in judged:
        if topic not in seen:
            raise UsageError(f"{asked.qrels}: topic {shown(topic)} is judged and not among topics")


def judgments(path: Path) -> Mapping[str, dict[str, int]]:
    """Topic to document to grade, of `topic iteration document grade`."""
    found: dict[str, dict[str, int]] = {}
    for number, text in lines(path):
        cells = text.split()
        if len(cells) != 4:
            raise UsageError(
                f"{path}:{number}: got {shown(text)}; allowed: topic, iteration, document, grade"
            )
        try:
            grade = int(cells[3])
        except ValueError:
            grade = _HIGHEST + 1
        if abs(grade) > _HIGHEST:
            raise UsageError(
                f"{path}:{number}: grade: got {shown(cells[3])}; allowed: a whole number from "
                f"-{_HIGHEST} to {_HIGHEST}"
            )
        if found.setdefault(cells[0], {}).setdefault(cells[2], grade) != grade:
            raise UsageError(
                f"{path}:{number}: topic {shown(cells[0])}, document {shown(cells[2])}: got grade "
                f"{grade}, but an earlier line says {found[cells[0]][cells[2]]}"
            )
    return found


def _topics(path: Path, asked: Asked) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    first = next((text.strip() for _, text in lines(path)), "")
    if not first:
        raise UsageError(f"{path}: there are no topics in it")
    if first.startswith("{"):
        yield from _of_json(path, asked)
    elif first.startswith("<"):
        yield from _of_elements(path, asked)
    else:
        for number, text in lines(path):
            topic, tab, question = text.partition("\t")
            if not tab or not topic.strip() or not question.strip():
                raise UsageError(
                    f"{path}:{number}: got {shown(text)}; allowed: a topic's id, a tab and its text"
                )
            yield f"{path}:{number}", topic.strip(), question.strip(), {}


def _of_json(path: Path, asked: Asked) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    for place, value in json_lines(path):
        record = value if isinstance(value, dict) else {}
        topic = next((str(record[name]) for name in IDS if name in record), "")
        names = (asked.mapping["question"],) if "question" in asked.mapping else TEXTS
        name = next((one for one in names if record.get(one)), "")
        if not topic or not name:
            raise UsageError(f"{place}: got {shown(value)}; allowed: an id and a text of the topic")
        more = {key: one for key, one in record.items() if key not in (*IDS, name)}
        asked.notes.kept.update(more.keys())
        yield place, topic, str(record[name]), more


def _of_elements(path: Path, asked: Asked) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    text = whole_text(path)
    for found in _TOPIC.finditer(text):
        place = f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
        parts = {
            name.lower(): _LABEL.sub("", html.unescape(" ".join(body.split())))
            for name, body in _PART.findall(found[2])
            if body.strip()
        }
        named = _NUMBER.search(found[1])
        topic = named[1] if named else parts.pop("num", parts.pop("number", ""))
        name = asked.mapping.get("question") or next(
            (one for one in ("title", "query", "desc", "description", "narr") if one in parts), ""
        )
        if not topic or name not in parts:
            got = ", ".join(parts) or "nothing"
            raise UsageError(f"{place}: a topic needs a number and a title; it has {got}")
        more = {key: one for key, one in parts.items() if key != name}
        asked.notes.kept.update(more.keys())
        yield place, topic, parts[name], more
