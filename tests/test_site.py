"""The static site: what it is made of, and that it is made without a network."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ragproof.metrics import catalog

ROOT = Path(__file__).parents[1]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return runpy.run_path(str(ROOT / "docs/build.py"))


def test_every_metric_has_a_page_and_every_link_leads_somewhere(
    build: dict[str, Any], tmp_path: Path
) -> None:
    pages = build["gather"](tmp_path / "pages")
    assert pages[0].name == "index.md"
    made = {path.stem for path in (tmp_path / "pages/metrics").iterdir()}
    assert made == set(catalog.ids())
    for page in (tmp_path / "pages").rglob("*.md"):
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert link.startswith("http") or (page.parent / link).exists(), (page.name, link)


def test_a_link_of_the_readme_leads_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)\)", text):
        assert link.startswith("http") or (ROOT / link).exists(), link


def test_every_page_is_in_the_navigation(build: dict[str, Any], tmp_path: Path) -> None:
    pages = build["gather"](tmp_path / "pages")
    told = build["settings"](pages)
    named = re.findall(r'"([\w./]+\.md)"', told)
    there = {str(one.relative_to(tmp_path / "pages")) for one in tmp_path.rglob("*.md")}
    assert sorted(named) == sorted(there)


@pytest.mark.skipif(find_spec("zensical") is None, reason="the extra docs is not installed")
def test_the_site_is_built_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    ran = subprocess.run(
        [sys.executable, "docs/build.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(catalog.ids())
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(?:script|img|iframe)[^>]+src=[\"']?https?:", text), page.name
        assert not re.search(r"<link[^>]+rel=[\"']?stylesheet[\"']?[^>]+https?:", text), page.name
