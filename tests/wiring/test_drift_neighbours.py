"""Neighbours of probes in two versions of an index, and shifts that were put in, as a user asks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drift_files import QUICK, array, document, drift, lines, questions, refused, vectors


def test_neighbours_are_compared_though_dimensions_differ_and_vectors_never(
    tmp_path: Path,
) -> None:
    values = vectors(50)
    turned = values @ np.linalg.qr(np.random.default_rng(5).normal(size=(6, 6)))[0]
    wider = np.hstack([turned, np.zeros((50, 3))])  # another basis and length, the same distances
    old, new = array(tmp_path / "old.npy", values), array(tmp_path / "new.npy", wider)
    assert "share no axes" in refused(old, new)
    probes = tmp_path / "probes.txt"
    probes.write_text("0\n7\n\n49\n")
    found = document(old, new, "--probes", probes, "--k", 5, "--min-overlap", 0.9)
    assert (found["overlap"]["mean"], found["rbo"]["mean"]) == (1.0, pytest.approx(1.0))
    assert [one["id"] for one in found["per_probe"]] == ["0", "7", "49"]
    assert (found["reference"]["dimensions"], found["current"]["dimensions"]) == (6, 9)
    asked = array(tmp_path / "q.npy", vectors(10, 3))
    assert "--current-probes" in refused(old, new, "--probes", asked)
    both = array(tmp_path / "q2.npy", np.hstack([vectors(10, 3), np.zeros((10, 3))]))
    lost = document(old, new, "--probes", asked, "--current-probes", both, "--k", 5)
    assert lost["overlap"]["mean"] < 1
    assert lost["verdict"] is None


def test_the_overlap_is_held_to_a_bound_with_its_interval(tmp_path: Path) -> None:
    values = vectors(60)
    old = array(tmp_path / "old.npy", values)
    new = array(tmp_path / "new.npy", values + 0.3 * vectors(60, 9))
    asked = array(tmp_path / "q.npy", vectors(40, 3))
    base = (old, new, "--probes", asked)
    mean = document(*base)["overlap"]["mean"]
    assert 0.3 < mean < 0.99
    for bound, verdict, code in ((0.05, "pass", 0), (1.0, "fail", 1), (mean, "inconclusive", 1)):
        told = drift(*base, "--min-overlap", bound)
        assert told.exit_code == code
        assert f"{verdict}: overlap" in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80


def test_documents_that_one_version_lacks_are_left_out_of_both_and_counted(tmp_path: Path) -> None:
    values = vectors(30)
    rows = [{"id": f"d{at}", "vector": one.tolist()} for at, one in enumerate(values)]
    old, new = lines(tmp_path / "old.jsonl", rows[:28]), lines(tmp_path / "new.jsonl", rows[:1:-1])
    probes = tmp_path / "p.txt"
    probes.write_text("d5\r\nd6\r\n")
    found = document(old, new, "--probes", probes, "--k", 3)
    assert (found["documents"], found["not_in_reference"], found["not_in_current"]) == (26, 2, 2)
    assert found["overlap"]["mean"] == 1.0
    probes.write_text("d5\nd1\n")
    assert f'{probes}:2: got "d1"' in refused(old, new, "--probes", probes)
    probes.write_text("d5\n")
    assert "allowed: 1 to 25" in refused(old, new, "--probes", probes, "--k", 26)
    plain = array(tmp_path / "plain.npy", values)
    assert "as many of both in one order, or ids" in refused(old, plain, "--probes", probes)


def test_a_calibration_tells_false_alarms_and_what_is_noticed_of_each_shift(tmp_path: Path) -> None:
    sample = lines(tmp_path / "s.jsonl", questions("pump", 60) + questions("invoice", 20))
    base = (sample, "--calibrate", "--tries", 5, "--sizes", "30", *QUICK)
    found = document(*base)
    names = dict.fromkeys((one["shift"], one["size"]) for one in found["shifts"])
    assert [*names] == [
        ("none", 0.0),
        *(("moved (SD)", by) for by in (0.25, 0.5, 1.0)),
        *(("share topic=invoice", share) for share in (0.05, 0.1, 0.2, 0.4)),
        *(("share with a typo", share) for share in (0.25, 0.5, 1.0)),
    ]
    assert found["rows"] == 60  # the invoices are what is mixed in
    share = {
        (one["shift"], one["size"], one["rows"][0]): one["alarms"]["together"]["share"]
        for one in found["shifts"]
    }
    assert share["none", 0.0, 30] <= 0.5
    assert share["share topic=invoice", 0.4, 30] == 1.0
    enough = {(one["shift"], one["size"]): one["rows"]["together"] for one in found["enough"]}
    assert enough["share topic=invoice", 0.4] == 30
    assert document(*base) == found  # by its seed
    page = drift(*base).stdout
    assert "no shift: false alarms" in page
    assert max(map(len, page.splitlines())) <= 80
    assert drift(*base, "--markdown", "-").stdout.startswith("### Known shifts of")


def test_rows_of_the_current_file_may_be_what_is_mixed_in(tmp_path: Path) -> None:
    old = array(tmp_path / "old.npy", vectors(80))
    far = array(tmp_path / "far.npy", -vectors(16, 1, 30.0))
    base = (old, far, "--calibrate", "--tries", 4, "--sizes", 40, "--metric", "l2")
    found = document(*base, "--permutations", 199)
    share = {
        (one["shift"].split()[0], one["size"]): one["alarms"]["together"]["share"]
        for one in found["shifts"]
    }
    assert share["share", 0.4] == 1.0
    assert any("no shift by typos" in one for one in found["notes"])
    more = document(old, array(far, -vectors(15, 1, 30.0)), *base[2:], *QUICK)
    assert ("share", 0.4) not in {(one["shift"].split()[0], one["size"]) for one in more["shifts"]}
    assert any(one.startswith("only 15 rows of") for one in more["notes"])
