"""`ragproof index recall` as its user meets it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from index_files import PLACES, array, asked, document, lines, project, refused


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    vectors = array(tmp_path / "v.npy", PLACES)
    queries = array(tmp_path / "q.npy", [[1.2, 0], [0, 1.1]])
    return ["recall", "--vectors", vectors, "--queries", queries, "--metric", "l2", "--k", 2]


def test_the_figure_is_the_mean_of_found_over_k(files: list[object], tmp_path: Path) -> None:
    found = document(*files, "--retrieved", lines(tmp_path / "r.jsonl", [[0, 2], ["1", "4"]]))
    assert [one["recall"] for one in found["per_query"]] == [1.0, 0.5]
    assert found["recall"] == 0.75
    assert (found["verdict"], found["scored"], found["errors"]) == ("fail", 2, 0)
    assert found["per_query"][1]["missed"] == ["3"]


def test_the_gate_is_an_exit_code(files: list[object], tmp_path: Path) -> None:
    retrieved = array(tmp_path / "r.npy", [[0, 2], [1, -1]], "int64")
    told = asked(*files, "--retrieved", retrieved)
    assert told.exit_code == 1
    assert "fail: recall 0.7500 is below 0.95" in told.stdout
    assert "1 query given fewer than asked for" in told.stdout
    enough = asked(*files, "--retrieved", retrieved, "--min-recall", 0.75)
    assert enough.exit_code == 0
    assert "pass: recall 0.7500 is at least 0.75" in enough.stdout


def test_what_the_results_lack_scores_0_and_is_counted(files: list[object], tmp_path: Path) -> None:
    retrieved = lines(tmp_path / "r.jsonl", [{"query_id": 0, "ids": [0, 2, 2, "x"]}])
    found = document(*files, "--retrieved", retrieved)
    assert (found["recall"], found["absent"]) == (0.5, 1)
    assert found["per_query"][0]["repeated"] == 1
    page = asked(*files, "--retrieved", retrieved).stdout
    assert "1 query missing in the results (they score 0)" in page


def test_an_id_that_no_vector_has_is_named(files: list[object], tmp_path: Path) -> None:
    retrieved = lines(tmp_path / "r.jsonl", [["\x1b[31m", 0], [1, 3]])
    page = asked(*files, "--retrieved", retrieved).stdout
    assert "1 query given ids that no vector has" in page
    assert "\x1b[31m" not in page


def test_each_query_is_written_to_a_file(files: list[object], tmp_path: Path) -> None:
    retrieved = lines(tmp_path / "r.jsonl", [[0, "=1+1"], [1, 3]])
    for name in ("each.csv", "each.jsonl"):
        asked(*files, "--retrieved", retrieved, "--per-query", tmp_path / name)
    rows = list(csv.DictReader((tmp_path / "each.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["recall"] for row in rows] == ["0.5", "1.0"]
    first = json.loads((tmp_path / "each.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert (first["hits"], first["wanted"], first["unknown"]) == (1, 2, ["=1+1"])
    assert "must end in" in refused(*files, "--retrieved", retrieved, "--per-query", "x.txt")


def test_ids_and_filters_are_those_of_the_user(tmp_path: Path) -> None:
    rows = [
        {"id": name, "vector": place, "lang": lang}
        for name, place, lang in zip("abcde", PLACES, ["de", "en", "en", "en", "de"], strict=True)
    ]
    queries = [{"id": "q", "vector": [1.2, 0], "lang": "de"}]
    queries += [{"id": "p", "vector": [1.2, 0], "lang": "fr"}]
    base: list[object] = ["recall", "--metric", "l2", "--k", 2]
    base += ["--vectors", lines(tmp_path / "v.jsonl", rows)]
    base += ["--queries", lines(tmp_path / "q.jsonl", queries)]
    base += ["--retrieved", lines(tmp_path / "r.jsonl", [["a", "e"], []])]
    assert document(*base)["recall"] == 0.25
    under = document(*base, "--filter-column", "lang")
    assert [one["recall"] for one in under["per_query"]] == [1.0, None]
    assert (under["recall"], under["filtered"], under["scored"]) == (1.0, True, 1)
    allowed = [{"query_id": "q", "ids": ["a", "b"]}, {"query_id": "p", "ids": ["c"]}]
    by_ids = document(*base, "--filter", lines(tmp_path / "f.jsonl", allowed))
    assert [one["recall"] for one in by_ids["per_query"]] == [0.5, 0.0]
    assert "Did you mean 'lang'" in refused(*base, "--filter-column", "lan")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[1.0, float("nan")]], r"row 0 (from 0): got nan at dimension 1; allowed: finite numbers"),
        ([[1.0, 2.0, 3.0]], "row 0 has 3 dimensions, but"),
        ([1.0, 2.0], "with shape (2,); allowed: numbers with shape (vectors, dimensions)"),
    ],
)
def test_bad_vectors_are_named_with_their_row(
    values: list[object], said: str, files: list[object], tmp_path: Path
) -> None:
    files[4] = array(tmp_path / "bad.npy", values)
    fault = refused(*files, "--retrieved", lines(tmp_path / "r.jsonl", [[0]]))
    assert "bad.npy: " in fault
    assert said in fault


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (-1e200, "row 0 (from 0): got -1e+200 at dimension 0; allowed: finite numbers, 1e+100"),
        (1e-200, "row 0 (from 0): all its numbers are 0, or as good as 0, and so it has no dir"),
    ],
)
def test_doubles_whose_squares_are_lost_are_named_with_their_row(
    number: float, said: str, files: list[object], tmp_path: Path
) -> None:
    np.save(tmp_path / "q.npy", np.array([[number, 0.0]]))
    files[4] = tmp_path / "q.npy"
    asked_for = ["--metric", "cosine", "--retrieved", lines(tmp_path / "r.jsonl", [[0]])]
    assert said in refused(*files, *asked_for)


@pytest.mark.parametrize("number", [10**400, 1e39])
def test_a_number_that_no_32_bit_float_holds_is_named_with_its_line(
    number: float, files: list[object], tmp_path: Path
) -> None:
    files[4] = lines(tmp_path / "q.jsonl", [{"id": "q", "vector": [1, number]}])
    fault = refused(*files, "--retrieved", lines(tmp_path / "r.jsonl", [[0]]))
    assert "q.jsonl:1: vector: a number is beyond what a 32-bit float holds" in fault


def test_bad_results_are_named_with_their_line(files: list[object], tmp_path: Path) -> None:
    for records, said in (
        ([[0]], "got 1 list for the 2 queries"),
        ([{"query_id": 7, "ids": []}], 'r.jsonl:1: query_id: "7" is not a query of'),
        ([[0], {"a": 1}], "r.jsonl:2: got"),
        ([[0], {"query_id": 1, "ids": [1]}], "some lines have a query_id and some have none"),
        ([[0.5], [1]], "r.jsonl:1: ids: got"),
    ):
        fault = refused(*files, "--retrieved", lines(tmp_path / "r.jsonl", records))
        assert said in fault
    assert "allowed: 1 to 5" in refused(*files[:-1], 6, "--retrieved", tmp_path / "r.jsonl")


def test_ids_of_vectors_are_distinct_and_as_many(files: list[object], tmp_path: Path) -> None:
    ids, retrieved = tmp_path / "ids.txt", lines(tmp_path / "r.jsonl", [["a"], ["b"]])
    ids.write_text("a\nb\nc\nd\na\n", encoding="utf-8")
    told = refused(*files, "--ids", ids, "--retrieved", retrieved)
    assert 'row 4 (from 0): id: "a" is already the id of row 0' in told
    ids.write_text("a\n", encoding="utf-8")
    assert "1 id for 5 vectors" in refused(*files, "--ids", ids, "--retrieved", retrieved)


def test_without_files_the_adapter_embeds_and_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines(
        tmp_path / "c.jsonl",
        [{"id": i, "text": t} for i, t in zip("abc", ["1,0", "2,0", "0,9"], strict=True)],
    )
    cases = [("x", "1,0.1"), ("y", "-1,0.5"), ("z", "0.1,9")]
    lines(tmp_path / "d.jsonl", [{"id": i, "question": q} for i, q in cases])
    project(tmp_path, {"corpus": "c.jsonl", "dataset": "d.jsonl"})
    found = document("recall", "--metric", "l2", "--k", 2)
    assert [one["recall"] for one in found["per_query"]] == [1.0, None, 0.5]
    assert "no such region" in found["per_query"][1]["error"]
    assert (found["errors"], found["verdict"]) == (1, "inconclusive")
    assert "noise" not in asked("recall", "--metric", "l2", "--k", 2).stdout


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Give --vectors FILE, or name `corpus`" in refused("recall")
    project(tmp_path)
    assert "Give --vectors FILE, or name `corpus`" in refused("recall")
    assert "which is not given" in refused("recall", "--ids", "i.txt")
    assert "must end in .npy, .parquet or .jsonl" in refused("recall", "--vectors", "v.bin")


def test_what_a_query_is_allowed_is_said_once(files: list[object], tmp_path: Path) -> None:
    retrieved = lines(tmp_path / "r.jsonl", [[0, 2], [1, 3]])
    twice = [{"query_id": 0, "ids": [0]}, {"query_id": 1, "ids": [1]}, {"query_id": "0", "ids": []}]
    allowed = lines(tmp_path / "f.jsonl", twice)
    told = refused(*files, "--retrieved", retrieved, "--filter", allowed)
    assert 'f.jsonl:3: query_id: "0" is there twice' in told


@pytest.mark.parametrize("command", ["recall", "tune"])
def test_nothing_is_written_over_what_is_read(
    command: str, files: list[object], tmp_path: Path
) -> None:
    retrieved = lines(tmp_path / "r.jsonl", [[0, 2], [1, 3]])
    before = retrieved.read_bytes()
    option = "--per-query" if command == "recall" else "--svg"
    told = asked(command, *files[1:], "--ids", retrieved, option, retrieved)
    assert told.exit_code != 0
    assert "is read; write to another file" in " ".join(told.output.split())
    assert retrieved.read_bytes() == before
