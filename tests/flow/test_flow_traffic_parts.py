"""Parts of traffic: what a session said before, stretches of time, and what was not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from traffic_files import T0, Done, asked, imported, lines, span, written


def test_earlier_turns_of_the_session_are_the_history_of_the_next(tmp_path: Path) -> None:
    def said(user: str, *assistant: str) -> list[dict[str, str]]:
        told = [{"role": "assistant", "content": one} for one in assistant]
        return [{"role": "user", "content": user}, *told]

    own = said("Before?", "Yes.")
    failed = {k: v for k, v in asked("b", "Why?", 60, "s").items() if k != "answer"}
    traffic = written(
        tmp_path / "t.jsonl",
        asked("d", "Late?", 5000, "s"),
        asked("c", "And?", 90, "s"),
        failed | {"error": "no reply"},
        asked("a", "How?", 0, "s"),
        asked("e", "Alone?", 70),
        asked("f", "New?", 61, "r") | {"history": own},
        asked("g", "So?", 62, "r") | {"answer": {"answer_text": "y"}},
        *(asked(f"m{n:02}", f"{n}?", 6000 + n, "long") for n in range(12)),
    )

    def history(*more: str) -> dict[str, Any]:
        imported(tmp_path, traffic, *more)
        return {one["id"]: one.get("history") for one in lines(tmp_path / "out" / "cases.jsonl")}

    found = history()
    assert found["a"] is found["d"] is found["e"] is None  # the first, after the gap, no session
    assert found["b"] == said("How?", "x")
    assert found["c"] == [*said("How?", "x"), *said("Why?")]
    assert found["f"] == own
    assert found["g"] == [*own, *said("New?", "x")]
    assert found["m11"][:2] == said("1?", "x")  # ten turns, the latest
    assert len(found["m11"]) == 20
    assert history("--session-gap", "0") == dict.fromkeys(found) | {"f": own}


def test_a_stretch_of_time_is_imported_by_itself(tmp_path: Path) -> None:
    """T0 is 2026-02-25T06:13:20Z."""
    bare = {k: v for k, v in asked("u", "When?", 0).items() if k != "at"}
    traffic = written(
        tmp_path / "t.jsonl",
        asked("a", "How?", 0, "s"), asked("b", "Why?", 60, "s"), asked("c", "So?", 120, "r"), bare,
    )  # fmt: skip
    clicks = [{"trace_id": one, "kind": "copy"} for one in ("a", "c", "gone")]
    events = written(tmp_path / "e.jsonl", *clicks)
    until = ("--until", "2026-02-25T06:14:20Z")
    document, seen = imported(tmp_path, traffic, "--events", events, *until)
    assert seen.keys() == {"a"}
    [_, follow_up] = seen["a"]["feedback"]["events"]
    assert follow_up["text"] == "Why?"  # asked outside, and known all the same
    assert (document["cases"], document["sessions"]) == (1, 1)
    assert document["period"] == [T0, T0]
    assert list(document["left_out"].values()) == [3]
    assert document["events_unknown"] == 1
    assert document["events_unplaced"] == 0
    since = ("--since", "2026-02-25T07:14:20+01:00", "--out", tmp_path / "rest", "--json")
    assert Done("monitor", "import", traffic, *since).document["cases"] == 2
    [first, _] = lines(tmp_path / "rest" / "cases.jsonl")
    assert [one["content"] for one in first["history"]] == ["How?", "x"]
    for said, told in (
        (("--since", "2027-01-01"), "in which none of 4 cases was asked; allowed: 2026-02-25"),
        (("--since", "2026-03-01", "--until", "2026-02-01"), "in which none of 4 cases"),
        (("--until", "yesterday"), "allowed: a date or time as"),
    ):
        done = Done("monitor", "import", traffic, "--out", tmp_path / "none", *said)
        assert (done.code, told in done.err) == (3, True), done.err


def test_cases_of_another_import_are_not_lost(tmp_path: Path) -> None:
    week = [asked("a", "How?", 0), asked("b", "Why?", 60)]
    first = written(tmp_path / "1.jsonl", *week)
    imported(tmp_path, first)
    for traffic, *more in (
        (written(tmp_path / "2.jsonl", asked("c", "So?", 0)),),
        (
            written(tmp_path / "3.jsonl", *week, asked("c", "So?", 90)),
            "--since",
            "2026-02-25T06:14:40",
        ),
    ):
        done = Done("monitor", "import", traffic, "--out", tmp_path / "out", *more)
        assert done.code == 3
        assert "has 2 cases of an earlier import, none of them among the 1 of this" in done.err
        assert "give another folder" in done.err
        assert {one["id"] for one in lines(tmp_path / "out" / "cases.jsonl")} == {"a", "b"}
    written(tmp_path / "out" / "cases.jsonl")
    imported(tmp_path, tmp_path / "2.jsonl")  # nothing to lose


def test_attributes_that_tell_nothing_are_told_of(tmp_path: Path) -> None:
    about = {"gen_ai__operation__name": "chat", "input__value": "How?", "app__odd": " "}
    spans = [span(n, **about, **({"app__intent": "a"} if n > 2 else {})) for n in range(1, 5)]
    batch = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    traffic = written(tmp_path / "t.jsonl", batch)
    said = ("--tag", "intent=app.intnet", "--tag", "kind=app.intent", "--tag", "odd=app.odd",
            "--map", "route=app.way")  # fmt: skip
    document, _ = imported(tmp_path, traffic, *said)
    assert document["attributes"] == {
        "--tag intent=app.intnet": 0,
        "--tag kind=app.intent": 2,
        "--tag odd=app.odd": 0,
        "--map route=app.way": 0,
    }
    told = document["warnings"]
    assert len(told) == 3
    assert "on 0 of 4 cases; no span has \"app.intnet\". Did you mean 'app.intent'?" in told[0]
    assert '"app.odd" has no value in the spans of a case' in told[1]
    shown = Done("monitor", "import", traffic, *said, "--out", tmp_path / "out").out
    assert "Did you mean 'app.intent'?" in " ".join(shown.split())
    assert "2  --tag kind=app.intent" in shown
    question = ("--map", "question=app.intnet", "--out", tmp_path / "none")
    assert "Did you mean 'app.intent'?" in Done("monitor", "import", traffic, *question).err
    plain = written(tmp_path / "p.jsonl", asked("a", "How?", 0))
    plain_said = ("--tag", "intent=app.intent", "--out", tmp_path / "p", "--json")
    [told] = Done("monitor", "import", plain, *plain_said).document["warnings"]
    assert "plain lines name fields and tags themselves" in told


@pytest.mark.parametrize("before", [0, 2])
def test_a_last_line_that_is_cut_off_is_told_as_that(tmp_path: Path, before: int) -> None:
    whole = "".join(f"{json.dumps(asked(str(n), 'How?', n))}\n" for n in range(before))
    traffic = tmp_path / "t.jsonl"
    why = "cut off at the end of the file: still being written?"
    for text, is_cut in (('{"id": "z", "quest', True), ("{'id': 1}\n", False)):
        traffic.write_text(whole + text, encoding="utf-8")
        done = Done("monitor", "import", traffic, "--out", tmp_path / "out")
        assert (done.code, why in " ".join(done.err.split())) == (3, is_cut), done.err
    if before:
        traffic.write_text(f"{whole}{{'id': 1}}\n{whole}", encoding="utf-8")
        assert why not in Done("monitor", "import", traffic, "--out", tmp_path / "out").err


def test_after_a_run_of_traffic_the_next_steps_are_those_of_traffic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed = {"id": "b", "question": "Why?", "error": "no reply", "at": T0 + 9}
    imported(tmp_path, written(tmp_path / "t.jsonl", asked("a", "How?", 0), failed))
    recorded = ("--recorded", "out/observations.jsonl", "--metrics", "system.latency_seconds")
    told = " ".join(Done("run", "--dataset", "out/cases.jsonl", *recorded).out.split())
    assert "see the traffic by windows of time: ragproof monitor report " in told
    assert "--retry-errors" not in told
