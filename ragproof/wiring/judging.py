"""From the config to the judge, its budget and its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragproof.core import Judge, Tools, UsageError
from ragproof.judge.ask import ModelJudge
from ragproof.llm.budget import Budget
from ragproof.llm.client import Client
from ragproof.llm.door import Door
from ragproof.llm.health import Patience
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Model
from ragproof.llm.prices import Prices
from ragproof.llm.recorded import Recorded
from ragproof.llm.replies import MemoryReplies
from ragproof.llm.settings import ModelSettings
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.schema import Config, JudgeConfig


@dataclass(frozen=True)
class JudgePlan:
    """The judge that a config names, before anything is asked."""

    model: str
    """What reports call it."""
    fingerprint: str
    settings: ModelSettings | None
    """None for recorded replies."""
    recorded: Recorded | None = None


@dataclass(frozen=True)
class Judged:
    """A judge at work in a run."""

    judge: Judge
    model: Model
    door: Door | None = None
    """None for recorded replies, which cost nothing."""

    async def close(self) -> None:
        """Let calls in flight come in, then let go of connections."""
        await self.model.close()


@dataclass(frozen=True)
class Equipment:
    """What metrics are handed, and what has to be closed after the run."""

    tools: Tools = field(default_factory=Tools)
    judged: Judged | None = None

    async def close(self) -> None:
        """Close the judge, if there is one."""
        if self.judged is not None:
            await self.judged.close()


def planned(config: Config, environ: Mapping[str, str]) -> JudgePlan | None:
    """Read which judge there is to be; None without one.

    Raises UsageError for settings that cannot work, and for a recorded run that is not there.
    """
    judge = config.judge
    if not judge.configured:
        return None
    if judge.provider == "recorded":
        return _recorded(config, judge)
    settings = settings_of(judge)
    Client.of(settings, environ)  # a key that no header can carry shows now
    Door(Client(settings), MemoryReplies(), _budget(config, 0.0), _prices(judge))  # checks prices
    return JudgePlan(settings.model, settings.fingerprint, settings)


def settings_of(judge: JudgeConfig) -> ModelSettings:
    """How the model is asked."""
    return ModelSettings(
        model=judge.model or "",
        provider="anthropic" if judge.provider == "anthropic" else "openai",
        base_url=judge.base_url,
        temperature=None if judge.temperature == "omit" else judge.temperature,
        max_output_tokens=judge.max_output_tokens,
        timeout_seconds=judge.timeout_seconds,
        extra=judge.extra,
    )


def equipped(
    plan: JudgePlan | None,
    config: Config,
    store: RunStore,
    run_id: str,
    environ: Mapping[str, str],
    *,
    lookup: bool = True,
) -> Equipment:
    """Make the judge for a run that is open for writing."""
    if plan is None:
        return Equipment()
    if plan.recorded is not None:
        judged = Judged(ModelJudge(plan.recorded), plan.recorded)
        return Equipment(Tools(judge=judged.judge), judged)
    settings = plan.settings
    assert settings is not None
    replies = store.replies(run_id, plan.fingerprint, lookup=lookup)
    chosen = "concurrency" in config.judge.model_fields_set or "concurrency" in (
        config.run.model_fields_set
    )
    door = Door(
        Client.of(settings, environ),
        replies,
        _budget(config, replies.spent()),
        _prices(config.judge),
        max_output_tokens=settings.max_output_tokens,
        limiter=Limiter.at(concurrency(config), is_local=settings.is_local, is_chosen=chosen),
        patience=Patience.of(settings.timeout_seconds),
    )
    judged = Judged(ModelJudge(door), door, door)
    return Equipment(Tools(judge=judged.judge), judged)


def concurrency(config: Config) -> int:
    """Calls of the judge that may be out at once: as many as cases, unless the config says."""
    own = config.judge.concurrency
    chosen = "concurrency" in config.judge.model_fields_set
    return own if chosen else max(own, config.run.concurrency)


def _recorded(config: Config, judge: JudgeConfig) -> JudgePlan:
    with open_store(config.store, create=False) as store:
        info = store.find(judge.run or "", config.runs_under)
        fingerprint, replies, prompts = store.recorded(info.header.id)
    if info.header.judge is None:
        raise UsageError(f"judge.run: run {info.header.id} had no judge whose replies there are")
    recorded = Recorded(
        recorded=fingerprint,
        replies=replies,
        prompts=prompts,
        names={one: name for name, all_ in info.header.prompt_hashes.items() for one in all_},
        source=f"run {info.header.id}",
    )
    model = f"{info.header.judge_model} (recorded)"
    return JudgePlan(model, recorded.fingerprint, None, recorded)


def _budget(config: Config, spent: float) -> Budget:
    return Budget(config.max_cost_usd, spent)


def _prices(judge: JudgeConfig) -> Prices:
    return Prices(judge.prices.input_per_mtok, judge.prices.output_per_mtok)
