"""Answers whose quantities were marked by hand, each against a context.

`<+35 days>` follows from the context, `<-36 days>` does not, and what is not marked is no quantity
that an answer could be held to. A mark may take in words around the number.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from ragproof.core import Answer, CaseRun, Chunk, DoesNotArise, Observation, QuestionCase
from ragproof.metrics.generation.quantities_supported import QuantitiesSupported
from ragproof.text.han_numerals import in_digits

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("quantity_answers.jsonl").read_text("utf-8").splitlines()
]
MARK = re.compile(r"<([+-])([^<>]+)>")


def unsupported(answer: str, context: str) -> list[str]:
    said = Answer(answer_text=answer, retrieved_chunks=(Chunk(id="a", text=context),))
    run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=said))
    try:
        return list(QuantitiesSupported().score(run).evidence["unsupported"])  # type: ignore[arg-type]
    except DoesNotArise:
        return []


def as_shown(text: str) -> str:
    """The text as evidence shows it: digits of all scripts in ASCII, Chinese ones too."""
    plain = in_digits(unicodedata.normalize("NFC", text)).replace("\u066a", "%")
    return "".join(str(unicodedata.digit(one, one)) if one.isdecimal() else one for one in plain)


@pytest.mark.parametrize("row", ROWS, ids=[row["answer"] for row in ROWS])
def test_what_does_not_follow_is_found_and_nothing_else(row: dict[str, str]) -> None:
    plain = MARK.sub(lambda found: found[2], row["answer"])
    wrong = [as_shown(found[2]) for found in MARK.finditer(row["answer"]) if found[1] == "-"]
    told = unsupported(plain, row["context"])
    assert all(any(one in mark or mark in one for mark in wrong) for one in told), told
    assert all(any(one in mark or mark in one for one in told) for mark in wrong), told
