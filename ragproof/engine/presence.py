"""What a case waits for: one that is with the judge is not with the pipeline.

When the pipeline ends the process, the cases that were out with it are to blame. One that waits
for the judge meanwhile is not, and a resume puts it again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from ragproof.core import Judge, Pipeline, Prompt, Reply, Tools, accept
from ragproof.engine.board import Board

T = TypeVar("T")


@dataclass
class Presence:
    """Tells the board of one place: what is asked there of the judge, and of the pipeline."""

    board: Board
    place: int
    _asks: int = field(default=0, init=False)
    _calls: int = field(default=0, init=False)

    def told_by(self, tools: Tools) -> Tools:
        """The same tools, which tell what they are asked; without a judge nothing is to be told."""
        if tools.judge is None:
            return tools
        pipeline = None if tools.pipeline is None else self._watched(tools.pipeline)
        return replace(tools, judge=_Watched(tools.judge, self), pipeline=pipeline)

    @contextmanager
    def away(self, *, asks: int = 0, calls: int = 0) -> Iterator[None]:
        """While so much more is asked of the judge, and of the pipeline."""
        self._add(asks, calls)
        try:
            yield
        finally:
            self._add(-asks, -calls)

    def _add(self, asks: int, calls: int) -> None:
        self._asks += asks
        self._calls += calls
        self.board.waits(self.place, is_waiting=self._asks > 0 and not self._calls)

    def _watched(self, pipeline: Pipeline) -> Pipeline:
        calls = {one.name: getattr(pipeline, one.name) for one in fields(pipeline)}
        return replace(
            pipeline, **{name: self._call(call) for name, call in calls.items() if call is not None}
        )

    def _call(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def told(*given: object) -> object:
            with self.away(calls=1):
                return await call(*given)

        return told


@dataclass(frozen=True)
class _Watched:
    """A judge that tells while it is asked."""

    judge: Judge
    presence: Presence

    @property
    def fingerprint(self) -> str:
        """The judge's."""
        return self.judge.fingerprint

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
        repeat: int = 0,
    ) -> T:
        """Ask."""
        with self.presence.away(asks=1):
            return await self.judge.ask(
                prompt, variables, shape, check=check, heard=heard, repeat=repeat
            )
