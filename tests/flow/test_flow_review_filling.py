"""Filling a review queue in, answer by answer: what was said is never lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from project import eventually
from review_traffic import call, read, sample, scored_run, start

WS = ["wrong", "slow"]
ANSWER = "b\nw\ny\nn\nA better one.\n1\n"
"""What a reviewer types for a bad answer."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scored run of traffic."""
    return scored_run(tmp_path_factory.mktemp("traffic"))


def test_filling_in_asks_and_saves_each_verdict_at_once(scored: Path) -> None:
    assert sample(scored, "typed.jsonl", "--count", "5").code == 0
    typed = f"x\n{ANSWER}g\nn\nn\n\n\nc\ns\nq\n"
    done = call(scored, "review", "show", "typed.jsonl", "--fill", "--reviewer", "ada", typed=typed)
    assert done.code == 0, done.err
    assert "got 'x'; allowed:" in done.out
    assert "3 of 5 answers reviewed" in done.out
    first, second, third, fourth, _ = read(scored / "typed.jsonl")
    assert (first["verdict"], first["reasons"], first["reviewer"]) == ("bad", ["wrong"], "ada")
    assert (first["unresolved_need"], first["distrust"]) == (True, False)
    assert (first["better_answer"], first["sources"]) == ("A better one.", ["1"])
    assert (second["verdict"], third["verdict"]) == ("good", "cannot_say")
    assert (fourth["verdict"], fourth["reviewer"]) == (None, "reviewer-1")


def test_what_is_typed_wrong_is_asked_again_and_never_spoils_the_queue(scored: Path) -> None:
    assert sample(scored, "odd.jsonl", "--count", "3").code == 0
    better = b"a \xff b\n\x1b[A\n" + "größe\n".encode()
    typed = b"g\xff\nb\nz\nw\nperhaps\ny\nn\n" + better + b"2\n1, id:9; a d\n"
    done = call(scored, "review", "show", "odd.jsonl", "--fill", typed=typed + b"q\n")
    assert done.code == 0, done.err
    for told in (
        "that is not UTF-8",
        "U+001B; type it again",
        "got 'perhaps'",
        "or id:2 for an id",
    ):
        assert told in done.out
    first = read(scored / "odd.jsonl")[0]
    assert (first["better_answer"], first["sources"]) == ("größe", ["1, id:9", "a d"])
    again = ("review", "show", "odd.jsonl", first["item"], "--fill")
    assert call(scored, *again, typed="c\n").code == 0
    first = read(scored / "odd.jsonl")[0]
    said = (first["verdict"], first["reasons"], first["better_answer"], first["sources"])
    assert said == ("cannot_say", [], None, [])


def test_who_stops_in_the_middle_keeps_what_was_said(scored: Path) -> None:
    assert sample(scored, "half.jsonl", "--count", "3").code == 0
    done = call(scored, "review", "show", "half.jsonl", "--fill", typed=f"{ANSWER}g\ny\n")
    assert (done.code, done.says("stopped")) == (130, True)
    assert "is not saved; all before it is" in " ".join(done.out.split())
    assert [one["verdict"] for one in read(scored / "half.jsonl")] == ["bad", None, None]


def test_words_are_taken_as_letters_are_and_q_stops_at_any_question(scored: Path) -> None:
    assert sample(scored, "words.jsonl", "--count", "10").code == 0
    typed = "Bad\nwrong, off topic\nyes\nno\n\n\ncannot say\npartly\nws\nn\nn\n\n\nskip\n"
    fill = ("review", "show", "words.jsonl", "--fill")
    done = call(scored, *fill, typed=f"{typed}good\nquit\n")
    assert done.code == 0, done.err
    assert "is not saved; all before it is" in " ".join(done.out.split())
    said = [(one["verdict"], one["reasons"]) for one in read(scored / "words.jsonl")]
    assert said[:3] == [("bad", ["wrong", "off-topic"]), ("cannot_say", []), ("partly", WS)]
    assert {one for one, _ in said[3:]} == {None}
    before = (scored / "words.jsonl").read_bytes()
    for answers in ("", "b\n", "b\nw\n", "b\nw\ny\n", "b\nw\ny\nn\n", "b\nw\ny\nn\nx\n"):
        done = call(scored, *fill, typed=f"{answers}q\n")
        assert (done.code, "is not saved" in done.out) == (0, answers != "")
        assert (scored / "words.jsonl").read_bytes() == before


@pytest.mark.skipif(sys.platform != "linux", reason="signals as Linux has them")
def test_a_kill_loses_no_verdict_and_the_next_start_goes_on(scored: Path) -> None:
    assert sample(scored, "killed.jsonl", "--count", "40").code == 0
    path = scored / "killed.jsonl"
    draw, done = random.Random(8), 0
    for _ in range(4):
        process = start(scored, "review", "show", "killed.jsonl", "--fill", stdin=subprocess.PIPE)
        assert process.stdin is not None
        wanted = done + draw.randint(2, 6)
        process.stdin.write(ANSWER * (wanted - done) + "b\nw\n")  # and half of another
        process.stdin.flush()
        eventually(partial(is_said, path, wanted), process)
        other = call(scored, "review", "show", "killed.jsonl", "--fill")
        assert (other.code, other.says("another process is writing")) == (2, True), other.err
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert said(path) == wanted
        done = wanted
        lines = read(path)
        assert [one["verdict"] for one in lines] == ["bad"] * done + [None] * (40 - done)
        assert all(one["sources"] == ["1"] for one in lines[:done])


def is_said(path: Path, wanted: int) -> bool:
    return said(path) >= wanted


def said(path: Path) -> int:
    return sum(one["verdict"] is not None for one in read(path))
