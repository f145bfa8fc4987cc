from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from aiohttp import web
from fake_provider import (
    KEY,
    SCHEMA,
    Provider,
    ask,
    asked_once,
    client,
    error,
    half,
    never,
    reset,
    said,
    with_provider,
)

from ragproof.core import Reply
from ragproof.llm.fault import Fault, Kind
from ragproof.llm.settings import ModelSettings


def failed(*replies: object, **settings: Any) -> Fault:
    with pytest.raises(Fault) as error:
        asked_once(Provider(*replies), **settings)
    return error.value


# --- requests


def test_a_request_says_model_prompt_temperature_limit_and_form() -> None:
    provider = Provider()
    asked_once(provider, max_output_tokens=99)
    assert provider.paths == ["/v1/chat/completions"]
    assert provider.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert provider.asked[0] == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": "Is it so?"},
        ],
        "temperature": 0.0,
        "max_tokens": 99,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "reply",
                "strict": True,
                "schema": {**SCHEMA, "additionalProperties": False},
            },
        },
    }


def test_what_is_not_there_is_not_sent() -> None:
    provider = Provider()
    asked_once(provider, ask(system=""), temperature=None, key=None)
    assert set(provider.asked[0]) == {"model", "messages", "max_tokens"}
    assert [one["role"] for one in provider.asked[0]["messages"]] == ["user"]
    assert "Authorization" not in provider.headers[0]


def test_extra_fields_are_passed_through_and_may_set_the_form() -> None:
    provider = Provider()
    extra = {"seed": 7, "response_format": {"type": "json_object"}}
    asked_once(provider, extra=extra)
    assert {name: provider.asked[0][name] for name in extra} == extra


def test_half_a_character_in_the_prompt_does_not_keep_it_from_being_sent() -> None:
    provider = Provider()
    asked_once(provider, ask("x\ud800"))
    assert provider.asked[0]["messages"][1]["content"] == "x\ufffd"


def test_anthropic_is_asked_in_its_own_form() -> None:
    reply = {
        "model": "c-1",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": '{"verdict":'},
            {"type": "text", "text": ' "yes"}'},
        ],
        "stop_reason": "max_tokens",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5},
    }
    provider = Provider(reply)
    got = asked_once(provider, provider="anthropic")
    assert provider.paths == ["/v1/messages"]
    assert provider.headers[0]["x-api-key"] == KEY
    assert provider.headers[0]["anthropic-version"] == "2023-06-01"
    body = provider.asked[0]
    assert body["system"] == "Judge."
    assert body["messages"] == [{"role": "user", "content": "Is it so?"}]
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert got.text == '{"verdict": "yes"}'
    assert (got.input_tokens, got.output_tokens, got.truncated) == (100, 5, True)


def test_azure_is_given_the_key_in_its_own_header() -> None:
    settings = ModelSettings(model="m", base_url="https://x.openai.azure.com/openai/v1")
    one = client("http://unused", key=None)
    assert one._wire.headers(settings, KEY) == {"api-key": KEY}


# --- what an endpoint does not take is learnt once


def asked_twice(provider: Provider, **settings: Any) -> None:
    async def act(url: str) -> None:
        one = client(url, **settings)
        await one.reply(ask("one", schema=SCHEMA))
        await one.reply(ask("two", schema=SCHEMA))
        await one.close()

    with_provider(provider, act)


def test_the_other_name_of_the_limit_is_learnt_once() -> None:
    message = "Unsupported parameter: 'max_tokens' is not supported with this model."
    asked_twice(provider := Provider((400, error(message, param="max_tokens")), said()))
    first, *others = provider.asked
    assert "max_tokens" in first
    assert len(others) == 2
    for other in others:
        assert "max_tokens" not in other
        assert other["max_completion_tokens"] == 2048


@pytest.mark.parametrize("status", [400, 422])
def test_that_an_endpoint_takes_no_schema_is_learnt_once(status: int) -> None:
    refusal = error("This response_format type is unavailable now")
    asked_twice(provider := Provider((status, refusal), said()))
    assert ["response_format" in one for one in provider.asked] == [True, False, False]


def test_what_is_refused_again_is_a_fault_and_not_asked_for_ever() -> None:
    both = error("max_tokens and max_completion_tokens are unsupported, response_format too")
    provider = Provider((400, both))
    with pytest.raises(Fault):
        asked_once(provider)
    assert len(provider.asked) == 3


def test_a_limit_that_is_only_too_high_is_not_taken_for_another_name() -> None:
    fault = failed((400, error("max_tokens is too large: 2048. At most 1024 can be had.")))
    assert fault.kind is Kind.SETTING
    assert "judge.max_output_tokens" in str(fault)


# --- replies


def test_a_reply_says_what_was_said_by_whom_and_how_long_it_took() -> None:
    reply = asked_once(Provider(said("yes")))
    assert reply.text == "yes"
    assert reply.model == "m-2026"
    assert (reply.input_tokens, reply.output_tokens, reply.estimated) == (10, 5, False)
    assert reply.seconds is not None
    assert reply.seconds > 0
    assert (reply.finish, reply.truncated, reply.usd, reply.cached) == ("stop", False, None, False)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "b"}]}, "b"),
        ({"content": None}, ""),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "yes", "reasoning_content": "let me think"}, "yes"),
        ({"content": 7}, ""),
    ],
)
def test_the_text_is_found_in_every_form_of_a_message(message: dict[str, Any], text: str) -> None:
    assert asked_once(Provider(said(message=message))).text == text


def test_a_reply_that_reached_the_limit_is_truncated() -> None:
    assert asked_once(Provider(said('{"ver', finish="length"))).truncated


@pytest.mark.parametrize(
    "usage",
    [None, {}, "many", {"prompt_tokens": None}, {"prompt_tokens": -1}, {"prompt_tokens": True}],
)
def test_without_usage_tokens_are_estimated_at_four_characters(usage: object) -> None:
    reply = asked_once(Provider(said("x" * 10, usage=usage)), ask("y" * 10))
    assert (reply.input_tokens, reply.output_tokens) == (4, 3)  # (6 + 10) / 4 and 10 / 4
    assert reply.estimated


def test_a_reply_of_five_megabytes_is_a_reply() -> None:
    text = "ä" * 5_000_000
    assert asked_once(Provider(said(text))).text == text


def test_the_declared_charset_counts_where_it_is_not_utf_8() -> None:
    body = json.dumps(said("caf\u00e9"), ensure_ascii=False).encode("latin-1")

    async def latin(_: web.Request) -> web.Response:
        return web.Response(
            body=body, headers={"Content-Type": "application/json; charset=latin-1"}
        )

    assert asked_once(Provider(latin)).text == "caf\u00e9"


def test_json_declared_as_something_else_is_read_as_utf_8() -> None:
    body = b"\xef\xbb\xbf" + json.dumps(said("caf\u00e9"), ensure_ascii=False).encode()

    async def odd(_: web.Request) -> web.Response:
        return web.Response(body=body, headers={"Content-Type": "text/plain; charset=latin-1"})

    assert asked_once(Provider(odd)).text == "caf\u00e9"


# --- faults


@pytest.mark.parametrize(
    ("status", "message", "kind", "remedy"),
    [
        (401, "Incorrect API key provided", Kind.KEY, "RAGPROOF_LLM_API_KEY or OPENAI_API_KEY"),
        (403, "Region not allowed", Kind.FORBIDDEN, "judge.model"),
        (404, "The model `m` does not exist", Kind.ABSENT, "RAGPROOF_JUDGE_MODEL"),
        (404, "page not found", Kind.ABSENT, "RAGPROOF_LLM_BASE_URL"),
        (405, "Method Not Allowed", Kind.ADDRESS, "RAGPROOF_LLM_BASE_URL"),
        (400, "m is not a valid model ID", Kind.ABSENT, "RAGPROOF_JUDGE_MODEL"),
        (400, "Unsupported value: 'temperature'", Kind.SETTING, "judge.temperature: omit"),
        (400, "maximum context length is 8192 tokens", Kind.INPUT, "larger context"),
        (402, "Insufficient credits", Kind.QUOTA, "no credit"),
        (429, "You exceeded your current quota, check your plan", Kind.QUOTA, "no credit"),
        (400, "Your credit balance is too low", Kind.QUOTA, "no credit"),
        (429, "Rate limit reached", Kind.BUSY, "Rate limit reached"),
        (408, "", Kind.SERVER, "408"),
        (409, "", Kind.SERVER, "409"),
        (500, "", Kind.SERVER, "500"),
        (503, "", Kind.SERVER, "503"),
        (529, "Overloaded", Kind.SERVER, "Overloaded"),
    ],
)
def test_a_refusal_is_known_for_what_it_is(
    status: int, message: str, kind: Kind, remedy: str
) -> None:
    fault = failed((status, error(message)))
    assert fault.kind is kind
    assert not fault.paid
    assert remedy in str(fault)
    assert "m at http://127.0.0.1:" in str(fault)


def test_a_field_of_the_users_own_is_asked_after_when_a_request_is_refused() -> None:
    fault = failed((400, error("Unrecognized request argument")), extra={"sede": 1})
    assert "judge.extra right (sede)" in str(fault)


def test_that_no_key_was_sent_is_said() -> None:
    assert "No key was sent" in str(failed((401, error("Unauthorized")), key=None))


@pytest.mark.parametrize(
    "body",
    [
        error(f"wrong key {KEY}, or {KEY[:9]}****6789"),
        json.dumps({"error": f"wrong {KEY}"}),
        json.dumps({"detail": f"wrong {KEY}"}),
        json.dumps({"message": f"wrong {KEY}"}),
        f"wrong {KEY}",
        "x" * 290 + KEY,
    ],
)
@pytest.mark.parametrize("status", [200, 401, 500])
def test_the_key_is_never_in_a_message(status: int, body: str) -> None:
    shown = str(failed((status, body)))
    assert KEY not in shown
    assert KEY[:9] not in shown
    assert "6789" not in shown


def test_an_error_that_comes_as_a_success_is_one() -> None:
    fault = failed({"error": {"message": "Rate limited upstream", "code": 429}})
    assert fault.kind is Kind.BUSY
    assert "Rate limited upstream" in str(fault)


@pytest.mark.parametrize(
    "reply",
    [
        (200, "<html>upstream error</html>"),
        (200, ""),
        (200, "[" * 100_000),
        (200, "7"),
        {},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"finish_reason": "stop"}]},
    ],
)
def test_a_success_that_is_no_reply_may_have_been_paid(reply: object) -> None:
    fault = failed(reply)
    assert fault.kind is Kind.GARBAGE
    assert fault.paid


def test_a_web_page_hints_at_the_address() -> None:
    assert "RAGPROOF_LLM_BASE_URL" in str(failed((200, "<!DOCTYPE html><p>Welcome")))


@pytest.mark.parametrize("what", [reset, half])
def test_a_connection_lost_after_asking_may_have_been_paid(what: object) -> None:
    fault = failed(what)
    assert fault.kind is Kind.CONNECTION
    assert fault.paid


def test_a_call_that_is_not_answered_in_time_may_have_been_paid() -> None:
    fault = failed(never, timeout_seconds=0.2)
    assert fault.kind is Kind.TIMEOUT
    assert fault.paid
    assert "0.2 s (judge.timeout_seconds)" in str(fault)


def test_a_server_that_is_not_there_was_not_paid() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def act() -> Reply:
        one = client(f"http://127.0.0.1:{port}/v1")
        try:
            return await one.reply(ask())
        finally:
            await one.close()

    with pytest.raises(Fault, match="Is the server running") as error:
        asyncio.run(act())
    assert error.value.kind is Kind.CONNECTION
    assert not error.value.paid


def test_a_redirect_is_not_followed() -> None:
    provider = Provider((307, "", ("Location", "/elsewhere")))
    with pytest.raises(Fault) as error:
        asked_once(provider)
    assert error.value.kind is Kind.ADDRESS
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ([("Retry-After", "7")], 7.0),
        ([("Retry-After", "86400")], 86400.0),
        ([("Retry-After-Ms", "250"), ("Retry-After", "1")], 0.25),
        ([("Retry-After", "Mon, 01 Jan 2001 00:00:00 GMT")], 0.0),
        ([("Retry-After", "soon")], None),
        ([("Retry-After", "nan")], None),
        ([], None),
    ],
)
def test_how_long_to_wait_is_read_from_the_response(
    headers: list[tuple[str, str]], wait: float | None
) -> None:
    assert failed((429, error("slow down"), *headers)).wait == wait
