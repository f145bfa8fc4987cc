"""The model that writes datasets: which one, its budget, and where its replies are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ragproof.core import Reply, UsageError
from ragproof.engine.stop import Stop
from ragproof.llm.budget import Budget
from ragproof.llm.door import Door
from ragproof.llm.health import Patience
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Ask
from ragproof.llm.prices import Prices
from ragproof.llm.replies import MemoryReplies, Replies
from ragproof.llm.settings import ModelSettings
from ragproof.store.open import open_store
from ragproof.wiring.judging import concurrency, settings_of
from ragproof.wiring.loop import carried_out
from ragproof.wiring.schema import Config

T = TypeVar("T")


@dataclass(frozen=True)
class Noted:
    """Replies, of which somebody is told what they may have cost whenever that changes."""

    replies: Replies
    note: Callable[[float], object]

    async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:
        """Give the reply of an earlier call."""
        return await self.replies.found(key, anew=anew)

    async def sent(self, key: str, ask: Ask, usd: float | None, /) -> None:
        """Note what may be paid."""
        await self.replies.sent(key, ask, usd)
        self.note(self.spent())

    async def received(self, key: str, ask: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        """Keep the reply, and note what it cost."""
        await self.replies.received(key, ask, reply, lost=lost)
        self.note(self.spent())

    async def failed(self, key: str, usd: float | None, /) -> None:
        """Note what the call cost."""
        await self.replies.failed(key, usd)
        self.note(self.spent())

    def spent(self) -> float:
        """USD so far, what may have been paid included."""
        return self.replies.spent()

    def unanswered(self) -> float:
        """The part of it for calls that brought no reply."""
        return self.replies.unanswered()


def writer_settings(config: Config, environ: Mapping[str, str]) -> ModelSettings:
    """How the model is asked; address, key and prices are the judge's.

    Raises UsageError without a model, and for what cannot work.
    """
    from ragproof.llm.client import Client  # noqa: PLC0415  aiohttp is heavy

    if config.generation_model is None:
        raise UsageError(
            "no model is named that writes the questions; set RAGPROOF_GEN_MODEL "
            "(generation_model), and RAGPROOF_LLM_BASE_URL for an endpoint of your own"
        )
    settings = settings_of(config.judge, config.generation_model)
    client = Client.of(settings, environ)  # a key that no header can carry shows now
    Door(client, MemoryReplies(), Budget(config.max_cost_usd), prices_of(config))  # so do prices
    return settings


def prices_of(config: Config) -> Prices:
    """What the model costs."""
    return Prices(config.judge.prices.input_per_mtok, config.judge.prices.output_per_mtok)


def with_writer(
    config: Config,
    environ: Mapping[str, str],
    settings: ModelSettings,
    ask: Callable[[Door], Coroutine[Any, Any, T]],
    closing: Callable[[Door], object],
    *,
    spent: float = 0.0,
    note: Callable[[float], object] = lambda _usd: None,
) -> T:
    """Do something with the model; its replies are durable, and what was asked is not paid again.

    `note` hears what may have been paid, `spent` included, before each call and after it. Whatever
    ends the work, and the first Ctrl-C or SIGTERM, leaves time for the calls in flight; then
    `closing` is told what went through. Raises KeyboardInterrupt where it was stopped.
    """
    under_way: list[asyncio.Task[T]] = []

    def let_go() -> None:
        for task in under_way:
            task.cancel()

    with open_store(config.store) as store:
        replies = Noted(store.free_replies(settings.fingerprint, spent=spent), note)
        door = _door(config, environ, settings, replies, spent)

        async def work() -> list[T]:
            under_way.append(asyncio.ensure_future(ask(door)))
            try:
                return [await under_way[0]]
            except asyncio.CancelledError:
                return []
            finally:
                await door.settled()
                closing(door)
                await door.close()

        if found := carried_out(work(), Stop(let_go)):
            return found[0]
    raise KeyboardInterrupt


def _door(
    config: Config,
    environ: Mapping[str, str],
    settings: ModelSettings,
    replies: Replies,
    spent: float,
) -> Door:
    from ragproof.llm.client import Client  # noqa: PLC0415  as above

    chosen = "concurrency" in {*config.judge.model_fields_set, *config.run.model_fields_set}
    return Door(
        Client.of(settings, environ),
        replies,
        Budget(config.max_cost_usd, spent),
        prices_of(config),
        max_output_tokens=settings.max_output_tokens,
        limiter=Limiter.at(concurrency(config), is_local=settings.is_local, is_chosen=chosen),
        patience=Patience.of(settings.timeout_seconds),
    )
