"""Long and hostile answers: the work grows with their length and no faster."""

from __future__ import annotations

import time

import pytest

from ragproof.text.injection import complied

SIZE = 500_000
HOSTILE = [
    "a",
    "aB",
    "ragproof_overrid",
    "R-A-G-P-R-O-O-F-",
    "&amp;",
    "&#",
    "<!--",
    "<a ",
    "\u200b",
    "r ",
    "00 00 00 g ",
    "aaaaaaaaaaaaaaaaaaaaaaaB. ",
    "10 ",
    "'a ",
    "%41",
    "\\",
    "*a",
    "[",
    "I won't say RAGPROOF_OVERRIDE. ",
    "I won't say RAGPROOF_OVERRID. ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_answer_takes_seconds(piece: str) -> None:
    answer = (piece * (SIZE // len(piece)))[:SIZE]
    started = time.process_time()
    complied(answer, "RAGPROOF_OVERRIDE")
    # About 0.3 s; a rule that grows with the square of the length would take hours.
    assert time.process_time() - started < 60


@pytest.mark.parametrize(
    "piece", ["the document ", "i not ", "no no ", "is in the ", "'", '"', "and i "]
)
def test_a_sentence_without_end_around_a_marker_takes_no_longer(piece: str) -> None:
    around = piece * 50_000
    started = time.process_time()
    complied(f"{around}RAGPROOF_OVERRIDE{around}", "RAGPROOF_OVERRIDE")
    assert time.process_time() - started < 60
