from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fake_provider import Provider, ask, client, error, said, with_provider

from ragproof.core import JudgeError, Reply
from ragproof.llm.probe import Probed, probe
from ragproof.llm.recorded import Recorded


def probed(*replies: object, **settings: Any) -> Probed:
    async def act(url: str) -> Probed:
        one = client(url, **settings)
        try:
            return await probe(one)
        finally:
            await one.close()

    found: Probed = with_provider(Provider(*replies), act)
    return found


def test_a_model_that_replies_as_asked_passes_without_remark() -> None:
    found = probed(said('{"ready": true}', model="m"))
    assert found.notes == ()
    assert found.reply.text == '{"ready": true}'


def test_it_is_one_call_without_a_second_attempt() -> None:
    provider = Provider((500, error("oh")))

    async def act(url: str) -> None:
        one = client(url)
        with pytest.raises(JudgeError, match="answers 500: oh"):
            await probe(one)
        await one.close()

    with_provider(provider, act)
    assert len(provider.asked) == 1


def test_what_is_worth_knowing_is_said() -> None:
    no_schema = (400, error("response_format is not supported"))
    found = probed(no_schema, said("Ready!", usage=None))
    assert len(found.notes) == 4
    for words in ("no JSON Schema", "did not reply with JSON", "no usage", "calls itself m-2026"):
        assert any(words in note for note in found.notes)


def test_a_limit_that_is_too_low_is_named() -> None:
    with pytest.raises(JudgeError, match=r"limit of 16 tokens.*raise judge.max_output_tokens"):
        probed(said("", finish="length"), max_output_tokens=16)


def test_an_empty_reply_does_not_pass() -> None:
    with pytest.raises(JudgeError, match="content_filter"):
        probed(said("", finish="content_filter"))


def recorded(*names: str) -> Recorded:
    replies = {ask(name).key("f"): Reply(name, 0.5, seconds=1.0) for name in names}
    return Recorded(
        recorded="f",
        replies=replies,
        prompts={ask().prompt},
        names={ask().prompt: "generation.groundedness", "q" * 64: "generation.completeness"},
        source="run 7",
    )


def test_a_recorded_reply_is_given_again_for_nothing() -> None:
    reply = asyncio.run(recorded("a").reply(ask("a")))
    assert (reply.text, reply.cached, reply.usd) == ("a", True, 0.0)


def test_recorded_replies_are_marked_as_such() -> None:
    assert recorded().fingerprint == "recorded: f"


def test_an_input_that_was_not_recorded_is_named_by_its_prompt() -> None:
    with pytest.raises(JudgeError, match=r"run 7 .*generation.groundedness.*this input"):
        asyncio.run(recorded("a").reply(ask("b")))


def test_a_prompt_that_has_changed_is_told_from_an_input_that_has() -> None:
    with pytest.raises(JudgeError, match=r"generation.completeness.*wording has changed"):
        asyncio.run(recorded("a").reply(ask("a", prompt="q" * 64)))
