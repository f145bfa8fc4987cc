"""A run with a judge: nothing is paid twice, nothing is spent beyond the budget, all is kept."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import PRICES, USAGE, USD, Provider, best, serving
from project import PIPELINE, Project, ended, eventually, question

from ragproof.core import Scored
from ragproof.store.open import open_store

METRICS = "[generation.answer_relevance, generation.completeness]"
CASES = 12
AT_ONCE = 4
DEADLY = """if question == "question 2":
                import pathlib, time
                while not pathlib.Path("go").exists():
                    time.sleep(0.01)
                os._exit(1)"""
"""Ends the process when it is told to."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as one:
        yield one


def judged(folder: Path, provider: Provider, more: str = "", cases: int = CASES) -> Project:
    project = Project(folder)
    project.dataset(question(n, expected_answer="yes") for n in range(cases))
    judge = f"model: m, base_url: {provider.url!r}, concurrency: {AT_ONCE}, prices: {PRICES}"
    project.config(f"metrics: {METRICS}\njudge: {{{judge}}}\n{more}")
    return project


def test_a_warm_rerun_makes_no_call_and_says_so(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider)
    first = project.run("run", "--json").document
    assert first["metrics"]["generation.completeness"]["mean"] == 1.0
    assert first["metrics"]["generation.answer_relevance"]["scored"] == CASES
    told = first["judge"]
    assert (told["model"], told["calls"], told["cache_hits"]) == ("m", 2 * CASES, 0)
    assert told["cost_usd"] == pytest.approx(2 * CASES * USD)
    assert set(told["prompt_hashes"]) >= {"generation.completeness"}
    assert provider.calls == 2 * CASES
    assert provider.most <= AT_ONCE
    again = project.run("run", "--json").document
    assert provider.calls == 2 * CASES
    assert (again["judge"]["calls"], again["judge"]["cost_usd"]) == (0, 0.0)
    assert again["judge"]["cache_hits"] == 2 * CASES
    assert again["metrics"]["generation.completeness"]["mean"] == 1.0
    anew = project.run("run", "--no-cache", "--json").document
    assert provider.calls == 4 * CASES
    assert anew["judge"]["calls"] == 2 * CASES


def test_a_case_that_waits_for_the_judge_is_not_blamed_for_the_end_of_the_process(
    tmp_path: Path, provider: Provider
) -> None:
    provider.seconds = 3600
    project = judged(tmp_path, provider, cases=3)
    project.pipeline(PIPELINE.replace("note(question)", DEADLY))
    process = project.start("run", "--json")
    eventually(lambda: provider.out == 2 * 2, process)  # both metrics of both other cases
    project.write("go", "")
    done = ended(process)
    assert done.code == 2
    assert done.says("ended the process", "case in hand: 'q2'")
    assert (done.document["cases"]["errors"], done.document["cases"]["missing"]) == (1, 2)


def test_identical_cases_make_one_call_a_prompt(tmp_path: Path, provider: Provider) -> None:
    provider.seconds = 0.05
    project = judged(tmp_path, provider)
    same = {"question": "the same", "expected_answer": "yes"}
    project.dataset({"id": f"q{n}", **same} for n in range(20))
    done = project.run("run", "--json").document
    assert provider.calls == 2
    assert done["metrics"]["generation.completeness"]["scored"] == 20


def test_repeats_are_asked_anew_and_cached_by_their_index(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, cases=3)
    assert project.run("run", "--repeats", "2", "--json").code == 0
    assert provider.calls == 2 * 2 * 3
    assert project.run("run", "--repeats", "2", "--json").code == 0
    assert provider.calls == 2 * 2 * 3


@pytest.mark.parametrize("fault", [401, 500])
def test_a_judge_that_answers_nothing_makes_the_run_partial_with_the_cause(
    tmp_path: Path, provider: Provider, fault: int
) -> None:
    provider.status = fault
    project = judged(tmp_path, provider, cases=3)
    done = project.run("run", "--metrics", "generation.completeness,echo.exact_match", "--json")
    assert (done.code, done.document["status"]) == (2, "partial")
    assert any(str(fault) in one for one in done.document["warnings"])
    completeness = done.document["metrics"]["generation.completeness"]
    assert (completeness["mean"], completeness["errors"]) == (None, 3)
    assert done.document["metrics"]["echo.exact_match"]["scored"] == 3
    if fault == 401:
        checked = project.run("check", "--json")
        assert checked.code == 2
        assert checked.says("the judge cannot be used", "RAGPROOF_LLM_API_KEY")


def test_what_the_judge_said_is_kept_word_for_word(tmp_path: Path, provider: Provider) -> None:
    text = 'Well: <think>hm</think> ```json\n{"reason": "é", "verdict": "Partial"}\n``` so.'
    provider.says = lambda _: text
    project = judged(tmp_path, provider, cases=1)
    done = project.run("run", "--metrics", "generation.answer_relevance", "--json").document
    assert done["metrics"]["generation.answer_relevance"]["mean"] == 0.5
    with open_store(project.store, create=False) as store:
        [row] = store.detail(done["run_id"], "q0").rows
    assert [reply.text for reply in row.replies] == [text]


@pytest.mark.parametrize("at_once", [2, 16])
def test_the_budget_is_never_passed_and_a_resume_goes_on(
    tmp_path: Path, provider: Provider, at_once: int
) -> None:
    provider.seconds = 0.02
    project = judged(tmp_path, provider, cases=100)
    limit = {**os.environ, "RAGPROOF_MAX_COST_USD": str(30 * USD)}
    flags = ("run", "--concurrency", str(at_once), "--json")
    done = project.run(*flags, env=limit)
    assert (done.code, done.document["status"]) == (2, "aborted:budget")
    assert 0 < done.document["judge"]["cost_usd"] <= 30 * USD
    assert provider.calls * USD <= 30 * USD + 1e-9
    assert len(project.asked) < 100, "the pipeline is not asked any more"
    enough = {**os.environ, "RAGPROOF_MAX_COST_USD": "1"}
    again = project.run("run", "--resume", "latest", "--json", env=enough)
    assert (again.code, again.document["status"]) == (0, "completed")
    assert provider.calls == 200, "what was paid is not paid again"
    assert again.document["judge"]["cost_usd"] == pytest.approx(200 * USD)


def test_a_budget_without_prices_is_wrong_input(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider)
    project.config(f"judge: {{model: m, base_url: {provider.url!r}}}\nmax_cost_usd: 1\n")
    done = project.run("run")
    assert done.code == 3
    assert done.says("RAGPROOF_JUDGE_INPUT_COST_PER_MTOK")


def test_after_kills_only_calls_then_in_flight_are_paid_twice(
    tmp_path: Path, provider: Provider
) -> None:
    provider.seconds = 0.03
    chance, kills = random.Random(4), 0
    project = judged(tmp_path, provider, cases=60)
    command = ["run", "--json"]
    for _ in range(10):
        process = project.start(*command)
        begun = provider.calls
        eventually(lambda: provider.calls > begun + 3 or process.poll() is not None, process)  # noqa: B023
        time.sleep(chance.uniform(0, 0.1))
        if process.poll() is not None:
            break
        process.kill()
        ended(process)
        kills += 1
        command = ["run", "--resume", "latest", "--json"]
    done = project.run("run", "--resume", "latest", "--json").document
    assert done["status"] == "completed"
    assert done["metrics"]["generation.completeness"]["scored"] == 60
    twice = sum(times - 1 for times in provider.answered.values())
    assert len(provider.answered) == 120
    assert twice <= kills * AT_ONCE
    spent = done["judge"]["cost_usd"]
    assert spent >= provider.calls * USD - 1e-9, "what may have been paid is booked"
    dearest = provider.longest * USD / USAGE["prompt_tokens"]  # a byte cannot be two tokens
    assert spent <= 120 * USD + kills * AT_ONCE * dearest, (
        "of each lost call no more than it can be"
    )


def test_after_a_stop_no_call_is_paid_twice(tmp_path: Path, provider: Provider) -> None:
    provider.seconds = 0.05
    project = judged(tmp_path, provider, cases=40)
    process = project.start("run", "--json")
    eventually(lambda: provider.calls > 6, process)
    process.send_signal(signal.SIGTERM)
    assert ended(process).code == 130
    done = project.run("run", "--resume", "latest", "--json").document
    assert done["status"] == "completed"
    assert set(provider.answered.values()) == {1}


def test_a_runs_replies_are_replayed_without_network(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider)
    first = project.run("run", "--label", "told", "--json").document
    calls = provider.calls
    project.config(f"metrics: {METRICS}\njudge: {{provider: recorded, run: told}}\n")
    replay = project.run("run", "--json")
    assert replay.code == 0, replay.err
    assert provider.calls == calls
    assert replay.document["judge"]["model"] == "m (recorded)"
    for metric in ("generation.completeness", "generation.answer_relevance"):
        assert replay.document["metrics"][metric]["mean"] == first["metrics"][metric]["mean"]
    project.dataset(question(n, expected_answer="no") for n in range(2))
    other = project.run("run", "--metrics", "generation.completeness", "--json")
    assert (other.code, other.document["status"]) == (2, "partial")
    assert "completeness" in other.document["warnings"][0]


def test_a_panel_that_cannot_be_is_refused_and_so_are_replies_of_one(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider)
    where = f"base_url: {provider.url!r}"
    project.config(f"metrics: {METRICS}\njudge: {{panel: [a, b, a], {where}}}\n")
    done = project.run("run")
    assert (done.code, provider.calls) == (3, 0)
    assert done.says("judge.panel: 'a' is named twice; a model has one vote")
    project.config(f"metrics: {METRICS}\njudge: {{panel: [a, b], {where}}}\n")
    assert project.run("run", "--label", "told").code == 0
    project.config(f"metrics: {METRICS}\njudge: {{provider: recorded, run: told}}\n")
    done = project.run("run")
    assert done.code == 3
    assert done.says("a panel (a + b) judged run", "name a run that one model judged")


def test_no_resume_with_another_judge(tmp_path: Path, provider: Provider) -> None:
    provider.seconds = 0.05
    project = judged(tmp_path, provider)
    process = project.start("run", "--json")
    eventually(lambda: provider.calls > 2, process)
    process.send_signal(signal.SIGINT)
    assert ended(process).code == 130
    other = {**os.environ, "RAGPROOF_JUDGE_MODEL": "another"}
    done = project.run("run", "--resume", "latest", env=other)
    assert done.code == 3
    assert done.says("the judge was m at", "now another at")


def test_a_plan_counts_calls_and_foretells_the_cost_from_a_pilot(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider)
    blind = project.run("run", "--plan", "--json").document
    assert (blind["calls"], blind["cost_usd"], provider.calls) == (2 * CASES, None, 0)
    assert project.asked == []
    assert "unknown" in project.run("run", "--plan").out
    told = project.run("run", "--plan", "--pilot", "3", "--json").document
    assert provider.calls == 2 * 3
    assert told["calls_by_metric"]["generation.completeness"] == CASES
    assert told["based_on_replies"] == 2 * 3
    [pilot] = told["based_on_runs"]
    assert pilot.endswith(" (pilot)")
    assert told["cost_usd"] == pytest.approx([2 * CASES * USD] * 2)
    assert told["input_tokens"] == [100 * 2 * CASES] * 2
    shown = project.run("run", "--plan").out
    assert "24 calls" in shown
    assert "$0.0240" in shown
    assert pilot in " ".join(shown.split())
    assert provider.calls == 2 * 3
    project.config(f"metrics: {METRICS}\n")
    assert project.run("run", "--plan").code == 3
    asked = list(project.asked)
    assert project.run("run", "--plan", "--pilot", "3").code == 3
    assert project.asked == asked, "without a judge no pilot is run either"


def test_calibration_without_a_judge_checks_prompts_and_fixtures(tmp_path: Path) -> None:
    project = Project(tmp_path)
    done = project.run("calibrate", "--json")
    assert done.code == 0, done.err
    told = done.document
    assert told["scripted"]
    assert told["passed"]
    assert {one["metric"] for one in told["prompts"]} >= {
        "generation.groundedness",
        "generation.completeness",
        "readings.refusal",
    }
    assert all(one["items"] >= 20 for one in told["prompts"])
    assert project.run("calibrate", "--min-exact", "0.99").code == 1
    assert project.run("calibrate", "--metric", "generation.nothing").code == 3
    assert project.run("judge", "bias").code == 3


def test_a_judge_that_always_says_the_best_fails_calibration_and_leans_to_the_first_place(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider)
    done = project.run("calibrate", "--metric", "generation.completeness", "--json")
    assert done.code == 1
    [told] = done.document["prompts"]
    assert told["false_passes"] > 0
    assert told["false_failures"] == 0
    assert done.document["cost_usd"] == pytest.approx(provider.calls * USD)
    [card] = project.run("run", "--json").document["judge"]["calibration"]
    assert (card["metric"], card["passed"]) == ("generation.completeness", False)
    assert "agrees with people, same band" in " ".join(project.run("report").out.split())
    provider.says = lambda _: '{"reason": "it is first", "verdict": "a"}'
    found = project.run("judge", "bias", "--json").document
    assert found["position"]["consistency"]["value"] == 0.0
    assert found["position"]["bias"]["value"] == 0.5
    assert found["position"]["invalid"] == 0


def test_a_panel_decides_by_majority_and_every_juror_is_asked(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, cases=2)
    judge = f"panel: [a, b, c], base_url: {provider.url!r}, prices: {PRICES}"
    project.config(f"metrics: [generation.completeness]\njudge: {{{judge}}}\n")
    done = project.run("run", "--json").document
    assert provider.calls == 3 * 2
    assert done["metrics"]["generation.completeness"]["mean"] == 1.0
    assert done["judge"]["model"] == "a + b + c"
    with open_store(project.store, create=False) as store:
        [row] = store.detail(done["run_id"], "q0").rows
    assert len(row.replies) == 3
    told = project.run("run", "--plan", "--json").document
    assert (told["calls"], told["based_on_replies"]) == (3 * 2, 3 * 2)
    assert told["cost_usd"] == pytest.approx([3 * 2 * USD] * 2)


def test_the_steps_of_a_rating_are_asked_for_once_a_run(tmp_path: Path, provider: Provider) -> None:
    steps, rating = '{"steps": ["Read it."]}', '{"reason": "clear", "rating": 4}'
    provider.says = lambda prompt: rating if '"rating"' in prompt else steps
    project = judged(tmp_path, provider, cases=3)
    flags = ("run", "--metrics", "generation.g_eval", "--json")
    assert project.run(*flags, "--plan").document["calls"] == 3 + 1
    done = project.run(*flags).document
    assert provider.calls == 3 + 1
    assert done["metrics"]["generation.g_eval"]["mean"] == 0.75
    assert project.run(*flags, "--plan").document["calls"] == 3 + 1, "what is shared is no repair"
    assert project.run(*flags, "--no-cache").code == 0
    assert provider.calls == 2 * (3 + 1)
    with open_store(project.store, create=False) as store:
        [row] = store.detail(done["run_id"], "q0").rows
    assert [reply.text for reply in row.replies] == [steps, rating]
    assert isinstance(row.outcome, Scored)
    assert row.outcome.evidence["why_not"] == "the endpoint tells no probabilities of tokens"


def test_a_plan_counts_the_repairs_that_the_pilot_needed(
    tmp_path: Path, provider: Provider
) -> None:
    provider.says = lambda prompt: "{}" if '"relevant"' in prompt else best(prompt)
    project = judged(tmp_path, provider)
    told = project.run("run", "--plan", "--pilot", "3", "--json").document
    assert provider.calls == 3 * (2 + 1), "each reply on relevance is faulty, and so is its repair"
    assert told["calls"] == 3 * CASES
    assert told["cost_usd"] == pytest.approx([3 * CASES * USD] * 2)
    project.run("run", "--no-cache")
    assert provider.calls == 3 * 3 + 3 * CASES
