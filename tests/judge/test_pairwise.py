"""Pairs are shown in both orders, without a word on who wrote them."""

from __future__ import annotations

import asyncio
import json
import re

from scripts import Speaker

from ragproof.analysis.leaning import Ballot, length, position
from ragproof.judge.ask import ModelJudge
from ragproof.judge.items import Pair, shipped_pairs
from ragproof.judge.pairwise import PROMPT, Compared, compared
from ragproof.llm.model import Ask

PAIR = Pair(
    id="p",
    question="?",
    answer_1="first text",
    answer_2="second text",
    label="1",
    families=("openly", "closed"),
)


def shown(ask: Ask) -> tuple[str, str]:
    """What stands as A and as B."""
    found = re.findall(r"<answer_[ab]-\w+>\n(.*?)\n</answer_", ask.user, re.DOTALL)
    return found[0], found[1]


def verdict(word: str) -> str:
    return json.dumps({"reason": "?", "verdict": word})


def run(speaker: Speaker, *pairs: Pair) -> tuple[Compared, ...]:
    return asyncio.run(compared(pairs, ModelJudge(speaker), at_once=2))


def ballots(found: tuple[Compared, ...]) -> list[Ballot]:
    return [
        Ballot(
            first=one.first and one.first.value,
            second=one.second and one.second.value,
            label=one.pair.label,
            lengths=(len(one.pair.answer_1), len(one.pair.answer_2)),
            change=one.pair.change,
        )
        for one in found
    ]


def test_a_pair_is_shown_in_both_orders() -> None:
    speaker = Speaker(lambda _: verdict("A"))
    [found] = run(speaker, PAIR)
    orders = [shown(ask) for ask in speaker.asked]
    assert orders == [("first text", "second text"), ("second text", "first text")]
    assert (found.first, found.second) == ("a", "a")
    assert len(found.replies) == 2


def test_who_wrote_an_answer_and_what_people_say_is_never_shown() -> None:
    speaker = Speaker(lambda _: verdict("tie"))
    run(speaker, PAIR)
    for ask in speaker.asked:
        told = ask.system + ask.user
        assert "openly" not in told
        assert "closed" not in told
        assert ask.prompt == PROMPT.sha256


def test_an_order_without_a_usable_reply_makes_the_pair_invalid() -> None:
    speaker = Speaker(lambda ask: verdict("a") if shown(ask)[0] == "first text" else "?")
    [found] = run(speaker, PAIR)
    assert (found.first, found.second) == ("a", None)
    assert len(found.errors) == 1
    assert position(ballots((found,))).invalid == 1


def test_a_judge_that_takes_the_first_place_is_found_out() -> None:
    found = position(ballots(run(Speaker(lambda _: verdict("a")), *shipped_pairs())))
    assert found.bias is not None
    assert found.consistency is not None
    assert (found.bias.value, found.consistency.value) == (0.5, 0.0)


def test_a_judge_that_takes_the_longer_answer_is_found_out() -> None:
    def longer(ask: Ask) -> str:
        one, other = map(len, shown(ask))
        return verdict("a" if one > other else "b" if other > one else "tie")

    found = ballots(run(Speaker(longer), *shipped_pairs()))
    told = position(found)
    assert told.consistency is not None
    assert told.consistency.value == 1
    leaning = length(found)
    assert leaning.longer_wins == 1
    assert leaning.longer_deserves is not None
    assert leaning.longer_deserves < 0.7
    assert leaning.expansion is not None
    assert leaning.expansion > 0.5
    assert leaning.truncation == 0.0
