"""Anthropic's messages API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof.llm.model import Ask
from ragproof.llm.schema import strict_schema
from ragproof.llm.settings import ModelSettings
from ragproof.llm.wire import Dialect, NoReply, Said, count, sendable, words

VERSION = "2023-06-01"


class AnthropicWire:
    """Requests to `/messages`."""

    def first_dialect(self, _: ModelSettings, /) -> Dialect:
        """Take the one name that the limit has."""
        return Dialect(has_learnt_limit=True)

    def headers(self, _: ModelSettings, key: str | None, /) -> Mapping[str, str]:
        """Give key and version."""
        own = {"anthropic-version": VERSION}
        return own if key is None else {**own, "x-api-key": key}

    def body(self, ask: Ask, settings: ModelSettings, dialect: Dialect, /) -> dict[str, Any]:
        """Give the request. An `output_config` of the user's own stands."""
        body: dict[str, Any] = {
            "model": settings.model,
            "max_tokens": settings.max_output_tokens,
            "messages": [{"role": "user", "content": sendable(ask.user)}],
        }
        if ask.system:
            body["system"] = sendable(ask.system)
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if ask.schema is not None and dialect.takes_schema:
            schema, is_strict = strict_schema(ask.schema)
            if is_strict:  # it takes no others
                body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return {**body, **settings.extra}

    def read(self, document: Any, /) -> Said:  # noqa: ANN401  any JSON
        """Read the text parts; thinking is none of them."""
        if not isinstance(document, Mapping) or not isinstance(document.get("content"), list):
            raise NoReply("no content")
        finish, model = document.get("stop_reason"), document.get("model")
        usage = document.get("usage")
        return Said(
            text=words(document["content"]) or "",
            finish=finish if isinstance(finish, str) else None,
            truncated=finish == "max_tokens",
            model=model if isinstance(model, str) else None,
            input_tokens=count(
                usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"
            ),
            output_tokens=count(usage, "output_tokens"),
        )
