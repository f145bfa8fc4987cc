"""A case shows on the board whether it is with the pipeline or only waits for the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragproof.core import Case, Chunk, Pipeline, Prompt, QuestionCase, Tools
from ragproof.engine.board import Board
from ragproof.engine.presence import Presence

CASE = QuestionCase(id="q1", question="?")
PROMPT = Prompt(system="s", user="u")


@dataclass
class Watching:
    """A judge and a pipeline that look at the board while they are asked."""

    board: Board
    seen: list[tuple[str, bool]] = field(default_factory=list)
    fingerprint: str = "watching"

    def look(self, who: str) -> None:
        self.seen.append((who, self.board.calls()[0].waits))

    async def ask(self, *_: object, **__: object) -> Any:
        self.look("judge")
        await asyncio.sleep(0)
        self.look("judge")
        return "said"

    async def retrieve(self, _case: Case, _question: str, _k: int) -> tuple[Chunk, ...]:
        self.look("pipeline")
        await asyncio.sleep(0)
        self.look("pipeline")
        return ()


def watched(*, judge: bool = True) -> tuple[Watching, Tools]:
    board = Board()
    board.enter(0, "q1")
    there = Watching(board)
    tools = Tools(
        judge=there if judge else None,
        pipeline=Pipeline(retrieve=there.retrieve),
    )
    return there, Presence(board, 0).told_by(tools)


def asked(tools: Tools) -> Sequence[Any]:
    async def both() -> Sequence[Any]:
        assert tools.judge is not None
        assert tools.pipeline is not None
        assert tools.pipeline.retrieve is not None
        assert tools.pipeline.rerank is None
        return await asyncio.gather(
            tools.judge.ask(PROMPT, {}, str), tools.pipeline.retrieve(CASE, "?", 5)
        )

    return asyncio.run(both())


def test_it_waits_while_the_judge_is_asked_and_no_longer() -> None:
    there, tools = watched()
    assert tools.judge is not None
    assert tools.judge.fingerprint == "watching"
    assert asyncio.run(tools.judge.ask(PROMPT, {}, str)) == "said"
    assert there.seen == [("judge", True)] * 2
    assert [call.waits for call in there.board.calls()] == [False]


def test_it_does_not_only_wait_while_a_metric_calls_the_pipeline_again() -> None:
    there, tools = watched()
    assert asked(tools) == ["said", ()]
    assert there.seen == [
        ("judge", True),
        ("pipeline", False),
        ("judge", False),
        ("pipeline", False),
    ]
    assert [call.waits for call in there.board.calls()] == [False]


def test_without_a_judge_the_tools_stay_as_they_are() -> None:
    there, tools = watched(judge=False)
    assert tools.pipeline == Pipeline(retrieve=there.retrieve)
