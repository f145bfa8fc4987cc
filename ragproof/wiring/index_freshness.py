"""Put documents into the user's index and see when they are found; or read when they were."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.core import AdapterError, MissingInput, Pipeline, QuestionCase, UsageError
from ragproof.index.freshness import Arrival
from ragproof.index.logs import read_arrivals, read_releases, read_served
from ragproof.index.news import News, Unmeasured
from ragproof.index.probes import Probe, made, read_probes
from ragproof.index.staleness import Staleness, staleness
from ragproof.wiring.index_calls import Callee, at_once, callee
from ragproof.wiring.wish import Wish


@dataclass(frozen=True, kw_only=True)
class FreshnessRequest:
    """What was asked of `ragproof index freshness`."""

    config: Path | None = None
    arrivals: Path | None = None
    """Timestamps that were written down; nothing is then put anywhere."""
    documents: Path | None = None
    probes: int = 20
    yes: bool = False
    k: int | None = None
    timeout: float = 60.0
    every: float = 0.5
    """Seconds between two looks."""
    served: Path | None = None
    releases: Path | None = None
    grace: float = 0.0
    max_never: int = 0
    max_p99: float | None = None
    max_stale: float | None = None


def measure_freshness(
    request: FreshnessRequest, environ: Mapping[str, str], told: Callable[[Arrival], None]
) -> News:
    """Measure what was asked for; `told` hears of each document of one's own.

    Raises UsageError for whatever the caller can mend.
    """
    stale = _stale(request)
    only_stale = stale is not None and not (
        request.yes or request.documents is not None or request.arrivals is not None
    )
    lost: tuple[Unmeasured, ...] = ()
    arrivals: Sequence[Arrival] = ()
    source = ""
    if request.arrivals is not None:
        arrivals, source = read_arrivals(request.arrivals), str(request.arrivals)
    elif not only_stale:
        arrivals, lost, source = _probed(request, environ, told)
    return News(
        source=source,
        arrivals=tuple(arrivals),
        lost=lost,
        stale=stale,
        was_live=request.arrivals is None and not only_stale,
        max_never=request.max_never,
        max_p99=request.max_p99,
        max_stale=request.max_stale,
    )


def _stale(request: FreshnessRequest) -> Staleness | None:
    if request.served is None and request.releases is None:
        if request.max_stale is not None:
            raise UsageError("--max-stale needs --query-log and --versions")
        return None
    if request.served is None or request.releases is None:
        raise UsageError("--query-log and --versions go together")
    return staleness(read_served(request.served), read_releases(request.releases), request.grace)


def _probed(
    request: FreshnessRequest, environ: Mapping[str, str], told: Callable[[Arrival], None]
) -> tuple[Sequence[Arrival], tuple[Unmeasured, ...], str]:
    if request.documents is not None:
        probes = read_probes(request.documents)
    elif request.yes:
        probes = made(request.probes, secrets.token_hex(4))
    else:
        raise UsageError(
            f"this writes {request.probes} marked test documents into your index, and leaves them "
            "there. Agree with --yes, give documents of your own with --documents FILE, or give "
            "timestamps with --log FILE"
        )
    config = Wish(config=request.config).load_config(environ)
    k = request.k or config.run.depth or config.run.k
    one = callee(config, k, environ)
    found = one.carry_out(_all(one, probes, request, k, told))
    arrivals = [each for each in found if isinstance(each, Arrival)]
    lost = tuple(each for each in found if isinstance(each, Unmeasured))
    return arrivals, lost, f"{one.adapter.name}, add() and retrieve()"


async def _all(
    one: Callee,
    probes: Sequence[Probe],
    request: FreshnessRequest,
    k: int,
    told: Callable[[Arrival], None],
) -> list[Arrival | Unmeasured]:
    for name in ("add", "retrieve"):
        if getattr(one.pipeline, name) is None:
            raise MissingInput(f"adapter has no {name}")

    async def measured(probe: Probe) -> Arrival | Unmeasured:
        try:
            found = await _Watch(one.pipeline, probe, k).arrival(request.timeout, request.every)
        except AdapterError as fault:
            return Unmeasured(probe.id, str(fault))
        if isinstance(found, Arrival):
            told(found)
        return found

    return await at_once(one.config.run.concurrency, measured, probes)


@dataclass(frozen=True)
class _Watch:
    """One document: put in, then looked for."""

    pipeline: Pipeline
    probe: Probe
    k: int

    async def arrival(self, timeout: float, every: float) -> Arrival | Unmeasured:
        """Wait until it is found, for so many seconds after it was committed.

        A look that fails is no sign that the document is not there: where every look failed, or
        the last one, nothing is said of the document.
        """
        if await self._is_found():
            return Unmeasured(self.probe.id, "it was there before it was added")
        assert self.pipeline.add is not None
        await self.pipeline.add(self.probe.document)
        committed = missed = time.monotonic()
        fault: str | None = None
        while True:
            begun = time.monotonic()
            try:
                is_found, fault = await self._is_found(), None
            except AdapterError as error:
                is_found, fault = False, str(error)
            now = time.monotonic()
            if is_found:
                return Arrival(
                    document_id=self.probe.id,
                    committed=committed,
                    retrievable=now,
                    uncertain=now - missed,
                )
            missed = missed if fault else begun
            if now + every - committed > timeout:
                break
            await asyncio.sleep(every)
        if fault is not None:
            return Unmeasured(self.probe.id, f"it could not be looked for: {fault}")
        return Arrival(
            document_id=self.probe.id,
            committed=committed,
            retrievable=None,
            waited=time.monotonic() - committed,
        )

    async def _is_found(self) -> bool:
        assert self.pipeline.retrieve is not None
        case = QuestionCase(id=f"freshness:{self.probe.id}", question=self.probe.question)
        return self.probe.is_in(await self.pipeline.retrieve(case, case.question, self.k))
