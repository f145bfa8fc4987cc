"""How likely the words of a reply were: asked for where a prompt weighs words, learnt where not."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from fake_provider import Provider, ask, asked_once, client, error, said, with_provider

from ragproof.core import Prompt, Reply, Weighed
from ragproof.judge.ask import ModelJudge
from ragproof.llm.model import Ask
from ragproof.llm.probe import probe
from ragproof.store import codec

LEVELS = ("1", "2", "3", "4", "5")
TEXT = '{"rating": 4}'


def spoken(*tokens: str, among: dict[str, float] | None = None) -> dict[str, Any]:
    """Give the token probabilities of a response; `among` are those at each token."""

    def one(token: str, share: float) -> dict[str, Any]:
        return {"token": token, "logprob": math.log(share) if share else -9999.0, "bytes": None}

    content = [
        {**one(token, 0.9), "top_logprobs": [one(*it) for it in (among or {token: 0.9}).items()]}
        for token in tokens
    ]
    return {"content": content, "refusal": None}


def with_logprobs(told: Any, text: str = TEXT) -> dict[str, Any]:
    response = said(text)
    response["choices"][0]["logprobs"] = told
    return response


RATED = with_logprobs(spoken('{"', "rating", '":', " ", "4", "}", among={"4": 0.75, "5": 0.25}))


def test_probabilities_are_asked_for_only_where_words_are_weighed() -> None:
    provider = Provider(RATED)
    reply = asked_once(provider, ask(weighs=LEVELS))
    assert (provider.asked[0]["logprobs"], provider.asked[0]["top_logprobs"]) == (True, 20)
    assert reply.weighed == (Weighed(11, "4", {"4": 0.75, "5": 0.25}),)
    other = Provider(RATED)
    assert asked_once(other, ask()).weighed is None
    assert "logprobs" not in other.asked[0]


def test_tokens_of_one_word_are_added_up_and_other_words_left_out() -> None:
    among = {" 4": 0.5, "4": 0.25, '"4': 0.125, "four": 0.0625, "3": 0.0}
    reply = asked_once(Provider(with_logprobs(spoken(" 4", among=among))), ask(weighs=LEVELS))
    assert reply.weighed is not None
    assert reply.weighed[0].among == pytest.approx({"4": 0.875, "3": 0.0})


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        {"content": None},
        {"content": []},
        {"content": [{"token": "4"}]},
        {"content": [{"token": "4", "top_logprobs": None}]},
        {"content": [{"token": "4", "top_logprobs": [{"token": "4", "logprob": "high"}]}]},
        {"content": [{"token": "4", "top_logprobs": [{"token": "4", "logprob": 3.0}]}]},
        {"tokens": ["4"], "token_logprobs": [-0.1]},
    ],
)
def test_an_endpoint_that_tells_none_gives_a_reply_all_the_same(told: object) -> None:
    reply = asked_once(Provider(with_logprobs(told)), ask(weighs=LEVELS))
    assert (reply.text, reply.weighed) == (TEXT, None)


@pytest.mark.parametrize(
    ("status", "message", "asked_for"),
    [
        (403, "You are not allowed to request logprobs from this model.", [20, 5, None]),
        (400, "Unsupported parameter: 'logprobs' is not supported with this model.", [20, 5, None]),
        (400, "top_logprobs must be at most 5, got logprobs 20", [20, 5]),
    ],
)
def test_what_an_endpoint_does_not_tell_is_learnt_once(
    status: int, message: str, asked_for: list[int | None]
) -> None:
    refusals = [(status, error(message))] * (len(asked_for) - 1)
    provider = Provider(*refusals, RATED)

    async def act(url: str) -> list[Reply]:
        one = client(url)
        try:
            return [await one.reply(ask(str(n), weighs=LEVELS)) for n in range(2)]
        finally:
            await one.close()

    assert [reply.text for reply in with_provider(provider, act)] == [TEXT, TEXT]
    asked = [body.get("top_logprobs") for body in provider.asked]
    assert asked == [*asked_for, asked_for[-1]]


def test_anthropic_tells_none_and_is_not_asked() -> None:
    body = {"content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn"}
    provider = Provider(body)
    assert asked_once(provider, ask(weighs=LEVELS), provider="anthropic").weighed is None
    assert "logprobs" not in provider.asked[0]


@pytest.mark.parametrize(("told", "notes"), [(spoken(" true"), 0), (None, 1)])
def test_a_check_says_where_no_probabilities_are_told(told: object, notes: int) -> None:
    ready = with_logprobs(told, '{"ready": true}')

    async def act(url: str) -> tuple[str, ...]:
        one = client(url, model="m-2026")
        try:
            return (await probe(one, weighs=True)).notes
        finally:
            await one.close()

    found = with_provider(Provider(ready), act)
    assert len(found) == notes
    assert all("probabilities" in note for note in found)


def test_what_is_weighed_is_part_of_the_prompts_hash() -> None:
    assert Prompt("a", "b").sha256 != Prompt("a", "b", ("1",)).sha256


def test_probabilities_are_kept_with_the_reply() -> None:
    reply = Reply("4", weighed=(Weighed(0, "4", {"4": 0.5}),))
    assert codec.REPLY.read(codec.REPLY.write(reply)) == reply
    assert codec.read_replies(codec.write_replies([reply, Reply("x")])) == (reply, Reply("x"))


def test_a_judge_asks_for_what_its_prompt_weighs() -> None:
    asked: list[Ask] = []

    class Listening:
        fingerprint = "m"

        async def reply(self, one: Ask, /) -> Reply:
            asked.append(one)
            return Reply('{"n": 1}')

        async def close(self) -> None: ...

    judge = ModelJudge(Listening())
    asyncio.run(judge.ask(Prompt("s", "u", LEVELS), {}, dict[str, int]))
    assert asked[0].weighs == LEVELS
