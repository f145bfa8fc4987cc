from __future__ import annotations

from typing import Any

import pytest

from ragproof.core import UsageError
from ragproof.llm.settings import ModelSettings, api_key


def settings(**more: Any) -> ModelSettings:
    return ModelSettings(**{"model": "m", **more})


@pytest.mark.parametrize(
    ("base", "url"),
    [
        (None, "https://api.openai.com/v1/chat/completions"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("http://h", "http://h/chat/completions"),
        (
            "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            "https://x.openai.azure.com/openai/deployments/d/chat/completions"
            "?api-version=2024-10-21",
        ),
    ],
)
def test_requests_go_to_the_chat_address_under_the_base(base: str | None, url: str) -> None:
    assert settings(base_url=base).url == url


@pytest.mark.parametrize(
    "base", [None, "https://api.anthropic.com", "https://api.anthropic.com/v1"]
)
def test_anthropic_may_be_named_with_or_without_its_version(base: str | None) -> None:
    url = settings(provider="anthropic", base_url=base).url
    assert url == "https://api.anthropic.com/v1/messages"


def test_what_is_shown_of_the_address_holds_no_secret() -> None:
    base = "https://h.example/v1?api-version=1&code=s3cret"
    shown = settings(base_url=base).fingerprint
    assert "https://h.example/v1?api-version=1&code=..." in shown
    assert "s3cret" not in shown


def test_the_fingerprint_tells_all_that_shapes_a_reply() -> None:
    variants = [
        settings(),
        settings(model="n"),
        settings(base_url="http://h/v1"),
        settings(temperature=0.5),
        settings(temperature=None),
        settings(max_output_tokens=9),
        settings(extra={"seed": 1}),
        settings(extra={"seed": 2}),
    ]
    assert len({one.fingerprint for one in variants}) == len(variants)


def test_the_fingerprint_does_not_change_with_patience_or_spelling() -> None:
    plain = settings(base_url="http://h/v1", extra={"a": 1, "b": 2})
    same = settings(base_url="http://h/v1/", extra={"b": 2, "a": 1}, timeout_seconds=1.0)
    assert plain.fingerprint == same.fingerprint


@pytest.mark.parametrize("name", ["messages", "model", "stream", "temperature", "max_tokens", "n"])
def test_extra_fields_may_not_replace_ragproofs_own(name: str) -> None:
    with pytest.raises(UsageError, match=f"judge.extra may not set '{name}'"):
        settings(extra={name: 1})


@pytest.mark.parametrize("base", ["ftp://h", "h/v1", "http://", "http://h:99999/v1", "http://[::1"])
def test_an_address_that_is_none_is_refused(base: str) -> None:
    with pytest.raises(UsageError, match="RAGPROOF_LLM_BASE_URL"):
        settings(base_url=base)


def test_a_key_in_the_address_is_refused_without_being_shown() -> None:
    with pytest.raises(UsageError, match="RAGPROOF_LLM_API_KEY") as error:
        settings(base_url="https://user:s3cret@h/v1")
    assert "s3cret" not in str(error.value)


@pytest.mark.parametrize(
    ("base", "is_local"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://192.168.1.9/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://host.docker.internal:11434/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_servers_of_this_network_are_told_from_hosted_ones(base: str, *, is_local: bool) -> None:
    assert settings(base_url=base).is_local is is_local


def test_the_key_is_ragproofs_own_or_else_the_providers() -> None:
    both = {"RAGPROOF_LLM_API_KEY": " own\n", "OPENAI_API_KEY": "theirs"}
    assert api_key("openai", both) == "own"
    assert api_key("openai", {**both, "RAGPROOF_LLM_API_KEY": ""}) == "theirs"
    assert api_key("anthropic", {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "a"}) == "a"
    assert api_key("openai", {}) is None


@pytest.mark.parametrize("key", ["s3cret key", "s3cret\u00e9", "s3cret\nkey"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY holds") as error:
        api_key("openai", {"OPENAI_API_KEY": key})
    assert "s3cret" not in str(error.value)
