"""How a wish to stop is heard on the loop, and after it: in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAD = """
import asyncio, os, signal, time
from ragproof.engine.stop import Stop, interruptible
from ragproof.wiring.loop import carried_out

interruptible()
stop = Stop(lambda: print("asked"))

def send():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)

async def work(signals):
    for _ in range(signals):
        send()
        await asyncio.sleep(0)
"""
STORIES = {
    "a wish on the loop and its echo after it": (
        "carried_out(work(1), stop); send(); print('summed up')",
        "asked\nsummed up\n",
    ),
    "a wish on the loop and an urgent one after it": (
        "carried_out(work(1), stop)\ntime.sleep(0.6)\n"
        "try: send()\nexcept KeyboardInterrupt: print('at once')",
        "asked\nat once\n",
    ),
    "no wish before the end": (
        "carried_out(work(0), stop)\ntry: send()\nexcept KeyboardInterrupt: print('at once')",
        "at once\n",
    ),
    "work that knows no stop": (
        "try: carried_out(work(1))\nexcept KeyboardInterrupt: print('at once')",
        "at once\n",
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_wish_to_stop_is_heard_once(story: str) -> None:
    code, told = STORIES[story]
    done = subprocess.run(
        [sys.executable, "-c", f"{HEAD}\n{code}"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == (told, "")
