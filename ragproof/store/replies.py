"""Replies of models, and the book of what their calls cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, case, func, insert, select, update

from ragproof.core import Reply
from ragproof.llm.model import Ask
from ragproof.llm.replies import MemoryReplies
from ragproof.store import codec
from ragproof.store.backend import Backend
from ragproof.store.schema import (
    calls,
    escaped,
    metric_keys,
    replies,
    results,
    runs,
    subjects,
)
from ragproof.store.writer import Writer

if TYPE_CHECKING:
    from sqlalchemy import Connection

CACHED = '"cached":true'
"""How a reply that was not asked for anew looks; inside a text its quotes are escaped."""
ANY = '"cached":'
"""What every reply has once."""
NEWEST = 50
"""Runs that are looked at for how often a reply had to be repaired."""
MOST_SIZES = 5_000
"""So many replies tell well enough how large replies are."""
SENT, RECEIVED, FAILED = "sent", "received", "failed"
LOST = "lost"
"""An attempt before the one that was answered: no call of its own, but it may have been paid."""


class KeptReplies:
    """Replies in a store, shared by its runs; the calls are booked for one run.

    It satisfies `llm.replies.Replies`: what a method wrote is durable when it returns.
    """

    def __init__(
        self, backend: Backend, writer: Writer, run_id: str, fingerprint: str, *, lookup: bool
    ) -> None:
        """Take up the book of a run that is open for writing."""
        self._writer = writer
        self._run_id = run_id
        self._run = writer.key(run_id)
        self._fingerprint = fingerprint
        self._looked_up = _LookedUp(backend, lookup=lookup)
        self._out: dict[str, int] = {}
        """Key to the number of its call, while that is out."""
        self._usd: dict[str, float] = {}
        with backend.reading() as connection:
            self._settled = spent(connection, self._run)
            self._lost = spent(connection, self._run, unanswered=True)

    async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:
        """Give the reply of an earlier call, as it was received; `anew`, of one since we began."""
        return self._looked_up.reply(key, anew=anew)

    async def sent(self, key: str, _: Ask, usd: float | None, /) -> None:
        """Note that up to `usd` may be paid for this key from now on."""
        self._usd[key] = usd or 0.0
        if (number := self._out.get(key)) is not None:
            changed = update(calls).where(calls.c.number == number).values(usd=usd)
            await self._writer.note(self._run_id, lambda connection: connection.execute(changed))
            return
        row = {"run": self._run, "key": key, "state": SENT, "usd": usd, "sent_at": _now()}

        def book(connection: Connection) -> None:
            (self._out[key],) = connection.execute(insert(calls), row).inserted_primary_key or (0,)

        await self._writer.note(self._run_id, book)

    async def received(self, key: str, ask: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        """Keep the reply word for word, and book what it cost."""
        keep = _keeping(key, self._fingerprint, ask, reply)
        own = None if reply.usd is None else reply.usd - lost
        settle = self._settling(key, RECEIVED, own)
        row = {"run": self._run, "key": key, "state": LOST, "usd": lost, "sent_at": _now()}

        def all_(connection: Connection) -> None:
            keep(connection)
            connection.execute(settle)
            if lost:
                connection.execute(insert(calls), row)

        await self._writer.note(self._run_id, all_)
        self._looked_up.add(key)
        self._settle(key, reply.usd, lost)

    async def failed(self, key: str, usd: float | None, /) -> None:
        """Note that no reply came; `usd` takes the place of what was sent."""
        settle = self._settling(key, FAILED, usd)
        await self._writer.note(self._run_id, lambda connection: connection.execute(settle))
        self._settle(key, usd, usd or 0.0)

    def spent(self) -> float:
        """USD of this run so far: what was paid and what may have been paid."""
        return self._settled + sum(self._usd.values())

    def unanswered(self) -> float:
        """The part of it for calls that brought no reply: the most that they may have cost."""
        return self._lost + sum(self._usd.values())

    def _settling(self, key: str, state: str, usd: float | None) -> Any:  # noqa: ANN401  a statement
        number = self._out.get(key, -1)
        return update(calls).where(calls.c.number == number).values(state=state, usd=usd)

    def _settle(self, key: str, usd: float | None, lost: float) -> None:
        self._out.pop(key, None)
        self._usd.pop(key, None)
        self._settled += usd or 0.0
        self._lost += lost


class FreeReplies:
    """Replies in a store that no run asks for: those of a calibration.

    They are kept and found like a run's. What they cost is booked for this process alone.
    """

    def __init__(
        self, backend: Backend, writer: Writer, fingerprint: str, *, lookup: bool, spent: float
    ) -> None:
        self._writer = writer
        self._fingerprint = fingerprint
        self._looked_up = _LookedUp(backend, lookup=lookup)
        self._book = MemoryReplies(lookup=False, spent=spent)

    async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:
        """Give the reply of an earlier call, as it was received; `anew`, of one since we began."""
        return self._looked_up.reply(key, anew=anew)

    async def sent(self, key: str, ask: Ask, usd: float | None, /) -> None:
        """Note what may be paid."""
        await self._book.sent(key, ask, usd)

    async def received(self, key: str, ask: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        """Keep the reply word for word, and book what it cost."""
        await self._writer.aside(_keeping(key, self._fingerprint, ask, reply))
        self._looked_up.add(key)
        await self._book.received(key, ask, reply, lost=lost)

    async def failed(self, key: str, usd: float | None, /) -> None:
        """Book what the call cost."""
        await self._book.failed(key, usd)

    def spent(self) -> float:
        """USD so far, what may have been paid included."""
        return self._book.spent()

    def unanswered(self) -> float:
        """The part of it for calls that brought no reply."""
        return self._book.unanswered()


class _LookedUp:
    """Replies as they were received; without `lookup` only those that came in since."""

    def __init__(self, backend: Backend, *, lookup: bool) -> None:
        self._backend = backend
        self._lookup = lookup
        self._since: set[str] = set()
        """Keys whose replies came in since."""

    def reply(self, key: str, *, anew: bool) -> Reply | None:
        """Give the reply to a question; `anew`, only one that came in since."""
        if (anew or not self._lookup) and key not in self._since:
            return None
        with self._backend.reading() as connection:
            text = connection.scalar(select(replies.c.reply).where(replies.c.key == key))
        return None if text is None else codec.REPLY.read(text)

    def add(self, key: str) -> None:
        """Note that the reply to a question came in."""
        self._since.add(key)


def _keeping(key: str, fingerprint: str, ask: Ask, reply: Reply) -> Callable[[Connection], object]:
    """What writes a reply, in the place of one that was there."""
    row = {
        "key": key,
        "fingerprint": escaped(fingerprint),
        "prompt": ask.prompt,
        "reply": codec.REPLY.write(reply),
    }
    fresh = {name: value for name, value in row.items() if name != "key"}

    def keep(connection: Connection) -> object:
        dialect: Any = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")  # is loaded
        kept = dialect.insert(replies).values(row)
        return connection.execute(kept.on_conflict_do_update(index_elements=["key"], set_=fresh))

    return keep


def recorded(connection: Connection, run: int) -> tuple[str, dict[str, Reply], frozenset[str]]:
    """Fingerprint, replies by key, and prompts of the calls that a run made or could have made.

    The replies are those of the judge that the run had: one served from an earlier run is among
    them, too.
    """
    written = connection.scalar(select(runs.c.header).where(runs.c.key == run))
    header = codec.HEADER.read(str(written))
    asked = select(replies).where(replies.c.fingerprint == escaped(header.judge or ""))
    found = connection.execute(asked).all()
    told = {row.key: codec.REPLY.read(row.reply) for row in found}
    return header.judge or "", told, frozenset(row.prompt for row in found)


def sizes(connection: Connection, fingerprint: str, prompts: Sequence[str]) -> list[Reply]:
    """Replies of a judge to these prompts that runs asked for, a few thousand at most.

    Those of a calibration are not among them: its items are shorter than real cases.
    """
    asked = select(replies.c.reply).where(
        *_to(fingerprint, prompts), replies.c.key.in_(select(calls.c.key))
    )
    return [codec.REPLY.read(one) for one in connection.scalars(asked.limit(MOST_SIZES))]


def sized_by(
    connection: Connection, fingerprint: str, prompts: Sequence[str]
) -> list[tuple[str, str | None]]:
    """Id and label of the runs that asked for these replies, the newest first."""
    asked = (
        select(runs.c.id, runs.c.label)
        .join(calls, calls.c.run == runs.c.key)
        .join(replies, replies.c.key == calls.c.key)
        .where(*_to(fingerprint, prompts))
        .group_by(runs.c.key)
        .order_by(runs.c.key.desc())
    )
    return [(run_id, label) for run_id, label in connection.execute(asked.limit(NEWEST))]


def _to(fingerprint: str, prompts: Sequence[str]) -> tuple[Any, Any]:
    return replies.c.fingerprint == escaped(fingerprint), replies.c.prompt.in_(prompts)


def spent(connection: Connection, run: int, *, unanswered: bool = False) -> float:
    """USD of a run so far: what was paid and what may have been paid.

    `unanswered`: only that for calls without a reply, the most that they may have cost.
    """
    asked = select(func.coalesce(func.sum(calls.c.usd), 0.0)).where(calls.c.run == run)
    if unanswered:
        asked = asked.where(calls.c.state != RECEIVED)
    return float(connection.scalar(asked) or 0.0)


def counted(connection: Connection, run: int) -> tuple[int, int, float | None]:
    """Calls of a run, replies that it was spared, and the cost of the calls.

    The cost is None when the price of one is unknown.
    """
    own = case((calls.c.state != LOST, 1))
    asked = select(func.count(), func.count(own), func.count(calls.c.usd), func.sum(calls.c.usd))
    rows, total, priced, usd = connection.execute(asked.where(calls.c.run == run)).one()
    spared = sum(_marks(connection, table, run) for table in (results, subjects))
    return total, spared, (float(usd or 0.0) if priced == rows else None)


def replies_a_score(connection: Connection, fingerprint: str, name: str) -> float:
    """How many replies a score of a metric, or a reading, took: 1, and more where some were faulty.

    As seen in the newest runs of the judge; 1 where there are none.
    """
    newest = select(runs.c.key, runs.c.header).order_by(runs.c.key.desc()).limit(NEWEST)
    mine = [
        key
        for key, header in connection.execute(newest)
        if codec.HEADER.read(header).judge == fingerprint
    ]
    told, where = _told(name)
    marks = func.coalesce(func.sum(_occurrences(told, ANY)), 0)
    asked = select(func.count(), marks).where(told.is_not(None), where(mine))
    scores, replies_ = connection.execute(asked).one()
    return max(1.0, int(replies_) / scores) if scores else 1.0


def _told(name: str) -> tuple[Any, Callable[[Sequence[int]], Any]]:
    """The column with the replies for a metric or a reading, and how its rows are found."""
    if name.startswith("readings."):
        return subjects.c.judge_raw_json, lambda mine: subjects.c.run.in_(mine)
    same = (metric_keys.c.run == results.c.run) & (metric_keys.c.number == results.c.metric)

    def rows(mine: Sequence[int]) -> Any:  # noqa: ANN401  a condition
        named = select(metric_keys.c.run).where(same, metric_keys.c.key == escaped(name))
        return results.c.run.in_(mine) & named.exists()

    return results.c.judge_raw_json, rows


def _marks(connection: Connection, table: Table, run: int) -> int:
    """How often the replies in a table are marked as cached; a model cannot write the mark."""
    marks = func.coalesce(func.sum(_occurrences(table.c.judge_raw_json, CACHED)), 0)
    return int(connection.scalar(select(marks).where(table.c.run == run)) or 0)


def _occurrences(told: Any, mark: str) -> Any:  # noqa: ANN401  expressions
    without = func.length(told) - func.length(func.replace(told, mark, ""))
    return without / len(mark)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
