"""What a span says under the conventions that are in use.

OpenInference; OpenTelemetry's conventions for generative AI, current and older; those of Vercel's
AI SDK, of OpenLLMetry and of Langfuse. A span that follows none of them has no role.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from ragproof.datasets.traffic import texts
from ragproof.datasets.traffic.spans import Span, number
from ragproof.datasets.traffic.texts import ANSWERED, ASKED, Message


class Role(StrEnum):
    """What a span does; its value names the stage of it."""

    RETRIEVE = "retrieve"
    RERANK = "rerank"
    GENERATE = "generate"
    EMBED = "embed"
    TOOL = "tool"
    CHAIN = "chain"


STAGES = frozenset(Role) - {Role.CHAIN}
_BY_KIND = {
    "openinference.span.kind": {
        "retriever": Role.RETRIEVE,
        "reranker": Role.RERANK,
        "llm": Role.GENERATE,
        "embedding": Role.EMBED,
        "tool": Role.TOOL,
        "chain": Role.CHAIN,
        "agent": Role.CHAIN,
    },
    "gen_ai.operation.name": {
        "retrieval": Role.RETRIEVE,
        "chat": Role.GENERATE,
        "text_completion": Role.GENERATE,
        "generate_content": Role.GENERATE,
        "embeddings": Role.EMBED,
        "execute_tool": Role.TOOL,
        "invoke_agent": Role.CHAIN,
        "invoke_workflow": Role.CHAIN,
    },
    "langfuse.observation.type": {
        "retriever": Role.RETRIEVE,
        "generation": Role.GENERATE,
        "embedding": Role.EMBED,
        "tool": Role.TOOL,
        "chain": Role.CHAIN,
        "agent": Role.CHAIN,
    },
    "llm.request.type": {
        "chat": Role.GENERATE,
        "completion": Role.GENERATE,
        "rerank": Role.RERANK,
        "embedding": Role.EMBED,
    },
    "traceloop.span.kind": {
        "workflow": Role.CHAIN,
        "agent": Role.CHAIN,
        "task": Role.CHAIN,
        "tool": Role.TOOL,
    },
}
"""Attribute to its values, in lower case, and what they mean."""
_VERCEL = {
    **dict.fromkeys(("doGenerate", "doStream"), Role.GENERATE),
    "doEmbed": Role.EMBED,
    "doRerank": Role.RERANK,
    **dict.fromkeys(("generateText", "streamText", "generateObject", "streamObject"), Role.CHAIN),
    "toolCall": Role.TOOL,
}
_INPUTS = ("gen_ai.input.messages", "ai.prompt.messages", "ai.prompt", "input.value")
_TEXTS_IN = ("input.value", "langfuse.observation.input", "traceloop.entity.input", "ai.prompt")
_OUTPUTS = ("gen_ai.output.messages",)
_TEXTS_OUT = (
    *("output.value", "langfuse.observation.output", "traceloop.entity.output"),
    *("ai.response.text", "ai.response.object"),
)
_FLAT_IN = ("llm.input_messages", "gen_ai.prompt")
_FLAT_OUT = ("llm.output_messages", "gen_ai.completion")
_FIRST_TOKEN = ("first token", "gen_ai.content.first_chunk", "ai.stream.firstchunk")
"""How the events are called that mark the first token, in lower case, as they begin."""
_TO_FIRST = ("ai.response.msToFirstChunk", "ai.stream.msToFirstChunk")
SESSION = ("session.id", "gen_ai.conversation.id", "langfuse.session.id")
_IN = ("llm.token_count.prompt", "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
_OUT = (
    *("llm.token_count.completion", "gen_ai.usage.output_tokens"),
    "gen_ai.usage.completion_tokens",
)
INPUT_TOKENS = (*_IN, "ai.usage.inputTokens", "ai.usage.promptTokens")
OUTPUT_TOKENS = (*_OUT, "ai.usage.outputTokens", "ai.usage.completionTokens")
USD = ("llm.cost.total", "gen_ai.usage.cost", "gen_ai.usage.total_cost")
MODEL = (
    *("llm.model_name", "gen_ai.response.model", "ai.response.model", "gen_ai.request.model"),
    *("ai.model.id", "embedding.model_name", "reranker.model_name"),
)
_RETRIEVED = ("retrieval.documents", "gen_ai.retrieval.documents")


def role(span: Span) -> Role | None:
    """What a span does, by the first convention that says it."""
    for name, kinds in _BY_KIND.items():
        kind = span.attributes.get(name)
        if isinstance(kind, str) and (found := kinds.get(kind.lower())) is not None:
            return found
    operation = span.attributes.get("ai.operationId")
    return _VERCEL.get(operation.rpartition(".")[2]) if isinstance(operation, str) else None


def asked(span: Span) -> tuple[str, list[Message]] | None:
    """The question, and what was said before it; None where the span does not tell."""
    said = _messages(span, _INPUTS, _FLAT_IN, "gen_ai.input.messages")
    said = said or _told_by_events(span, {"gen_ai.user.message": "user"})
    users = [at for at, one in enumerate(said) if one.role == "user" and one.text.strip()]
    if users:
        before = [one for one in said[: users[-1]] if one.role in ("user", "assistant")]
        return said[users[-1]].text, before
    text = _text(span, _TEXTS_IN, ASKED)
    return None if text is None else (text, [])


def answered(span: Span) -> str | None:
    """What was answered; None where the span does not tell."""
    said = _messages(span, _OUTPUTS, _FLAT_OUT, "gen_ai.output.messages")
    said = said or _told_by_events(span, {"gen_ai.choice": "assistant"})
    if not said:
        said = [one for name in _TEXTS_OUT for one in texts.messages(span.attributes.get(name))]
    spoken = [one.text for one in said if one.role not in ("user", "system", "tool")]
    spoken = [one for one in spoken if one.strip()]
    return spoken[-1] if spoken else _text(span, _TEXTS_OUT, ANSWERED)


def output(span: Span) -> str | None:
    """The output as it was recorded: a structure of which no part is known to be the answer."""
    return first_text(span, _TEXTS_OUT)


def retrieved(span: Span) -> list[dict[str, Any]]:
    """The chunks that a retriever found."""
    return _documents(span, _RETRIEVED)


def reranked(span: Span) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The chunks that a reranker was given, and what it made of them."""
    before = _documents(span, ("reranker.input_documents",))
    return before, _documents(span, ("reranker.output_documents",))


def first_number(span: Span, names: Iterable[str]) -> float | None:
    """The first of these attributes that is a number."""
    found = (number(span.attributes.get(name)) for name in names)
    return next((one for one in found if one is not None), None)


def first_text(span: Span, names: Iterable[str]) -> str | None:
    """The first of these attributes that is a text with something in it."""
    found = (span.attributes.get(name) for name in names)
    return next((one for one in found if isinstance(one, str) and one.strip()), None)


def cache(span: Span) -> str | None:
    """`hit` or `miss`, where the span says so."""
    hit = span.attributes.get("cache.hit", span.attributes.get("cache_hit"))
    return None if not isinstance(hit, bool) else "hit" if hit else "miss"


def first_token_at(span: Span) -> float | None:
    """When the first token came, in seconds since 1970."""
    after = first_number(span, _TO_FIRST)
    if after is not None:
        return span.start + after / 1000
    noted = (one.at for one in span.happenings if one.name.lower().startswith(_FIRST_TOKEN))
    return next((at for at in noted if at is not None), None)


def failure(span: Span) -> str | None:
    """What the span failed with, in the words of its exception where the status has none."""
    if span.error is None:
        return None
    told = (
        event.attributes.get(name)
        for name in ("exception.message", "exception.type")
        for event in span.happenings
        if event.name == "exception"
    )
    return span.error or next((str(one) for one in told if one), "the span says no more than ERROR")


def _messages(
    span: Span, names: tuple[str, ...], flat: tuple[str, ...], in_events: str
) -> list[Message]:
    for name in names:
        if found := texts.messages(span.attributes.get(name)):
            return found
    for lead in flat:
        if found := texts.flattened_messages(span.attributes, lead):
            return found
    for event in span.happenings:
        if found := texts.messages(event.attributes.get(in_events)):
            return found
    return []


def _told_by_events(span: Span, names: dict[str, str]) -> list[Message]:
    """Messages that older instrumentation notes as events, one a message."""
    found: list[Message] = []
    for event in span.happenings:
        if event.name in names:
            told = texts.parsed(event.attributes.get("message", event.attributes.get("content")))
            text = told if isinstance(told, str) else texts.text_of(told, ("content", "text"))
            if text is not None:
                found.append(Message(names[event.name], text))
    return found


def _text(span: Span, names: tuple[str, ...], keys: tuple[str, ...]) -> str | None:
    found = (texts.text_of(span.attributes.get(name), keys) for name in names)
    return next((one for one in found if one is not None), None)


def _documents(span: Span, leads: tuple[str, ...]) -> list[dict[str, Any]]:
    for lead in leads:
        if found := texts.listed(span.attributes, lead):
            return list(texts.documents(found))
    return []
