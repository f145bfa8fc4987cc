"""What a turn tells, as a line of recorded observations has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ragproof.datasets.traffic import conventions
from ragproof.datasets.traffic.conventions import STAGES, Role
from ragproof.datasets.traffic.spans import Span, number
from ragproof.datasets.traffic.steps import Steps
from ragproof.datasets.traffic.texts import one_line, parsed
from ragproof.datasets.traffic.turns import Turn

Json = dict[str, Any]
TRACED = ("route", "intent", "confidence", "index_version")
"""Fields of a trace that only the pipeline's own attributes tell."""


def observation(turn: Turn, mapping: Mapping[str, str]) -> Json:
    """All of a recorded line but its `case_id` and feedback. `mapping` is field to attribute."""
    line: Json = {"asked_at": round(turn.start, 6)}
    if turn.end is not None:
        line["seconds"] = round(turn.end - turn.start, 6)
    if turn.error is not None:
        line["error"] = turn.error
    steps = Steps(turn.spans)
    found = _searched(steps)
    if "retrieved" in found:
        line["retrieved"] = found.pop("retrieved")
    answer = attribute(turn, mapping["answer"]) if "answer" in mapping else turn.answer
    if answer is not None:
        context = found.pop("context", None)
        line["answer"] = {"answer_text": answer}
        if context is not None:
            line["answer"]["retrieved_chunks"] = context
        if (cited := citations(turn, mapping.get("citations"))) is not None:
            line["answer"]["citations"] = cited
        line["answer"]["trace"] = found | _traced(turn, steps, mapping)
    return line


def citations(turn: Turn, name: str | None) -> list[Json] | None:
    """Ids of cited chunks, or objects with `chunk_id`, as an attribute of the root lists them."""
    told = parsed(_looked_up(turn.root.attributes, name)) if name else None
    if not isinstance(told, list):
        return None
    return [one if isinstance(one, dict) else {"chunk_id": one} for one in told]


def attribute(turn: Turn, name: str) -> str | None:
    """The value of an attribute: the root's, else the first span's that has it, else resource's."""
    for one in (turn.root, *turn.spans):
        if (found := _label(_looked_up(one.attributes, name))) is not None:
            return found
    return _label(turn.root.resource.get(name))


def _looked_up(attributes: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401  any JSON
    """An attribute, also one inside a JSON text: `metadata.plan` of `metadata`."""
    if (value := attributes.get(name)) is not None:
        return value
    head, dot, rest = name.partition(".")
    held = parsed(attributes.get(head)) if dot else None
    return held.get(rest) if isinstance(held, Mapping) else None


def _label(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value) if str(value).strip() else None
    return None


def _searched(steps: Steps) -> Json:
    """What was found and what was made of it: lists only where a span tells them."""
    searches = [(one.name, conventions.retrieved(one)) for one in steps.of(Role.RETRIEVE)]
    searches = [(name, chunks) for name, chunks in searches if chunks]
    reranks = [conventions.reranked(one) for one in steps.of(Role.RERANK)]
    found: Json = {}
    if len(searches) == 1:
        found["retrieved"] = searches[0][1]
    elif searches:
        found["lanes"] = _lanes(searches)
    together = _each_once([chunk for _, chunks in searches for chunk in chunks])
    context = together or None
    for before, after in reranks:
        if before:
            found["candidates"] = before
        if after:
            found["reranked"] = context = after
    if context:
        found["context"] = _with_texts(context, together)
    return found


def _lanes(searches: Sequence[tuple[str, list[Json]]]) -> dict[str, list[Json]]:
    """Several searches by name, numbered where they share one; how they were fused is not told."""
    times: Counter[str] = Counter()
    lanes = {}
    for name, chunks in searches:
        times[name] += 1
        lanes[name if times[name] == 1 else f"{name} {times[name]}"] = chunks
    return lanes


def _each_once(chunks: Sequence[Json]) -> list[Json]:
    found: dict[str, Json] = {}
    for chunk in chunks:
        found.setdefault(chunk["id"], chunk)
    return list(found.values())


def _with_texts(chunks: Sequence[Json], others: Sequence[Json]) -> list[Json]:
    """Chunks with the text that an earlier step told, where a later one names ids alone."""
    texts = {chunk["id"]: chunk["text"] for chunk in others if "text" in chunk}
    return [
        chunk
        if "text" in chunk or chunk["id"] not in texts
        else {**chunk, "text": texts[chunk["id"]]}
        for chunk in chunks
    ]


def _traced(turn: Turn, steps: Steps, mapping: Mapping[str, str]) -> Json:
    found: Json = {}
    if stages := _stages(steps):
        found["stages"] = stages
    firsts = [conventions.first_token_at(one) for one in steps.of(Role.GENERATE)]
    if firsts and firsts[-1] is not None and firsts[-1] >= turn.start:  # the last call answers
        found["first_token_seconds"] = round(firsts[-1] - turn.start, 6)
    models = [_model(one, steps) for one in steps.of(Role.GENERATE)]
    if models and models[-1]:
        found["model"] = models[-1]
    for name in TRACED:
        told = attribute(turn, mapping[name]) if name in mapping else None
        if told is not None:
            value = number(told) if name == "confidence" else one_line(told)
            found |= {} if value is None else {name: value}
    return found


def _stages(steps: Steps) -> list[Json]:
    found = [
        (one.start, _stage(one, role, steps))
        for role in STAGES
        for one in steps.of(role)
        if one.seconds is not None
    ]
    return [stage for _, stage in sorted(found, key=lambda pair: pair[0])]


def _stage(span: Span, role: Role, steps: Steps) -> Json:
    """A stage: its own figures, else the sum of those of the same role inside it."""
    stage: Json = {"name": role.value, "seconds": round(span.seconds or 0.0, 6)}
    for name, attributes in (
        ("input_tokens", conventions.INPUT_TOKENS),
        ("output_tokens", conventions.OUTPUT_TOKENS),
        ("usd", conventions.USD),
    ):
        told = conventions.first_number(span, attributes)
        if told is None:
            parts = [conventions.first_number(one, attributes) for one in steps.inside(span)]
            known = [one for one in parts if one is not None]
            told = sum(known, 0.0) if known and len(known) == len(parts) else None
        if told is not None and told >= 0 and (name == "usd" or told.is_integer()):
            stage[name] = told if name == "usd" else int(told)
    more = {"model": _model(span, steps), "cache": conventions.cache(span)}
    return stage | {name: value for name, value in more.items() if value is not None}


def _model(span: Span, steps: Steps) -> str | None:
    told = (conventions.first_text(one, conventions.MODEL) for one in (span, *steps.inside(span)))
    return next((one for one in told if one is not None), None)
