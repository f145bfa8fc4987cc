"""The commands of docs/ci.md, run one after the other in a project."""

from __future__ import annotations

import json
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

import click
import pytest
import yaml
from test_examples import ROOT, Example, examples

from ragproof.cli.main import exit_code, root

PAGE = ROOT / "docs/ci.md"
PIPELINE = """
from pathlib import Path

class Pipeline:
    def retrieve(self, question, k):
        lost = int(Path(__file__).with_name("lost").read_text())
        return [{"id": "b" if int(question.split()[-1]) < lost else "a"}]

    def answer(self, question):
        return {"answer_text": "yes"}
"""


def blocks(mark: str) -> list[Example]:
    return [one for one in examples(pages=[PAGE]) if one.mark == mark]


def called(line: str) -> tuple[int, str]:
    """A command in this process: a second sooner than in one of its own."""
    program, *arguments = shlex.split(line)
    out = StringIO()
    match program:
        case "cp":
            shutil.copy(arguments[0], arguments[1])
        case "mv":
            shutil.move(arguments[0], arguments[1])
        case _:
            assert program == "ragproof"
            with redirect_stdout(out), redirect_stderr(out):
                return exit_code(
                    lambda: root.main(arguments, standalone_mode=False)
                ), out.getvalue()
    return 0, ""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page, a pipeline, and the last night that passed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (config,) = (one for one in blocks("file") if one.file == "ragproof.yaml")
    Path("ragproof.yaml").write_text(config.text)
    Path("pipeline.py").write_text(PIPELINE)
    Path("lost").write_text("0")
    cases = [
        {
            "id": f"q{at}",
            "question": f"question {at}",
            "expected_source_ids": ["a"],
            "expected_answer": "yes",
        }
        for at in range(80)
    ]
    Path("dataset.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))
    assert called("ragproof run --store nightly.db")[0] == 0
    return tmp_path


def test_every_command_of_the_page_runs_and_a_drop_stops_the_pull_request(project: Path) -> None:
    night, pull, trend = (one.text.splitlines() for one in blocks("run"))
    for line in (*night, *pull, *trend):
        code, said = called(line)
        assert code == 0, f"{line}: {said}"
    assert said.count("1.00") >= 2  # two nights
    for made in ("gate.xml", "comment.md", "report.html"):
        assert (project / made).stat().st_size
    (project / "lost").write_text("40")
    (project / "pull.db").unlink()
    codes = [called(line)[0] for line in pull[:2]]
    assert codes == [0, 1]
    assert "retrieval.recall_at_k" in (project / "comment.md").read_text()


def test_the_workflow_of_the_page_is_one_and_gives_only_what_the_action_takes() -> None:
    (text,) = (one.text for one in blocks("file") if str(one.file).endswith("ragproof.yml"))
    workflow = yaml.safe_load(text)
    (job,) = workflow["jobs"].values()
    given = job["steps"][1]["with"]
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert given.keys() <= action["inputs"].keys()
    assert workflow["permissions"]["pull-requests"] == "write"
    page = PAGE.read_text(encoding="utf-8")
    assert [one for one in action["inputs"] if f"`{one}`" not in page] == []


def test_every_argument_that_the_page_gives_a_job_is_one_of_the_command() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, argument in (("run", "--sample"), ("gate", "--common-cases")):
        command: click.Command = import_module(f"ragproof.cli.{name}").command
        assert argument in page
        assert argument in {flag for one in command.params for flag in one.opts}
