"""Answers whose names were marked by hand: `<-Ada>` is not in the context, all others are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ragproof.core import Answer, CaseRun, Chunk, DoesNotArise, Observation, QuestionCase
from ragproof.metrics.generation.unseen_entities import UnseenEntities

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("name_answers.jsonl").read_text("utf-8").splitlines()
]
MARK = re.compile(r"<-([^<>]+)>")


@pytest.mark.parametrize("row", ROWS, ids=[row["answer"] for row in ROWS])
def test_an_answer_is_flagged_where_it_brings_in_a_name(row: dict[str, str]) -> None:
    said = Answer(
        answer_text=MARK.sub(r"\1", row["answer"]),
        retrieved_chunks=(Chunk(id="a", text=row["context"]),),
    )
    run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=said))
    try:
        flagged = UnseenEntities().score(run).value == 1.0
    except DoesNotArise:
        flagged = False
    assert flagged is (MARK.search(row["answer"]) is not None)
