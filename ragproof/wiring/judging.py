"""From the config to the judge, its budget and its memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import Judge, Metric, Reading, ToolMetric, Tools, UsageError
from ragproof.judge.ask import ModelJudge
from ragproof.judge.panel import PANEL, Deliberated, Deliberation, Panel, panel_called
from ragproof.llm.budget import Budget
from ragproof.llm.door import Door
from ragproof.llm.health import Patience
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Model
from ragproof.llm.prices import Prices
from ragproof.llm.recorded import Recorded
from ragproof.llm.replies import MemoryReplies, Replies
from ragproof.llm.settings import ModelSettings
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.schema import Config, JudgeConfig


@dataclass(frozen=True)
class JudgePlan:
    """The judge that a config names, before anything is asked."""

    model: str
    """What reports call it."""
    fingerprint: str
    settings: tuple[ModelSettings, ...] = ()
    """One a model: several for a panel, none for recorded replies."""
    recorded: Recorded | None = None


@dataclass(frozen=True)
class Judged:
    """A judge that can be asked."""

    judge: Judge
    models: tuple[Model, ...]

    async def close(self) -> None:
        """Let go of connections."""
        for model in self.models:
            await model.close()


@dataclass(frozen=True)
class Equipment:
    """What metrics are handed, and what has to be closed after the run."""

    judged: Judged | None = None

    @property
    def tools(self) -> Tools:
        """What metrics are handed."""
        return Tools() if self.judged is None else Tools(judge=self.judged.judge)

    @property
    def judge(self) -> Judge:
        """The judge, where it is known that there is one. Raises UsageError where there is none."""
        if self.judged is None:
            raise UsageError("no judge is configured that can be asked; set RAGPROOF_JUDGE_MODEL")
        return self.judged.judge

    @property
    def _panel(self) -> Panel | None:
        judge = None if self.judged is None else self.judged.judge
        return judge if isinstance(judge, Panel) else None

    def asking(self, metrics: Mapping[str, Metric[Any]]) -> dict[str, Metric[Any]]:
        """The metrics as this judge is asked: by a panel, each juror is."""
        if (panel := self._panel) is None:
            return dict(metrics)
        return {
            key: Deliberated(one, panel) if isinstance(one, ToolMetric) and one.prompts else one
            for key, one in metrics.items()
        }

    def reading(self, readings: Sequence[Reading[Any]]) -> list[Reading[Any]]:
        """The same for readings."""
        if (panel := self._panel) is None:
            return list(readings)
        return [Deliberation(one, panel) for one in readings]

    @property
    def breakdown(self) -> str | None:
        """Why a model of the judge has stopped answering; None while nothing shows that it has."""
        return next((door.breakdown for door in self._doors if door.breakdown), None)

    @property
    def _doors(self) -> list[Door]:
        models = self.judged.models if self.judged else ()
        return [model for model in models if isinstance(model, Door)]

    async def settled(self) -> None:
        """Wait for calls in flight, so that no reply is lost that may have been paid."""
        for door in self._doors:
            await door.settled()

    async def close(self) -> None:
        """Close the judge, if there is one."""
        if self.judged is not None:
            await self.judged.close()


NO_EQUIPMENT = Equipment()


def planned(config: Config, environ: Mapping[str, str]) -> JudgePlan | None:
    """Read which judge there is to be; None without one.

    Raises UsageError for settings that cannot work, and for a recorded run that is not there.
    """
    judge = config.judge
    if not judge.configured:
        return None
    if judge.provider == "recorded":
        return _recorded(config, judge)
    from ragproof.llm.client import Client  # noqa: PLC0415  aiohttp is heavy, and most have no judge

    models = judge.panel or (judge.model or "",)
    settings = tuple(settings_of(judge, model) for model in models)
    for one in settings:
        Client.of(one, environ)  # a key that no header can carry shows now
        new = Budget(config.max_cost_usd)
        Door(Client(one), MemoryReplies(), new, _prices(judge))  # so do prices
    told = [one.fingerprint for one in settings]
    if twice := next((one for one in models if models.count(one) > 1), None):
        raise UsageError(f"judge.panel: {twice!r} is named twice; a model has one vote")
    fingerprint = told[0] if len(told) == 1 else panel_called(told)
    return JudgePlan(" + ".join(models), fingerprint, settings)


def settings_of(judge: JudgeConfig, model: str) -> ModelSettings:
    """How a model is asked."""
    return ModelSettings(
        model=model,
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
    retries: bool = False,
) -> Equipment:
    """Make the judge for a run that is open for writing.

    With `retries`, what was kept and is of no use is asked for anew; without `lookup`, everything.
    """
    if plan is None:
        return NO_EQUIPMENT
    return judge_alone(
        plan,
        config,
        environ,
        lambda fingerprint: store.replies(run_id, fingerprint, lookup=lookup),
        retries=retries,
    )


def judge_alone(
    plan: JudgePlan,
    config: Config,
    environ: Mapping[str, str],
    kept: Callable[[str], Replies],
    *,
    retries: bool = False,
) -> Equipment:
    """Make the judge; `kept` is from the fingerprint of a model to where its replies are kept."""
    if plan.recorded is not None:
        return Equipment(Judged(ModelJudge(plan.recorded), (plan.recorded,)))
    replies = {one.fingerprint: kept(one.fingerprint) for one in plan.settings}
    book = replies[plan.settings[0].fingerprint]
    budget = Budget(config.max_cost_usd, book.spent(), book.unanswered())
    doors = _doors(plan, config, environ, replies, budget)
    jurors = tuple(ModelJudge(door, retries) for door in doors)
    return Equipment(Judged(jurors[0] if len(jurors) == 1 else Panel(jurors), doors))


def _doors(
    plan: JudgePlan,
    config: Config,
    environ: Mapping[str, str],
    kept: Mapping[str, Replies],
    budget: Budget,
) -> tuple[Door, ...]:
    """One door a model; all behind one endpoint share its limiter, and one budget."""
    from ragproof.llm.client import Client  # noqa: PLC0415  as above

    chosen = "concurrency" in {*config.judge.model_fields_set, *config.run.model_fields_set}
    local = plan.settings[0].is_local
    limiter = Limiter.at(concurrency(config), is_local=local, is_chosen=chosen)
    return tuple(
        Door(
            Client.of(one, environ),
            kept[one.fingerprint],
            budget,
            _prices(config.judge),
            max_output_tokens=one.max_output_tokens,
            limiter=limiter,
            patience=Patience.of(one.timeout_seconds),
        )
        for one in plan.settings
    )


def concurrency(config: Config) -> int:
    """Calls of the judge that may be out at once: as many as cases, unless the config says."""
    own = config.judge.concurrency
    chosen = "concurrency" in config.judge.model_fields_set
    return own if chosen else max(own, config.run.concurrency)


def recording_file(config: Config) -> Path | None:
    """The file of replies to labelled answers that `judge.run` names instead of a run, if any."""
    judge = config.judge
    if judge.provider != "recorded" or judge.run is None:
        return None
    file = config.folder / judge.run
    return file if file.is_file() else None


def _recorded(config: Config, judge: JudgeConfig) -> JudgePlan:
    if (file := recording_file(config)) is not None:
        raise UsageError(
            f"judge.run: {file} holds replies to labelled answers, for `ragproof calibrate` alone; "
            "name a run to replay its replies"
        )
    with open_store(config.store, create=False) as store:
        info = store.find(judge.run or "", config.runs_under)
        fingerprint, replies, prompts = store.recorded(info.header.id)
    if info.header.judge is None:
        raise UsageError(f"judge.run: run {info.header.id} had no judge whose replies there are")
    if fingerprint.startswith(PANEL):
        raise UsageError(
            f"judge.run: a panel ({info.header.judge_model}) judged run {info.header.id}, and "
            "only the replies of one model can be replayed; name a run that one model judged"
        )
    recorded = Recorded(
        recorded=fingerprint,
        replies=replies,
        prompts=prompts,
        names={one: name for name, all_ in info.header.prompt_hashes.items() for one in all_},
        source=f"run {info.header.id}",
    )
    model = f"{info.header.judge_model} (recorded)"
    return JudgePlan(model, recorded.fingerprint, recorded=recorded)


def _prices(judge: JudgeConfig) -> Prices:
    return Prices(judge.prices.input_per_mtok, judge.prices.output_per_mtok)
