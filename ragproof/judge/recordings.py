"""Replies to labelled answers that were written down, for a calibration without a judge.

A section a metric: a line that says which prompts were answered and by whom, then a line an item.
When a prompt or an item changes, its recording no longer fits and has to be made anew.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from ragproof.core import JudgeError, Prompt, Reply, UsageError, Weighed
from ragproof.judge.ask import ModelJudge
from ragproof.judge.items import Item
from ragproof.llm.model import Ask
from ragproof.text.files import write_whole
from ragproof.text.jsonl import read_lines

SHIPPED = Path(__file__).parent / "recordings"
SCRIPTED = "scripted"
"""The source of replies that people wrote; figures from them are marked as such."""


@dataclass(frozen=True, slots=True)
class Told:
    """A reply that carries more than its text."""

    text: str
    weighed: tuple[Weighed, ...]


Said: TypeAlias = "str | Told"
_SAID: TypeAdapter[tuple[Said, ...]] = TypeAdapter(tuple[str | Told, ...])


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What was replied to the items of one metric."""

    metric: str
    prompts: tuple[str, ...]
    """sha256 of the prompts that were answered."""
    source: str
    """`scripted`, or the fingerprint of the model."""
    by: str
    """Who gave or wrote the replies, and when."""
    replies: Mapping[str, tuple[Said, ...]]
    """Item id to what was replied, word for word, in the order of asking: a faulty reply is
    followed by its repair."""

    def judge(self, item: Item) -> ModelJudge:
        """A judge that says what was replied to the item."""
        said = self.replies.get(item.id, ())
        return ModelJudge(_Recital(f"recorded: {self.source}", self, item.id, iter(said)))

    def faults(self, prompts: Iterable[Prompt], items: Iterable[Item]) -> Iterator[str]:
        """Why the recording no longer fits the prompts and the items."""
        hashes = tuple(prompt.sha256 for prompt in prompts)
        if hashes != self.prompts:
            old, new = (" and ".join(one[:12] for one in all_) for all_ in (self.prompts, hashes))
            yield f"{self.metric}: prompt {old} was answered, there is {new} now: {REMEDY}"
        for item in items:
            if item.metric == self.metric and item.id not in self.replies:
                yield f"{self.metric}: there is no reply to {item.id}: {REMEDY}"


REMEDY = (
    "run `ragproof calibrate` with a judge, or check that the scripted replies still answer the "
    "prompt and write its hash into the recording"
)


@dataclass
class _Recital:
    """A model that says what was said before."""

    fingerprint: str
    recording: Recording
    item: str
    said: Iterator[Said]
    asked: list[Ask] = field(default_factory=list[Ask])

    async def reply(self, ask: Ask, /) -> Reply:
        """Say the next. Raises JudgeError where another prompt is asked, or more than then."""
        metric = self.recording.metric
        if ask.prompt not in self.recording.prompts:
            raise JudgeError(f"{metric}: the recording is of another wording: {REMEDY}")
        if (said := next(self.said, None)) is None:
            raise JudgeError(f"{metric}: the recording has no reply to {self.item}: {REMEDY}")
        if isinstance(said, str):
            return Reply(said, usd=0.0, cached=True)
        return Reply(said.text, usd=0.0, cached=True, weighed=said.weighed)

    async def close(self) -> None:
        """Let go of nothing."""


def said(replies: Iterable[Reply]) -> tuple[Said, ...]:
    """What is written down of replies."""
    return tuple(
        one.text if one.weighed is None else Told(one.text, one.weighed) for one in replies
    )


def shipped() -> dict[str, Recording]:
    """Metric to its recording."""
    found = [read_recordings(path) for path in sorted(SHIPPED.glob("*.jsonl"))]
    return {metric: one for part in found for metric, one in part.items()}


def read_recordings(path: Path) -> dict[str, Recording]:
    """Read a file of recordings: metric to what was replied to its items.

    Raises UsageError for a file that is none.
    """
    place, found = f"{path}", dict[str, Recording]()
    head, replies = dict[str, Any](), dict[str, tuple[Said, ...]]()
    try:
        for number, raw in read_lines(path):
            place, one = f"{path}:{number}", json.loads(raw)
            if head and "item" in one:
                replies[one["item"]] = _SAID.validate_python(one["replies"])
            else:
                head, replies = {**one, "prompts": tuple(one["prompts"])}, {}
                found[one["metric"]] = Recording(**head, replies=replies)
    except (KeyError, TypeError, ValueError) as fault:
        raise UsageError(f"{place}: not a recording of a judge's replies: {_why(fault)}") from fault
    if not found:
        raise UsageError(f"{path}: not a recording of a judge's replies: it is empty")
    return found


def write_recordings(path: Path, recordings: Sequence[Recording]) -> None:
    """Write recordings, whole or not at all."""
    lines: list[dict[str, Any]] = []
    for one in recordings:
        lines.append({name: getattr(one, name) for name in ("metric", "prompts", "source", "by")})
        lines += [
            {"item": item, "replies": [_plain(reply) for reply in replies]}
            for item, replies in one.replies.items()
        ]
    write_whole(path, "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines))


def _why(fault: Exception) -> str:
    if isinstance(fault, ValidationError):
        return "the replies to an item are texts, or text and `weighed`"
    return f"it has no {fault}" if isinstance(fault, KeyError) else str(fault)


def _plain(reply: Said) -> Any:  # noqa: ANN401  any JSON
    return reply if isinstance(reply, str) else dataclasses.asdict(reply)
