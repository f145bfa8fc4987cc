"""`ragproof calibrate` and `ragproof judge bias` as a user calls them, in this process."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from model_server import PRICES, USD, Oddity, Provider, serving
from project import Project, ended, eventually

from ragproof.cli.calibrate import command as calibrate
from ragproof.cli.judge import bias
from ragproof.core import UsageError
from ragproof.judge.items import shipped_items
from ragproof.store.open import open_store

COMPLETENESS = "generation.completeness"
ITEMS = sum(item.metric == COMPLETENESS for item in shipped_items())
ONLY = ("--metric", COMPLETENESS)


@dataclass
class Caller:
    """A folder in which commands are called."""

    folder: Path
    provider: Provider

    def judge(self, more: str = "model: m", **top: str) -> None:
        lines = [f"{name}: {value}" for name, value in top.items()]
        judge = f"base_url: {self.provider.url!r}, prices: {PRICES}, {more}"
        lines += ["project: shop", "judge: {" + judge + "}"]
        (self.folder / "ragproof.yaml").write_text("\n".join(lines), encoding="utf-8")

    def __call__(self, command: click.Command, *said: str) -> tuple[int, Any]:
        """Exit code, and the document or else the text."""
        done = CliRunner().invoke(command, said, standalone_mode=False)
        if done.exception is not None:
            raise done.exception
        as_json = "--json" in said
        return done.return_value or 0, json.loads(done.stdout) if as_json else done.stdout

    def labels(self, lines: Iterable[Mapping[str, Any]], name: str = "labels.jsonl") -> str:
        (self.folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return name


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    for name in ("RAGPROOF_JUDGE_MODEL", "RAGPROOF_STORE", "RAGPROOF_LLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    with serving(Provider()) as provider:
        one = Caller(tmp_path, provider)
        one.judge()
        yield one


def says(verdict: str, reason: str = "?") -> str:
    return json.dumps({"reason": reason, "missing": [], "verdict": verdict})


# --- replies are kept


def test_a_warm_repeat_of_a_calibration_asks_nothing(call: Caller) -> None:
    code, told = call(calibrate, *ONLY, "--json")
    assert (code, told["calls"], told["cache_hits"]) == (1, ITEMS, 0)
    assert told["cost_usd"] == pytest.approx(ITEMS * USD)
    code, again = call(calibrate, *ONLY, "--json")
    assert (code, again["calls"], again["cache_hits"], again["cost_usd"]) == (1, 0, ITEMS, 0.0)
    assert again["prompts"] == told["prompts"]
    assert call.provider.calls == ITEMS
    call(calibrate, *ONLY, "--no-cache")
    assert call.provider.calls == 2 * ITEMS


def test_a_warm_repeat_of_the_bias_checks_asks_nothing(call: Caller) -> None:
    _, told = call(bias, "--json")
    calls = call.provider.calls
    assert told["calls"] == calls > 0
    assert told["cost_usd"] == pytest.approx(calls * USD)
    _, again = call(bias, "--json")
    assert (again["calls"], again["cost_usd"]) == (0, 0.0)
    assert again["position"] == told["position"]
    assert call.provider.calls == calls


def test_a_calibration_that_is_killed_pays_only_once_for_what_was_answered(call: Caller) -> None:
    call.provider.seconds = 0.1
    call.judge("model: m, concurrency: 2")
    project = Project.__new__(Project)
    project.folder = call.folder
    process = project.start("calibrate", *ONLY)
    eventually(lambda: call.provider.calls >= 5, process)
    process.kill()
    ended(process)
    call.provider.seconds = 0.0
    call(calibrate, *ONLY)
    assert len(call.provider.answered) == ITEMS
    assert sum(times - 1 for times in call.provider.answered.values()) <= 2


def test_a_calibration_that_is_stopped_keeps_what_was_in_flight(call: Caller) -> None:
    call.provider.seconds = 0.2
    call.judge("model: m, concurrency: 2")
    project = Project.__new__(Project)
    project.folder = call.folder
    process = project.start("calibrate", *ONLY, "--json")
    eventually(lambda: call.provider.calls >= 3, process)
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    before = call.provider.calls
    assert before < ITEMS
    call.provider.seconds = 0.0
    call(calibrate, *ONLY)
    assert set(call.provider.answered.values()) == {1}


def test_a_calibration_stays_within_the_budget_and_goes_on_with_a_larger_one(
    call: Caller,
) -> None:
    call.judge(max_cost_usd=str(15 * USD))
    with pytest.raises(Exception, match="budget"):
        call(calibrate, *ONLY)
    assert 0 < call.provider.calls <= 15
    call.judge(max_cost_usd="1")
    call(calibrate, *ONLY)
    assert call.provider.calls == ITEMS


def test_replies_to_fixtures_do_not_foretell_what_a_run_costs(call: Caller) -> None:
    call(calibrate, *ONLY)
    with open_store(call.folder / ".ragproof/ragproof.db", create=False) as store:
        [card] = store.calibration(f"m at {call.provider.url}, temperature 0, at most 2048 tokens")
        assert len(card["prompts"]) == 1
        judge = f"m at {call.provider.url}, temperature 0, at most 2048 tokens"
        assert store.sizes(judge, card["prompts"]) == []


# --- who gave the replies


def test_replies_are_written_down_and_replayed_without_network(call: Caller) -> None:
    call.provider.strange = lambda n: Oddity(text="hm") if n == 3 else None
    call.judge("model: m, concurrency: 1")
    _, told = call(calibrate, *ONLY, "--record", "replies.jsonl", "--json")
    head = json.loads((call.folder / "replies.jsonl").read_text().splitlines()[0])
    assert head["source"].startswith("m at http://127.0.0.1:")
    assert head["by"].startswith("m, asked by 20")
    assert len(head["prompts"][0]) == 64
    calls = call.provider.calls
    call.judge("provider: recorded, run: replies.jsonl")
    _, replayed = call(calibrate, "--json")
    assert call.provider.calls == calls == ITEMS + 1
    assert replayed["prompts"] == told["prompts"]
    assert (replayed["scripted"], replayed["recorded"]) == (False, True)
    assert replayed["judge"].startswith(f"recorded: {head['source']}; m, asked by")
    _, shown = call(calibrate, *ONLY)
    assert "no model was asked now" in " ".join(shown.split())
    with pytest.raises(UsageError, match=r"no replies for generation.correctness"):
        call(calibrate, "--metric", "generation.correctness")


def test_replies_that_people_wrote_are_marked(call: Caller) -> None:
    (call.folder / "ragproof.yaml").write_text("project: shop\n")
    code, told = call(calibrate, "--json")
    assert (code, told["scripted"], told["recorded"]) == (0, True, True)
    assert {one["metric"] for one in told["prompts"]} >= {"generation.g_eval"}
    _, shown = call(calibrate)
    assert "say nothing of any model" in " ".join(shown.split())
    assert not (call.folder / ".ragproof").exists(), "nothing is kept of them"


def test_a_panel_is_calibrated_as_a_panel_and_looked_at_one_by_one(call: Caller) -> None:
    call.judge("panel: [a, b, c]")
    code, told = call(calibrate, *ONLY, "--json")
    assert (code, told["calls"]) == (1, 3 * ITEMS)
    assert told["judge"].startswith("panel by majority")
    with pytest.raises(UsageError, match="judge bias --model a"):
        call(bias)
    _, one = call(bias, "--model", "b", "--json")
    assert one["judge"].startswith("b at ")
    with pytest.raises(UsageError, match="replies of one model"):
        call(calibrate, *ONLY, "--record", "replies.jsonl")


def test_claims_that_people_found_are_scored_one_by_one(call: Caller) -> None:
    supported = {"outcome": "scored", "claims": [{"id": "c1", "text": "it"}]}
    supported |= {"supported": [{"id": "c1", "quote": "it"}], "unsupported": []}
    call.provider.says = lambda _: json.dumps(supported)
    _, told = call(calibrate, "--metric", "generation.groundedness", "--claims", "--json")
    [one] = told["prompts"]
    whole = [one for one in shipped_items() if one.metric == "generation.groundedness"]
    claims = [claim for item in whole for claim in item.claims or ()]
    assert one["items"] == len(claims)
    assert one["condition"].endswith("; claims one by one"), "no figure of whole answers"
    assert one["false_passes"] == sum(not claim.supported for claim in claims)
    with pytest.raises(UsageError, match="no label says which claims"):
        call(calibrate, *ONLY, "--claims")


# --- another judge


def test_two_judges_are_compared_on_the_same_labels(call: Caller) -> None:
    by_answer = {item.answer: item for item in shipped_items() if item.metric == COMPLETENESS}
    verdicts = {1.0: "complete", 0.5: "partial", 0.0: "missing"}

    def knowing(prompt: str) -> str:
        found = re.search(r"<answer-\w+>\n(.*?)\n</answer-", prompt, re.DOTALL)
        assert found is not None
        score = by_answer[found[1]].score
        assert score is not None
        return says(verdicts[score])

    call.provider.says_by = {"m": lambda _: says("complete"), "wise": knowing}
    prices = ("--against-prices", "1", "0")
    code, told = call(calibrate, *ONLY, "--against", "wise", *prices, "--json")
    assert code == 0
    [one] = told["prompts"]
    assert one["passed"]
    assert one["candidate"]["exact"]["value"] == 1.0
    assert one["candidate"]["false_passes"] == one["candidate"]["false_failures"] == 0
    assert one["current"]["false_passes"] > 0
    assert one["only_current_agrees"] == 0
    assert one["only_candidate_agrees"] == ITEMS - sum(i.score == 1 for i in by_answer.values())
    assert one["p_value"] < 0.01
    assert told["current"]["cost_of_all_replies_usd"] == pytest.approx(ITEMS * USD)
    assert told["candidate"]["cost_of_all_replies_usd"] == pytest.approx(ITEMS * USD / 10)
    call.judge("model: wise")
    code, back = call(calibrate, *ONLY, "--against", "m", "--json")
    assert code == 1, "the one that praises everything may not take its place"
    assert any("McNemar" in why for why in back["prompts"][0]["shortfalls"])
    assert back["candidate"]["cost_of_all_replies_usd"] is None
    assert call.provider.calls == 2 * ITEMS, "both are known by now"
    _, shown = call(calibrate, *ONLY, "--against", "m")
    assert "unknown for all these labels" in shown


def test_a_budget_needs_the_prices_of_the_other_model_too(call: Caller) -> None:
    call.judge(max_cost_usd="1")
    with pytest.raises(UsageError, match="--against-prices"):
        call(calibrate, *ONLY, "--against", "other")
    with pytest.raises(click.UsageError, match="go with --against"):
        call(calibrate, *ONLY, "--against-prices", "1", "1")


def test_a_judge_is_held_against_pairs_whose_writers_are_known(call: Caller) -> None:
    call.provider.says = lambda _: '{"reason": "first", "verdict": "a"}'
    families = ["ours", "theirs"]
    line = {"question": "?", "answer_1": "a", "answer_2": "b", "families": families}
    path = call.labels({**line, "id": str(n), "label": "2"} for n in range(4))
    _, told = call(bias, "--pairs", path, "--family", "ours", "--json")
    assert told["self_preference"] == {"pairs": 4, "wins": 0.5, "deserves": 0.0, "excess": 0.5}
    assert told["position"]["pairs"] == 4
    with pytest.raises(UsageError, match="none of the pairs"):
        call(bias, "--family", "ours")


# --- a threshold of a metric that asks no judge


def test_a_threshold_is_found_for_answers_that_people_labelled(call: Caller) -> None:
    """The words of the reference that are there: F1 is 1, 2/3 or 0 (1 of 2 words found)."""
    answers = {"red brick": 1, "red stone": 0, "glass": 0}
    metric = "generation.token_f1"
    lines = [
        {"id": f"{n} {said}", "metric": metric, "answer": said, "expected_answer": "red brick"}
        | {"score": score, "condition": "from scratch"}
        for n in range(10)
        for said, score in answers.items()
    ]
    path = call.labels([*lines, {**lines[0], "id": "other", "metric": "generation.exact_match"}])
    code, told = call(calibrate, "--metric", metric, "--labels", path, "--json")
    assert code == 0
    [one] = told["thresholds"]
    assert one["threshold"] == pytest.approx(0.75), "half-way between 0.5 and 1"
    assert (one["labels"], one["compared"], one["people_pass"]) == (30, 30, 10)
    assert one["condition"] == "from scratch"
    assert one["chosen"]["precision"] == one["chosen"]["recall"] == one["chosen"]["kappa"] == 1.0
    assert one["cuts"][1]["threshold"] == pytest.approx(0.25)
    assert one["cuts"][1]["precision"] == 0.5
    assert one["held_out_accuracy"]["value"] == 1.0
    with open_store(call.folder / ".ragproof/ragproof.db", create=False) as store:
        [kept] = store.calibration("threshold")
    assert kept["threshold"] == one["threshold"]
    assert call.provider.calls == 0
    _, shown = call(calibrate, "--metric", metric, "--labels", path)
    assert "labels  30 answers, from scratch" in shown
    assert "threshold  >= 0.75 [0.75, 0.75]" in shown


def test_a_threshold_that_people_do_not_agree_with_exits_1(call: Caller) -> None:
    lines = [
        {"case_id": str(n), "value": (n % 10) / 10, "score": float(n % 3 == 0)} for n in range(60)
    ]
    metric = ("--metric", "generation.token_f1")
    path = call.labels(lines)
    code, told = call(calibrate, *metric, "--labels", path, "--min-exact", "0.9", "--json")
    assert (code, told["passed"]) == (1, False)
    assert told["thresholds"][0]["held_out_accuracy"]["value"] < 0.9


def test_labels_of_cases_are_held_to_the_values_of_a_run(call: Caller) -> None:
    Project(call.folder, cases=4)
    with (call.folder / "dataset.jsonl").open("a") as file:
        file.write(json.dumps({"id": "w", "question": "?", "expected_answer": "no"}) + "\n")
        file.write(json.dumps({"id": "none", "question": "?"}) + "\n")
    run = Project.__new__(Project)
    run.folder = call.folder
    done = run.run("run", "--metrics", "generation.token_f1,system.latency_seconds", "--json")
    assert done.code == 0, done.err
    labels = [{"case_id": f"q{n}", "score": 1} for n in range(3)]
    labels += [{"case_id": "w", "score": 0}, {"case_id": "none", "score": 0}]
    labels += [{"case_id": "gone", "score": 1}, {"case_id": "q3", "score": None}]
    path = call.labels(labels)
    flags = ("--labels", path, "--run", "latest", "--json")
    code, told = call(calibrate, "--metric", "generation.token_f1", *flags)
    [one] = told["thresholds"]
    assert (one["compared"], one["people_pass"], one["threshold"]) == (4, 3, 0.5)
    assert one["source"] == f"run {done.document['run_id']}"
    assert one["not_compared"] == {
        "skipped: case has no expected_answer": 1,
        "there is no such case in the run": 1,
        "people find that the question does not arise": 1,
    }
    assert one["passed"] is (code == 0)
    assert call(calibrate, "--metric", "system.latency_seconds", *flags)[1]["thresholds"]


@pytest.mark.parametrize(
    ("said", "line", "told"),
    [
        ((), {"case_id": "a", "score": 1}, "no value for a; write `value`, or name the run"),
        ((), {"case_id": "a", "score": 2, "value": 1}, "score: got 2"),
        ((), {"case_id": "a", "score": 1, "value": 1}, "people pass all 1 answers"),
        ((), {"case_id": "a", "score": 1, "metric": "x.y"}, "no labels for generation.token_f1"),
        ((), {"case_id": "a", "score": 1, "valu": 1}, "Did you mean 'value'"),
        (("--run", "latest"), {"case_id": "a", "score": 1}, "store"),
    ],
)
def test_labels_that_cannot_be_used_are_told(
    call: Caller, said: tuple[str, ...], line: dict[str, Any], told: str
) -> None:
    path = call.labels([line])
    with pytest.raises(UsageError, match=re.escape(told)):
        call(calibrate, "--metric", "generation.token_f1", "--labels", path, *said)


def test_a_threshold_needs_one_metric_and_labels(call: Caller) -> None:
    with pytest.raises(click.UsageError, match="--labels FILE"):
        call(calibrate, "--metric", "generation.token_f1")
    both = ("--metric", "generation.token_f1", "--metric", "generation.exact_match")
    with pytest.raises(click.UsageError, match="one metric"):
        call(calibrate, *both, "--labels", "x")
    with pytest.raises(UsageError, match="no metric"):
        call(calibrate, "--metric", "generation.nothing")
    with pytest.raises(click.UsageError, match="is not asked here"):
        call(calibrate, "--metric", "generation.token_f1", "--against", "m")
