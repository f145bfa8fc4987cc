"""`ragproof rankings` as its user meets it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from ranking_files import metrics, qrels_lines, run_lines, scored, written

from ragproof.cli.rankings import command
from ragproof.core import UsageError

QRELS = {"1": {"a": 1}, "2": {"b": 2, "c": 1}, "=3": {"d": 0}}
RUN = {"1": {"x": 2.0, "a": 1.0}, "2": {"b": 1.0}, "9": {"a": 1.0}}
BETTER = {"1": {"a": 2.0}, "2": {"b": 1.0, "c": 0.5}, "=3": {"d": 1.0}}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "qrels": written(tmp_path / "qrels.txt", qrels_lines(QRELS)),
        "run": written(tmp_path / "run.txt", run_lines(RUN)),
        "better": written(tmp_path / "better.txt", run_lines(BETTER)),
    }


def shown(files: dict[str, Path], *arguments: str) -> str:
    asked = ["--qrels", str(files["qrels"]), "--run", str(files["run"]), *arguments]
    told = CliRunner(env={"COLUMNS": "80"}).invoke(command, asked, catch_exceptions=False)
    assert told.exit_code == 0
    return told.stdout


def test_the_document_counts_what_is_missing_and_what_is_not_judged(
    files: dict[str, Path],
) -> None:
    assert scored(files["qrels"], files["run"], *metrics(["RR", "map", "num_ret"])) == {
        "queries": 3,
        "missing": 1,
        "unjudged_queries": 1,
        "metrics": {"RR": 0.5, "map": (0.5 + 0.5) / 3, "num_ret": 3.0},
        "without_relevant": 1,
        "warnings": [],
    }


def test_the_page_says_the_same(files: dict[str, Path]) -> None:
    page = shown(files, *metrics(["RR", "num_ret"]))
    told = " ".join(page.split())  # a long path wraps
    assert "3 queries, 1 without a relevant document (they score 0)" in page
    assert "1 query missing (they score 0), 1 query without" in told
    assert "RR       0.5000" in page
    assert "num_ret  3\n" in page


def test_a_level_and_a_gain_are_those_asked_for(files: dict[str, Path]) -> None:
    found = scored(files["qrels"], files["run"], "--relevance-level", "2", *metrics(["AP", "P@1"]))
    assert found["metrics"] == pytest.approx({"AP": 1 / 3, "P@1": 1 / 3})
    assert found["without_relevant"] == 2
    linear, exponential = (
        scored(files["qrels"], files["run"], "--gain", gain, "--metric", "nDCG")["metrics"]["nDCG"]
        for gain in ("linear", "exponential")
    )
    second = 1 / 1.584962500721156
    assert linear == pytest.approx((second + 2 / (2 + second)) / 3)
    assert exponential == pytest.approx((second + 3 / (3 + second)) / 3)


def test_scores_are_double_unless_single_is_asked_for(tmp_path: Path) -> None:
    qrels = written(tmp_path / "q", ["1 0 d1 1"])
    run = written(tmp_path / "r", ["1 Q0 d1 1 1.00000002 t", "1 Q0 d2 1 1.00000001 t"])
    assert scored(qrels, run, "--metric", "RR")["metrics"] == {"RR": 1.0}
    assert scored(qrels, run, "--metric", "RR", "--float32-scores")["metrics"] == {"RR": 0.5}


def test_the_values_of_each_query_are_written(files: dict[str, Path], tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    asked = metrics(["RR", "AP"])
    scored(files["qrels"], files["run"], *asked, "--per-query", str(table))
    with table.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["query_id", "returned", "RR", "AP"],
            ["1", "2", "0.5", "0.5"],
            ["2", "1", "1.0", "0.5"],
            ["'=3", "0", "0.0", "0.0"],
        ]
    lines = tmp_path / "values.jsonl"
    against = ("--against", str(files["better"]), "--per-query", str(lines))
    scored(files["qrels"], files["run"], *asked, *against)
    assert json.loads(lines.read_text(encoding="utf-8").splitlines()[2]) == {
        "query_id": "=3",
        "returned": 0,
        "metrics": {"RR": 0.0, "AP": 0.0},
        "against": {"returned": 1, "metrics": {"RR": 0.0, "AP": 0.0}},
    }
    with pytest.raises(UsageError, match=r"the name must end in \.csv or \.jsonl"):
        scored(files["qrels"], files["run"], "--per-query", str(tmp_path / "values.xlsx"))


def test_two_runs_are_compared_query_by_query(files: dict[str, Path]) -> None:
    names = metrics(["RR", "AP", "Unjudged@1", "num_ret"])
    found = scored(files["qrels"], files["better"], "--against", str(files["run"]), *names)
    assert found["against"]["missing"] == 1
    assert found["comparison"].keys() == {"RR", "AP", "Unjudged@1"}
    change = found["comparison"]["AP"]
    assert (change["baseline_mean"], change["candidate_mean"]) == (1 / 3, 2 / 3)
    assert (change["delta"], change["pairs"]) == (pytest.approx(1 / 3), 3)
    assert (change["wins"], change["losses"], change["ties"]) == (2, 0, 1)
    assert (change["p_value"], change["p_value_adjusted"]) == (0.5, 1.0)
    fewer = found["comparison"]["Unjudged@1"]
    assert (fewer["better"], fewer["wins"], fewer["losses"]) == ("lower", 1, 0)
    page = shown({**files, "run": files["better"]}, "--against", str(files["run"]), *names)
    assert max(map(len, page.splitlines())) <= 80 or str(files["run"]) in page
    assert "2/0/1" in page
    assert "num_ret: 3, 4" in page


def test_a_significant_change_of_many_queries_is_found_with_its_interval(tmp_path: Path) -> None:
    qrels = written(tmp_path / "q", [f"{query} 0 a 1" for query in range(3000)])
    worse = [f"{q} Q0 {doc} 1 {s} t" for q in range(3000) for doc, s in (("a", q % 3), ("x", 1))]
    better = [f"{q} Q0 a 1 {1 + (q % 5 > 0)} t\n{q} Q0 x 1 1 t" for q in range(3000)]
    found = scored(
        qrels,
        written(tmp_path / "b", better),
        *("--against", str(written(tmp_path / "w", worse)), "--metric", "RR"),
    )
    change = found["comparison"]["RR"]
    low, high = change["ci95"]
    assert change["p_value"] < 0.001
    assert low < change["delta"] < high
    assert change["delta"] == pytest.approx((0.8 + 0.2 / 2) - (1 / 3 + 2 / 3 / 2))
    assert 0.01 < high - low < 0.05
