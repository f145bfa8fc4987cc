"""Traffic from the command line: imported, run as any other recording, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from traffic_files import T0, Done, asked, imported, lines, span, written

from ragproof.wiring.traffic_import import CENSORED


def test_the_demo_is_imported_and_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = Done("monitor", "demo")
    assert done.code == 0, done.err
    cases = lines(tmp_path / "traffic" / "cases.jsonl")
    assert len(cases) > 200
    assert {case["tags"]["release"] for case in cases} == {"1.4.0", "1.5.0"}
    run = Done(
        *("run", "--dataset", "traffic/cases.jsonl", "--recorded", "traffic/observations.jsonl"),
        *("--metrics", "monitoring.*,monitoring.fallback,system.*", "--json"),
    )
    assert run.code == 0, run.err
    figures = run.document["metrics"]
    by_release: dict[str, list[bool]] = {"1.4.0": [], "1.5.0": []}
    regenerated = {
        one["case_id"]: any(e["kind"] == "regenerate" for e in one["feedback"]["events"])
        for one in lines(tmp_path / "traffic" / "observations.jsonl")
    }
    for case in cases:
        if case["tags"]["intent"] == "troubleshooting":
            by_release[case["tags"]["release"]].append(regenerated[case["id"]])
    old, new = (sum(one) / len(one) for one in by_release.values())
    assert new > old + 0.1  # what a monitor is to find
    for name in ("regeneration", "fallback", "thumbs_down", "citation_open", "dwell_seconds"):
        assert figures[f"monitoring.{name}"]["scored"] > 10
        assert figures[f"monitoring.{name}"]["better"] == "neither"
    assert figures["system.cost_usd"]["scored"] > 200


def test_the_demo_writes_over_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Done("monitor", "demo", "--out", "a").code == 0
    again = Done("monitor", "demo", "--out", "a")
    assert (again.code, "not empty" in again.err) == (3, True)
    assert Done("monitor", "demo", "--out", "b").code == 0
    one, other = (tmp_path / name / "observations.jsonl" for name in "ab")
    assert one.read_bytes() == other.read_bytes()


def test_the_next_question_of_a_session_follows_up_on_the_one_before(tmp_path: Path) -> None:
    traffic = written(
        tmp_path / "t.jsonl",
        asked("c", "And then?", 5000, "s"),
        asked("a", "How?", 0, "s"),
        asked("b", "Are you sure?", 60, "s"),
        asked("d", "Alone?", 0),
        asked("e", "Other?", 30, "r"),
    )
    document, seen = imported(tmp_path, traffic)
    assert seen["a"]["feedback"] == {
        "exposed": ["follow_up"],
        "events": [{"kind": "follow_up", "text": "Are you sure?", "at": T0 + 60}],
    }
    assert seen["b"]["feedback"]["events"] == []  # c came after the gap
    assert "feedback" not in seen["c"]  # who knows what comes after the last line
    assert "feedback" not in seen["d"]  # there is no session to look into
    assert seen["e"]["feedback"] == {"exposed": ["follow_up"], "events": []}
    assert document["lacking"] == {CENSORED: 1}
    assert document["sessions"] == 2
    assert [case["id"] for case in lines(tmp_path / "out" / "cases.jsonl")] == list("adebc")


def test_events_are_joined_once_and_what_belongs_nowhere_is_counted(tmp_path: Path) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0), asked("b", "When?", 9))
    events = written(
        tmp_path / "e.jsonl",
        {"trace_id": "a", "kind": "copy", "at": T0 + 5},
        {"trace_id": "a", "kind": "copy", "at": T0 + 5},
        {"trace_id": "a", "id": "e1", "kind": "share"},
        {"trace_id": "a", "id": "e1", "kind": "share", "at": "2026-03-01T10:00:00Z"},
        {"trace_id": "gone", "kind": "copy"},
    )
    document, seen = imported(tmp_path, traffic, "--events", events)
    assert seen["a"]["feedback"] == {
        "exposed": ["copy", "share"],
        "events": [{"kind": "copy", "at": T0 + 5}, {"kind": "share"}],
    }
    assert seen["b"]["feedback"] == {"exposed": ["copy", "share"], "events": []}
    told = ("events", "events_unknown", "events_twice", "events_unplaced")
    assert [document[name] for name in told] == [{"copy": 1, "share": 1}, 1, 2, 0]


def test_what_the_interface_records_can_be_said(tmp_path: Path) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0))
    _, seen = imported(tmp_path, traffic, "--exposes", "thumbs_down,thumbs_up")
    assert seen["a"]["feedback"] == {"exposed": ["thumbs_up", "thumbs_down"], "events": []}
    events = written(tmp_path / "e.jsonl", {"trace_id": "a", "kind": "copy"})
    said = ("--events", events, "--exposes", "share", "--out", tmp_path / "out")
    refused = Done("monitor", "import", traffic, *said)
    assert refused.code == 3
    assert "--exposes does not name copy" in refused.err


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "copy"}, "trace_id: got null"),
        ({"trace_id": "a", "kind": "copi"}, "Did you mean 'copy'?"),
        ({"trace_id": "a", "kind": "dwell", "seconds": -1}, "seconds: got -1"),
        ({"trace_id": "a", "kind": "dwell", "seconds": "long"}, 'seconds: got "long"'),
        ({"trace_id": "a", "kind": "edit"}, "text: got null; allowed: a value; edit says nothing"),
        ({"trace_id": "a", "kind": "copy", "at": []}, "at: got an empty list"),
        ({"trace_id": "a", "kind": "copy", "chunk": "c"}, "Did you mean 'chunk_id'?"),
        ([], "the line: got an empty list"),
    ],
)
def test_a_bad_event_is_named_by_its_line(tmp_path: Path, event: object, said: str) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0))
    events = written(tmp_path / "e.jsonl", {"trace_id": "a", "kind": "copy"}, event)
    done = Done("monitor", "import", traffic, "--events", events, "--out", tmp_path / "out")
    assert done.code == 3
    assert f"{events}:2: " in done.err
    assert said in done.err
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_imported_leaves_nothing_behind(tmp_path: Path) -> None:
    twice = written(tmp_path / "t.jsonl", asked("a", "How?", 0), asked("a", "When?", 1))
    done = Done("monitor", "import", twice, "--out", tmp_path / "out")
    assert done.code == 3
    assert f"{twice}:2: id: got 'a', already the id of {twice}:1" in done.err
    bad = written(tmp_path / "b.jsonl", {**asked("a", "How?", 0), "answer": {"answer": "x"}})
    done = Done("monitor", "import", bad, "--out", tmp_path / "out")
    assert done.code == 3
    assert f"{bad}:1: the line: answer: " in done.err
    assert not (tmp_path / "out" / "cases.jsonl").exists()
    empty = written(tmp_path / "e.jsonl", {"resourceSpans": []})
    done = Done("monitor", "import", empty, "--out", tmp_path / "out")
    assert (done.code, "there is nothing in it" in done.err) == (3, True)


def test_no_source_is_written_over(tmp_path: Path) -> None:
    source = written(tmp_path / "cases.jsonl", asked("a", "How?", 0))
    done = Done("monitor", "import", source, "--out", tmp_path)
    assert (done.code, "is what is read" in done.err) == (3, True)
    assert lines(source) == [asked("a", "How?", 0)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("--format", "otpl"), "Did you mean 'otlp'?"),
        (("--map", "rout=x"), "Did you mean 'route'?"),
        (("--exposes", "copi"), "Did you mean 'copy'?"),
        (("--tag", "intent"), "allowed: TAG=ATTRIBUTE"),
        (("--session-gap", "-1"), "--session-gap"),
    ],
)
def test_a_wrong_option_says_what_is_allowed(
    tmp_path: Path, said: tuple[str, str], told: str
) -> None:
    source = written(tmp_path / "t.jsonl", asked("a", "How?", 0))
    done = Done("monitor", "import", source, "--out", tmp_path / "out", *said)
    assert (done.code, told in done.err) == (3, True), done.err


def test_content_that_was_not_recorded_is_counted_with_the_reason(tmp_path: Path) -> None:
    bare = span(1, gen_ai__operation__name="chat")
    half = span(2, gen_ai__operation__name="chat", input__value="How?")
    batch = {"resourceSpans": [{"scopeSpans": [{"spans": [bare, half]}]}]}
    document, _ = imported(tmp_path, written(tmp_path / "t.json", batch))
    assert document["cases"] == 1
    assert list(document["left_out"].values()) == [1]
    assert document["lacking"] == {"without an answer (its text was not recorded)": 1}


def test_a_line_that_is_delivered_again_counts_once(tmp_path: Path) -> None:
    one = asked("a", "How?", 0)
    traffic = written(tmp_path / "t.jsonl", one, asked("b", "When?", 9), one)
    document, seen = imported(tmp_path, traffic, traffic)
    assert document["cases"] == 2
    assert document["left_out"] == {"there already, all the same (delivered again)": 4}
    assert seen.keys() == {"a", "b"}


@pytest.mark.parametrize("trace_id", ["AB" * 16, "0x" + "AB" * 16, "ab" * 16])
def test_an_event_names_its_trace_in_any_spelling(tmp_path: Path, trace_id: str) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("ab" * 16, "How?", 0))
    events = written(tmp_path / "e.jsonl", {"trace_id": trace_id, "kind": "copy"})
    document, _ = imported(tmp_path, traffic, "--events", events)
    assert document["events"] == {"copy": 1}


def test_events_of_other_traces_make_no_zeros(tmp_path: Path) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0))
    events = written(tmp_path / "e.jsonl", {"trace_id": "request-7", "kind": "copy"})
    done = Done("monitor", "import", traffic, "--events", events, "--out", tmp_path / "out")
    assert done.code == 3
    assert 'none of 1 event is of a trace that was read: got trace_id "request-7"' in done.err
    assert 'allowed: as "a"' in done.err
    assert not (tmp_path / "out" / "cases.jsonl").exists()
    document, _ = imported(tmp_path, traffic, "--events", events, "--exposes", "copy")
    assert (document["events_unknown"], document["exposed"]) == (1, ["copy"])


def test_an_event_of_the_line_and_of_the_file_is_one(tmp_path: Path) -> None:
    told = {"kind": "dwell", "seconds": 4, "at": T0 + 9}
    line = asked("a", "How?", 0) | {"feedback": {"exposed": ["dwell"], "events": [told]}}
    traffic = written(tmp_path / "t.jsonl", line)
    events = written(tmp_path / "e.jsonl", {"trace_id": "a", **told})
    _, seen = imported(tmp_path, traffic, "--events", events)
    assert len(seen["a"]["feedback"]["events"]) == 1


def test_without_a_gap_no_follow_up_is_looked_for(tmp_path: Path) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0, "s"), asked("b", "When?", 9, "s"))
    document, seen = imported(tmp_path, traffic, "--session-gap", "0")
    assert (document["exposed"], document["lacking"]) == ([], {})
    assert all("feedback" not in one for one in seen.values())


def test_what_no_import_wrote_is_not_written_over(tmp_path: Path) -> None:
    traffic = written(tmp_path / "t.jsonl", asked("a", "How?", 0))
    (tmp_path / "mine").mkdir()
    mine = written(tmp_path / "mine" / "cases.jsonl", {"id": "golden"})
    done = Done("monitor", "import", traffic, "--out", tmp_path / "mine")
    assert (done.code, "is there and from no import" in done.err) == (3, True)
    assert lines(mine) == [{"id": "golden"}]
    for _ in range(2):  # an import is made again over itself
        imported(tmp_path, traffic)


def test_signals_run_unasked_only_where_users_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cases = written(tmp_path / "c.jsonl", {"id": "a", "question": "How?"})
    answer = {"case_id": "a", "answer": {"answer_text": "So.", "trace": {"route": "human"}}}
    silent = written(tmp_path / "silent.jsonl", answer)
    told = written(tmp_path / "told.jsonl", answer | {"feedback": {"exposed": ["copy"]}})

    def metrics(recorded: Path, *more: str) -> dict[str, Any]:
        done = Done("run", "--dataset", cases, "--recorded", recorded, "--json", *more)
        assert done.code == 0, done.err
        found = done.document["metrics"]
        return {key: one for key, one in found.items() if key.startswith("monitoring.")}

    assert metrics(silent) == {}
    found = metrics(told)
    assert (found["monitoring.copied"]["scored"], found["monitoring.shared"]["scored"]) == (1, 0)
    assert "monitoring.fallback" not in found  # which route is one nobody said
    named = metrics(silent, "--metrics", "monitoring.copied")
    assert named["monitoring.copied"]["skip_reasons"] == {"no user events were recorded": 1}
