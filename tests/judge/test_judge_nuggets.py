"""Nuggets are made from a pool of passages, refined, held to it, and told vital or okay."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import JudgeError, Nugget, Reply
from ragproof.judge.ask import ModelJudge
from ragproof.judge.nuggets import (
    KEPT,
    MOST,
    NOT_SAID,
    REFINED_AWAY,
    TOO_MANY,
    Drafted,
    Held,
    Holdings,
    Importance,
    Quoted,
    Rated,
    Ratings,
    Written,
    calls,
    make_nuggets,
)
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


def held(**quotes: tuple[str, str] | None) -> dict[str, Any]:
    """Nugget to passage and quote."""
    return {
        "nuggets": [
            {"id": id_, "said_by": [{"passage": one[0], "quote": one[1]}] if one else []}
            for id_, one in quotes.items()
        ]
    }


def made(model: Scripted, pool: Iterable[str], *begun: Nugget) -> Drafted:
    judge = ModelJudge(model)
    return asyncio.run(make_nuggets(judge, "When was it founded?", list(pool), begun))


POOL = [f"passage {number}" for number in range(11)]


def test_the_list_goes_through_the_pool_is_held_to_it_and_rated_at_the_end() -> None:
    model = Scripted(
        [
            written("By Ada."),
            written("By Ada.", "In 1900."),
            held(n1=("p2", "Passage  1"), n2=None),
            held(n1=("p1", "passage 10")),
            rated(n1="okay", n2="Vital"),
        ]
    )
    found = made(model, POOL)
    assert found.nuggets == (
        Nugget(text="In 1900.", vital=True),
        Nugget(text="By Ada.", vital=False),
    )
    assert found.said_by == ((10,), (1,))
    first, second, *_ = (str(one) for one in model.asked)
    assert "passage 9" in first
    assert "passage 10" not in first
    assert "passage 10" in second
    assert "By Ada." in second
    assert "By Ada." not in str(model.asked[3])  # it was found already


def test_an_empty_pool_asks_nothing_and_has_no_nuggets() -> None:
    model = Scripted([])
    assert made(model, ["", " "]).nuggets == ()
    assert model.asked == []


def test_vital_ones_stay_where_there_are_too_many() -> None:
    names = [f"fact {number}" for number in range(25)]
    tens = [dict.fromkeys((f"n{n}" for n in range(1, 11)), "okay") for _ in range(2)]
    last = dict.fromkeys((f"n{n}" for n in range(1, 6)), "vital")
    said = [held(**dict.fromkeys(one, ("p1", "a"))) for one in (*tens, last)]
    model = Scripted([written(*names), *said, *(rated(**one) for one in (*tens, last))])
    found = made(model, ["a"])
    assert len(found.nuggets) == KEPT
    assert [one.text for one in found.nuggets[:5]] == names[20:]
    assert found.turned == tuple((one, TOO_MANY) for one in names[15:20])


@pytest.mark.parametrize("said", [None, ("p1", "it was 1901"), ("p1", " ")])
def test_a_nugget_that_no_passage_says_does_not_stay(said: tuple[str, str] | None) -> None:
    """Nor one whose quote was made up; the model is not asked how vital it is."""
    model = Scripted([written("In 1901."), held(n1=said)])
    found = made(model, ["It was founded in 1900."])
    assert (found.nuggets, found.turned) == ((), (("In 1901.", NOT_SAID),))


def test_nuggets_that_are_there_are_refined_and_keep_their_aliases() -> None:
    there = Nugget(text="In 1900.", vital=False, aliases=("MCM",))
    gone = Nugget(text="It is big.", vital=True)
    model = Scripted(
        [written("In 1900."), held(n1=("p1", "in 1900")), rated(n1="vital")],
    )
    found = made(model, ["It was founded in 1900."], there, gone)
    assert found.nuggets == (Nugget(text="In 1900.", vital=True, aliases=("MCM",)),)
    assert found.turned == (("It is big.", REFINED_AWAY),)
    assert "It is big." in str(model.asked[0])


def test_a_nugget_without_a_rating_is_sent_back_and_then_an_error() -> None:
    short = rated(n1="vital")
    both = held(n1=("p1", "p"), n2=("p1", "p"))
    model = Scripted([written("a", "b"), both, short, short])
    with pytest.raises(JudgeError, match="give each of n1, n2 exactly once"):
        made(model, ["p"])


def test_a_passage_that_was_not_shown_is_sent_back() -> None:
    model = Scripted([written("a"), held(n1=("p7", "p")), held(n1=("p1", "p")), rated(n1="vital")])
    assert len(made(model, ["p"]).nuggets) == 1
    assert "there is no passage 'p7'" in model.asked[2].user


@given(
    passages=st.integers(0, 60),
    at_once=st.integers(1, 20),
    written_=st.integers(0, MOST),
    data=st.data(),
)
def test_no_draft_takes_more_calls_than_foretold(
    passages: int, at_once: int, written_: int, data: st.DataObject
) -> None:
    """Whatever the model writes, as long as each reply but the last needs no repair."""
    pool = [f"text {number}" for number in range(passages)]
    stands = [data.draw(st.integers(-1, passages - 1)) for _ in range(written_)] if passages else []
    asked: list[str] = []

    class Judge:
        fingerprint = "any"

        async def ask(self, _: Any, variables: Any, shape: Any, /, **_more: Any) -> Any:
            asked.append(variables.get("passages", ""))
            if shape is Written:
                return Written(tuple(f"nugget {number}" for number in range(written_)))
            ids = re.findall(r'id="(n[0-9]+)"', variables["nuggets"])
            names = re.findall(r"nugget ([0-9]+)", variables["nuggets"])
            if shape is Ratings:
                return Ratings(tuple(Rated(one, Importance.VITAL) for one in ids))
            shown = dict(re.findall(r'id="(p[0-9]+)">\n(text [0-9]+)\n', variables["passages"]))
            where = {text: name for name, text in shown.items()}
            return Holdings(
                tuple(
                    Held(one, (Quoted(where[text], text),) if text in where else ())
                    for one, name in zip(ids, names, strict=True)
                    for text in (f"text {stands[int(name)]}",)
                )
            )

    found = asyncio.run(make_nuggets(Judge(), "q", pool, (), at_once))
    assert 2 * len(asked) <= calls(passages, at_once)[1]
    assert len(found.nuggets) == min(KEPT, sum(one >= 0 for one in stands))
    assert all(len(one) == 1 for one in found.said_by)
