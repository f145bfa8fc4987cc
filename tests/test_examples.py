"""The examples on the pages: they load, they parse, and the quick start runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from ragproof.adapters.recorded import RecordedAdapter
from ragproof.cli.main import COMMANDS, command_named
from ragproof.datasets import load
from ragproof.datasets.pool_lines import pool_lines
from ragproof.datasets.traffic.events import Events
from ragproof.datasets.traffic.events import read as read_events
from ragproof.datasets.traffic.reading import read as read_traffic
from ragproof.judge.items import read_items
from ragproof.metrics.catalog import ids
from ragproof.wiring.config import load_config
from ragproof.wiring.measuring import judged_scorers
from ragproof.wiring.plan import plan

ROOT = Path(__file__).parents[1]
GENERATED = {"commands.md", "config.md", "metrics.md", "payloads.md"}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(
    r"^(?:<!-- (?P<mark>[a-z]+)(?:: (?P<file>\S+))? -->\n)?"
    r"```(?P<language>[a-z]*)\n(?P<text>.*?)^```$",
    flags=re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    """A fenced block of a page; `<!-- run -->` or `<!-- file: name -->` may stand above it."""

    page: Path
    line: int
    language: str
    text: str
    mark: str | None
    file: str | None

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def examples(*languages: str, pages: list[Path] = PAGES) -> Iterator[Example]:
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for found in FENCED.finditer(text):
            if not languages or found["language"] in languages:
                line = text.count("\n", 0, found.start()) + 1
                yield Example(
                    page, line, found["language"], found["text"], found["mark"], found["file"]
                )


def test_every_block_says_what_it_is() -> None:
    told = {str(one): one.language for one in examples() if one.page.name not in GENERATED}
    known = {"sh", "yaml", "json", "python", "text"}
    assert {name: language for name, language in told.items() if language not in known} == {}
    assert len(told) > 10


def test_every_fence_is_found() -> None:
    for page in PAGES:
        fences = re.findall(r"^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert 2 * len(list(examples(pages=[page]))) == len(fences), page.name


@pytest.mark.parametrize("one", [*examples("yaml")], ids=str)
def test_a_config_loads_and_its_metrics_exist(one: Example, tmp_path: Path) -> None:
    path = tmp_path / "ragproof.yaml"
    path.write_text(one.text, encoding="utf-8")
    config = load_config(path, {})
    assert config.asked is None or plan(config.asked, config.run.k)


@pytest.mark.parametrize("one", [*examples("json")], ids=str)
def test_lines_of_json_are_cases_recorded_observations_traffic_or_labels(
    one: Example, tmp_path: Path
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(one.text, encoding="utf-8")
    lines = [json.loads(line) for line in one.text.splitlines()]
    keys = {key for line in lines for key in line}
    if "verdict" in keys:
        assert [*pool_lines(path)]
    elif "case_id" in keys:
        assert RecordedAdapter.load(path).unknown([])
    elif "trace_id" in keys:
        read_events(path, Events())
    elif "at" in keys:
        assert [*read_traffic(path)]
    elif "metric" in keys:
        computed = {line["metric"] for line in lines} & {*ids()}
        assert read_items(path, {*judged_scorers(), *computed})
    else:
        assert load(path).cases


@pytest.mark.parametrize("one", [*examples("python")], ids=str)
def test_python_is_python(one: Example) -> None:
    if ">>>" not in one.text:
        compile(one.text, str(one), "exec")


def test_the_pipeline_of_the_readme_is_one() -> None:
    one = next(iter(examples("python", pages=[ROOT / "README.md"])))
    made: dict[str, Any] = {}
    exec(one.text, made)
    pipeline = made["build"]()
    cited = pipeline.answer("How long?")["citations"][0]["chunk_id"]
    assert cited == pipeline.retrieve("How long?", 5)[0]["id"]


@pytest.mark.parametrize("one", [*examples("sh")], ids=str)
def test_every_command_and_option_exists(one: Example) -> None:
    for line in one.text.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["ragproof"]:
            name, *arguments = words[1:]
            assert name in COMMANDS, line
            command: click.Command = command_named(name)
            command.make_context(name, arguments)


def commands(text: str) -> Iterator[list[str]]:
    """The `ragproof` commands between back-ticks, less placeholders in capitals."""
    for said in re.findall(r"`ragproof ([^`\n]+)`", text):
        words = [word for word in shlex.split(said) if not re.fullmatch(r"\.\.\.|[A-Z]+2?", word)]
        if words:
            yield words


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in GENERATED], ids=lambda page: page.name
)
def test_every_command_in_a_sentence_exists(page: Path) -> None:
    for name, *arguments in commands(page.read_text(encoding="utf-8")):
        assert name in COMMANDS, name
        options = {one for one in arguments if one.startswith("--")}
        command = command_named(name)
        if isinstance(command, click.Group) and arguments:
            command = command.commands[arguments[0]]
        known = {flag for param in command.params for flag in param.opts} | {"--help"}
        assert options <= known, (name, options)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_quick_start_runs(tmp_path: Path) -> None:
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environ = {"PATH": path, "HOME": str(home), "COLUMNS": "80", "PYTHONUTF8": "1"}
    said = ""
    for one in examples(pages=[ROOT / "docs/quickstart.md"]):
        if one.mark == "file":
            assert one.file
            (work / one.file).write_text(one.text, encoding="utf-8")
        elif one.mark == "run":
            ran = subprocess.run(
                ["sh", "-e", "-c", one.text],
                cwd=work,
                env=environ,
                capture_output=True,
                encoding="utf-8",
                check=False,
                timeout=300,
            )
            assert ran.returncode == 0, f"{one}: {ran.stderr}"
            said += squeezed(ran.stdout) + " "
        elif one.language == "text":
            for line in one.text.splitlines():
                assert squeezed(line) in said, f"{one}: {line}"
    assert not list(home.iterdir())
    for made in ("report.html", "comment.md", "outcomes.csv", "outcomes.observations.jsonl"):
        assert (work / made).stat().st_size
