"""A judge that misbehaves in every way providers do: no case is lost, no reply is paid twice."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import PRICES, USD, Oddity, Provider, best, serving
from project import Project, question

from ragproof.store.open import open_store

METRIC = "generation.completeness"
GOOD = best("")


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as one:
        yield one


def judged(folder: Path, provider: Provider, cases: int, more: str = "") -> Project:
    project = Project(folder)
    project.dataset(question(n, expected_answer="yes") for n in range(cases))
    judge = f"model: m, base_url: {provider.url!r}, concurrency: 16, prices: {PRICES}{more}"
    project.config(f"metrics: [{METRIC}]\njudge: {{{judge}}}\n")
    return project


def test_of_a_provider_with_every_fault_at_once_no_case_is_lost(
    tmp_path: Path, provider: Provider
) -> None:
    """10 % 429, 10 % 500, 5 % garbage, 5 % fenced, and one call that is never answered."""
    kinds = [Oddity(429)] * 10 + [Oddity(500)] * 10 + [Oddity(text="{'no")] * 5
    kinds += [Oddity(text=f"Sure!\n```json\n{GOOD}\n```")] * 5
    turns = dict(enumerate(kinds))
    order = random.Random(3).sample(range(100), 100)
    provider.strange = lambda n: Oddity(hang=30) if n == 7 else turns.get(order[n % 100])
    project = judged(tmp_path, provider, 80, ", timeout_seconds: 1")
    done = project.run("run", "--json").document
    assert done["status"] == "completed"
    figures = done["metrics"][METRIC]
    assert (figures["scored"], figures["errors"], figures["mean"]) == (80, 0, 1.0)
    assert done["judge"]["cost_usd"] >= provider.calls * USD - 1e-9, "the lost call is booked"
    assert project.run("run", "--json").document["judge"]["calls"] == 0


def test_a_provider_that_dies_half_way_leaves_a_partial_run_that_a_resume_completes(
    tmp_path: Path, provider: Provider
) -> None:
    provider.strange = lambda _: Oddity(reset=True) if provider.calls >= 6 else None
    project = judged(tmp_path, provider, 12)
    broken = project.run("run", "--json")
    assert (broken.code, broken.document["status"]) == (2, "partial")
    assert any("the judge stopped answering: " in one for one in broken.document["warnings"])
    figures = broken.document["metrics"][METRIC]
    assert 6 <= figures["scored"] == 12 - figures["errors"] < 12
    assert "--resume" in project.run("report").out
    asked, paid = len(project.asked), dict(provider.answered)
    provider.strange = None
    done = project.run("run", "--resume", "latest", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    assert done.document["metrics"][METRIC]["scored"] == 12
    assert set(provider.answered.values()) == {1}, "no reply is paid twice"
    assert paid.keys() < provider.answered.keys()
    assert len(project.asked) == asked, "the pipeline has done its part"


def test_a_wrong_key_costs_three_calls_and_a_resume_with_the_right_one_completes(
    tmp_path: Path, provider: Provider
) -> None:
    provider.status = 401
    project = judged(tmp_path, provider, 30)
    broken = project.run("run", "--concurrency", "1", "--json")
    assert (broken.code, broken.document["status"]) == (2, "partial")
    assert len(broken.document["warnings"]) == 1
    assert provider.asked <= 3 + 16, "those in flight, then no more"
    assert broken.document["judge"]["cost_usd"] == 0.0
    provider.status = 200
    done = project.run("run", "--resume", "latest", "--json").document
    assert (done["status"], done["metrics"][METRIC]["scored"]) == ("completed", 30)
    assert len(project.asked) == 30


def test_after_a_budget_stop_the_pipeline_is_not_asked_again_for_cases_it_answered(
    tmp_path: Path, provider: Provider
) -> None:
    provider.seconds = 0.02
    project = judged(tmp_path, provider, 60)
    short = {"RAGPROOF_MAX_COST_USD": str(20 * USD)}
    stopped = project.run("run", "--concurrency", "8", "--json", env=short)
    assert (stopped.code, stopped.document["status"]) == (2, "aborted:budget")
    scored = stopped.document["metrics"][METRIC]["scored"]
    answered = len(project.asked)
    assert scored < answered < 60, "some were answered and wait for the judge"
    assert scored <= 20
    with open_store(project.store, create=False) as store:
        run_id = stopped.document["run_id"]
        waiting = store.waiting(run_id)
        assert len(waiting) == answered - scored
        assert {one.subject for one in store.saved(run_id)}.isdisjoint(n for n, _ in waiting)
    enough = {"RAGPROOF_MAX_COST_USD": "1"}
    done = project.run("run", "--resume", "latest", "--json", env=enough).document
    assert (done["status"], done["metrics"][METRIC]["scored"]) == ("completed", 60)
    assert len(project.asked) == len(set(project.asked)) == 60
    assert set(provider.answered.values()) == {1}
    with open_store(project.store, create=False) as store:
        assert store.waiting(run_id) == set()


def test_a_judge_error_is_tried_again_without_the_pipeline(
    tmp_path: Path, provider: Provider
) -> None:
    provider.says = lambda _: "I would rather not."
    project = judged(tmp_path, provider, 3)
    assert project.run("run", "--json").code == 2
    provider.says = None
    done = project.run("run", "--resume", "latest", "--retry-errors", "--json").document
    assert done["metrics"][METRIC]["scored"] == 3
    assert len(project.asked) == 3


def test_a_reply_of_five_megabytes_is_kept_and_read(tmp_path: Path, provider: Provider) -> None:
    reason = "x" * 5_000_000
    provider.says = lambda _: json.dumps({"reason": reason, "missing": [], "verdict": "partial"})
    project = judged(tmp_path, provider, 1)
    done = project.run("run", "--json").document
    assert done["metrics"][METRIC]["mean"] == 0.5
    with open_store(project.store, create=False) as store:
        [row] = store.detail(done["run_id"], "q0").rows
    assert len(row.replies[0].text) > 5_000_000
