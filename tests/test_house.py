"""Rules about the source tree itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "ragproof").rglob("*.py"))
WRITTEN = [
    *SOURCES,
    *(file for room in ("tests", "docs", "bench") for file in (ROOT / room).rglob("*.py")),
]
FORBIDDEN = {"util", "utils", "helper", "helpers", "common", "manager", "base"}

ALONE = """
import importlib, sys, threading
for name in sys.argv[1:]:
    for known in [one for one in sys.modules if one.partition(".")[0] == "ragproof"]:
        del sys.modules[known]
    try:
        importlib.import_module(name)
    except BaseException as error:
        sys.exit(f"{name} does not import alone: {error!r}")
    if threading.active_count() > 1:
        sys.exit(f"{name} starts a thread")
"""
"""Imports each module as the first of the package, in an order in which none has help."""


def modules() -> list[str]:
    """Every module of the package; folders that are no package hold none."""
    return [
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in SOURCES
        if (file.parent / "__init__.py").exists()
    ]


def functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def words(name: str) -> set[str]:
    """`BaseStore` and `base_store` are base and store."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)}


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in WRITTEN}
    assert {str(file): lines for file, lines in lengths.items() if lines > 400} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    lengths = {
        f"{file}:{one.lineno} {one.name}": (one.end_lineno or 0) - one.lineno + 1
        for file in SOURCES
        for one in functions(file)
    }
    assert {name: lines for name, lines in lengths.items() if lines > 40} == {}


@pytest.mark.parametrize("name", ["base_store", "BaseStore", "utils", "RunManager"])
def test_a_name_is_taken_apart_into_words(name: str) -> None:
    assert words(name) & FORBIDDEN


def test_no_name_says_nothing() -> None:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    for file in SOURCES:
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        names = {node.name for node in nodes if isinstance(node, kinds)}
        names |= {*file.relative_to(ROOT).with_suffix("").parts}
        assert {name for name in names if words(name) & FORBIDDEN} == set(), file


def test_every_module_imports_alone_and_silently() -> None:
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE, *modules()],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")


def test_listing_metrics_imports_none() -> None:
    code = (
        "import sys; from ragproof.metrics import catalog; catalog.ids();"
        "print([m for m in sys.modules if m.startswith('ragproof.metrics.') and m.count('.') > 2])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert shown.stdout.strip() == "[]"


def test_the_package_does_not_reach_for_the_tests() -> None:
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] not in {"tests", "docs", "bench"}, file
