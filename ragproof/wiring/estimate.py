"""What a run will ask of its judge, and what that will cost, before anything is paid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof.analysis.forecast import Forecast, Range, Spent, forecast
from ragproof.core import CaseRun, Metric, Observation, Prompt, UsageError
from ragproof.engine.run import wanted
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.plan import READINGS, prompts
from ragproof.wiring.prepare import Draft
from ragproof.wiring.wish import Wish

NO_JUDGE = (
    "there is no judge, so there is nothing to plan: nothing is paid. Set "
    "RAGPROOF_JUDGE_MODEL, or judge.model in ragproof.yaml"
)


@dataclass(frozen=True)
class Estimate:
    """Calls of each metric or reading, and what they come to."""

    draft: Draft
    calls: Mapping[str, int]
    """Metric key or reading to calls, repairs aside; the forecast counts those, too."""
    forecast: Forecast
    runs: tuple[str, ...] = ()
    """Whose calls the forecast rests on, the newest first."""


def estimate(draft: Draft) -> Estimate:
    """Count the calls, and foretell their sums from the replies that the store has.

    Replies of the same judge to the same prompts tell the sizes, whichever run they are of.
    Raises UsageError where there is no judge.
    """
    if draft.judge is None:
        raise UsageError(NO_JUDGE)
    asking = prompts(draft.metrics)
    jurors = [one.fingerprint for one in draft.judge.settings] or [draft.judge.fingerprint]
    calls = {name: len(jurors) * _calls(name, draft, found) for name, found in asking.items()}
    runs: dict[str, None] = {}
    try:
        with open_store(draft.config.store, create=False) as store:
            parts = list(_parts(draft.judge.fingerprint, jurors, calls, asking, store))
            asked = [one.sha256 for found in asking.values() for one in found]
            for juror in jurors:
                told = store.sized_by(juror, asked)
                runs |= dict.fromkeys(f"{run} ({label})" if label else run for run, label in told)
    except UsageError:  # there is no store yet
        parts = [(count, []) for count in calls.values()]
    return Estimate(draft, calls, forecast(parts), tuple(runs))


def refuse_without_judge(wish: Wish, environ: Mapping[str, str]) -> None:
    """Raise UsageError where there is no judge, before anything is read or asked."""
    if not wish.load_config(environ).judge.configured:
        raise UsageError(NO_JUDGE)


def _parts(
    judge: str,
    jurors: Sequence[str],
    calls: Mapping[str, int],
    asking: Mapping[str, Sequence[Prompt]],
    store: RunStore,
) -> Iterator[tuple[int, list[Spent]]]:
    """Calls and sizes of each metric or reading, of each juror: one juror where there is no panel.

    What is asked once a run and heard on every case is no repair.
    """
    for name, count in calls.items():
        once, each = _once_and_each(asking[name])
        heard = store.replies_a_score(judge, name) / len(jurors)
        repairs = max(1.0, (heard - once) / max(each, 1))
        for juror in jurors:
            replies = store.sizes(juror, [one.sha256 for one in asking[name]])
            yield (
                math.ceil(count / len(jurors) * repairs),  # repairs are calls, too
                [Spent(one.input_tokens or 0, one.output_tokens or 0, one.usd) for one in replies],
            )


def _once_and_each(prompts_: Sequence[Prompt]) -> tuple[int, int]:
    """How many of the prompts are asked once a run, and how many of every case."""
    once = sum(one.once for one in prompts_)
    return once, len(prompts_) - once


def _calls(name: str, draft: Draft, prompts_: Sequence[Prompt]) -> int:
    """Calls of a metric, or for a reading: one a trial and prompt, or one a run where it is once.

    It is the most there can be: of an answer that makes no claim, none has to be checked.
    """
    if (metric := draft.metrics.get(name)) is not None:
        asking: list[Metric[Any]] = [metric]
    else:
        [reading] = [one for one in wanted(READINGS, draft.metrics) if one.need.paths[0] == name]
        asking = [one for one in draft.metrics.values() if one.spec.reads(reading.need)]
    unseen = Observation(case_id="")
    runs = (CaseRun(case, unseen) for case in draft.cases)
    trials = sum(any(one.spec.suits(run) for one in asking) for run in runs)
    once, each = _once_and_each(prompts_)
    return draft.header.settings.repeats * (trials * each + once if trials else 0)


def plain(told: Estimate) -> dict[str, Any]:
    """The estimate as a JSON document."""

    def ends(one: Range | None) -> list[float] | None:
        return None if one is None else [one.low, one.high]

    found = told.forecast
    return {
        "plan": True,
        "judge": told.draft.header.judge,
        "cases": len(told.draft.cases),
        "repeats": told.draft.header.settings.repeats,
        "calls": found.calls,
        "calls_by_metric": dict(told.calls),
        "input_tokens": ends(found.input_tokens),
        "output_tokens": ends(found.output_tokens),
        "cost_usd": ends(found.usd),
        "based_on_replies": found.seen,
        "based_on_runs": list(told.runs),
    }
