"""What the pages name exists, and what is generated is current."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ragproof.core
from ragproof.cli.main import COMMANDS, command_named
from ragproof.metrics import catalog

ROOT = Path(__file__).parents[1]
BY_HAND = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / f"docs/{name}.md" for name in ("words", "specification", "index", "quickstart")),
    *(ROOT / f"docs/{name}.md" for name in ("which_metric", "footguns", "decisions", "judge")),
    *(ROOT / f"docs/{name}.md" for name in ("gold_trace", "embedding_models", "index_recall")),
    *(ROOT / f"docs/{name}.md" for name in ("filters", "search", "rankings", "ontology")),
    *(
        ROOT / f"docs/{name}.md"
        for name in ("datasets", "generate", "local_models", "review", "drift")
    ),
]
FOLDERS = ("ragproof", "tests", "docs", "bench")
FAMILIES = {one.partition(".")[0] for one in catalog.ids()}
MADE_UP = re.compile(r"<\w+>")


def named() -> Iterator[tuple[Path, str]]:
    """Every word in back-ticks of the pages written by hand."""
    for page in BY_HAND:
        for word in re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")):
            yield page, word


def missing(word: str) -> str | None:
    """Why what the word names does not exist, if so."""
    path, _, test = word.partition("::")
    if path.partition("/")[0] in FOLDERS and "/" in path and not MADE_UP.search(path):
        if not (ROOT / path).exists():
            return "there is no such file"
        if test and f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"):
            return "there is no such test"
    elif re.fullmatch(rf"({'|'.join(FAMILIES)})\.\w+", word) and word not in catalog.ids():
        return "there is no such metric"
    elif word.startswith("ragproof ") and not a_command(word.split()[1]):
        return "there is no such command"
    return None


def a_command(name: str) -> bool:
    return name in COMMANDS and command_named(name).name is not None


def test_everything_that_a_page_names_exists() -> None:
    found = {(page.name, word): missing(word) for page, word in named()}
    assert {name: why for name, why in found.items() if why} == {}


@pytest.mark.parametrize(
    "word",
    [
        "tests/nothing.py",
        "tests/test_docs.py::test_nothing",
        "retrieval.nothing_at_k",
        "ragproof nothing",
    ],
)
def test_what_does_not_exist_is_noticed(word: str) -> None:
    assert missing(word)


def test_every_metric_stands_in_the_specification() -> None:
    page = (ROOT / "docs/specification.md").read_text(encoding="utf-8")
    unasked = {"echo.exact_match", "retrieval.tie_rate", "system.latency_seconds"}
    assert {one for one in catalog.ids() if f"`{one}`" not in page} <= unasked


def test_every_class_in_the_list_of_words_is_a_shared_word() -> None:
    page = (ROOT / "docs/words.md").read_text(encoding="utf-8")
    rows = [line.split("|")[3] for line in page.splitlines() if line.count("|") == 4]
    classes = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(classes) > 30
    assert {name for name in classes if not hasattr(ragproof.core, name)} == set()


def test_no_word_is_explained_twice() -> None:
    page = (ROOT / "docs/words.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| ([a-z ]+) \|", page, flags=re.MULTILINE)
    assert sorted(word for word in words if word != "word") == sorted({*words} - {"word"})


def test_the_generated_pages_are_current() -> None:
    # in a process of its own: what else was imported or set must not change a page
    program = "import runpy; print(runpy.run_path('docs/generate.py')['stale']())"
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


def test_a_stale_page_is_named_and_then_written(tmp_path: Path) -> None:
    for page in (ROOT / "docs").iterdir():
        if page.is_file():
            shutil.copy(page, tmp_path)
    (tmp_path / "metrics.md").write_text("old")

    def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(tmp_path / "generate.py"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={"PYTHONPATH": str(ROOT)},
        )

    told = generate("--check")
    assert (told.returncode, "metrics.md is stale" in told.stderr) == (1, True)
    assert generate().returncode == 0
    assert generate("--check").returncode == 0
    assert generate("--chek").returncode == 3
    current = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    assert (tmp_path / "metrics.md").read_text(encoding="utf-8") == current
