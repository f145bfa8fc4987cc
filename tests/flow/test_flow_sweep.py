"""A sweep from the command line: each point a run of its own, nothing done twice."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click
import pytest
from model_server import PRICES, USD, Provider, serving
from project import Project, question

from ragproof.cli.main import root
from ragproof.core import UsageError
from ragproof.store.open import open_store

CASES = 30
TOP = """
    class Pipeline:
        def __init__(self, top=1, deep=None):
            self.top, self.deep = top, deep or {"use": True}

        def retrieve(self, question, k):
            note(f"{self.top} {question}")
            number = int(question.split()[1])
            found = number < 10 * self.top if self.deep["use"] else False
            return [{"id": "a" if found else "b"}]

        def answer(self, question):
            return f"{self.top}: {question}"
"""
"""Finds a third of the cases more with each step of `top`."""
SWEEP = """
    sweep:
      params: {top: [1, 2, 3, 4]}
      metrics: [retrieval.recall_at_k, system.latency_seconds]
      select: {rule: smallest_sufficient, param: top, min_gain: 0.12}
"""


def here(project: Project, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Call the command in this process, in the project's folder; return its exit code."""
    monkeypatch.chdir(project.folder)
    code = root.main(["sweep", *arguments], standalone_mode=False)
    assert isinstance(code, int)
    return code


def shown(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def swept(tmp_path: Path) -> Project:
    project = Project(tmp_path, TOP, cases=CASES)
    project.config(SWEEP)
    return project


def test_each_point_is_a_run_and_the_rule_chooses(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = ("--html", "r.html", "--markdown", "r.md")
    done = swept.run("sweep", "--json", "--strict", *pages)
    assert done.code == 0, done.err
    told = done.document
    assert (told["sweep"], told["status"]) == ("top", "completed")
    means = [one["quality"]["mean"] for one in told["points"]]
    assert means == pytest.approx([1 / 3, 2 / 3, 1, 1])
    assert told["selection"]["chosen"] == {"top": 3}
    assert told["points"][1]["against_reference"]["delta"] == pytest.approx(-1 / 3)
    with open_store(swept.store, create=False) as store:
        headers = [info.header for info in store.runs("shop")]
    assert [one.label for one in headers] == [f"sweep:top/top={top}" for top in (4, 3, 2, 1)]
    assert [dict(one.adapter.params) for one in headers] == [{"top": at} for at in (4, 3, 2, 1)]
    assert {one["run_id"] for one in told["points"]} == {one.id for one in headers}
    assert len(swept.asked) == 4 * CASES
    for page in ("r.html", "r.md"):
        assert "top=3" in (swept.folder / page).read_text()

    for again in ("--show", "--resume"):
        assert here(swept, monkeypatch, again, "--json") == 0
        assert shown(capsys) == told
    assert len(swept.asked) == 4 * CASES, "nothing was asked again"


def test_a_sweep_that_was_killed_goes_on_with_the_unfinished_point(swept: Project) -> None:
    deadly = TOP.replace(
        "note(f",
        "self.top == 2 and question.endswith(' 15') and os.kill(os.getpid(), 9)\n"
        "            note(f",
    )
    swept.pipeline(deadly)
    swept.config(SWEEP, run="{concurrency: 1}")
    first = swept.run("sweep", "--json")
    assert first.code == 2
    assert first.says("SIGKILL", "top=2: this point did not come to its end")
    states = [one["status"] for one in first.document["points"]]
    assert states == ["completed", "partial", "completed", "completed"]
    assert first.document["points"][1]["unfit"]
    assert first.document["selection"]["decided"] is False
    assert "top=2 cannot be counted on" in first.document["selection"]["reason"]
    swept.dataset(question(number, expected_source_ids=["c"]) for number in range(CASES))
    refused = swept.run("sweep", "--resume")
    assert (refused.code, refused.out) == (3, "")
    assert refused.says("cannot be resumed", "the dataset's hash was")

    swept.dataset(question(number) for number in range(CASES))
    swept.pipeline(TOP)
    done = swept.run("sweep", "--resume", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    ids = [[one["run_id"] for one in each["points"]] for each in (first.document, done.document)]
    assert ids[0] == ids[1]
    asked = Counter(swept.asked)
    assert {*asked} == {f"{top} question {at}" for top in (1, 2, 3, 4) for at in range(CASES)}
    twice = {one for one, times in asked.items() if times > 1}
    assert len(twice) <= 2, "no more than what was in hand"
    assert all(one.startswith("2 ") for one in twice), "no finished point is repeated"


def test_a_point_that_is_new_must_be_like_those_that_are_done(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    swept.config(SWEEP.replace("[1, 2, 3, 4]", "[1]").partition("select")[0])
    assert here(swept, monkeypatch, "--limit", "5") == 0
    more = SWEEP.partition("select")[0].replace("[1, 2, 3, 4]", "[1, 2]")
    swept.config(more, run="{concurrency: 2, k: 3}")
    assert here(swept, monkeypatch, "--resume") == 3
    told = capsys.readouterr().err
    assert "the sweep cannot go on from run" in told
    assert "k was 5, now 3" in told
    swept.config(more, adapter=", params: {deep: {use: false}}")
    assert here(swept, monkeypatch, "--resume") == 3
    assert "the adapter's params was {}, now {'deep': {'use': False}}" in capsys.readouterr().err
    swept.config(more)
    assert here(swept, monkeypatch, "--resume", "--json") == 0
    points = shown(capsys)["points"]
    assert [one["quality"]["scored"] for one in points] == [5, 5], "the limit is taken over"


def test_dotted_names_lead_into_nested_parameters(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    swept.config(
        "sweep: {name: deep, points: [{deep.use: true}, {deep.use: false}], baseline: "
        "{deep.use: true}, metrics: [retrieval.recall_at_k]}",
        adapter=", params: {top: 3, deep: {use: true, more: 1}}",
    )
    assert here(swept, monkeypatch, "--json") == 0
    told = shown(capsys)
    assert [one["quality"]["mean"] for one in told["points"]] == [1.0, 0.0]
    with open_store(swept.store, create=False) as store:
        params = [dict(info.header.adapter.params) for info in store.runs("shop")]
    assert params[0] == {"top": 3, "deep": {"use": False, "more": 1}}


def test_a_plan_says_points_and_cases_and_runs_nothing(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here(swept, monkeypatch, "--plan", "--sample", "10", "--repeats", "2", "--json") == 0
    told = shown(capsys)
    assert (told["points"], told["cases"]) == ([f"top={at}" for at in (1, 2, 3, 4)], 10)
    assert (told["trials"], told["calls"], told["judge"]) == (80, 0, None)
    assert swept.asked == []


def test_release_cases_are_not_tuned_on(swept: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    splits = ("development", "release")
    swept.dataset(question(number, split=splits[number % 2]) for number in range(10))
    with pytest.raises(UsageError, match=r"5 of 10 cases are of split release: a sweep tunes"):
        here(swept, monkeypatch)
    with pytest.raises(UsageError, match=r"--split release: a sweep tunes"):
        here(swept, monkeypatch, "--split", "release")
    assert here(swept, monkeypatch, "--split", "development", "--plan") == 0


def test_what_is_to_be_compared_must_be_measured(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    swept.config(SWEEP + "      quality: retrieval.recal_at_k\n")
    assert here(swept, monkeypatch) == 3
    told = capsys.readouterr().err
    assert "ragproof.yaml:10: sweep.quality: the runs have no metric" in told
    assert "Did you mean 'retrieval.recall_at_k'?" in told
    open_store(swept.store).close()
    with pytest.raises(UsageError, match="there is no sweep 'top' in"):
        here(swept, monkeypatch, "--show")
    swept.config()
    with pytest.raises(UsageError, match=r"ragproof\.yaml has no section `sweep`"):
        here(swept, monkeypatch)
    for flags in (["--show", "--plan"], ["--retry-errors"]):
        with pytest.raises(click.UsageError):
            here(swept, monkeypatch, *flags)


def test_a_point_whose_pipeline_does_not_load_stops_no_other(
    swept: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    swept.pipeline(TOP.replace("self.top, self.deep =", "1 / (top - 2); self.top, self.deep ="))
    assert here(swept, monkeypatch, "--json", "--limit", "4") == 2
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert [one["status"] for one in told["points"]] == [
        "completed",
        None,
        "completed",
        "completed",
    ]
    assert told["status"] == "partial"
    assert "ZeroDivisionError" in err
    assert "top=2: this point did not come to its end" in err


def test_one_budget_holds_for_all_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Provider()) as provider:
        project = Project(tmp_path, TOP, cases=4)
        judge = f"{{model: m, base_url: {provider.url!r}, concurrency: 1, prices: {PRICES}}}"
        sweep = (
            "sweep: {params: {top: [1, 2, 3]}, metrics: [generation.answer_relevance], "
            "quality: generation.answer_relevance}\n"
        )
        project.config(f"{sweep}judge: {judge}\nmax_cost_usd: 0.0115\n")
        assert here(project, monkeypatch, "--json") == 2
        out, err = capsys.readouterr()
        told = json.loads(out)
        assert told["status"] == "aborted:budget"
        states = [one["status"] for one in told["points"]]
        assert states[0] == "completed"
        assert "aborted:budget" in states
        assert "for all points is spent" in err
        assert 4 < provider.calls < 12
        assert provider.calls * USD <= 0.0115

        project.config(f"{sweep}judge: {judge}\nmax_cost_usd: 1\n")
        assert here(project, monkeypatch, "--resume", "--json") == 0
        told = shown(capsys)
        assert provider.calls == 12, "nothing was paid twice"
        spent = sum(one["judge_cost_usd"] for one in told["points"])
        assert spent == pytest.approx(12 * USD)


class Search(BaseHTTPRequestHandler):
    """Finds what is asked for where it is told to look far enough."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = int(body["q"].split()[1])
        hits = [{"id": "a" if number < body["top"] else "b"}]
        text = json.dumps({"hits": hits}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Search)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_parameters_are_filled_into_requests(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    service: str,
) -> None:
    project = Project(tmp_path, cases=4)
    request = f"{{url: {service!r}, body: {{q: '{{question}}', top: '{{top}}'}}}}"
    search = f"{{chunks_path: $.hits, request: {request}}}"
    project.write(
        "ragproof.yaml",
        f"adapter: {{type: http, http: {{retrieve: {search}}}}}\n"
        "dataset: dataset.jsonl\n"
        "sweep: {params: {top: [1, 3]}, metrics: [retrieval.recall_at_k]}\n",
    )
    assert here(project, monkeypatch, "--json") == 0
    assert [one["quality"]["mean"] for one in shown(capsys)["points"]] == [0.25, 0.75]


def test_recorded_outputs_are_swept_by_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path, cases=4)
    (tmp_path / "outputs").mkdir()
    for parser, found in (("plain", 1), ("layout", 4)):
        lines = [
            {"case_id": f"q{at}", "retrieved": [{"id": "a" if at < found else "b"}]}
            for at in range(4)
        ]
        project.write(f"outputs/{parser}.jsonl", "".join(f"{json.dumps(one)}\n" for one in lines))
    project.write(
        "ragproof.yaml",
        "adapter: {type: recorded, path: 'outputs/{parser}.jsonl'}\ndataset: dataset.jsonl\n"
        "sweep:\n  params: {parser: [plain, layout]}\n  metrics: [retrieval.recall_at_k]\n"
        "  select: {rule: best}\n",
    )
    assert here(project, monkeypatch, "--json", "--strict") == 1, "four cases do not tell apart"
    told = shown(capsys)
    assert [one["quality"]["mean"] for one in told["points"]] == [0.25, 1.0]
    assert told["warnings"] == []
    assert "not told apart from parser=plain" in told["selection"]["reason"]
