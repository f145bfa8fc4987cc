"""Much at once, and no more of it once one thing went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(asking: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all; the first error stops the others and is raised as it is."""
    tasks = [asyncio.ensure_future(one) for one in asking]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
