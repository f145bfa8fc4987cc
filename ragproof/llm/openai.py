"""OpenAI's chat API, which most servers speak."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ragproof.llm.model import Ask
from ragproof.llm.schema import strict_schema
from ragproof.llm.settings import ModelSettings
from ragproof.llm.wire import Dialect, NoReply, Said, Spoken, count, sendable, words

MOST_ALTERNATIVES = 20
"""Probabilities for each token: as many as OpenAI tells."""


class OpenAIWire:
    """Requests to `/chat/completions`."""

    def first_dialect(self, settings: ModelSettings, /) -> Dialect:
        """Take the new name of the limit for OpenAI itself: others may ignore what they lack."""
        limit = "max_completion_tokens" if settings.is_openai else "max_tokens"
        return Dialect(limit, alternatives=MOST_ALTERNATIVES)

    def headers(self, settings: ModelSettings, key: str | None, /) -> Mapping[str, str]:
        """Give the key as a bearer token, or as Azure wants it."""
        if key is None:
            return {}
        return {"api-key": key} if settings.is_azure else {"Authorization": f"Bearer {key}"}

    def body(self, ask: Ask, settings: ModelSettings, dialect: Dialect, /) -> dict[str, Any]:
        """Give the request. A `response_format` of the user's own stands."""
        messages = [{"role": "user", "content": sendable(ask.user)}]
        if ask.system:
            messages.insert(0, {"role": "system", "content": sendable(ask.system)})
        body: dict[str, Any] = {"model": settings.model, "messages": messages}
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        body[dialect.limit_field] = settings.max_output_tokens
        if ask.schema is not None and dialect.takes_schema:
            schema, is_strict = strict_schema(ask.schema)
            form = {"name": "reply", "schema": schema, "strict": is_strict}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        if ask.weighs and dialect.alternatives:
            body |= {"logprobs": True, "top_logprobs": dialect.alternatives}
        return {**body, **settings.extra}

    def read(self, document: Any, /) -> Said:  # noqa: ANN401  any JSON
        """Read the first choice. What a model refuses with is its reply; reasoning is not."""
        choices = document.get("choices") if isinstance(document, Mapping) else None
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            raise NoReply("no choices")
        message = choices[0].get("message")
        if not isinstance(message, Mapping):
            raise NoReply("a choice without a message")
        refusal = message.get("refusal")
        finish = choices[0].get("finish_reason")
        model = document.get("model")
        usage = document.get("usage")
        text = words(message.get("content"))
        if not text and isinstance(refusal, str):
            text, finish = refusal, "refusal"
        return Said(
            text=text or "",
            finish=finish if isinstance(finish, str) else None,
            truncated=finish == "length",
            model=model if isinstance(model, str) else None,
            input_tokens=count(usage, "prompt_tokens"),
            output_tokens=count(usage, "completion_tokens"),
            spoken=_spoken(choices[0].get("logprobs")),
        )


def _spoken(told: Any) -> tuple[Spoken, ...] | None:  # noqa: ANN401  any JSON
    """Read the tokens and their probabilities; None where there are none in the usual form."""
    tokens = told.get("content") if isinstance(told, Mapping) else None
    if not isinstance(tokens, list) or not tokens:
        return None
    try:
        return tuple(
            Spoken(
                str(one["token"]),
                tuple((str(may["token"]), _share(may["logprob"])) for may in one["top_logprobs"]),
            )
            for one in tokens
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _share(logarithm: Any) -> float:  # noqa: ANN401  any JSON
    """Give the probability of a logarithm of one. Raises ValueError for what is none."""
    share = math.exp(float(logarithm))
    if not share <= 1.001:
        raise ValueError(f"no probability: {share}")
    return min(share, 1.0)
