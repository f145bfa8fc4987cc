"""Nuggets are made from a pool of passages, refined, and told vital or okay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from ragproof.core import JudgeError, Nugget, Reply
from ragproof.judge.ask import ModelJudge
from ragproof.judge.nuggets import KEPT, make_nuggets
from ragproof.llm.model import Ask


@dataclass
class Scripted:
    """Replies in order, and what was asked."""

    replies: list[Any]
    fingerprint: str = "scripted"
    asked: list[Ask] = field(default_factory=list)

    async def reply(self, ask: Ask, /) -> Reply:
        self.asked.append(ask)
        return Reply(json.dumps(self.replies[len(self.asked) - 1]))

    async def close(self) -> None:
        pass


def written(*nuggets: str) -> dict[str, Any]:
    return {"nuggets": list(nuggets)}


def rated(**importance: str) -> dict[str, Any]:
    return {"nuggets": [{"id": id_, "importance": one} for id_, one in importance.items()]}


def made(model: Scripted, pool: Iterable[str]) -> tuple[Nugget, ...]:
    return asyncio.run(make_nuggets(ModelJudge(model), "When was it founded?", list(pool)))


def test_the_list_goes_through_the_pool_and_is_rated_at_the_end() -> None:
    model = Scripted(
        [
            written("By Ada."),
            written("By Ada.", "In 1900."),
            rated(n1="okay", n2="Vital"),
        ]
    )
    found = made(model, [f"passage {number}" for number in range(11)])
    assert found == (Nugget(text="In 1900.", vital=True), Nugget(text="By Ada.", vital=False))
    first, second, _ = (str(one) for one in model.asked)
    assert "passage 9" in first
    assert "passage 10" not in first
    assert "passage 10" in second
    assert "By Ada." in second


def test_an_empty_pool_asks_nothing_and_has_no_nuggets() -> None:
    model = Scripted([])
    assert made(model, ["", " "]) == ()
    assert model.asked == []


def test_vital_ones_stay_where_there_are_too_many() -> None:
    names = [f"fact {number}" for number in range(25)]
    tens = [dict.fromkeys((f"n{n}" for n in range(1, 11)), "okay") for _ in range(2)]
    last = dict.fromkeys((f"n{n}" for n in range(1, 6)), "vital")
    model = Scripted([written(*names), *(rated(**one) for one in (*tens, last))])
    found = made(model, ["a"])
    assert len(found) == KEPT
    assert [one.text for one in found[:5]] == names[20:]


def test_a_nugget_without_a_rating_is_sent_back_and_then_an_error() -> None:
    short = rated(n1="vital")
    model = Scripted([written("a", "b"), short, short])
    with pytest.raises(JudgeError, match="rate each of n1, n2 exactly once"):
        made(model, ["p"])
