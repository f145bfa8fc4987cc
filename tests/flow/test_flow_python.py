"""From Python with a judge: it is asked, booked and spared as from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from model_server import PRICES, USD, Provider, serving
from project import question

import ragproof
from ragproof.api.ledger import Ledger, Table

JUDGED = "generation.completeness"
CASES = [question(number) for number in range(6)]


def answer(asked: str) -> dict[str, Any]:
    return {"answer_text": f"yes to {asked}"}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Provider, dict[str, Any]]]:
    monkeypatch.delenv("RAGPROOF_STORE", raising=False)
    with serving(Provider()) as provider:
        yield provider, {"model": "m", "base_url": provider.url, "prices": yaml.safe_load(PRICES)}


def test_a_judge_is_asked_once_for_an_answer_where_a_store_is_kept(
    judge: tuple[Provider, dict[str, Any]], tmp_path: Path
) -> None:
    provider, section = judge
    store = tmp_path / "runs.db"
    first = ragproof.evaluate(CASES, answer, JUDGED, judge=section, store=store)
    assert first.document["judge"]["calls"] == provider.calls == len(CASES)
    assert first.document["judge"]["cost_usd"] == pytest.approx(len(CASES) * USD)
    again = ragproof.evaluate(CASES, answer, JUDGED, judge=section, store=store)
    assert provider.calls == len(CASES)
    assert again.document["judge"]["cache_hits"] == len(CASES)
    assert again.mean(JUDGED) == first.mean(JUDGED)
    replay = {"provider": "recorded", "run": first.run_id}
    told = ragproof.evaluate(CASES, answer, JUDGED, judge=replay, store=store)
    assert (told.mean(JUDGED), told.document["judge"]["calls"]) == (first.mean(JUDGED), 0)
    none = ragproof.evaluate(CASES, answer, JUDGED, judge=False, store=store)
    assert none.mean(JUDGED) is None


def test_a_budget_ends_a_run_and_the_error_has_what_was_found(
    judge: tuple[Provider, dict[str, Any]],
) -> None:
    _, section = judge
    with pytest.raises(ragproof.OverBudget) as caught:
        ragproof.evaluate(
            CASES,
            answer,
            JUDGED,
            judge=section,
            concurrency=1,
            settings={"max_cost_usd": 2.5 * USD, "judge.max_output_tokens": 1},
        )
    result = caught.value.result  # type: ignore[attr-defined]
    assert result.status == "aborted:budget"
    assert len(result.cases) < len(CASES)


def test_pieces_of_several_processes_are_one_run_whose_judge_costs_what_all_of_them_did(
    judge: tuple[Provider, dict[str, Any]], tmp_path: Path
) -> None:
    provider, section = judge
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CASES))
    said = {"metrics": [JUDGED], "judge": section, "thresholds": {JUDGED: {"min": 0.1}}}
    table = Table(str(tmp_path / "cases.jsonl"), None, said)
    workers = [Ledger(is_told=True, processes=2), Ledger(is_told=True, processes=2)]
    for at, case_id in enumerate(workers[0].ids(table)):
        for worker in workers:
            worker.expect(table.key, case_id)
        (found,) = workers[at % 2].case(table.key, case_id, answer)
        assert JUDGED in found.scores
    controller = Ledger(is_told=False)
    for worker in workers:
        told = worker.told()
        assert Path(json.loads(told)["folder"]).is_dir()
        controller.take(told)
    (verdict,) = controller.verdicts()
    assert verdict.passed
    assert verdict.result is not None
    document = verdict.result.document
    assert (document["status"], document["cases"]["ok"]) == ("completed", len(CASES))
    assert document["judge"]["calls"] == provider.calls == len(CASES)
    assert document["judge"]["cost_usd"] == pytest.approx(len(CASES) * USD)
    assert not Path(json.loads(told)["folder"]).exists()
    header = verdict.result.record.header
    assert header.adapter.target.endswith(":answer")


def test_a_budget_is_shared_by_the_processes_of_a_session(
    judge: tuple[Provider, dict[str, Any]], tmp_path: Path
) -> None:
    provider, section = judge
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CASES))
    settings = {"max_cost_usd": 8 * USD, "judge.max_output_tokens": 1}
    said = {"metrics": [JUDGED], "judge": section, "settings": settings}
    table = Table(str(tmp_path / "cases.jsonl"), None, said)
    ledger = Ledger(is_told=False, processes=4)
    for one in CASES:
        ledger.expect(table.key, str(one["id"]))
    spent = 0
    for one in CASES:
        try:
            ledger.case(table.key, str(one["id"]), answer)
        except ragproof.OverBudget:
            spent += 1
    assert spent >= len(CASES) - 2
    assert provider.calls <= 2
    (verdict,) = ledger.verdicts()
    assert verdict.result is not None
    assert verdict.result.status == "partial"
