"""Two weeks of made-up traffic on the demo's pipeline, as a collector would have written it.

Questions and answers are real ones of the demo; who asks when, how long it takes, what it costs
and what users do is drawn with a seed. On the ninth day a release comes that is slower, and that
gives up more often on troubleshooting, where users then ask again: what a monitor is to find.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from ragproof.demo.pipeline import REFUSAL, ManualPipeline
from ragproof.text.files import make_folder, write_whole

TRACES, EVENTS = "traces.jsonl", "events.jsonl"
DAYS = 14
START = datetime(2026, 3, 2, tzinfo=UTC)
"""A Monday."""
RELEASED = START.timestamp() + 8 * 86_400
"""When the new release comes: at the start of the ninth day."""
OLD, NEW = "1.4.0", "1.5.0"
SLOWER = 1.9
A_DAY, AT_WEEKENDS = 14, 6
"""Sessions."""
INTENTS = {
    "troubleshooting": ("faults", "backup", "network", "care", "safety", "service"),
    "policy": ("policy",),
    "product": ("specs", "modes", "interface", "firmware", "installation", "readers"),
}
WORSE = "troubleshooting"
EXPOSED = (
    *("regenerate", "open", "dwell", "copy", "share", "export"),
    *("thumbs_up", "thumbs_down", "edit"),
)
"""What the made-up interface records."""
REASONS = ("wrong", "incomplete", "off-topic", "slow", None)
DOUBTS = ("Are you sure?", "Is that correct?", "But what about the X2?", "What about weekends?")
MODEL, USD_PER_TOKEN, USD_PER_SEARCH = "demo-writer", 0.6e-6, 2e-5


@dataclass
class _Drawn:
    """What is written."""

    random: Random
    traces: list[str] = field(default_factory=list[str])
    events: list[str] = field(default_factory=list[str])


def write(folder: Path, seed: int = 0) -> None:
    """Write `traces.jsonl` (OTLP JSON, a batch a line) and `events.jsonl` into the folder."""
    drawn = _Drawn(Random(seed))  # noqa: S311  no secret
    asked = _questions()
    old, new = ManualPipeline(abstain_below=0.2), ManualPipeline(abstain_below=0.75)
    for number, at in enumerate(_sessions(drawn.random)):
        _session(drawn, f"session-{number:03}", at, asked, (old, new))
    make_folder(folder)
    write_whole(folder / TRACES, "".join(f"{line}\n" for line in drawn.traces))
    write_whole(folder / EVENTS, "".join(f"{line}\n" for line in drawn.events))


def _questions() -> dict[str, list[dict[str, Any]]]:
    """The demo's questions by intent."""
    lines = (Path(__file__).parent / "hearth.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return {
        intent: [
            one
            for one in cases
            if one["tags"].get("topic") in topics and one.get("kind", "qa") != "injection"
        ]
        for intent, topics in INTENTS.items()
    }


def _sessions(random: Random) -> Iterator[float]:
    """When each session begins: by day, more on weekdays, in the hours people are awake."""
    for day in range(DAYS):
        number = AT_WEEKENDS if day % 7 >= 5 else A_DAY
        for second in sorted(random.uniform(7, 22) * 3600 for _ in range(number)):
            yield START.timestamp() + day * 86_400 + second


def _session(
    drawn: _Drawn,
    session: str,
    at: float,
    asked: dict[str, list[dict[str, Any]]],
    pipelines: tuple[ManualPipeline, ManualPipeline],
) -> None:
    """One user's questions, one after the other."""
    random = drawn.random
    intent = random.choices(list(asked), weights=(4, 2, 4))[0]
    case = random.choice(asked[intent])
    question: str = case["question"]
    for turn in range(3):
        is_new = at >= RELEASED
        answer = pipelines[is_new and intent == WORSE].answer(question)
        trace = sha256(f"{session}/{turn}".encode()).hexdigest()[:32]
        seconds = _trace(drawn, trace, session, at, intent, question, answer, is_new=is_new)
        if random.random() < 0.01:
            break
        again = _events(
            drawn, trace, at + seconds, case, answer, unhappy=is_new and intent == WORSE
        )
        at += seconds + random.uniform(15, 240)
        if again:
            question = f"Again, please: {question}" if turn == 0 else case["question"]
        elif random.random() < 0.12:
            question = random.choice(DOUBTS)
        elif random.random() < 0.25:
            case = random.choice(asked[intent])
            question = case["question"]
        else:
            break


def _events(
    drawn: _Drawn,
    trace: str,
    at: float,
    case: dict[str, Any],
    answer: dict[str, Any],
    *,
    unhappy: bool,
) -> bool:
    """Draw what the user does; return whether the question is asked again in words."""
    random, right = drawn.random, _is_right(case, answer["answer_text"])

    def happens(kind: str, chance: float, **more: Any) -> bool:  # noqa: ANN401  any JSON
        if random.random() >= chance:
            return False
        at_ = round(at + random.uniform(2, 60), 3)
        told = {"trace_id": trace, "kind": kind, "at": at_, **more}
        drawn.events.append(json.dumps({k: v for k, v in told.items() if v is not None}))
        return True

    happens("dwell", 0.9, seconds=round(random.lognormvariate(2.6, 0.8), 1))
    cited = [one["chunk_id"] for one in answer["citations"]]
    happens("open", 0.3 if cited else 0.0, chunk_id=cited[0] if cited else None)
    happens("copy", 0.3 if right else 0.12)
    happens("share", 0.05)
    happens("export", 0.03)
    if random.random() < 0.2:
        if random.random() < (0.15 if right else 0.7):
            happens("thumbs_down", 1.0, reason=random.choice(REASONS))
        else:
            happens("thumbs_up", 1.0)
    words = answer["answer_text"].split()
    happens("edit", 0.06, text=" ".join(words[: random.randint(len(words) // 2, len(words))]))
    chance = 0.65 if unhappy else 0.05 if right else 0.1
    pressed = happens("regenerate", chance * 0.7)
    return not pressed and random.random() < chance * 0.4


def _is_right(case: dict[str, Any], text: str) -> bool:
    """Whether the answer has an expected one, or rightly has none."""
    told = case.get("expected_answer")
    expected = [told] if isinstance(told, str) else told or []
    if not expected:
        return text == REFUSAL
    return any(one.casefold() in text.casefold() for one in expected)


def _trace(
    drawn: _Drawn,
    trace: str,
    session: str,
    at: float,
    intent: str,
    question: str,
    answer: dict[str, Any],
    *,
    is_new: bool,
) -> float:
    """Write the spans of one answer; return how long it took."""
    random = drawn.random
    found = at + random.lognormvariate(-2.2, 0.4)
    writing = random.lognormvariate(0.1, 0.45) * (SLOWER if is_new else 1.0)
    failed = random.random() < 0.012
    told = _told(question, answer, failed=failed) | {"session.id": session, "app.intent": intent}
    first, end = found + writing * 0.3, found + writing
    spans = [
        _span(trace, 0, "answer question", at, end + 0.02, told, failed=failed),
        _span(trace, 1, "search", at, found, _searched(answer)),
        _span(
            trace, 2, "write", found, end, _written(question, answer), first=first, failed=failed
        ),
    ]
    drawn.traces.append(json.dumps(_batch(spans, NEW if is_new else OLD)))
    return end + 0.02 - at


def _told(question: str, answer: dict[str, Any], *, failed: bool) -> dict[str, Any]:
    """What the outermost span says."""
    text = answer["answer_text"]
    return {
        "openinference.span.kind": "CHAIN",
        "input.value": question,
        "app.route": "fallback" if text == REFUSAL else "answer",
        "app.confidence": round(answer["trace"]["confidence"], 4),
        "app.citations": [one["chunk_id"] for one in answer["citations"]],
    } | ({} if failed else {"output.value": text})


def _searched(answer: dict[str, Any]) -> dict[str, Any]:
    told = {"openinference.span.kind": "RETRIEVER", "llm.cost.total": USD_PER_SEARCH}
    for number, one in enumerate(answer["retrieved_chunks"]):
        lead = f"retrieval.documents.{number}.document"
        about = {"document_id": one["metadata"]["document_id"]}
        told |= {f"{lead}.id": one["id"], f"{lead}.content": one["text"]}
        told |= {f"{lead}.score": one["score"], f"{lead}.metadata": json.dumps(about)}
    return told


def _written(question: str, answer: dict[str, Any]) -> dict[str, Any]:
    """What the call of the model says; so many tokens it might have read and written."""
    read, wrote = 350 + len(question) // 4, max(4, len(answer["answer_text"]) // 4)
    return {
        "openinference.span.kind": "LLM",
        "llm.model_name": MODEL,
        "llm.token_count.prompt": read,
        "llm.token_count.completion": wrote,
        "llm.cost.total": round((read + wrote) * USD_PER_TOKEN, 8),
    }


def _batch(spans: Sequence[dict[str, Any]], release: str) -> dict[str, Any]:
    about = {"service.name": "hearth-help", "service.version": release}
    scope = {"scope": {"name": "demo"}, "spans": list(spans)}
    return {
        "resourceSpans": [{"resource": {"attributes": _attributes(about)}, "scopeSpans": [scope]}]
    }


def _span(
    trace: str,
    number: int,
    name: str,
    start: float,
    end: float,
    attributes: dict[str, Any],
    *,
    first: float | None = None,
    failed: bool = False,
) -> dict[str, Any]:
    ids = [sha256(f"{trace}/{one}".encode()).hexdigest()[:16] for one in (0, number)]
    span = {
        "traceId": trace,
        "spanId": ids[1],
        "name": name,
        "kind": 1,
        "startTimeUnixNano": _nanos(start),
        "endTimeUnixNano": _nanos(end),
        "attributes": _attributes(attributes),
        "status": {"code": 2, "message": "the model did not reply"} if failed else {},
    }
    if number:
        span["parentSpanId"] = ids[0]
    if first is not None and not failed:
        span["events"] = [{"timeUnixNano": _nanos(first), "name": "First Token Stream Event"}]
    return span


def _nanos(seconds: float) -> str:
    return f"{round(seconds * 1000)}000000"


def _attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in told.items()]


def _value(value: object) -> dict[str, Any]:
    match value:
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(one) for one in value]}}
        case _:
            return {"stringValue": str(value)}
