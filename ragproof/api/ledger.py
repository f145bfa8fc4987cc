"""What a test session evaluates: case by case, in several processes perhaps, and one verdict.

It knows nothing of pytest. Each process keeps a ledger; what it holds is told in plain values,
and one ledger takes in what the others told and gives the verdict.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ragproof.api.asking import Asking
from ragproof.api.decisions import Gated, section_of
from ragproof.api.result import CaseResult, Result
from ragproof.api.shelf import Scratch, Shelf
from ragproof.api.waiting import waited_for
from ragproof.core import RagproofError, UsageError
from ragproof.wiring.loop import carried_out
from ragproof.wiring.sitting import Piece, Sitting, case_ids, joined

T = TypeVar("T")

VERDICT = ("thresholds", "baseline", "common_cases", "allow_mixed_judges")


@dataclass(frozen=True)
class Table:
    """Cases that tests are made of, and how they are evaluated; all in plain values."""

    dataset: str | None
    """Absolute; None for the config's."""
    config: str | None
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.asking()
        try:
            json.dumps(self.said)
        except (TypeError, ValueError) as fault:
            raise UsageError(f"ragproof_cases: only what JSON can say is told: {fault}") from None

    @property
    def key(self) -> str:
        """Tests with equal keys are about one run."""
        return json.dumps([self.dataset, self.config, self.said], sort_keys=True)

    @classmethod
    def of(cls, key: str) -> Table:
        """The table with this key."""
        return cls(*json.loads(key))

    def asking(self, adapter: object | None = None) -> Asking:
        """What is asked for."""
        said = {name: one for name, one in self.said.items() if name not in VERDICT}
        metrics, named = said.pop("metrics", None), said.pop("adapter", None)
        settings = {**(said.pop("settings", None) or {})}
        if isinstance(thresholds := self.said.get("thresholds"), Mapping):  # fixed before the run
            settings.setdefault("gate", section_of(thresholds))
        return Asking.of(
            self.dataset,
            named if adapter is None else adapter,
            metrics,
            {"config": self.config, "settings": settings, **said},
        )


@dataclass(frozen=True)
class Verdict:
    """What became of a table."""

    table: Table
    result: Result | None
    """None where the pieces could not be joined."""
    gated: Gated | None = None
    """None where nothing is asked of it."""
    wrong: str | None = None
    """Why there is no result, or no verdict."""

    @property
    def passed(self) -> bool:
        """Whether nothing stops the merge."""
        return self.wrong is None and (self.gated is None or self.gated.passed)


class Ledger:
    """Of one process."""

    def __init__(self, *, is_told: bool, processes: int = 1) -> None:
        self._is_told = is_told
        """Whether another process reads what this one wrote, and takes it away."""
        self._processes = processes
        """So many share the budget."""
        self._scratch = Scratch(is_kept=is_told)
        self._loop: _Loop | None = None
        self._sittings: dict[str, Sitting] = {}
        self._seen: dict[tuple[str, str], tuple[CaseResult, ...]] = {}
        self._expected: dict[str, set[str]] = {}
        self._pieces: dict[str, list[Piece]] = {}
        self._folders: list[str] = []
        self._runs: list[str] = []

    def ids(self, table: Table) -> tuple[str, ...]:
        """The ids of a table's cases."""
        return case_ids(table.asking().wish(self._scratch.store), os.environ)

    def expect(self, key: str, case_id: str) -> None:
        """Note that a test of this case is to be run."""
        self._expected.setdefault(key, set()).add(case_id)

    def note(self, run: str) -> None:
        """Note a run that a test made by itself."""
        self._runs.append(run)

    @property
    def runs(self) -> Sequence[str]:
        """Runs that tests made by themselves, described."""
        return self._runs

    def case(self, key: str, case_id: str, adapter: object | None) -> tuple[CaseResult, ...]:
        """Evaluate a case, once a process: its repeats in order."""
        if (key, case_id) not in self._seen:
            sitting = self._sittings.get(key) or self._begun(key, adapter)
            saved = self._turning.do(sitting.case(case_id))
            self._seen[key, case_id] = tuple(CaseResult.of(one) for one in saved)
        return self._seen[key, case_id]

    def told(self) -> str:
        """All that this process holds, for another one; nothing can be evaluated afterwards."""
        self._close()
        return json.dumps(
            {
                "folder": str(self._scratch.folder) if self._is_told else None,
                "expected": {key: sorted(ids) for key, ids in self._expected.items()},
                "pieces": {
                    key: [[one.where, one.run_id] for one in pieces]
                    for key, pieces in self._pieces.items()
                },
                "runs": self._runs,
            }
        )

    def take(self, told: str) -> None:
        """Take in what another process told."""
        found = json.loads(told)
        self._folders += [found["folder"]] if found["folder"] else []
        self._runs += found["runs"]
        for key, ids in found["expected"].items():
            self._expected.setdefault(key, set()).update(ids)
        for key, pieces in found["pieces"].items():
            self._pieces.setdefault(key, []).extend(Piece(*one) for one in pieces)

    def verdicts(self) -> Iterator[Verdict]:
        """Make one run of each table, and hold it to what is asked of it."""
        self._close()
        try:
            for key, pieces in sorted(self._pieces.items()):
                table = Table.of(key)
                try:
                    yield self._verdict(table, pieces, self._expected.get(key, set()))
                except RagproofError as fault:
                    yield Verdict(table, None, wrong=str(fault))
        finally:
            for folder in self._folders:
                shutil.rmtree(folder, ignore_errors=True)

    def _verdict(self, table: Table, pieces: Sequence[Piece], expected: set[str]) -> Verdict:
        asking = table.asking()
        scratch = None if asking.is_kept else Scratch()
        wish = asking.wish(None if scratch is None else scratch.store)
        found, piece = waited_for(joined(wish, os.environ, pieces, expected))
        result = Result(found, Shelf(piece.where, piece.run_id, wish.config, scratch))
        asked = {name: table.said[name] for name in VERDICT if name in table.said}
        if "thresholds" not in asked and not (wish.load_config(os.environ).gate.thresholds):
            return Verdict(table, result)
        try:
            return Verdict(table, result, result.gate(**asked))
        except UsageError as fault:
            return Verdict(table, result, wrong=str(fault))

    def _begun(self, key: str, adapter: object | None) -> Sitting:
        asking, here = Table.of(key).asking(adapter), self._scratch.store
        wish = asking.wish(None if asking.is_kept else here)
        if (usd := wish.load_config(os.environ).max_cost_usd) is not None:
            share = {"max_cost_usd": usd / self._processes}
            wish = replace(wish, settings={**(wish.settings or {}), **share})
        sitting = Sitting.begun(here, wish, os.environ, asking.given())
        self._sittings[key] = sitting
        self._pieces.setdefault(key, []).append(sitting.piece)
        return sitting

    @property
    def _turning(self) -> _Loop:
        if self._loop is None:
            self._loop = _Loop()
        return self._loop

    def _close(self) -> None:
        for sitting in self._sittings.values():
            self._turning.do(sitting.close())
        self._sittings = {}
        if self._loop is not None:
            self._loop.close()
            self._loop = None


class _Loop:
    """A loop that turns in a thread of its own for as long as there are cases to come."""

    def __init__(self) -> None:
        self._turning: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(
            target=lambda: carried_out(self._turn()), name="ragproof cases", daemon=True
        )
        self._thread.start()
        self._loop = self._turning.result()

    async def _turn(self) -> None:
        self._enough = asyncio.Event()
        self._turning.set_result(asyncio.get_running_loop())
        await self._enough.wait()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it there and wait for it."""
        doing: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return doing.result()
        except BaseException:
            doing.cancel()
            raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._enough.set)
        self._thread.join()
