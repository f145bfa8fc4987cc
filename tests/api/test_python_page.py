"""docs/python.md, run as it stands."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, Example, examples

import ragproof
import ragproof.api.bound
import ragproof.api.showing
import ragproof.metrics.generation.exact_match  # a session in here unloads what it loads
from ragproof.api.evaluation import evaluate

pytest_plugins = ["pytester"]
PAGE = ROOT / "docs/python.md"


def blocks(mark: str) -> list[Example]:
    return [one for one in examples("python", pages=[PAGE]) if one.mark == mark]


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made: dict[str, Any] = {"__name__": "page"}
    out = StringIO()
    with redirect_stdout(out):
        for one in blocks("run"):
            exec(compile(one.text, str(one), "exec"), made)
    assert out.getvalue() == "q2 The warranty lasts 24 months.\n"
    assert (tmp_path / "report.html").stat().st_size


def test_the_tests_of_the_page_pass(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = pytester.path
    monkeypatch.syspath_prepend(tmp_path)
    (code,) = blocks("file")
    (tmp_path / str(code.file)).write_text(code.text)
    made: dict[str, Any] = {}
    pipeline = blocks("run")[0].text.partition("\n\ncases = ")[0]
    (tmp_path / "my_rag.py").write_text(pipeline)
    first = blocks("run")[0].text.partition("\n\ncases = ")[2].partition("\nresult = ")[0]
    exec(f"cases = {first}", made)
    made["cases"][1]["question"] = "When can goods be returned, within how many days?"
    (tmp_path / "dataset.jsonl").write_text(
        "".join(f"{json.dumps(one)}\n" for one in made["cases"])
    )
    installed = {one.name for one in entry_points(group="pytest11")}
    plugin = [] if "ragproof" in installed else ["-p", "ragproof.pytest_plugin"]
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", *plugin)
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["PASS retrieval.recall_at_k: mean min 0.9"])


def test_every_argument_is_explained() -> None:
    import inspect  # noqa: PLC0415

    about = inspect.getdoc(evaluate) or ""
    for name in inspect.signature(ragproof.evaluate).parameters:
        assert f"{name}:" in about, name
