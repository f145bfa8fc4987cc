"""`ragproof review` as a user calls it: traffic in, blind verdicts, rates and signals out."""

from __future__ import annotations

import json
import shlex
import stat
from pathlib import Path
from typing import Any

import pytest
from review_traffic import call, fill, honest, keyed, read, sample, scored_run, traffic

HIDDEN = ("week1", "thumbs_down", "confidence", "probability", "intent", "monitoring", "low_conf")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scored run of traffic."""
    return scored_run(tmp_path_factory.mktemp("traffic"))


def test_from_traffic_to_validated_signals_and_new_cases(scored: Path) -> None:
    done = sample(
        scored,
        "week.jsonl",
        *("--count", "60", "--thumbs-down", "20", "--low-confidence", "10", "--follow-ups", "10"),
        *("--reviewers", "ada,ben", "--overlap", "0.25", "--csv", "--json"),
    )
    assert done.code == 0, done.err
    head = done.document
    assert (head["traffic"], head["unanswered"], head["population"]) == (300, 6, 294)
    drawn = {one["name"]: one["drawn"] for one in head["strata"]}
    assert drawn == {"random": 60, "low_confidence": 10, "thumbs_down": 20, "follow_up": 10}
    for name in ("ada", "ben"):
        fill(
            scored / f"week.{name}.jsonl",
            scored / "week.key.jsonl",
            scored / f"filled.{name}.jsonl",
            honest,
        )
    files = ("filled.ada.jsonl", "filled.ben.jsonl", "--key", "week.key.jsonl")
    told = call(scored, "review", "report", *files, "--out", "signals.json", "--json")
    assert told.code == 0, told.err
    found = told.document
    assert found["reviewed"] == found["drawn"] == head["items"]
    low, high = found["rates"]["bad"]["ci95"]
    assert low < 54 / 294 < high  # the truth: 60 of 300 less the six without an answer
    worse = {one["name"]: one["bad_unweighted"]["rate"] for one in found["strata"]}
    assert worse["thumbs_down"] > 2 * found["rates"]["bad"]["rate"]
    assert found["agreement"]["alpha"] == 1.0
    verdicts = {(one["signal"], one["label"]): one for one in found["signals"]}
    assert verdicts["monitoring.regeneration", "bad"]["points_to"] == "bad answers"
    assert verdicts["trace.confidence", "bad"]["points_to"] == "good answers"
    assert verdicts["feedback.thumbs_down", "bad"]["standing"] == "validated"
    assert verdicts["monitoring.dwell_seconds", "bad"]["points_to"] is None
    assert ("monitoring.follow_up[pattern=doubt]", "distrust") in verdicts
    kept = json.loads((scored / "signals.json").read_text())
    assert kept["signals"] == found["signals"]
    assert (kept["runs"], kept["reviewed"]) == ([head["run"]], head["items"])
    assert "Holm" in kept["rule"]
    watched = scored / "watched.yaml"
    watched.write_text("project: traffic\nmonitor: {signals: signals.json}\n")
    only = ("--metrics", "monitoring.regeneration", "--json")
    seen = call(scored, "monitor", "report", "-c", "watched.yaml", head["run"], *only)
    assert seen.code == 0, seen.err
    (series,) = seen.document["metrics"]
    assert series["validated"]["points_to"] == ["bad answers"]
    assert series["validated"]["runs"] == [head["run"]]
    (scored / "golden.jsonl").write_text('{"id": "g", "question": "Who are you?"}\n')
    into = ("--into", "golden.jsonl", "--out", "golden2.jsonl", "--json")
    grown = call(scored, "review", "promote", *files, *into)
    assert grown.code == 0, grown.err
    assert grown.document["cases"] == 1 + len(grown.document["new"]) > 20
    assert grown.document["not_random"] > 0
    assert {one["tag"] for one in grown.document["mix"]} == {"intent"}
    assert read(scored / "golden.jsonl") == [{"id": "g", "question": "Who are you?"}]


def test_what_a_reviewer_sees_tells_nothing_of_why_it_was_drawn(scored: Path) -> None:
    assert sample(scored, "blind.jsonl", "--thumbs-down", "10", "--csv").code == 0
    hidden = keyed(scored / "blind.key.jsonl")
    for name in ("blind.jsonl", "blind.csv"):
        text = (scored / name).read_text(encoding="utf-8-sig")
        assert [word for word in HIDDEN if word in text] == []
        assert [one["case_id"] for one in hidden.values() if f'"{one["case_id"]}"' in text] == []
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "'=It is at place" in (scored / "blind.csv").read_text(encoding="utf-8-sig")
    mode = (scored / "blind.key.jsonl").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    seen = call(scored, "review", "show", "blind.jsonl")
    assert seen.code == 0
    assert "Question:" in seen.out
    assert f"0 of {len(hidden)} answers reviewed" in seen.out
    assert all(len(line) <= 80 for line in seen.out.splitlines())


def test_what_was_drawn_before_is_not_drawn_again(scored: Path) -> None:
    assert sample(scored, "first.jsonl", "--count", "100").code == 0
    again = sample(
        scored, "second.jsonl", "--count", "100", "--not-in", "first.key.jsonl", "--json"
    )
    assert (again.code, again.document["drawn_before"]) == (0, 100)
    first, second = (keyed(scored / f"{name}.key.jsonl") for name in ("first", "second"))
    assert not {one["case_id"] for one in first.values()} & {
        one["case_id"] for one in second.values()
    }
    assert {round(one["probability"], 6) for one in second.values()} == {round(100 / 194, 6)}
    both = ("--not-in", "first.key.jsonl", "--not-in", "second.key.jsonl")
    third = sample(scored, "third.jsonl", "--count", "100", *both, "--json")
    assert third.document["strata"] == [{"name": "random", "pool": 94, "drawn": 94}]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--count", "0"), "0 is not in the range"),
        (("--rate", "0"), "0.0 is not in the range"),
        (("--by-metric", "system.latncy:lowest:3"), "scored no case by 'system.latncy'"),
        (("--by-metric", "x"), "allowed: METRIC:lowest:N"),
        (("--reviewers", "a,a"), "different plain names"),
        (("--reviewers", "../a,b"), "different plain names"),
        (("--reviewers", "a,A"), "different plain names"),
        (("--reviewers", "ada,key"), "and not `key`"),
        (("--not-in", "no.key.jsonl"), "no.key.jsonl: there is no such file"),
        (("--not-in", "cases.jsonl"), "cases.jsonl:1: "),
    ],
)
def test_what_cannot_be_drawn_is_told(scored: Path, more: tuple[str, ...], told: str) -> None:
    done = sample(scored, "no.jsonl", *more)
    assert (done.code, done.says(told)) == (3, True), done.err
    assert not (scored / "no.jsonl").exists()
    assert not (scored / "no.key.jsonl").exists()


def test_nothing_that_people_filled_in_is_written_over(scored: Path) -> None:
    assert sample(scored, "kept.jsonl").code == 0
    assert sample(scored, "kept.jsonl").code == 0  # the same draw, and nobody has begun
    assert sample(scored, "kept.jsonl", "--seed", "1").code == 3
    fill(scored / "kept.jsonl", scored / "kept.key.jsonl", scored / "kept.jsonl", honest)
    before = (scored / "kept.jsonl").read_bytes()
    done = sample(scored, "kept.jsonl")
    assert (done.code, done.says("is filled in already")) == (3, True)
    assert (scored / "kept.jsonl").read_bytes() == before


def test_wrong_files_are_named_with_their_line(scored: Path) -> None:
    assert sample(scored, "wrong.jsonl").code == 0
    rows = read(scored / "wrong.jsonl")
    for change, told in (
        ({"verdict": "awful"}, 'verdict: got "awful"'),
        ({"verdict": "bad", "item": "nobody"}, 'item: "nobody" is not in the key'),
        ({"verdict": "bad", "sources": [9]}, 'sources: got "9"; allowed: 1 to 1, an id'),
    ):
        bad = [rows[0], {**rows[1], **change}]
        (scored / "bad.jsonl").write_text("".join(json.dumps(row) + "\n" for row in bad))
        done = call(scored, "review", "report", "bad.jsonl", "--key", "wrong.key.jsonl", "--json")
        assert (done.code, done.out) == (3, "")
        assert done.says("bad.jsonl:2: ", told), done.err
    empty = call(scored, "review", "report", "wrong.jsonl", "--key", "wrong.key.jsonl")
    assert (empty.code, empty.says("nothing to report yet: no verdict is there")) == (3, True)
    swapped = call(scored, "review", "report", "wrong.key.jsonl", "--key", "wrong.jsonl")
    assert (swapped.code, swapped.says("not the key of a review queue")) == (3, True)


def test_without_the_store_there_are_rates_and_the_reason_why_no_signals(
    scored: Path, tmp_path: Path
) -> None:
    assert sample(scored, "alone.jsonl", "--count", "30").code == 0
    fill(scored / "alone.jsonl", scored / "alone.key.jsonl", tmp_path / "f.jsonl", honest)
    (tmp_path / "k.jsonl").write_bytes((scored / "alone.key.jsonl").read_bytes())
    done = call(tmp_path, "review", "report", "f.jsonl", "--key", "k.jsonl")
    assert done.code == 0, done.err
    assert "Not looked at: " in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    refused = call(tmp_path, "review", "report", "f.jsonl", "--key", "k.jsonl", "--run", "week1")
    assert refused.code == 3


def test_weeks_are_reported_together_but_no_traffic_twice(scored: Path, tmp_path: Path) -> None:
    for name in ("cases", "observations"):
        text = (scored / f"{name}.jsonl").read_text().replace("trace-", "other-")
        (tmp_path / f"{name}.jsonl").write_text(text)
    store = ("--store", str(scored / ".ragproof/ragproof.db"))
    ran = call(
        tmp_path,
        *("run", "--dataset", "cases.jsonl", "--recorded", "observations.jsonl", *store),
        *("--label", "week2", "--metrics", "monitoring.*", "--json"),
    )
    assert ran.code == 0, ran.err
    files, keys = [], []
    for run, name in (("week1", "w1"), ("week2", "w2"), ("week1", "w3")):
        out = str(tmp_path / f"{name}.jsonl")
        more = ("--seed", "5") if name == "w3" else ()
        done = call(tmp_path, "review", "sample", run, "--out", out, "--count", "40", *store, *more)
        assert done.code == 0, done.err
        keys.append(str(tmp_path / f"{name}.key.jsonl"))
        files.append(str(tmp_path / f"{name}.filled.jsonl"))
        fill(Path(out), Path(keys[-1]), Path(files[-1]), honest)
    both = ("--key", keys[0], "--key", keys[1], *store, "--json")
    told = call(tmp_path, "review", "report", *files[:2], *both)
    assert told.code == 0, told.err
    assert (told.document["traffic"], told.document["reviewed"]) == (600, 80)
    assert len(told.document["runs"]) == 2
    measured = {one["signal"]: one["measured"] for one in told.document["signals"]}
    assert measured["monitoring.regeneration"] == 80
    twice = ("--key", keys[0], "--key", keys[2], *store)
    refused = call(tmp_path, "review", "report", files[0], files[2], *twice)
    assert (refused.code, refused.says("is in two keys")) == (3, True), refused.err
    (tmp_path / "golden.jsonl").write_text('{"id": "g", "question": "Who are you?"}\n')
    grown = call(
        tmp_path,
        *("review", "promote", *files[:2], *both, "--into", "golden.jsonl", "--out", "g2.jsonl"),
    )
    assert grown.code == 0, grown.err
    assert grown.document["cases"] > 40


def test_reviewers_that_differ_are_named(scored: Path) -> None:
    done = sample(scored, "two.jsonl", "--count", "10", "--reviewers", "2", "--overlap", "1")
    assert done.code == 0

    def grim(_: int) -> dict[str, Any]:
        return {"verdict": "bad"}

    key = scored / "two.key.jsonl"
    fill(scored / "two.reviewer-1.jsonl", key, scored / "one.f.jsonl", honest)
    fill(scored / "two.reviewer-2.jsonl", key, scored / "two.f.jsonl", grim)
    files = ("one.f.jsonl", "two.f.jsonl")
    merged = call(
        scored, "review", "merge", *files, "--out", "m.jsonl", "--conflicts", "c.jsonl", "--json"
    )
    assert merged.code == 0, merged.err
    conflicts = merged.document["conflicts"]
    assert {tuple(by.items()) for by in conflicts.values()} == {
        (("reviewer-1", "good"), ("reviewer-2", "bad"))
    }
    assert len(read(scored / "m.jsonl")) == 20
    waiting = read(scored / "c.jsonl")
    assert {one["item"] for one in waiting} == {*conflicts}
    assert {one["verdict"] for one in waiting} == {None}


def test_verdicts_of_others_are_never_written_over(scored: Path) -> None:
    people = ("--count", "10", "--reviewers", "ada,ben", "--overlap", "0.5")
    assert sample(scored, "own.jsonl", *people).code == 0
    key = ("--key", "own.key.jsonl")
    for name in ("ada", "ben"):
        path = scored / f"own.{name}.jsonl"
        fill(path, scored / "own.key.jsonl", path, honest)
    both = ("own.ada.jsonl", "own.ben.jsonl")
    for _ in range(2):  # the same again loses nothing
        assert call(scored, "review", "merge", *both, "--out", "own.all.jsonl").code == 0
    golden = scored / "own.golden.jsonl"
    golden.write_text('{"question": "Who are you?", "id": "g"}\n')
    (scored / "own.third.jsonl").write_bytes((scored / "own.all.jsonl").read_bytes())
    (scored / "own.other.jsonl").write_text('{"question": "And mine?", "id": "mine"}\n')
    (scored / "own.notes.json").write_text('{"signals": "my own"}\n')
    held = {path: path.read_bytes() for path in scored.glob("own.*")}
    into = ("--into", str(golden))
    for arguments, told in (
        (("merge", "own.ada.jsonl", "--out", "own.all.jsonl"), "would be lost (own.all.jsonl:"),
        (("merge", *both, "--out", "new.jsonl", "--conflicts", "new.jsonl"), "another file"),
        (("merge", "own.ada.jsonl", "--out", "own.key.jsonl"), "no untouched review queue"),
        (("report", *both, *key, "--out", "own.third.jsonl"), "is no file of signals"),
        (("promote", *both, *key, *into, "--out", "own.third.jsonl"), "is no golden set"),
        (("promote", *both, *key, *into, "--out", str(golden)), "is what is read"),
        (("promote", *both, *key, *into, "--out", "own.other.jsonl"), 'case "mine" would be lost'),
        (("promote", *both, *key, "--into", "no.jsonl", "--out", "n.jsonl"), "without --into"),
        (("report", *both, *key, "--out", "own.notes.json"), "is no file of signals"),
    ):
        done = call(scored, "review", *arguments)
        assert (done.code, done.says(told)) == (3, True), (arguments, done.err)
    assert {path: path.read_bytes() for path in scored.glob("own.*")} == held
    assert not (scored / "new.jsonl").exists()
    for _ in range(2):  # what the same command made is written again
        for arguments in (
            ("report", *both, *key, "--out", "own.signals.json"),
            ("promote", *both, *key, *into, "--out", "own.new.jsonl"),
        ):
            done = call(scored, "review", *arguments)
            assert done.code == 0, (arguments, done.err)


def test_the_newest_run_of_traffic_is_drawn_from_and_a_folder_is_made(tmp_path: Path) -> None:
    scored_run(tmp_path)
    lines = (tmp_path / "cases.jsonl").read_text().replace("monitoring", "release")
    (tmp_path / "golden.jsonl").write_text(lines)
    golden = ("--dataset", "golden.jsonl", "--recorded", "observations.jsonl", "--label", "golden")
    assert call(tmp_path, "run", *golden, "--metrics", "system.*", "--json").code == 0
    done = call(tmp_path, "review", "sample", "--out", "q/weeks/w.jsonl", "--json")
    assert (done.code, done.document["of_traffic"]) == (0, True), done.err
    week = call(tmp_path, "review", "sample", "week1", "--out", "w.jsonl", "--json")
    assert done.document["run"] == week.document["run"]
    assert len(read(tmp_path / "q/weeks/w.jsonl")) == 50
    named = call(tmp_path, "review", "sample", "golden", "--out", "g.jsonl")
    assert (named.code, "This is no run of recorded traffic" in named.out) == (0, True)


def test_each_step_names_the_next_and_a_first_golden_set_is_started(scored: Path) -> None:
    people = ("--count", "60", "--thumbs-down", "15", "--reviewers", "ada,ben", "--overlap", "0.4")
    assert sample(scored, "next.jsonl", *people).code == 0
    key = scored / "next.key.jsonl"

    def mild(number: int) -> dict[str, Any]:
        return honest(number) if number % 3 else {"verdict": "partly"}

    for name, says in (("ada", honest), ("ben", mild)):
        fill(scored / f"next.{name}.jsonl", key, scored / f"next.{name}.f.jsonl", says)
    both = ("next.ada.f.jsonl", "next.ben.f.jsonl")
    out = ("--out", "next.all.jsonl", "--conflicts", "next.third.jsonl")
    merged = call(scored, "review", "merge", *both, *out)
    differ = len(read(scored / "next.third.jsonl"))
    assert 0 < differ < 29
    assert f"next.third.jsonl: {differ} answers on which they differ" in merged.out
    assert "Next: ragproof review show next.third.jsonl --fill --reviewer NAME" in merged.out
    named = ("next.all.jsonl", "--key", "next.key.jsonl")
    told = call(scored, "review", "report", *named, "--out", "next.signals.json")
    assert "signals: wrote next.signals.json" in told.out
    assert "Next: ragproof review promote next.all.jsonl --key next.key.jsonl" in told.out
    kept = json.loads((scored / "next.signals.json").read_text())
    assert kept["agreement"]["answers"] == 29
    assert (kept["agreement"]["alpha"] < 0.667, kept["agreement"]["low"]) == (True, True)
    assert {one["standing"] for one in kept["signals"]} == {"withheld", "inconclusive"}
    assert {one["points_to"] for one in kept["signals"]} == {None}
    assert told.out.count("the reviewers agree too little") == 1
    first = call(scored, "review", "promote", *named, "--out", "next.golden.jsonl")
    assert first.code == 0, first.err
    assert "the reviewers agree too little" in " ".join(first.out.split())
    assert "Next: ragproof dataset validate next.golden.jsonl" in first.out
    for row in (rows := read(scored / both[0])):
        row.update(verdict="bad", better_answer=None, sources=[])
    (scored / "next.none.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    none = call(scored, "review", "promote", "next.none.jsonl", *named[1:], "--out", "n.jsonl")
    assert (none.code, none.says("no reviewed answer makes a case: ")) == (3, True), none.err
    assert not (scored / "n.jsonl").exists()
    alone = call(scored, "review", "promote", both[0], *named[1:], "--out", "next.first.jsonl")
    assert (alone.code, "agree too little" in alone.out) == (0, False), alone.err
    assert len(read(scored / "next.first.jsonl")) > 20
    for page in (merged, told, first):
        assert all(len(line) <= 80 for line in page.out.splitlines())


def test_verdicts_are_held_to_no_answer_but_the_one_reviewed(scored: Path) -> None:
    assert sample(scored, "old.jsonl", "--count", "20").code == 0
    fill(scored / "old.jsonl", scored / "old.key.jsonl", scored / "old.f.jsonl", honest)
    text = (scored / "observations.jsonl").read_text()
    (scored / "other.jsonl").write_text(text.replace("at place", "at the place"))
    cases = ("run", "--dataset", "cases.jsonl", "--metrics", "monitoring.regeneration", "--json")
    same = call(scored, *cases, "--recorded", "observations.jsonl", "--label", "same")
    other = call(scored, *cases, "--recorded", "other.jsonl", "--label", "other")
    assert (same.code, other.code) == (0, 0)
    report = ("review", "report", "old.f.jsonl", "--key", "old.key.jsonl", "--json", "--run")
    assert call(scored, *report, "same").code == 0
    refused = call(scored, *report, "other")
    assert (refused.code, refused.says("has another answer to case")) == (3, True), refused.err


def test_the_week_of_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/review.md").read_text(encoding="utf-8")
    block = page.partition("```sh\n")[2].partition("```")[0]
    traffic(tmp_path)
    (tmp_path / "golden.jsonl").write_text('{"id": "g", "question": "Who are you?"}\n')
    first, *rest = (shlex.split(line)[1:] for line in block.splitlines())
    assert call(tmp_path, *first).code == 0
    assert call(tmp_path, "review", "sample", "--out", "week-47.jsonl").code == 0
    for words in rest:
        typed = "g\nn\nn\n\n1\n" * 200 if "--fill" in words else ""
        done = call(tmp_path, *words, typed=typed)
        assert done.code == 0, (words, done.err)
    assert json.loads((tmp_path / "signals.json").read_text())["reviewed"] > 30
    assert len(read(tmp_path / "golden.new.jsonl")) > 30
