"""How much the door to a model costs: `python -m bench.judge_speed`.

Calls of a fixed length to an endpoint on this machine; `ideal` is how long they take if nothing
but their number, their length and the concurrency counts. Then the same again from the cache,
twenty times the same question, and a budget that does not suffice.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import aiohttp

from bench.slow_model import USAGE
from ragproof.core import OverBudget
from ragproof.llm.budget import Budget
from ragproof.llm.client import Client
from ragproof.llm.door import Door
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Ask
from ragproof.llm.prices import UNPRICED, Prices
from ragproof.llm.replies import MemoryReplies
from ragproof.llm.settings import ModelSettings

CALLS = 2000
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
CONTEXT = "A sentence of the context that the judge is shown, about as long as usual. " * 20
PRICES = Prices(1.0, 4.0)


@contextlib.contextmanager
def endpoint(milliseconds: int) -> Iterator[str]:
    """Run an endpoint in a process of its own; give its address."""
    command = [sys.executable, "-m", "bench.slow_model", str(milliseconds)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.stdin.close()


def asks(number: int) -> list[Ask]:
    """Give so many different questions."""
    return [
        Ask(system="Judge.", user=f"{one}: {CONTEXT}", prompt="a" * 64, schema=SCHEMA)
        for one in range(number)
    ]


def door(url: str, concurrency: int, replies: MemoryReplies, limit: float | None = None) -> Door:
    """Open a door to the endpoint."""
    settings = ModelSettings(model="slow", base_url=url, max_output_tokens=64)
    return Door(
        Client(settings),
        replies,
        Budget(limit, replies.spent()),
        UNPRICED if limit is None else PRICES,
        max_output_tokens=settings.max_output_tokens,
        limiter=Limiter(concurrency),
    )


async def put(way: Door, questions: Sequence[Ask], at_once: int) -> tuple[float, float]:
    """Ask with twice as many workers as calls may be out; return seconds of wall and of CPU."""
    todo = iter(questions)

    async def work() -> None:
        with contextlib.suppress(OverBudget):
            for question in todo:
                await way.reply(question)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(2 * at_once)))
    return time.perf_counter() - wall, time.process_time() - cpu


async def calls_at(url: str) -> int:
    """Ask the endpoint how many calls it was sent."""
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        calls: int = (await response.json(content_type=None))["calls"]
        return calls


async def speed(url: str, milliseconds: int, concurrency: int) -> None:
    """Print a line about speed, and one about the cache."""
    replies, questions = MemoryReplies(), asks(CALLS)
    way = door(url, concurrency, replies)
    wall, cpu = await put(way, questions, concurrency)
    await way.close()
    ideal = -(-CALLS // concurrency) * milliseconds / 1000
    print(
        f"{CALLS} calls of {milliseconds} ms, {concurrency} at once: {wall:.2f} s, "
        f"{wall / ideal:.3f} x ideal; CPU {cpu / CALLS * 1e6:.0f} us a call"
    )
    again = door(url, concurrency, replies)
    before = await calls_at(url)
    wall, cpu = await put(again, questions, concurrency)
    calls = await calls_at(url) - before
    print(f"  the same again: {calls} calls, CPU {cpu / CALLS * 1e6:.0f} us a question")
    way = door(url, concurrency, MemoryReplies())
    await put(way, asks(1) * 20, 20)
    print(f"  20 times the same: {await calls_at(url) - before} calls")
    await again.close()
    await way.close()


async def budget(url: str, concurrency: int) -> None:
    """Print a line about a budget that suffices for 50 calls."""
    price = PRICES.cost(USAGE["prompt_tokens"], USAGE["completion_tokens"]) or 0.0
    limit, before = 50 * price, await calls_at(url)
    way = door(url, concurrency, MemoryReplies(), limit)
    await put(way, asks(500), concurrency)
    await way.close()
    spent = (await calls_at(url) - before) * price
    print(f"budget ${limit:.4f}, {concurrency} at once: ${spent:.4f} spent")


def main() -> None:
    """Print a line a measurement."""
    for milliseconds, concurrency in ((200, 64), (1000, 256)):
        with endpoint(milliseconds) as url:
            asyncio.run(speed(url, milliseconds, concurrency))
    with endpoint(20) as url:
        for concurrency in (4, 32, 100):
            asyncio.run(budget(url, concurrency))


if __name__ == "__main__":
    main()
