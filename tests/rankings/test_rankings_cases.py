"""Cases that other tools got wrong, each reported to one of them."""

from __future__ import annotations

import json
from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest
from ranking_files import metrics, scored, written

from ragproof.core import UsageError
from ragproof.rankings.memory import score

CASES = Path(__file__).parents[3] / "shared/cases/rankings.json"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not CASES.is_file(), reason=f"there is no {CASES}"),
]
ALL: dict[str, dict[str, Any]] = (
    {one["name"]: one for one in json.loads(CASES.read_text(encoding="utf-8"))}
    if CASES.is_file()
    else {}
)
IN_WORDS = {"missing_query_zero", "only_zero_judgments", "all_negative_judgments", "no_overlap"}
APART = {*IN_WORDS, "int_ids_in_memory", "empty_qrels_for_query", "rank_column_ignored"}
MEASURES = {"1-unj_10": "unj_10"}


def files(case: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    qrels = [f"{query} 0 {doc} {grade}" for query, doc, grade in case["qrels"]]
    run = [f"{query} Q0 {doc} 1 {value} t" for query, doc, value in case["run"]]
    return written(folder / "q", qrels), written(folder / "r", run)


@pytest.mark.parametrize("name", sorted(ALL.keys() - APART))
def test_a_case_comes_out_as_expected(name: str, tmp_path: Path) -> None:
    case = ALL[name]
    qrels, run = files(case, tmp_path)
    if "error" in case["expect"]:
        with pytest.raises(UsageError, match=rf"^{run}:\d+: query '1', document "):
            scored(qrels, run)
        return
    asked = [MEASURES.get(one, one) for one in case["expect"]]
    found = scored(qrels, run, *metrics(asked))["metrics"]
    if "unj_10" in found and "1-unj_10" in case["expect"]:
        found["1-unj_10"] = 1 - found.pop("unj_10")
    assert found == pytest.approx(case["expect"], abs=1e-12)


def test_a_missing_query_scores_0_and_is_counted(tmp_path: Path) -> None:
    found = scored(*files(ALL["missing_query_zero"], tmp_path), "--metric", "AP")
    assert (found["metrics"], found["queries"], found["missing"]) == ({"AP": 0.5}, 2, 1)


def test_a_query_whose_judgments_are_all_0_is_in_the_mean(tmp_path: Path) -> None:
    found = scored(*files(ALL["only_zero_judgments"], tmp_path), "--metric", "AP")
    assert (found["metrics"], found["without_relevant"]) == ({"AP": 0.5}, 1)


def test_a_query_whose_judgments_are_all_negative_scores_0(tmp_path: Path) -> None:
    case, file = ALL["all_negative_judgments"], tmp_path / "values.jsonl"
    arguments = (*metrics(["AP", "nDCG@10"]), "--per-query", str(file))
    scored(*files(case, tmp_path), *arguments)
    second = json.loads(file.read_text(encoding="utf-8").splitlines()[1])
    assert second == {"query_id": "1", "returned": 1, "metrics": {"AP": 0.0, "nDCG@10": 0.0}}


def test_no_query_in_common_is_a_warning(tmp_path: Path) -> None:
    found = scored(*files(ALL["no_overlap"], tmp_path), "--metric", "AP")
    assert found["metrics"] == {"AP": 0.0}
    assert (found["missing"], found["unjudged_queries"]) == (1, 1)
    assert found["warnings"] == [f"{tmp_path / 'r'} and {tmp_path / 'q'} have no query in common"]


def test_the_rank_column_is_not_looked_at(tmp_path: Path) -> None:
    case = ALL["rank_column_ignored"]
    qrels, run = (written(tmp_path / key, [case[key]]) for key in ("qrels", "run"))
    assert scored(qrels, run, "--metric", "RR")["metrics"] == case["expect"]


def test_a_query_without_judgments_is_left_out_and_counted() -> None:
    case = ALL["empty_qrels_for_query"]
    found = score(literal_eval(case["qrels"]), literal_eval(case["run"]), ["AP"])
    by_query = dict(zip(found.queries, found.values["AP"].tolist(), strict=True))
    assert by_query == {"q1": case["expect"]["q1 AP"], "q3": case["expect"]["q3 AP"]}
    assert found.unjudged_queries == 1


def test_ids_in_memory_that_are_no_text_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="qrels: the query id 1 is int; ids are str"):
        score({1: {10: 1}}, {1: {10: 1.0}}, ["AP"])  # type: ignore[dict-item]
