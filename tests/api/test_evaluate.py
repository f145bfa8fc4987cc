"""`ragproof.evaluate`: what may be given, where it may be called, and what it leaves behind."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small import CASES, MATCH, RECALL, Pipeline, answered, answered_later, build, case

import ragproof
from ragproof.api.waiting import wish_to_stop
from ragproof.core import QuestionCase
from ragproof.metrics.generation.exact_match import ExactMatch
from ragproof.metrics.retrieval.recall_at_k import RecallAtK
from ragproof.store.open import open_store


def written(folder: Path) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in CASES))
    return path


def recorded(folder: Path) -> Path:
    path = folder / "seen.jsonl"
    seen = [{"case_id": one["id"], "answer": answered(one["question"])} for one in CASES]
    path.write_text("".join(json.dumps(one) + "\n" for one in seen))
    return path


@pytest.mark.parametrize(
    "adapter",
    [Pipeline(), Pipeline, build, answered, answered_later, "small:build", "seen.jsonl"],
    ids=["object", "class", "factory", "function", "async function", "target", "recorded"],
)
def test_a_pipeline_may_be_given_in_many_ways(adapter: object, nowhere: Path) -> None:
    recorded(nowhere)
    result = ragproof.evaluate(CASES, adapter, MATCH)
    assert (result.status, result.mean(MATCH)) == ("completed", 0.5)


def test_an_adapter_may_be_a_section_of_a_config(nowhere: Path) -> None:
    adapter = {"type": "recorded", "path": str(recorded(nowhere)), "version": "9"}
    result = ragproof.evaluate(CASES, adapter, MATCH)
    assert result.record.header.adapter.version == "9"
    assert result.mean(MATCH) == 0.5


def test_cases_may_be_a_file_mappings_or_objects(nowhere: Path) -> None:
    objects = [
        QuestionCase(
            id=one["id"],
            question=one["question"],
            expected_source_ids=("a",),
            expected_answer="yes",
        )
        for one in CASES
    ]
    runs = [
        ragproof.evaluate(cases, Pipeline(), MATCH)
        for cases in (written(nowhere), str(written(nowhere)), CASES, iter(CASES), objects)
    ]
    assert {run.record.header.dataset.hash for run in runs} == {runs[0].record.header.dataset.hash}
    assert {run.mean(MATCH) for run in runs} == {0.5}


def test_metrics_may_be_ids_globs_parameters_classes_and_objects() -> None:
    asked: list[Any] = [
        "generation.exact_*",
        {RECALL: {"k": 1}},
        RecallAtK(k=2),
        RecallAtK,
        ExactMatch,
    ]
    result = ragproof.evaluate(CASES, Pipeline(), asked, k=3)
    means = {key: one["mean"] for key, one in result.summary.items()}
    assert means == {
        MATCH: 0.5,
        f"{RECALL}[k=1]": 0.0,
        f"{RECALL}[k=2]": 1.0,
        RECALL: 1.0,
    }
    assert result.document["k"] == 3


def test_the_header_says_what_was_under_test_and_how() -> None:
    result = ragproof.evaluate(
        CASES,
        Pipeline(),
        MATCH,
        k=2,
        concurrency=3,
        repeats=2,
        source_match="document",
        timeout_seconds=9,
        limit=2,
        settings={"run.depth": 4, "versions.corpus": "c1"},
        project="shop",
        label="mine",
    )
    header = result.record.header
    assert (header.project, header.label, header.adapter.version) == ("shop", "mine", "7")
    assert header.adapter.target == "small:Pipeline"
    settings = header.settings
    assert (settings.k, settings.depth, settings.concurrency, settings.repeats) == (2, 4, 3, 2)
    assert (settings.source_match, settings.case_timeout_seconds) == ("document", 9)
    assert header.versions == {"corpus": "c1"}
    assert [(one.id, one.repeat) for one in result.cases] == [
        *(("q0", 0), ("q0", 1), ("q1", 0), ("q1", 1))
    ]


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: ragproof.evaluate(), "no dataset is named"),
    (lambda: ragproof.evaluate(CASES), "no adapter is configured"),
    (lambda: ragproof.evaluate([], answered), "the dataset is empty"),
    (lambda: ragproof.evaluate("none.jsonl", answered), "there is no such file"),
    (lambda: ragproof.evaluate([case(0), case(0)], answered), "case 2.*already the id"),
    (
        lambda: ragproof.evaluate([case(0, tag="x")], answered),
        r"^cases: case 1 \(case \"q0\"\): tag",
    ),
    (lambda: ragproof.evaluate([case(0, metadata={"x": {1, 2}})], answered), "case 1.*no JSON"),
    (lambda: ragproof.evaluate([case(0, question=float("nan"))], answered), "case 1"),
    (lambda: ragproof.evaluate(["q0"], answered), "case 1: got 'q0'; allowed: a mapping"),  # type: ignore[list-item]
    (lambda: ragproof.evaluate(CASES, object()), "none of the methods of an adapter"),
    (lambda: ragproof.evaluate(CASES, "no_such:thing"), "no module no_such"),
    (lambda: ragproof.evaluate(CASES, answered, "generation.exact"), "There is no metric"),
    (lambda: ragproof.evaluate(CASES, answered, []), "metrics: got an empty list"),
    (lambda: ragproof.evaluate(CASES, answered, [3]), "metrics: got 3"),  # type: ignore[list-item]
    (lambda: ragproof.evaluate(CASES, answered, kk=3), "no argument 'kk'.*Allowed: k, "),  # type: ignore[call-arg]
    (lambda: ragproof.evaluate(CASES, answered, k=0), "argument k: run.k: got 0"),
    (lambda: ragproof.evaluate(CASES, answered, source_match="page"), "source_match: got"),
    (lambda: ragproof.evaluate(CASES, answered, repeats=0), "repeats: got 0"),
    (lambda: ragproof.evaluate(CASES, answered, label="latest"), "label: 'latest'"),
    (lambda: ragproof.evaluate(CASES, answered, judge=True), "judge: got True"),
    (lambda: ragproof.evaluate(CASES, answered, settings={"run.kk": 3}), "run.kk"),
    (lambda: ragproof.evaluate(CASES, answered, config="none.yaml"), "none.yaml"),
    (
        lambda: ragproof.evaluate(
            CASES, {"type": "http", "http": {"headers": {"Authorization": "Bearer abc"}}}
        ),
        "Authorization: a secret is written out",
    ),
    (
        lambda: ragproof.evaluate(CASES, answered, judge={"extra": {"api_key": "abc"}}),
        "judge.extra.api_key: a secret is written out",
    ),
    (lambda: ragproof.open_run(store="none.db"), "none.db"),
    (lambda: ragproof.list_metrics("nothing.*"), "There is no metric"),
]


@pytest.mark.parametrize(("call", "told"), WRONG, ids=[told for _, told in WRONG])
def test_what_is_wrong_is_told_in_a_usage_error(call: Callable[[], object], told: str) -> None:
    with pytest.raises(ragproof.UsageError, match=told):
        call()


def test_a_pipeline_that_does_not_load_is_a_run_error() -> None:
    def broken() -> object:
        raise OSError("no index")

    with pytest.raises(ragproof.RunError, match="broken could not be loaded: OSError: no index"):
        ragproof.evaluate(CASES, broken)


def test_without_a_store_nothing_is_written_and_the_result_can_still_be_looked_into(
    nowhere: Path,
) -> None:
    result = ragproof.evaluate(CASES, Pipeline(), MATCH)
    assert list(nowhere.iterdir()) == []
    assert [one.scores[MATCH] for one in result.cases] == [1.0, 0.0, 1.0, 0.0]
    assert list(nowhere.iterdir()) == []


def test_a_config_beside_the_code_is_not_read_unless_it_is_named(nowhere: Path) -> None:
    written(nowhere)
    (nowhere / "ragproof.yaml").write_text(
        f"project: shop\ndataset: cases.jsonl\nmetrics: [{RECALL}]\nrun: {{k: 1}}\n"
        f"adapter: {{type: python, target: 'small:build'}}\n"
    )
    assert MATCH in ragproof.evaluate(CASES, Pipeline()).summary
    result = ragproof.evaluate(config="ragproof.yaml", label="first")
    assert {key: one["mean"] for key, one in result.summary.items()} == {RECALL: 0.0}
    assert ragproof.evaluate(config="ragproof.yaml", k=2).mean(RECALL) == 1.0
    with open_store(nowhere / ".ragproof/ragproof.db", create=False) as store:
        assert [one.header.label for one in store.runs("shop")] == [None, "first"]
    assert ragproof.open_run("first", config="ragproof.yaml").run_id == result.run_id


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as Python has it, whatever tests before have left."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_run_that_was_stopped_is_gone_on_with(nowhere: Path) -> None:
    asked: list[str] = []

    def stopping(question: str) -> dict[str, Any]:
        asked.append(question)
        if len(asked) == 2:
            signal.raise_signal(signal.SIGINT)
            while (stop := wish_to_stop.get()) is not None and not stop.asked:
                time.sleep(0.001)  # the main thread hears it when it gets to it
        return answered(question)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        ragproof.evaluate(CASES, stopping, MATCH, store="runs.db", concurrency=1)
    assert signal.getsignal(signal.SIGINT) is before
    stopped = ragproof.open_run(store="runs.db")
    assert stopped.status == "interrupted"
    assert len(stopped.cases) == 2
    result = ragproof.evaluate(CASES, stopping, MATCH, store="runs.db", resume="latest")
    assert (result.run_id, result.status) == (stopped.run_id, "completed")
    assert sorted(asked) == [one["question"] for one in CASES]
    again = ragproof.evaluate(CASES, stopping, MATCH, store="runs.db", resume=result.run_id)
    assert again.summary == result.summary
    assert len(asked) == 4
    assert (nowhere / "runs.db").is_file()


def test_a_pipeline_that_always_fails_has_no_figure_and_says_so() -> None:
    def broken(question: str) -> dict[str, Any]:
        raise ValueError(question)

    result = ragproof.evaluate(CASES, broken, MATCH)
    assert result.status == "failed"
    assert result.mean(MATCH) is None
    assert "ValueError: question 0" in result.failures[0].failure.message


def test_an_error_that_ends_a_run_carries_what_was_found() -> None:
    never = threading.Event()

    def answer(question: str) -> dict[str, Any]:
        if question != "question 0":
            never.wait()
        return answered(question)

    with pytest.raises(ragproof.RunError, match="never returned") as caught:
        ragproof.evaluate(
            [case(number) for number in range(200)],
            answer,
            MATCH,
            concurrency=40,
            timeout_seconds=2,
        )
    never.set()
    result = caught.value.result  # type: ignore[attr-defined]
    assert result.status == "partial"
    assert 200 > len(result.cases) > result.document["cases"]["ok"]


def test_progress_is_shown_on_a_terminal_only(capfd: pytest.CaptureFixture[str]) -> None:
    ragproof.evaluate(CASES, answered, MATCH, progress=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("cases", [5, {"id": "q1", "question": "?"}])
def test_cases_and_metrics_that_are_no_list_are_wrong_input(cases: object) -> None:
    with pytest.raises(ragproof.UsageError, match=r"argument cases: got .*; allowed: a dataset"):
        ragproof.evaluate(cases, Pipeline(), "echo.exact_match")  # type: ignore[arg-type]
    one = [{"id": "q1", "question": "?"}]
    with pytest.raises(ragproof.UsageError, match="argument metrics: got 5; allowed: an id"):
        ragproof.evaluate(one, Pipeline(), 5)  # type: ignore[arg-type]
