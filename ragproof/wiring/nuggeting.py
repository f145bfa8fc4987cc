"""From config and flags to the nuggets of a dataset's cases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragproof.core import Case, Nugget, QuestionCase, UsageError
from ragproof.datasets import Dataset, load
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.generate import Progress
from ragproof.datasets.generate_files import alone, open_book
from ragproof.datasets.generate_plan import KindPlan
from ragproof.datasets.nuggeting import (
    KIND,
    Drawn,
    Nuggeting,
    PoolText,
    is_asked_for,
    of_corpus,
    of_judged_pool,
    pools,
)
from ragproof.datasets.writing import refuse_name, refuse_source
from ragproof.judge.ask import ModelJudge
from ragproof.judge.nuggets import AT_ONCE, MOST, PROMPTS, Drafted, calls, make_nuggets
from ragproof.llm.door import Door
from ragproof.llm.settings import ModelSettings
from ragproof.wiring.book_sitting import BookSitting, Settle, Work, priced
from ragproof.wiring.dataset_pool import case_runs, depth_of, retrieved, source_of
from ragproof.wiring.generating import Generated, Planned
from ragproof.wiring.judging import concurrency, planned
from ragproof.wiring.looking import open_for_reading
from ragproof.wiring.schema import Config

AROUND = 400
"""Characters of a question, or of the marks around a text."""
LONG_TOKEN = 8
"""Characters that a token of a reply has at most, over a whole reply."""
TIMES = 2 * (1 + -(-MOST // AT_ONCE))
"""So often a passage is sent at most: once to write, once for each part of the list, repaired."""


@dataclass(frozen=True, kw_only=True)
class NuggetOrder:
    """What the command line asks for."""

    dataset: Path
    out: Path
    runs: tuple[str, ...] = ()
    """Their retrieved chunks; the latest run where neither `judged` nor `corpus` is given."""
    depth: int | None = None
    """Chunks a case and run; the k of the run where it is not said."""
    judged: Path | None = None
    """A pool that `judge-pool` wrote."""
    corpus: Path | None = None
    """Where the expected documents of a case lie."""
    judged_only: bool = False
    refine: bool = False
    batch: int = AT_ONCE
    limit: int | None = None
    """Cases at most."""
    resume: bool = False
    config_path: Path | None = None
    store: str | None = None


@dataclass(frozen=True)
class _Material:
    dataset: Dataset
    pools: Mapping[str, tuple[PoolText, ...]]


def nuggets_foreseen(config: Config, environ: Mapping[str, str], order: NuggetOrder) -> Planned:
    """Count what the judge will be asked, and what that costs, without asking."""
    told = _material(environ, order)
    pooled = [one for one in told.pools.values() if one]
    counts = [calls(len(pool), order.batch) for pool in pooled]
    texts = sum(len(one.text) + AROUND for pool in pooled for one in pool)
    usual, most = (sum(one) for one in zip(*counts, strict=True)) if counts else (0, 0)
    prompt = max(len(one.system) for one in PROMPTS) + AROUND
    reply = config.judge.max_output_tokens * LONG_TOKEN + MOST * AROUND
    plan = KindPlan(
        wanted=len(told.pools),
        calls=usual,
        most_calls=most,
        characters=2 * texts + usual * prompt,
        most_characters=TIMES * texts + most * (prompt + 2 * reply),
    )
    usd, most_usd = priced(config, {KIND: plan})
    return Planned(
        kinds={KIND: plan},
        usd=usd,
        most_usd=most_usd,
        skipped=(),
        documents=len({one.source_id for pool in pooled for one in pool}),
        passages=sum(map(len, pooled)),
    )


def make(config: Config, environ: Mapping[str, str], order: NuggetOrder) -> Generated:
    """Write the dataset with nuggets.

    Raises UsageError for what cannot work, before anything is paid. A budget that is used up and
    a model that stops answering end it; the file then has the nuggets that were made until then.
    """
    refuse_name(order.out)
    refuse_source(order.out, order.dataset, order.judged)
    told = _material(environ, order)
    settings = _judge(config, environ)
    with alone(order.out):
        return _made(config, environ, order, told, settings)


def _made(
    config: Config,
    environ: Mapping[str, str],
    order: NuggetOrder,
    told: _Material,
    settings: ModelSettings,
) -> Generated:
    book = open_book(order.out, _made_with(told, settings, order), resume=order.resume, apart=True)
    sitting = BookSitting(config, environ, book)
    sitting.progress[KIND] = Progress(len(told.pools))
    stopped, status = sitting.ask(settings, _work(sitting, told, order))
    progress = sitting.progress[KIND]
    status = status or ("short" if progress.is_short else "completed")
    sitting.sum_up(status, sitting.progress)
    return Generated(
        status=status,
        stopped=stopped,
        out=book.out,
        rejects=book.rejects_path,
        cases=len(told.dataset.cases),
        kinds=dict(sitting.progress),
        skipped=(),
        planting=None,
        calls=sitting.calls,
        cache_hits=sitting.cache_hits,
        usd=book.spent,
    )


def _work(sitting: BookSitting, told: _Material, order: NuggetOrder) -> Work:
    async def work(door: Door, settle: Settle) -> None:
        judge = ModelJudge(door, retries=order.resume)

        async def draft(question: str, pool: Sequence[str], begun: Sequence[Nugget]) -> Drafted:
            return await make_nuggets(judge, question, pool, begun, order.batch)

        nuggeting = Nuggeting(
            cases=told.dataset.cases,
            pools=told.pools,
            book=sitting.book,
            draft=draft,
            model=door.fingerprint,
            at_once=concurrency(sitting.config),
            broken=lambda: door.breakdown,
            settle=settle,
            progress=sitting.progress[KIND],
        )
        await nuggeting.make()

    return work


def _judge(config: Config, environ: Mapping[str, str]) -> ModelSettings:
    plan = planned(config, environ)
    if plan is None:
        raise UsageError(
            "no judge is named that could write the nuggets; set RAGPROOF_JUDGE_MODEL "
            "(judge.model), and RAGPROOF_LLM_BASE_URL for an endpoint of your own"
        )
    if len(plan.settings) != 1:
        kind = "a panel" if plan.settings else "recorded replies"
        raise UsageError(f"judge: got {kind}; allowed: one model that can be asked (judge.model)")
    return plan.settings[0]


def _material(environ: Mapping[str, str], order: NuggetOrder) -> _Material:
    dataset = load(order.dataset)
    asked = [one for one in dataset.cases if is_asked_for(one, refine=order.refine)]
    asked = asked[: order.limit]
    questions = [one for one in asked if isinstance(one, QuestionCase)]
    if not questions:
        raise UsageError(
            f"{order.dataset}: no case wants nuggets: they are made for kind qa, and with --refine "
            "for cases that have some"
        )
    drawn = _drawn(questions, {one.id for one in dataset.cases}, environ, order)
    return _Material(dataset, pools(questions, drawn, judged_only=order.judged_only))


def _drawn(
    cases: Sequence[QuestionCase],
    known: Set[str],
    environ: Mapping[str, str],
    order: NuggetOrder,
) -> Iterator[Drawn]:
    """From everything that was named; from the latest run where nothing was."""
    here = order.judged is not None or order.corpus is not None
    if runs := order.runs or (() if here else ("latest",)):
        yield from _of_runs(cases, runs, environ, order)
    if order.judged is not None:
        yield from of_judged_pool(order.judged, known)
    if order.corpus is not None:
        yield from of_corpus(cases, load_corpus(order.corpus))


def _of_runs(
    cases: Sequence[Case], runs: Sequence[str], environ: Mapping[str, str], order: NuggetOrder
) -> Iterator[Drawn]:
    ids = {case.id for case in cases}
    with open_for_reading(order.config_path, order.store, environ) as looking:
        for name in runs:
            header = looking.store.find(name, looking.project).header
            depth = depth_of(header, order.depth)
            for run in case_runs(looking, header, ids, order.dataset):
                for rank, chunk in enumerate(retrieved(run)[:depth], 1):
                    source = source_of(chunk, header.settings.source_match)
                    yield Drawn(run.case.id, source, chunk.text, rank)


def _made_with(told: _Material, settings: ModelSettings, order: NuggetOrder) -> dict[str, Any]:
    """What the nuggets depend on."""
    pooled = {
        name: [[one.source_id, one.text] for one in pool] for name, pool in told.pools.items()
    }
    return {
        "dataset": told.dataset.hash,
        "pool": sha256(json.dumps(pooled, sort_keys=True).encode()).hexdigest(),
        "model": settings.fingerprint,
        "prompts": sha256("\0".join(one.sha256 for one in PROMPTS).encode()).hexdigest(),
        "batch": order.batch,
        "refine": order.refine,
    }
