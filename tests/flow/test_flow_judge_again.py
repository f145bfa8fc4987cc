"""What is tried again: replies that were usable are never bought twice, useless ones are anew."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import PRICES, REPAIR, USD, Provider, best, serving
from project import Done, Project, child_of, ended, eventually, question

from ragproof.store.open import open_store

AGAIN = ("run", "--resume", "latest", "--retry-errors", "--json")
PROSE = "I would rather not say."
BOTH = "[generation.answer_relevance, generation.completeness]"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as one:
        yield one


def judged(
    folder: Path, provider: Provider, metrics: str, *, cases: int = 3, judge: str = "model: m"
) -> Project:
    project = Project(folder)
    project.dataset(question(n) for n in range(cases))
    way = f"base_url: {provider.url!r}, concurrency: 1, prices: {PRICES}"
    project.config(f"metrics: {metrics}\njudge: {{{judge}, {way}}}\n", run="{concurrency: 1}")
    return project


def about(number: int, *, relevance: bool) -> Callable[[str], bool]:
    """Whether a prompt is of this case, and of this metric of the two."""
    return lambda text: f"question {number}\n" in text and ('"relevant"' in text) == relevance


def but(*unlike: tuple[Callable[[str], bool], Callable[[str], str]]) -> Callable[[str], str]:
    """The best there is, except for some."""

    def says(text: str) -> str:
        return next((say(text) for fits, say in unlike if fits(text)), best(text))

    return says


def prose(_: str) -> str:
    return PROSE


def broken(_: str) -> str:
    raise ConnectionError


def unless_repair(text: str) -> str:
    return prose(text) if REPAIR.decode() not in text else best(text)


def asked_in(provider: Provider, act: Callable[[], Done]) -> tuple[int, dict[str, Any]]:
    """How many calls were answered meanwhile, and the document."""
    before = provider.calls
    done = act()
    assert done.code == 0, done.err
    return provider.calls - before, done.document


def test_only_calls_without_a_usable_reply_are_asked_again(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": but((about(1, relevance=False), prose))}
    first = project.run("run", "--json").document
    assert provider.calls == 2 * 3 + 1, "the repair is one more"
    assert first["metrics"]["generation.completeness"]["errors"] == 1
    provider.says_by = {}
    calls, told = asked_in(provider, lambda: project.run(*AGAIN))
    assert calls == 1, "the relevance of this case was usable and is not bought again"
    assert told["metrics"]["generation.completeness"]["scored"] == 3
    assert told["judge"]["calls"] == 2 * 3 + 2
    assert told["judge"]["cost_usd"] == pytest.approx(provider.calls * USD)
    calls, _ = asked_in(provider, lambda: project.run("run", "--json"))
    assert calls == 0, "what came now has taken the place of what was of no use"


def test_a_new_run_replays_a_useless_reply_and_buys_none(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": but((about(1, relevance=False), prose))}
    project.run("run", "--json")
    calls, told = asked_in(provider, lambda: project.run("run", "--json"))
    assert (calls, told["metrics"]["generation.completeness"]["errors"]) == (0, 1)


def test_a_faulty_reply_and_its_faulty_repair_are_both_asked_anew(
    tmp_path: Path, provider: Provider
) -> None:
    """Word for word the same fault asks for the same repair, and the old one is no reply to it."""
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": but((about(1, relevance=False), prose))}
    project.run("run", "--json")
    calls, told = asked_in(provider, lambda: project.run(*AGAIN))
    assert (calls, told["metrics"]["generation.completeness"]["errors"]) == (2, 1)
    provider.says_by = {"m": but((about(1, relevance=False), unless_repair))}
    calls, told = asked_in(provider, lambda: project.run(*AGAIN))
    assert (calls, told["metrics"]["generation.completeness"]["errors"]) == (2, 0)
    with open_store(project.store, create=False) as store:
        rows = {row.key: row for row in store.detail(told["run_id"], "q1").rows}
    heard = rows["generation.completeness"].replies
    assert [one.text for one in heard] == [PROSE, best("")], "those of before are not heard again"
    assert [one.cached for one in heard] == [False, False]
    calls, _ = asked_in(provider, lambda: project.run("run", "--json"))
    assert calls == 0, "a repair that was good is kept, and so is what led to it"


def test_a_repair_that_was_never_had_is_all_that_is_asked_for(
    tmp_path: Path, provider: Provider
) -> None:
    def breaks_at_repair(text: str) -> str:
        return prose(text) if REPAIR.decode() not in text else broken(text)

    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": but((about(1, relevance=False), breaks_at_repair))}
    told = project.run("run", "--json").document
    assert told["metrics"]["generation.completeness"]["errors"] == 1
    lost = told["judge"]["unanswered_usd"]
    assert 0 < lost == pytest.approx(told["judge"]["cost_usd"] - (2 * 3) * USD)
    assert "of it for calls that brought no reply" in " ".join(project.run("report").out.split())
    provider.says_by = {}
    calls, told = asked_in(provider, lambda: project.run(*AGAIN))
    assert (calls, told["metrics"]["generation.completeness"]["scored"]) == (1, 3)
    assert told["judge"]["unanswered_usd"] == lost, "it may have been paid all the same"


def test_no_cache_still_asks_all_of_a_case_anew(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": but((about(1, relevance=False), prose))}
    project.run("run", "--json")
    provider.says_by = {}
    calls, _ = asked_in(provider, lambda: project.run(*AGAIN, "--no-cache"))
    assert calls == 2


def test_what_several_cases_ask_alike_is_asked_anew_once(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, BOTH)
    project.dataset({**question(1), "id": f"same{n}"} for n in range(4))
    provider.says_by = {"m": but((about(1, relevance=False), prose))}
    project.run("run", "--json")
    assert provider.calls == 1 + 2
    calls, told = asked_in(provider, lambda: project.run(*AGAIN, "--concurrency", "4"))
    assert (calls, told["metrics"]["generation.completeness"]["errors"]) == (2, 4)
    provider.says_by = {}
    calls, told = asked_in(provider, lambda: project.run(*AGAIN, "--concurrency", "4"))
    assert (calls, told["metrics"]["generation.completeness"]["scored"]) == (1, 4)


def test_a_call_that_follows_from_another_is_asked_again_alone(
    tmp_path: Path, provider: Provider
) -> None:
    steps, rating = '{"steps": ["Read it."]}', '{"reason": "clear", "rating": 4}'
    bad = [about(1, relevance=False)]

    def says(text: str) -> str:
        if '"rating"' not in text:
            return steps
        return PROSE if any(fits(text) for fits in bad) else rating

    project = judged(tmp_path, provider, "[generation.g_eval: {criteria: 'Tone: polite.'}]")
    provider.says_by = {"m": says}
    [told] = project.run("run", "--json").document["metrics"].values()
    assert (told["errors"], provider.calls) == (1, 1 + 3 + 1)
    bad.clear()
    calls, document = asked_in(provider, lambda: project.run(*AGAIN))
    [told] = document["metrics"].values()
    assert (calls, told["scored"]) == (1, 3)


def test_of_a_panel_only_jurors_without_a_usable_reply_are_asked_again(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, "[generation.completeness]", judge="panel: [a, b, c]")
    bad = but((about(1, relevance=False), prose))
    provider.says_by = {"a": best, "b": bad, "c": bad}
    told = project.run("run", "--json").document
    assert told["metrics"]["generation.completeness"]["errors"] == 1
    assert provider.calls == 3 * 3 + 2
    provider.says_by = {}
    calls, told = asked_in(provider, lambda: project.run(*AGAIN))
    assert (calls, told["metrics"]["generation.completeness"]["scored"]) == (2, 3)


def test_a_metric_without_any_usable_reply_is_a_finding_at_the_top_and_never_passes(
    tmp_path: Path, provider: Provider
) -> None:
    provider.says_by = {"m": lambda text: best(text) if '"relevant"' in text else PROSE}
    project = judged(tmp_path, provider, BOTH)
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    [warning] = done.document["warnings"]
    assert warning.startswith("generation.completeness: nothing was scored; the judge failed 3 ti")
    shown = project.run("report")
    head, _, _ = shown.out.partition("Generation")
    assert "generation.completeness: nothing was scored" in " ".join(head.split())
    assert project.run("report", "--markdown", "short.md").code == 0
    page = (tmp_path / "short.md").read_text()
    assert "nothing was scored" in page.partition("|")[0]
    lenient = "{on_missing: skip, on_inconclusive: warn, min_completion: 0, thresholds: "
    rules = lenient + "{generation.completeness: {min: 0.1}}}"
    held = project.run("gate", "--config", str(with_gate(project, rules)), "--json")
    assert held.code == 1, held.err
    assert held.document["passed"] is False
    [result] = held.document["results"]
    assert "nothing was scored" in result["detail"]


def with_gate(project: Project, rules: str) -> Path:
    before = (project.folder / "ragproof.yaml").read_text()
    return project.write("gate.yaml", f"{before}gate: {rules}\n")


def test_variants_without_a_usable_reply_are_all_that_the_same_command_pays_for_again(
    tmp_path: Path, provider: Provider
) -> None:
    def says(text: str) -> str:
        if '"same_meaning"' in text:
            return '{"reason": "so", "same_meaning": true}'
        return PROSE if "question 1\n" in text and bad else '{"question": "What is meant here?"}'

    bad = [True]
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"g": says}
    model = {"env": {"RAGPROOF_GEN_MODEL": "g"}}
    vary = ("dataset", "mutate", "dataset.jsonl", "--kinds", "paraphrase", "--out")
    done = project.run(*vary, "first.jsonl", **model)
    assert done.code == 0, done.err
    *_, last = done.err.splitlines()
    assert last.startswith("ragproof: 1 variant had no usable reply; the same command with anothe")
    first = provider.calls
    assert project.run(*vary, "second.jsonl", **model).code == 0
    assert provider.calls - first == 2, "the paraphrase of one question and its repair"
    bad.clear()
    calls, told = asked_in(provider, lambda: project.run(*vary, "third.jsonl", "--json", **model))
    assert (calls, told["variants"]) == (2, {"paraphrase": 3}), "written, and read again"


def test_a_judge_of_which_nothing_was_usable_is_asked_anew_by_a_resume(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, BOTH)
    provider.says_by = {"m": prose}
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (2, "partial")
    assert provider.calls == 2 * 2 * 3
    provider.says_by = {}
    calls, told = asked_in(provider, lambda: project.run("run", "--resume", "latest", "--json"))
    assert (calls, told["status"]) == (2 * 3, "completed")


@pytest.mark.skipif(sys.platform != "linux", reason="the child is found through /proc")
def test_what_a_judge_left_open_is_gone_on_with_however_often_that_is_killed(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, BOTH, cases=6)
    provider.says_by = {"m": prose}
    assert project.run("run", "--json").document["status"] == "partial"
    provider.says_by, provider.seconds = {}, 0.2
    for _ in range(2):
        before = provider.calls
        process = project.start("run", "--resume", "latest")
        eventually(lambda: provider.calls > before + 2, process)  # noqa: B023
        child = child_of(process)
        assert child is not None, "it has ended"
        process.kill()  # so that nobody settles what becomes of the other
        os.kill(child, signal.SIGKILL)
        ended(process)
    provider.seconds = 0.0
    done = project.run("run", "--resume", "latest", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    assert {one["scored"] for one in done.document["metrics"].values()} == {6}
    usable = 2 * 6
    assert provider.calls <= 2 * usable + usable + 2, "but for the calls in flight, each once"
