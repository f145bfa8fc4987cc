"""Build the static site: the pages of docs/, and one page a metric. Nothing is fetched."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from generate import HERE, metric_pages, overview, section

ROOT = HERE.parent
SITE = ROOT / "site"
WORK = ROOT / ".site"
"""Where the pages are gathered."""
FIRST = (
    *("index", "quickstart", "python", "recipes", "ci"),
    *("demo", "which_metric", "footguns", "metrics"),
)
"""The order in which pages are met; the others follow by name."""
SETTINGS = """\
[project]
site_name = "ragproof"
site_description = "Prove that a RAG pipeline works, find where it fails"
docs_dir = "pages"
site_dir = "html"
use_directory_urls = false
nav = [{nav}]
[project.theme]
language = "en"
font = false
features = ["navigation.footer", "navigation.path", "navigation.prune", "content.code.copy"]
[project.markdown_extensions.tables]
[project.markdown_extensions.toc]
permalink = true
[project.markdown_extensions.pymdownx.highlight]
[project.markdown_extensions.pymdownx.superfences]
"""


def gather(pages: Path) -> list[Path]:
    """Copy the pages of docs/, give each metric a page of its own, and return them in order."""
    metrics = pages / "metrics"
    metrics.mkdir(parents=True)
    for page in HERE.glob("*.md"):
        shutil.copy(page, pages)
    listed = overview(lambda metric: f"metrics/{metric}.md")
    (pages / "metrics.md").write_text(listed, encoding="utf-8")
    for one in metric_pages():
        (metrics / f"{one.declared.id}.md").write_text(section(one), encoding="utf-8")
    order = {f"{name}.md": at for at, name in enumerate(FIRST)}
    return sorted(pages.glob("*.md"), key=lambda page: (order.get(page.name, len(order)), page))


def settings(pages: list[Path]) -> str:
    """What the site generator is told: the navigation, with the metrics below their overview."""
    metrics = ["metrics.md", *(f"metrics/{one.declared.id}.md" for one in metric_pages())]
    entries = {_title(page): metrics if page.name == "metrics.md" else page.name for page in pages}
    nav = ", ".join(f"{{{json.dumps(title)} = {json.dumps(to)}}}" for title, to in entries.items())
    return SETTINGS.format(nav=nav)


def _title(page: Path) -> str:
    """The first heading."""
    return page.read_text(encoding="utf-8").partition("# ")[2].partition("\n")[0]


def main() -> int:
    """Build into `site/`; a broken link or anchor is an error."""
    shutil.rmtree(WORK, ignore_errors=True)
    pages = gather(WORK / "pages")
    (WORK / "zensical.toml").write_text(settings(pages), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    code = subprocess.run(command, cwd=WORK, check=False).returncode  # noqa: S603  our own command
    if code == 0:
        shutil.rmtree(SITE, ignore_errors=True)
        (WORK / "html").rename(SITE)
    return code


if __name__ == "__main__":
    sys.exit(main())
