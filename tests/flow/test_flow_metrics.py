"""A user's own metrics, of cases, groups and sets, from a module beside the config."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import PIPELINE, Project

from ragproof.core import Level, Scored
from ragproof.store.open import open_store

MINE = """
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, GroupRun, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import ANSWER

@dataclass(frozen=True)
class Wordings(PureMetric[SetRun]):
    '''Count the different answers of the whole set.'''

    spec = Spec(unit=Unit.COUNT, better=Better.LOWER, needs=(ANSWER,))

    def score(self, whole, /):
        answers = [answer.answer_text for answer in whole[ANSWER]]
        return Scored(len(set(answers)), {"of": len(answers)})

@dataclass(frozen=True)
class Steadiness(PureMetric[GroupRun]):
    '''Say whether all repeats of a case give one answer.'''

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER,))

    def score(self, group, /):
        return Scored(float(len({answer.answer_text for answer in group[ANSWER]}) == 1))

@dataclass(frozen=True)
class Odd(PureMetric[CaseRun]):
    '''Raise, or give what is no score, for some.'''

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER,))
    least: int = 0

    def score(self, run, /):
        match int(run.case.id[1:]):
            case 0:
                raise KeyError("x")
            case 1:
                return Scored(float("nan"))
            case 2:
                return Scored(1.5)
            case 3:
                return None
            case _:
                return Scored(0.5)
"""
RASH = """
import asyncio, os, signal, sys
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, ToolMetric, Unit

def rash(case, raised):
    match raised, case.id:
        case "cancelled", "q3":
            raise asyncio.CancelledError
        case "exit", "q3":
            sys.exit(0)
        case "interrupt", "q3":
            raise KeyboardInterrupt
        case "signal", "q3":
            os.kill(os.getpid(), signal.SIGINT)
        case "cancels", "q3":
            asyncio.current_task().cancel()
    return Scored(0.5)

@dataclass(frozen=True)
class Pure(PureMetric[CaseRun]):
    '''Fail in a way that is no Exception.'''

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=())
    by: str = ""

    def score(self, run, /):
        return rash(run.case, self.by)

@dataclass(frozen=True)
class Asking(ToolMetric[CaseRun]):
    '''Do so while it awaits something.'''

    spec = Pure.spec
    by: str = ""

    async def score(self, run, tools, /):
        scored = rash(run.case, self.by)
        await asyncio.sleep(0)
        return scored
"""
UNSTEADY = """
    import threading

    lock, times = threading.Lock(), {}

    class Pipeline:
        def answer(self, question):
            with lock:
                times[question] = times.get(question, 0) + 1
                return "yes" if question != "question 1" else f"yes {times[question]}"
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, UNSTEADY, cases=6)
    made.write("mine.py", MINE)
    return made


def test_sets_and_groups_are_scored_over_all_repeats(project: Project) -> None:
    project.config("metrics: [mine:Wordings, mine:Steadiness, echo.exact_match]\n")
    done = project.run("run", "--repeats", "3", "--json")
    assert done.code == 0, done.err
    metrics = done.document["metrics"]
    assert done.document["cases"]["total"] == 18
    assert (metrics["mine:Wordings"]["mean"], metrics["mine:Wordings"]["scored"]) == (4, 1)
    steady = metrics["mine:Steadiness"]
    assert (steady["mean"], steady["scored"]) == (pytest.approx(5 / 6), 6)
    assert metrics["echo.exact_match"]["mean"] == pytest.approx(15 / 18)
    with open_store(project.store, create=False) as store:
        whole = store.detail(done.document["run_id"], "set", level=Level.SET)
    assert whole.rows[0].outcome == Scored(4.0, {"of": 18})


def test_the_set_of_a_resumed_run_holds_the_cases_of_both_starts(project: Project) -> None:
    fragile = UNSTEADY.replace(
        "with lock:",
        "if question == 'question 3':\n                __import__('time').sleep(.5)\n"
        "                os.kill(os.getpid(), 9)\n            with lock:",
    )
    project.pipeline(fragile)
    project.config(run="{concurrency: 1}")
    assert project.run("run", "--metrics", "mine:Wordings").code == 2
    project.pipeline(UNSTEADY)
    done = project.run("run", "--resume", "latest", "--json")
    with open_store(project.store, create=False) as store:
        whole = store.detail(done.document["run_id"], "set", level=Level.SET)
    assert whole.rows[0].outcome == Scored(2.0, {"of": 6})


def test_what_a_metric_gets_wrong_is_its_error_and_in_no_mean(project: Project) -> None:
    done = project.run("run", "--metrics", "mine:Odd,echo.exact_match", "--json")
    assert done.code == 0, done.err
    odd = done.document["metrics"]["mine:Odd"]
    assert (odd["mean"], odd["scored"], odd["errors"]) == (0.5, 2, 4)
    assert done.document["metrics"]["echo.exact_match"]["errors"] == 0
    assert all(reason.startswith("metric: ") for reason in odd["error_reasons"]), odd
    assert done.document["cases"]["ok"] == 6
    assert project.run("metrics", "mine:Odd", "--json").document["id"] == "mine:Odd"


@pytest.mark.parametrize("kind", ["Pure", "Asking"])
@pytest.mark.parametrize("by", ["cancelled", "exit", "interrupt"])
def test_a_metric_that_raises_what_is_no_exception_loses_no_case(
    project: Project, kind: str, by: str
) -> None:
    project.write("mine.py", RASH)
    project.config(f"metrics: [{{'mine:{kind}': {{by: {by}}}}}]\n")
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (0, "completed"), done.err
    (figure,) = done.document["metrics"].values()
    assert (figure["scored"], figure["errors"], done.document["cases"]["missing"]) == (5, 1, 0)


@pytest.mark.parametrize("kind", ["Pure", "Asking"])
def test_a_real_ctrl_c_while_a_metric_scores_stops_the_run_in_order(
    project: Project, kind: str
) -> None:
    project.write("mine.py", RASH)
    project.config(f"metrics: [{{'mine:{kind}': {{by: signal}}}}]\n", run="{concurrency: 1}")
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (130, "interrupted"), done.err
    assert done.says("stopping: finishing the cases in hand")
    (figure,) = done.document["metrics"].values()
    assert (figure["errors"], done.document["cases"]["errors"]) == (0, 0)
    assert 0 < done.document["cases"]["missing"] < 6
    again = project.run("run", "--resume", "latest", "--json")
    assert (again.code, again.document["cases"]["ok"]) == (0, 6)


@pytest.mark.parametrize("kind", ["Pure", "Asking"])
def test_a_metric_that_cancels_the_task_it_runs_in_does_not_pass_for_a_success(
    project: Project, kind: str
) -> None:
    project.write("mine.py", RASH)
    project.config(f"metrics: [{{'mine:{kind}': {{by: cancels}}}}]\n")
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (2, "partial")
    assert done.says("called for the case 'q3' cancelled the task")
    cases = done.document["cases"]  # the case may be durable by the time that its task ends
    assert cases["ok"] + cases["missing"] == cases["total"] == 6


def test_a_run_from_elsewhere_finds_the_metrics_beside_the_config(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project.config("metrics: [{'mine:Odd': {least: 1}}]\n")
    config = project.folder / "ragproof.yaml"
    done = project.run("run", "-c", str(config), "--json", cwd=tmp_path_factory.mktemp("elsewhere"))
    assert list(done.document["metrics"]) == ["mine:Odd[least=1]"]
    assert project.store.exists()


def test_a_metric_in_the_pipelines_own_module_is_found(tmp_path: Path) -> None:
    project = Project(tmp_path, PIPELINE)
    project.write("pipe.py", (tmp_path / "pipe.py").read_text() + MINE)
    done = project.run("run", "--metrics", "pipe:Wordings", "--json")
    assert done.document["metrics"]["pipe:Wordings"]["mean"] == 1
