"""A judge in the engine: what it says is written down, and what it costs its outcome only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import pytest

from ragproof.core import (
    AdapterInfo,
    Answer,
    Better,
    Case,
    CaseRun,
    Cause,
    DatasetInfo,
    Failed,
    Finished,
    JudgeError,
    Metric,
    MissingInput,
    Need,
    Observation,
    OverBudget,
    Prompt,
    PureMetric,
    QuestionCase,
    Reading,
    Reply,
    Row,
    RunHeader,
    RunState,
    Scored,
    Skipped,
    Spec,
    ToolMetric,
    Tools,
    Trial,
    Unit,
    accept,
    declared,
)
from ragproof.core.needs import ANSWER, JUDGE, REFUSAL
from ragproof.core.readings import Refusal
from ragproof.engine.board import UNWATCHED, Board
from ragproof.engine.run import Ended, Run
from ragproof.engine.stop import Stop
from ragproof.store.open import RunStore, open_store

T = TypeVar("T")

GRADE = Prompt(system="Grade.", user="{answer}")
REFUSES = Prompt(system="Does it refuse?", user="{answer}")


@dataclass
class Scripted:
    """A judge that replies to an answer as it is told; an exception is raised."""

    script: Mapping[str, str | Exception]
    fingerprint: str = "scripted"
    asked: list[Prompt] = field(default_factory=list[Prompt])

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
        repeat: int = 0,  # noqa: ARG002
    ) -> T:
        self.asked.append(prompt)
        await asyncio.sleep(0)
        said = self.script[variables["answer"]]
        if isinstance(said, Exception):
            raise said
        heard(Reply(said, usd=0.01))
        value = cast("Any", shape)(said)
        check(value)
        return cast("T", value)


@dataclass(frozen=True)
class Grade(ToolMetric[CaseRun]):
    """The judge's grade."""

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER, JUDGE))
    prompts = (GRADE,)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        text = run[ANSWER].answer_text
        return Scored(await tools[JUDGE].ask(GRADE, {"answer": text}, float))


@dataclass(frozen=True)
class Refused(PureMetric[CaseRun]):
    """Whether the answer was read as a refusal."""

    spec = Spec(unit=Unit.FRACTION, better=Better.LOWER, needs=(ANSWER, REFUSAL))

    def score(self, run: CaseRun, /) -> Scored:
        run[ANSWER]
        return Scored(float(run[REFUSAL].refused))


@dataclass(frozen=True)
class RefusalReading(Reading[Refusal]):
    """Reads the answer, once for all metrics."""

    need: ClassVar[Need[Any]] = REFUSAL
    prompts = (REFUSES,)

    def by_rule(self, run: CaseRun, /) -> Refusal:
        text = run[ANSWER].answer_text
        return Refusal("cannot" in text, text)

    async def by_judge(self, run: CaseRun, judge: Any, /) -> Refusal:
        text = run[ANSWER].answer_text
        return Refusal(await judge.ask(REFUSES, {"answer": text}, str) == "1", "the judge")


@dataclass(frozen=True)
class Echo:
    """Answers with the question; without one it fails, for `none` it has no answer."""

    name: str = "echo"

    async def observe(self, case: Case, /) -> Observation:
        assert isinstance(case, QuestionCase)
        if not case.question:
            raise ValueError("no question")
        text = case.question
        return Observation(
            case_id=case.id, answer=None if text == "none" else Answer(answer_text=text)
        )

    async def close(self) -> None: ...


METRICS: Mapping[str, Metric[Any]] = {
    "grade": Grade(),
    "refused": Refused(),
    "refused again": Refused(),
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def scored(
    store: RunStore,
    judge: Scripted | None,
    *questions: str,
    stop: Stop | None = None,
    saved: Callable[[CaseRun], None] = accept,
    board: Board = UNWATCHED,
) -> tuple[Ended, Sequence[Finished]]:
    header = RunHeader(
        id="run",
        project="p",
        started_at="2026-01-01T00:00:00.000000+00:00",
        dataset=DatasetInfo(name="d", path="/d", hash="0", total=9, cases=9),
        adapter=AdapterInfo(type="python", target="echo"),
        metrics={name: declared(metric) for name, metric in METRICS.items()},
    )
    store.begin(header)
    run = Run(
        header=header,
        adapter=Echo(),
        metrics=METRICS,
        store=store,
        readings=[RefusalReading()],
        tools=Tools(judge=judge),
        stop=stop or Stop(),
        saved=saved,
        board=board,
    )
    trials = [Trial(QuestionCase(id=f"{n}", question=one)) for n, one in enumerate(questions)]
    end = asyncio.run(run.score(trials))
    return end, [store.detail("run", name) for name, _ in sorted(store.done("run"))]


def by_key(case: Finished) -> dict[str, Row]:
    """The rows in the order of the metrics."""
    rows = {row.key: row for row in case.rows}
    return {key: rows[key] for key in METRICS}


def test_a_reading_is_asked_for_once_and_every_reply_is_kept_word_for_word(
    store: RunStore,
) -> None:
    judge = Scripted({"0.75": "0.75"})
    end, (case,) = scored(store, judge, "0.75")
    assert end.state is RunState.COMPLETED
    assert sorted(prompt.system for prompt in judge.asked) == ["Does it refuse?", "Grade."]
    grade, refused, again = by_key(case).values()
    assert (grade.outcome, grade.replies) == (Scored(0.75), (Reply("0.75", usd=0.01),))
    assert (refused.outcome, again.outcome) == (Scored(0.0), Scored(0.0))
    assert case.replies == (Reply("0.75", usd=0.01),)
    assert case.run is not None
    assert case.run.readings.refusal == Refusal(refused=False, because="the judge")


def test_without_a_judge_the_rule_reads_and_judged_metrics_say_what_is_missing(
    store: RunStore,
) -> None:
    _, (case,) = scored(store, None, "I cannot say")
    assert [row.outcome for row in by_key(case).values()] == [
        Skipped("no judge is configured"), Scored(1.0), Scored(1.0),
    ]  # fmt: skip


def test_a_judge_that_errs_fails_what_needs_it_and_the_rule_does_not_step_in(
    store: RunStore,
) -> None:
    judge = Scripted({"I cannot say": JudgeError("no verdict")})
    end, (case,) = scored(store, judge, "I cannot say")
    assert end.state is RunState.COMPLETED
    assert {row.outcome for row in case.rows} == {Failed(Cause.JUDGE, "no verdict")}


def test_a_reply_that_is_kept_stays_though_it_could_not_be_used(store: RunStore) -> None:
    _, (case,) = scored(store, Scripted({"x": "good"}), "x")
    grade = by_key(case)["grade"]
    assert grade.outcome == Failed(
        Cause.METRIC, "ValueError: could not convert string to float: 'good'"
    )
    assert [reply.text for reply in grade.replies] == ["good"]


def test_a_failed_case_is_an_error_of_every_metric_and_the_judge_is_not_asked(
    store: RunStore,
) -> None:
    judge = Scripted({})
    _, (failed, silent) = scored(store, judge, "", "none")
    assert {row.outcome for row in failed.rows} == {
        Failed(Cause.ADAPTER, "ValueError: no question")
    }
    assert {row.outcome for row in silent.rows} == {Skipped(ANSWER.reason)}
    assert judge.asked == []


def test_a_breached_budget_ends_the_run_and_what_was_saved_stays(store: RunStore) -> None:
    judge = Scripted({"1": "1", "2": OverBudget("$1 of $1 are spent")})
    end, saved = scored(store, judge, "1", *["2"] * 40)
    assert end.state is RunState.OVER_BUDGET
    assert str(end.error) == "$1 of $1 are spent"
    assert [one.subject for one in saved] == ["0"]


def test_a_wish_to_stop_begins_no_further_case_and_saves_those_in_hand(store: RunStore) -> None:
    stop, heard = Stop(), list[str]()

    def tell(run: CaseRun) -> None:
        heard.append(run.case.id)
        stop.ask()

    end, saved = scored(store, None, *["x"] * 40, stop=stop, saved=tell)
    assert end.state is RunState.INTERRUPTED
    assert {one.subject for one in saved} == set(heard)
    assert 0 < len(saved) <= 16  # two workers for each of the eight that may be out at once


def test_a_resumed_run_asks_only_what_is_missing(store: RunStore) -> None:
    stop = Stop()
    scored(store, None, *["x"] * 40, stop=stop, saved=lambda _: stop.ask())
    store.finish("run", RunState.INTERRUPTED, {})
    done, told = store.done("run"), list[str]()
    end, saved = scored(store, None, *["x"] * 40, saved=lambda run: told.append(run.case.id))
    assert end.state is RunState.COMPLETED
    assert len(saved) == 40
    assert {name for name, _ in done} | set(told) == {one.subject for one in saved}
    assert not {name for name, _ in done} & set(told)


def test_an_input_that_is_missing_says_why() -> None:
    with pytest.raises(MissingInput, match="no judge is configured"):
        Tools()[JUDGE]


def test_a_case_that_a_breached_budget_ended_is_out_no_longer(store: RunStore) -> None:
    judge, board = Scripted({"2": OverBudget("$1 of $1 are spent")}), Board()
    end, _ = scored(store, judge, *["2"] * 40, board=board)
    assert end.state is RunState.OVER_BUDGET
    assert board.calls() == [], "else its supervisor takes a long summing up for a stall"


def test_a_case_whose_task_is_cancelled_from_inside_does_not_pass_for_done(
    store: RunStore,
) -> None:
    class Cancels(Scripted):
        async def ask(self, *_: object, **__: object) -> Any:
            for task in asyncio.all_tasks():
                if "work" in repr(task.get_coro()):
                    task.cancel()
            await asyncio.sleep(0)

    end, saved = scored(store, Cancels({}), "1", "2")
    assert end.state is RunState.PARTIAL
    assert "cancelled the task" in str(end.error)
    assert saved == []
