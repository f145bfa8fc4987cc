"""What labelled answers do not bring along, and the configured pipeline or local models answer."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import Adapter, RagproofError, Tools, UsageError
from ragproof.judge.calibration import Judged, JudgeOf, Scorer, judged
from ragproof.judge.items import Item
from ragproof.metrics import catalog
from ragproof.wiring.local_models import local_models
from ragproof.wiring.schema import Config
from ragproof.wiring.systems import system

_CALLS = "pipeline."


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """The labelled answers that a judge can be measured by, and who answers for the pipeline."""

    items: tuple[Item, ...]
    left_out: Mapping[str, str]
    """Metric to why its items cannot be scored."""
    tools: Tools
    adapter: Adapter | None = None

    async def judged(
        self, scorers: Mapping[str, Scorer], judge_of: JudgeOf, *, at_once: int = 16
    ) -> tuple[Judged, ...]:
        """Have the items scored, then let go of the pipeline."""
        try:
            return await judged(self.items, scorers, judge_of, at_once=at_once, tools=self.tools)
        finally:
            await self.close()

    async def close(self) -> None:
        """Let go of the pipeline, if it was loaded."""
        if self.adapter is not None:
            await self.adapter.close()


def elsewhere(
    config: Config,
    environ: Mapping[str, str],
    items: Sequence[Item],
    *,
    asked_for: bool,
    foreseen: Container[str] = (),
) -> Elsewhere:
    """Find out which items can be scored, and by whose help.

    The pipeline is loaded only where items do not bring along all that their metrics call. Of the
    metrics that are `foreseen` they do, in the very words in which it is asked for. Raises
    UsageError where items that nobody answers are `asked_for`, and not merely among all that ship.
    """
    tools, adapter, broken = Tools(), None, ""
    open_ = [one for one in items if one.metric not in foreseen]
    if metrics := unanswered(open_, tools):
        models = local_models(config, environ, {one: catalog.build(one) for one in metrics})
        tools = Tools(local=models)
        if config.adapter is not None:
            try:
                with config.blamed("adapter"):
                    found = system(config, (), config.run.k, environ)
                tools, adapter = Tools(local=models, pipeline=found.pipeline), found.adapter
            except RagproofError as fault:
                broken = f" ({fault})"
    left_out = {one: f"{why}{broken}" for one, why in unanswered(open_, tools).items()}
    if left_out and asked_for:
        told = "; ".join(f"{metric}: {why}" for metric, why in left_out.items())
        raise UsageError(f"{told}. Items can bring along what it would answer: `pipeline`")
    kept = tuple(one for one in items if one.metric not in left_out)
    return Elsewhere(items=kept, left_out=left_out, tools=tools, adapter=adapter)


def unanswered(items: Iterable[Item], tools: Tools) -> dict[str, str]:
    """Metric to what it calls that some item of it does not answer in any words, nor a tool."""
    found: dict[str, str] = {}
    known = frozenset(catalog.ids())
    for item in items:
        if item.metric not in known:  # a reading calls nothing
            continue
        for need in catalog.load(item.metric).spec.needs:
            calls = {p.removeprefix(_CALLS) for p in need.paths if p.startswith(_CALLS)}
            if calls and need.of(tools) is None and not calls & item.whatever_is_asked:
                found.setdefault(item.metric, need.reason)
    return found
