"""A run that is put together case by case, by several processes perhaps, and summed up at last.

A test runner asks for one case at a time and decides in which process. Each process writes a run
of its own, a piece; the pieces are joined into one run, to which groups and sets are added.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.analysis.findings import Findings, JudgeUse
from ragproof.core import Finished, Level, RunHeader, RunState, Trial
from ragproof.datasets import load
from ragproof.engine.board import UNWATCHED
from ragproof.engine.run import Run, nobody
from ragproof.engine.stop import Stop
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.given import Given
from ragproof.wiring.judging import equipped
from ragproof.wiring.perform import assembled, close
from ragproof.wiring.prepare import Draft, Prepared, draft, selected
from ragproof.wiring.wish import Wish

AT_ONCE = 200
"""So many cases of a piece are copied in one commit."""


@dataclass(frozen=True)
class Piece:
    """A run of some of the cases, and the store that it lies in."""

    where: str
    run_id: str


class Sitting:
    """Puts cases to the pipeline when it is asked to, one after the other, on one loop."""

    def __init__(self, prepared: Prepared, where: str) -> None:
        """Take a run whose store is at this place."""
        self._prepared = prepared
        self._where = where
        self._run: Run = assembled(prepared, UNWATCHED, Stop(), nobody)
        self._trials: Mapping[str, list[Trial]] = defaultdict(list)
        for trial in prepared.draft.trials():
            self._trials[trial.case.id].append(trial)

    @classmethod
    def begun(cls, where: str, wish: Wish, environ: Mapping[str, str], given: Given) -> Sitting:
        """Begin a run in the store at this place, whichever is wished for."""
        drafted = draft(wish, environ, given)
        store = open_store(where)
        store.begin(drafted.header)
        run_id = drafted.header.id
        equipment = equipped(drafted.judge, drafted.config, store, run_id, environ)
        return cls(Prepared(draft=drafted, store=store, equipment=equipment), where)

    @property
    def piece(self) -> Piece:
        """Where it is written."""
        return Piece(self._where, self._prepared.header.id)

    async def case(self, case_id: str) -> list[Finished]:
        """Score a case, and each of its repeats; raises RunError where the run cannot go on."""
        trials = self._trials[case_id]
        if (error := await self._run.cases(iter(trials))) is not None:
            raise error
        store, run_id = self._prepared.store, self._prepared.header.id
        return [store.detail(run_id, case_id, trial.repeat) for trial in trials]

    async def close(self) -> None:
        """Let go of pipeline, judge and store."""
        await self._prepared.draft.system.adapter.close()
        await self._prepared.equipment.close()
        self._prepared.store.close()


class _Answered:
    """Stands for a pipeline that was asked already, elsewhere."""

    def answer(self, question: str) -> Any:  # noqa: ANN401
        raise NotImplementedError(question)


def case_ids(wish: Wish, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of the cases that are wished for, without anything else being loaded."""
    config = wish.load_config(environ)
    return tuple(case.id for case in selected(load(config.dataset or Path()), wish))


async def joined(
    wish: Wish, environ: Mapping[str, str], pieces: Sequence[Piece], expected: AbstractSet[str]
) -> tuple[Findings, Piece]:
    """Make one run of the pieces, in the store that is wished for; a case counts once.

    The run is complete when it has every expected case.
    """
    drafted = draft(wish, environ, Given(pipeline=_Answered()))
    header = _header(drafted, pieces[0], expected)
    with open_store(drafted.config.store) as store:
        store.begin(header)
        uses = [await _copied(piece, store, header.id) for piece in pieces]
        system = dataclasses.replace(drafted.system, pipeline=None)
        whole = Prepared(
            draft=dataclasses.replace(drafted, header=header, system=system),
            store=store,
            equipment=equipped(drafted.judge, drafted.config, store, header.id, environ),
        )
        try:
            ended = await assembled(whole, UNWATCHED, Stop(), nobody).score(())
        finally:
            await whole.equipment.close()
        there = {case_id for case_id, _ in store.done(header.id)}
        state = ended.state if expected <= there else RunState.PARTIAL
        found = close(store, header.id, state)
    return _with_use(found, uses), Piece(drafted.config.store, header.id)


def _header(drafted: Draft, first: Piece, expected: AbstractSet[str]) -> RunHeader:
    """That of the run: what was under test stands in a piece."""
    with open_store(first.where, create=False) as store:
        before = store.find(first.run_id).header
    info = drafted.header.dataset
    if len(expected) < info.cases:
        info = dataclasses.replace(
            info, cases=len(expected), selection={**info.selection, "tests": len(expected)}
        )
    return dataclasses.replace(
        drafted.header,
        id=secrets.token_hex(5),
        started_at=before.started_at,
        dataset=info,
        adapter=before.adapter,
        asked={},
    )


async def _copied(piece: Piece, store: RunStore, run_id: str) -> JudgeUse:
    """Copy what the other run has of cases; say what it asked of its judge."""
    with open_store(piece.where, create=False) as source:
        batch: list[Finished] = []
        for one in source.saved(piece.run_id):
            batch += [one] if one.level is Level.CASE else []
            if len(batch) == AT_ONCE:
                await store.append(run_id, batch)
                batch = []
        await store.append(run_id, batch)
        calls, hits, usd = source.judged(piece.run_id)
        lost = source.unanswered(piece.run_id)
        return JudgeUse(None, calls, hits, usd, unanswered_usd=lost)


def _with_use(found: Findings, uses: Sequence[JudgeUse]) -> Findings:
    """The calls of the judge are booked with the pieces."""
    judge = found.judge
    if judge.model is None:
        return found
    known = [one.cost_usd for one in uses if one.cost_usd is not None]
    use = JudgeUse(
        judge.model,
        calls=sum(one.calls for one in uses),
        cache_hits=sum(one.cache_hits for one in uses),
        cost_usd=sum(known) if len(known) == len(uses) else None,
        unanswered_usd=sum(one.unanswered_usd for one in uses),
        card=judge.card,
    )
    return dataclasses.replace(found, judge=use)
