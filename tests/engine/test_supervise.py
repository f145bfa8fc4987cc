"""What the supervisor does when its child cannot help itself: with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ragproof.engine.board import Board, Call
from ragproof.engine.stop import Stop
from ragproof.engine.supervise import Lost

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

HEAD = """
import asyncio, os, re, sys, threading, time
from ragproof.engine.supervise import supervised

def beat(board, act):
    async def main():
        board.note("word", limit=float(sys.argv[1]))
        beats = asyncio.create_task(board.beating())
        await asyncio.sleep(0.1)
        act()
        await asyncio.sleep(3600)
    asyncio.run(main())

def hog(board):
    def run():
        board.in_thread(1)
        re.match(r"(a+)+$", "a" * 60 + "b")
    board.enter(0, "innocent")
    board.enter(1, "guilty")
    threading.Thread(target=run, daemon=True).start()
"""
REPORT = "\nprint(repr(supervised(work)))\n"


def report(work: str, *arguments: str) -> str:
    code = HEAD + work + REPORT
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_exit_code_of_the_work_is_handed_on() -> None:
    assert report("def work(board): return 7") == "7"


def test_threads_that_never_end_do_not_keep_the_process() -> None:
    work = "def work(board):\n threading.Thread(target=time.sleep, args=(3600,)).start()\n return 0"
    assert report(work) == "0"


def test_a_call_that_holds_the_interpreter_is_ended_and_named() -> None:
    lost = eval(report("def work(board): beat(board, lambda: hog(board))", "0.1"), _names())
    assert [call.case for call in lost.calls] == ["guilty"]
    assert "held the interpreter" in lost.why
    assert lost.note == "word"


def test_a_crash_names_the_cases_that_were_out() -> None:
    work = "def work(board):\n board.enter(0, 'q1')\n import ctypes\n ctypes.string_at(0)"
    lost = eval(report(work), _names())
    assert [call.case for call in lost.calls] == ["q1"]
    assert "SIGSEGV" in lost.why


def test_a_process_that_the_work_did_not_end_itself_is_lost_whatever_its_exit_code() -> None:
    lost = eval(report("def work(board):\n board.enter(0, 'q1')\n os._exit(0)"), _names())
    assert [call.case for call in lost.calls] == ["q1"]
    assert "exit code 0" in lost.why


def test_calls_on_the_loop_may_each_keep_it_busy_for_all_of_their_time() -> None:
    work = """
def work(board):
    for place in range(50):
        board.enter(place, "q")
    beat(board, lambda: (time.sleep(8), os._exit(7)))
"""
    assert "exit code 7" in eval(report(work, "0.1"), _names()).why  # not a stall after 5.1 s


def test_a_signal_and_its_echo_interrupt_once() -> None:
    work = """
def work(board):
    import signal
    heard = 0
    for pause in (0, 0, 1, 0):
        try:
            time.sleep(pause)
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)
        except KeyboardInterrupt:
            heard += 1
    return heard
"""
    assert report(work) == "2"


def test_a_loop_that_is_busy_with_no_case_out_is_left_alone() -> None:
    work = """
def work(board):
    board.note("", limit=0.0)
    time.sleep(7)
    return 0
"""
    assert report(work) == "0"


def test_a_killed_supervisor_takes_its_child_along(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    work = f"def work(board):\n open({str(told)!r}, 'w').write(str(os.getpid()))\n time.sleep(3600)"
    process = subprocess.Popen([sys.executable, "-c", HEAD + work + REPORT])
    child = int(_eventually(lambda: told.exists() and told.read_text()))
    process.kill()
    process.wait()
    _eventually(lambda: not Path(f"/proc/{child}").exists() or _is_dead(child))


def test_signals_reach_the_child(tmp_path: Path) -> None:
    told = tmp_path / "ready"
    work = f"""
def work(board):
    import signal
    caught = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: caught.set())
    open({str(told)!r}, "w").close()
    return 0 if caught.wait(60) else 1
"""
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + work + REPORT], stdout=subprocess.PIPE, text=True
    )
    _eventually(told.exists)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=60)[0].strip() == "0"


def test_a_board_shows_who_is_out_the_longest_first() -> None:
    board = Board()
    board.enter(3, "first")
    board.enter(1, "x" * 1000)
    board.enter(2, "back soon")
    board.leave(2)
    first, second = board.calls()
    assert first.case == "first"
    assert second.case == "x" * len(second.case) != ""
    assert first.thread == 0
    board.in_thread(3)
    assert board.calls()[0].thread != 0
    board.enter(100_000, "there is no such place")
    assert len(board.calls()) == 2


def test_a_case_that_waits_for_the_judge_is_out_but_not_to_blame_for_a_crash() -> None:
    work = "def work(board):\n board.enter(0, 'q1')\n board.enter(1, 'q2')\n"
    work += " board.waits(0, is_waiting=True)\n os._exit(0)"
    lost = eval(report(work), _names())
    assert [call.case for call in lost.calls] == ["q2"]


def test_a_board_forgets_the_waiting_of_whoever_was_there_before() -> None:
    board = Board()
    board.enter(0, "q1")
    board.waits(0, is_waiting=True)
    assert [call.waits for call in board.calls()] == [True]
    board.waits(0, is_waiting=False)
    assert [call.waits for call in board.calls()] == [False]
    board.waits(0, is_waiting=True)
    board.leave(0)
    board.waits(100_000, is_waiting=True)
    board.enter(0, "q2")
    assert [call.waits for call in board.calls()] == [False]


def test_a_second_wish_to_stop_is_urgent_but_an_echo_of_the_first_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[str] = []
    stop = Stop(lambda: heard.append("stop"))
    stop.on_hurry(lambda: heard.append("hurry"))
    clock = iter([10.0, 10.1, 11.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    stop.ask()
    stop.ask()
    assert heard == ["stop"]
    stop.ask()
    assert heard == ["stop", "hurry"]


def _names() -> dict[str, object]:
    return {"Lost": Lost, "Call": Call}


def _is_dead(process: int) -> bool:
    return ") Z " in Path(f"/proc/{process}/stat").read_text()


def _eventually(ask: object, seconds: float = 60) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if answer := ask():  # type: ignore[operator]
            return str(answer)
        time.sleep(0.05)
    raise AssertionError("it never came about")
