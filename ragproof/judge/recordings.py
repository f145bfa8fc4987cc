"""Replies to the shipped fixtures that were written down, for a calibration without a judge.

A file a metric: a line that says which prompt was answered and by whom, then a line an item. When
a prompt or a fixture changes, its recording no longer fits and has to be made anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragproof.core import JudgeError, Prompt, Reply, UsageError
from ragproof.judge.ask import ModelJudge
from ragproof.judge.items import Item
from ragproof.llm.model import Ask
from ragproof.text.files import write_whole
from ragproof.text.jsonl import read_lines

SHIPPED = Path(__file__).parent / "recordings"
SCRIPTED = "scripted"
"""The source of replies that people wrote; figures from them are marked as such."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What was replied to the fixtures of one metric."""

    metric: str
    prompt: str
    """sha256 of the prompt that was answered."""
    source: str
    """`scripted`, or the fingerprint of the model."""
    by: str
    """Who gave or wrote the replies, and when."""
    replies: Mapping[str, tuple[str, ...]]
    """Item id to what was replied, word for word: one reply, or two where it was repaired."""

    def judge(self, item: Item) -> ModelJudge:
        """A judge that says what was replied to the item."""
        said = self.replies.get(item.id, ())
        return ModelJudge(_Recital(f"recorded: {self.source}", self, item.id, iter(said)))

    def faults(self, prompts: Iterable[Prompt], items: Iterable[Item]) -> Iterator[str]:
        """Why the recording no longer fits the prompt and the fixtures."""
        hashes = [prompt.sha256 for prompt in prompts]
        if hashes != [self.prompt]:
            told = f"prompt {self.prompt[:12]} was answered, there is {hashes[0][:12]} now"
            yield f"{self.metric}: {told}: {REMEDY}"
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
    said: Iterator[str]
    asked: list[Ask] = field(default_factory=list[Ask])

    async def reply(self, ask: Ask, /) -> Reply:
        """Say the next. Raises JudgeError where another prompt is asked, or more than then."""
        metric = self.recording.metric
        if ask.prompt != self.recording.prompt:
            raise JudgeError(f"{metric}: the recording is of another wording: {REMEDY}")
        if (text := next(self.said, None)) is None:
            raise JudgeError(f"{metric}: the recording has no reply to {self.item}: {REMEDY}")
        return Reply(text, usd=0.0, cached=True)

    async def close(self) -> None:
        """Let go of nothing."""


def shipped() -> dict[str, Recording]:
    """Metric to its recording."""
    found = map(read_recording, sorted(SHIPPED.glob("*.jsonl")))
    return {one.metric: one for one in found}


def read_recording(path: Path) -> Recording:
    """Read a recording. Raises UsageError for a file that is none."""
    lines = [json.loads(raw) for _, raw in read_lines(path)]
    try:
        head: dict[str, Any] = lines[0]
        replies = {one["item"]: tuple(one["replies"]) for one in lines[1:]}
        return Recording(**head, replies=replies)
    except (IndexError, KeyError, TypeError) as fault:
        raise UsageError(f"{path}: not a recording of a judge's replies: {fault!r}") from fault


def write_recording(path: Path, recording: Recording) -> None:
    """Write a recording, whole or not at all."""
    names = ("metric", "prompt", "source", "by")
    head: dict[str, Any] = {name: getattr(recording, name) for name in names}
    lines = [head, *({"item": item, "replies": said} for item, said in recording.replies.items())]
    write_whole(path, "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines))
