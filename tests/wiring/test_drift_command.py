"""`ragproof drift` as its user meets it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drift_files import QUICK, array, document, drift, lines, questions, refused, vectors

DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def pumps(tmp_path: Path) -> Path:
    return lines(tmp_path / "pumps.jsonl", questions("pump", 60))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return lines(tmp_path / "mixed.jsonl", questions("pump", 30, 60) + questions("invoice", 30))


def test_another_topic_is_found_without_a_model_and_it_is_said_where_it_is(
    pumps: Path, mixed: Path
) -> None:
    found = document(pumps, mixed, *QUICK)
    assert found["verdict"] == "drift"
    assert found["representation"].startswith("spelling:")
    assert {"mmd", "kl", "slices"} <= {one["name"] for one in found["detectors"] if one["alarm"]}
    moved = {f"{one['tag']}={one['value']}": one for one in found["slices"]}
    assert moved["topic=invoice"]["current_share"] == 0.5
    assert moved["topic=invoice"]["difference_ci95"][0] > 0
    assert "invoice" in {one["word"] for one in found["words"]}
    assert all(one["id"].startswith("invoice") for one in found["examples"])
    assert found["yardstick"] is None


def test_only_who_asks_for_it_is_stopped(pumps: Path, mixed: Path) -> None:
    assert drift(pumps, mixed, *QUICK).exit_code == 0
    assert drift(pumps, mixed, *QUICK, "--fail-on", "drift").exit_code == 1
    assert drift(pumps, mixed, *QUICK, "--fail-on", "inconclusive").exit_code == 1


def test_samples_that_are_too_small_are_inconclusive_and_large_ones_show_no_drift(
    tmp_path: Path,
) -> None:
    small = [array(tmp_path / f"s{one}.npy", vectors(12, one)) for one in range(2)]
    found = document(*small)
    assert found["verdict"] == "inconclusive"
    assert found["yardstick"]["alarms"]["together"]["share"] < 0.8
    assert drift(*small, "--fail-on", "drift").exit_code == 0
    told = drift(*small, "--fail-on", "inconclusive")
    assert told.exit_code == 1
    assert "inconclusive: no alarm" in told.stdout
    large = [array(tmp_path / f"l{one}.npy", vectors(250, one)) for one in range(2)]
    assert document(*large)["verdict"] == "no drift shown"
    assert drift(*large, "--fail-on", "inconclusive").exit_code == 0


def test_vectors_of_every_kind_of_file_are_read_alike(tmp_path: Path) -> None:
    before, now = vectors(40), vectors(40, 1, 2.0)
    plain = [array(tmp_path / "a.npy", before), array(tmp_path / "b.npy", now)]
    rows = [
        lines(
            tmp_path / f"{name}.jsonl",
            ({"id": f"{name}{at}", "vector": one.tolist()} for at, one in enumerate(values)),
        )
        for name, values in (("a", before), ("b", now))
    ]
    names = np.array([f"d{at}" for at in range(40)])
    np.savez(tmp_path / "both.npz", a=before, b=now, b_ids=names)
    packed = [f"{tmp_path / 'both.npz'}:{name}" for name in "ab"]
    found = [document(*pair, *QUICK) for pair in (plain, rows, packed)]
    values = [[one["value"] for one in each["detectors"]] for each in found]
    assert values[0] == pytest.approx(values[1])
    assert values[0] == pytest.approx(values[2], abs=1e-3)
    assert found[0]["verdict"] == "drift"
    assert found[2]["examples"][0]["id"] in names


def test_csv_and_gzip_and_columns_of_other_names_are_read(tmp_path: Path) -> None:
    table = tmp_path / "log.csv"
    rows = [f'"{one["question"]}",{at % 2},{at}' for at, one in enumerate(questions("pump", 40))]
    table.write_text("\n".join(["said,shop,seconds", *rows]) + "\n", encoding="utf-8")
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(
        gzip.compress(
            "".join(
                json.dumps({"said": one["question"], "shop": "1", "seconds": 100 + at}) + "\n"
                for at, one in enumerate(questions("pump", 40, 40))
            ).encode()
        )
    )
    named = ("--text", "said", "--tag", "shop", "--column", "seconds")
    found = document(table, packed, *QUICK, *named)
    kl = next(one for one in found["detectors"] if one["name"] == "kl")
    of = {one["name"]: one for one in kl["of"]}
    assert {*of} == {"axis 1", "axis 2", "axis 3", "length", "seconds"}
    assert of["seconds"]["p_value_adjusted"] == 0.01
    assert of["length"]["value"] == pytest.approx(0.0, abs=0.05)
    assert {one["value"] for one in found["slices"] if one["tag"] == "shop"} == {"0", "1"}


def test_a_tag_that_changes_by_itself_can_be_left_out(tmp_path: Path) -> None:
    def compared(tag: str, *more: str) -> dict[str, Any]:
        asked = questions("pump", 80)
        files = (
            lines(tmp_path / f"{name}.jsonl", [{**one, "tags": {tag: name}} for one in part])
            for name, part in (("r1", asked[:40]), ("r2", asked[40:]))
        )
        return document(*files, *QUICK, *more)

    assert compared("build")["verdict"] == "drift"
    unasked = "not compared: release, which changes by itself; --tag release compares it"
    for found in (compared("build", "--no-tag", "build"), compared("release")):
        assert found["verdict"] != "drift"
        assert not [one for one in found["slices"] if one["tag"] in {"build", "release"}]
    assert unasked in found["warnings"]
    asked = compared("release", "--tag", "release")
    assert asked["verdict"] == "drift"
    assert unasked not in asked["warnings"]
    assert unasked not in compared("release", "--no-tag", "release")["warnings"]
    again = (tmp_path / "r1.jsonl", tmp_path / "r2.jsonl")
    assert 'no row has a tag "shop"' in refused(*again, "--no-tag", "shop")


def test_rows_of_one_session_count_once(tmp_path: Path, pumps: Path) -> None:
    rows = [{**one, "session_id": f"s{at // 4}"} for at, one in enumerate(questions("pump", 60))]
    found = document(pumps, lines(tmp_path / "sessions.jsonl", rows), *QUICK)
    assert (found["current"]["rows"], found["current"]["independent"]) == (60, 15)


def test_a_session_with_rows_in_both_samples_is_told_of(tmp_path: Path) -> None:
    rows = [{**one, "group": f"s{at // 2}"} for at, one in enumerate(questions("pump", 60))]
    halves = [lines(tmp_path / f"h{at}.jsonl", rows[31 * at : 31 * at + 31]) for at in range(2)]
    told = document(*halves, *QUICK)["warnings"]
    assert any(one.startswith("1 group with rows in both samples") for one in told)


def test_groups_that_one_sample_alone_names_are_told_of(tmp_path: Path, pumps: Path) -> None:
    rows = [{**one, "session_id": f"s{at // 3}"} for at, one in enumerate(questions("invoice", 60))]
    sessions = lines(tmp_path / "sessions.jsonl", rows)
    told = document(pumps, sessions, *QUICK)["warnings"]
    assert [one for one in told if one.startswith(f"{sessions} has groups")]
    rows = [{**one, "session_id": f"s{at}"} for at, one in enumerate(questions("invoice", 60))]
    alone = document(pumps, lines(tmp_path / "alone.jsonl", rows), *QUICK)["warnings"]
    assert not [one for one in alone if "has groups" in one]


def test_rows_of_both_samples_are_told_of_and_one_file_is_not_compared_with_itself(
    tmp_path: Path, pumps: Path
) -> None:
    rows = questions("pump", 20, 40) + questions("invoice", 40)
    told = " ".join(document(pumps, lines(tmp_path / "half.jsonl", rows), *QUICK)["warnings"])
    assert "20 ids in both samples" in told
    assert "20 of 60 rows have the vector of a row of" in told
    (tmp_path / "link.jsonl").symlink_to(pumps)
    assert "is both samples" in refused(pumps, tmp_path / "link.jsonl")


def test_tags_that_are_no_object_are_told_of(tmp_path: Path, pumps: Path) -> None:
    rows = [{**one, "tags": ["billing"]} for one in questions("invoice", 60)]
    told = document(pumps, lines(tmp_path / "listed.jsonl", rows), *QUICK)["warnings"]
    assert [one for one in told if "the tags of 60 rows are no object" in one]


def test_what_is_there_twice_is_counted_and_said(tmp_path: Path, pumps: Path) -> None:
    rows = questions("pump", 30) * 2
    found = document(pumps, lines(tmp_path / "twice.jsonl", rows), *QUICK)
    assert found["current"]["repeated"] == 30
    assert any("30 of 60 rows repeat another" in one for one in found["warnings"])


def test_the_page_fits_80_columns_and_nothing_foreign_acts(tmp_path: Path, pumps: Path) -> None:
    rows = questions("invoice", 50)
    for one in rows:
        one["question"] += " \x1b[31m\u202e"
        one["tags"]["topic"] = "\x1b[31mred | <b>"
    told = drift(pumps, lines(tmp_path / "foreign.jsonl", rows), *QUICK)
    assert "chance, say MMD, classifier, KL, slices" in " ".join(told.stdout.split())
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert "\x1b" not in told.stdout
    assert "\u202e" not in told.stdout


def test_markdown_is_a_file_or_stdout_alone(tmp_path: Path, pumps: Path, mixed: Path) -> None:
    page = tmp_path / "drift.md"
    assert "Detectors" in drift(pumps, mixed, *QUICK, "--markdown", page).stdout
    told = drift(pumps, mixed, *QUICK, "--markdown", "-").stdout
    assert told == page.read_text(encoding="utf-8")
    assert told.startswith("### :x: drift")
    assert "topic=invoice" in told


def test_a_small_alpha_gets_the_deals_that_it_takes(tmp_path: Path) -> None:
    """With 199 deals an alarm at 0.01 would be impossible, and small samples not to blame."""
    near = [array(tmp_path / f"n{one}.npy", vectors(250, one)) for one in range(2)]
    found = document(*near, "--alpha", 0.01)
    assert found["permutations"] == 798
    assert found["yardstick"]["alarms"]["together"]["count"] > 0
    far = array(tmp_path / "far.npy", vectors(250, 2, 5.0))
    assert document(near[0], far, "--alpha", 0.01)["verdict"] == "drift"


# what is wrong


def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, pumps: Path) -> None:
    good = array(tmp_path / "good.npy", vectors(20))
    bad = vectors(20)
    bad[3, 2] = np.nan
    assert "row 3 (from 0): got nan at dimension 2" in refused(good, array(tmp_path / "n.npy", bad))
    bad[3] = 0
    zero = array(tmp_path / "z.npy", bad)
    assert "row 3 (from 0): all its numbers are 0" in refused(good, zero)
    kept = document(good, zero, *QUICK, "--metric", "l2")
    assert kept["current"]["zero_vectors"] == 1
    assert any("1 vector of only 0" in one for one in kept["warnings"])
    one = array(tmp_path / "one.npy", vectors(1))
    assert f"{one}: 1 independent row (those of one" in refused(good, one)
    same = [array(tmp_path / f"same{at}.npy", np.ones((20, 6))) for at in range(2)]
    assert "all vectors are the same" in refused(*same)
    assert "is both samples" in refused(good, tmp_path / "." / "good.npy")
    flat = [array(tmp_path / f"flat{at}.npy", vectors(20, at, size=1)) for at in range(2)]
    assert "allowed for them: --metric l2" in refused(*flat)
    assert document(*flat, *QUICK, "--metric", "l2")["dimensions"] == 1
    assert "has 6 dimensions and" in refused(good, array(tmp_path / "w.npy", vectors(20, size=7)))
    assert "has vectors and" in refused(good, pumps)
    assert "nothing to embed" in refused(good, zero, "--embed", "spelling")
    assert "there is no such file" in refused(good, tmp_path / "none.npy")
    assert "there is no such file" in refused(good, tmp_path / "none.jsonl")
    assert "drift compares two samples" in refused(good)


def test_rows_without_what_is_asked_for_are_named(tmp_path: Path, pumps: Path) -> None:
    rows: list[dict[str, Any]] = questions("pump", 20)
    del rows[2]["question"]
    assert ".jsonl:3: there is no text" in refused(pumps, lines(tmp_path / "q.jsonl", rows))
    rows = questions("pump", 20)
    rows[4]["seconds"] = "long"
    bad = lines(tmp_path / "s.jsonl", [{"seconds": 1, **one} for one in rows])
    assert '.jsonl:5: seconds: got "long"' in refused(bad, pumps, "--column", "seconds")
    assert "no row of" in refused(pumps, bad, "--tag", "shop")
    assert "no row of" in refused(pumps, bad, "--group", "session")
    (tmp_path / "empty.jsonl").write_text("")
    assert "the file has no rows" in refused(pumps, tmp_path / "empty.jsonl")
    (tmp_path / "broken.jsonl").write_text("{")
    assert "broken.jsonl:1:" in refused(pumps, tmp_path / "broken.jsonl")


def test_vectors_of_two_models_are_not_compared(tmp_path: Path) -> None:
    files = [
        lines(
            tmp_path / f"{name}.jsonl",
            ({"vector": one.tolist(), "model": name} for one in vectors(20)),
        )
        for name in ("small", "large")
    ]
    assert "of the model 'small' and" in refused(*files)
    np.savez(tmp_path / "two.npz", a=vectors(20), b=vectors(20))
    assert "one of a, b" in refused(tmp_path / "two.npz", files[0])
    assert "one of a, b" in refused(f"{tmp_path / 'two.npz'}:c", files[0])
    (tmp_path / "no.npz").write_bytes(b"PK no archive")
    assert "cannot be read as .npz" in refused(tmp_path / "no.npz", files[0])


def test_options_without_effect_are_refused(pumps: Path, tmp_path: Path) -> None:
    probes = tmp_path / "p.txt"
    for said, told in (
        (("--k", 3), "'--k' has no effect without '--probes'"),
        (("--tries", 3), "'--tries' has no effect without '--calibrate'"),
        (("--calibrate", "--fail-on", "drift"), "'--fail-on' has no effect with '--calibrate'"),
        (("--probes", probes, "--embed", "spelling"), "'--embed' has no effect with '--probes'"),
        (("--probes", probes, "--calibrate"), "are two uses of it"),
        (("--calibrate", "--sizes", "5"), "--sizes: got 5; allowed: 10 to 30"),
        (("--calibrate", "--sizes", "a"), "allowed: whole numbers from 1"),
        (("--permutations", 5), "--permutations"),
        (("--permutations", 399, "--alpha", 0.009), "--permutations: got 399; allowed: 444 at"),
        (("--alpha", "nan"), "--alpha"),
        (("--json", "--markdown", "-"), "both print to stdout"),
    ):
        second = () if "--sizes" in said else (pumps,)
        assert told in refused(pumps, *second, *said), said
    assert "allowed: TAG=VALUE that rows have" in refused(pumps, "--calibrate", "--mix", "topic=x")


# real questions


def claims(tmp_path: Path) -> tuple[Path, Path]:
    source = DATA / "scifact" / "claims_train.jsonl"
    if not source.exists():
        pytest.skip(f"{source} is absent")
    rows = [json.loads(one) for one in source.read_text(encoding="utf-8").splitlines()]
    order = np.random.default_rng(0).permutation(len(rows))
    asked = [{"id": str(rows[at]["id"]), "question": rows[at]["claim"]} for at in order]
    halves = asked[:250], asked[250:500]
    first, second = (lines(tmp_path / f"half{at}.jsonl", one) for at, one in enumerate(halves))
    return first, second


@pytest.mark.shared_data
def test_halves_of_real_claims_are_alike_and_real_questions_are_not(tmp_path: Path) -> None:
    first, second = claims(tmp_path)
    assert document(first, second, "--permutations", 199)["verdict"] != "drift"
    source = DATA / "clapnq" / "clapnq_dev_answerable.jsonl"
    if not source.exists():
        pytest.skip(f"{source} is absent")
    rows = [json.loads(one) for one in source.read_text(encoding="utf-8").splitlines()]
    asked = [{"id": one["id"], "question": one["input"]} for one in rows]
    found = document(first, lines(tmp_path / "nq.jsonl", asked), "--permutations", 199)
    assert found["verdict"] == "drift"
    assert next(one for one in found["detectors"] if one["name"] == "classifier")["value"] > 0.9
