"""The judge outside a run: what scores, who is asked, and where the replies are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ragproof.core import UsageError
from ragproof.engine.stop import Stop
from ragproof.judge.calibration import Scorer, scorer
from ragproof.judge.recordings import Recording, read_recordings
from ragproof.metrics import catalog
from ragproof.store.open import open_store
from ragproof.wiring.judging import (
    NO_EQUIPMENT,
    Equipment,
    JudgePlan,
    judge_alone,
    planned,
    recording_file,
)
from ragproof.wiring.loop import carried_out
from ragproof.wiring.plan import READINGS
from ragproof.wiring.schema import Config

T = TypeVar("T")
Asking = Callable[[Equipment], Coroutine[Any, Any, T]]


def judged_scorers(equipment: Equipment = NO_EQUIPMENT) -> dict[str, Scorer]:
    """Metric, or reading, to how a judge scores it: all that have prompts."""
    known = {one: catalog.load(one) for one in catalog.ids()}
    asking = {one: catalog.build(one) for one, metric in known.items() if metric.prompts}
    return {
        **{one: scorer(metric) for one, metric in equipment.asking(asking).items()},
        **{one.need.paths[0]: scorer(one) for one in equipment.reading(READINGS)},
    }


def prompts_of(name: str) -> tuple[str, ...]:
    """The hashes of the prompts of a judged metric or a reading."""
    readings = {one.need.paths[0]: one for one in READINGS}
    asking = readings.get(name) or catalog.load(name)
    return tuple(prompt.sha256 for prompt in asking.prompts)


def recordings_of(config: Config) -> Mapping[str, Recording] | None:
    """The recordings that the config names in place of a judge; None where it names none."""
    file: Path | None = recording_file(config)
    return None if file is None else read_recordings(file)


def with_judge(
    config: Config, environ: Mapping[str, str], ask: Asking[T], *, lookup: bool = True
) -> tuple[JudgePlan, T]:
    """Do something with the configured judge; its replies are durable, and asked for once.

    Whatever ends it, and the first Ctrl-C or SIGTERM, leaves time for the calls in flight. Raises
    UsageError without a judge.
    """
    plan = planned(config, environ)
    if plan is None:
        raise UsageError("no judge is configured that can be asked; set RAGPROOF_JUDGE_MODEL")
    with open_store(config.store) as store:
        alone = judge_alone(
            plan, config, environ, lambda one: store.free_replies(one, lookup=lookup)
        )

        under_way: list[asyncio.Task[T]] = []

        def let_go() -> None:
            for task in under_way:
                task.cancel()

        stop = Stop(let_go)

        async def work() -> list[T]:
            under_way.append(asyncio.ensure_future(ask(alone)))
            try:
                return [await under_way[0]]
            except asyncio.CancelledError:
                return []
            finally:
                await alone.settled()
                await alone.close()

        found = carried_out(work(), stop)
        if not found:
            raise KeyboardInterrupt
        return plan, found[0]
