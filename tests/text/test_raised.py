"""Whose doing it is that something was raised."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TypeAlias

import pytest

from ragproof.text.raised import Listener, is_wish

Handler: TypeAlias = Callable[[int, FrameType | None], object]


@pytest.fixture
def listen() -> Iterator[Callable[[Handler], object]]:
    before = signal.getsignal(signal.SIGINT)
    yield lambda handler: signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_a_wish_unless_no_signal_can_have_raised_it(
    listen: Callable[[Handler], object],
) -> None:
    listen(signal.default_int_handler)
    assert is_wish(KeyboardInterrupt())
    heard: list[bool] = []
    listen(Listener(lambda: heard.append(True)))
    assert not is_wish(KeyboardInterrupt())
    signal.raise_signal(signal.SIGINT)
    assert heard == [True], "it is handed on instead"


def test_no_signal_raises_anything_in_another_thread() -> None:
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(is_wish(KeyboardInterrupt())))
    thread.start()
    thread.join()
    assert found == [False]


def test_an_exit_is_what_the_code_did() -> None:
    assert not is_wish(SystemExit(0))
