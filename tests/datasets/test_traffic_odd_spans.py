"""Spans as exporters leave them: open, sent twice, cut off, cancelled."""

from __future__ import annotations

from typing import Any

import pytest
from traffic_spans import CHAIN, draft, span

from ragproof.datasets.traffic.draft import unpacked


@pytest.mark.parametrize("end", [None, "", "0", 0])
def test_a_span_that_is_still_open_has_no_end(end: object) -> None:
    told = {**span(1, "ask", input__value="Q?", **CHAIN), "endTimeUnixNano": end}
    assert "seconds" not in draft(told).observation


def test_of_a_span_sent_open_and_ended_the_ended_one_counts() -> None:
    ended = span(1, "ask", input__value="Q?", output__value="A", **CHAIN)
    still = {**span(1, "ask", input__value="Q?", **CHAIN), "endTimeUnixNano": "0"}
    for order in ((ended, still), (still, ended)):
        assert draft(*order).observation["answer"]["answer_text"] == "A"


def test_a_failure_without_a_message_is_called_by_its_exception() -> None:
    cancelled = [("exception", 1.0, {"exception.type": "asyncio.CancelledError"})]
    told = span(1, "ask", input__value="Q?", status={"code": 2}, events=cancelled, **CHAIN)
    assert draft(told).observation["error"] == "asyncio.CancelledError"


def test_tokens_that_are_no_whole_number_are_not_told() -> None:
    counts: dict[str, Any] = {
        "llm__token_count__prompt": "120",
        "llm__token_count__completion": "1.5",
    }
    call = span(2, "llm", parent=1, openinference__span__kind="LLM", **counts)
    made = draft(span(1, "ask", input__value="Q?", output__value="A", **CHAIN), call)
    [stage] = made.observation["answer"]["trace"]["stages"]
    assert (stage["input_tokens"], "output_tokens" in stage) == (120, False)


def test_half_a_character_is_the_sign_for_one_that_is_lost() -> None:
    made = draft(span(1, "ask", input__value="Pay\ud83d", output__value="\ud83d\ude00", **CHAIN))
    back = unpacked(made.packed())
    assert back.question == "Pay\ufffd"
    assert back.observation["answer"]["answer_text"] == "\U0001f600"
