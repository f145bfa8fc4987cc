"""Documents given by their file: what is known of their text without a parser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ragproof.adapters.method import document_of
from ragproof.cli.main import root
from ragproof.core import Document, DocumentCase
from ragproof.wiring.document_files import placed

MARKDOWN = "# Care\r\n\r\n- wick\r\n- oil\r\n\r\nTrim it daily.\r\n"


def run(tmp_path: Path, name: str, content: bytes, chunks: list[dict[str, Any]]) -> dict[str, Any]:
    (tmp_path / name).write_bytes(content)
    case = {"id": "d", "kind": "document", "document": {"path": name}}
    (tmp_path / "dataset.jsonl").write_text(json.dumps(case))
    (tmp_path / "seen.jsonl").write_text(json.dumps({"case_id": "d", "chunks": chunks}))
    asked = ["--dataset", f"{tmp_path}/dataset.jsonl", "--recorded", f"{tmp_path}/seen.jsonl"]
    more = ["--metrics", "chunking.structure_intact", "--store", f"{tmp_path}/store.db", "--json"]
    result = CliRunner().invoke(root, ["run", *asked, *more])
    found: dict[str, Any] = json.loads(result.stdout)["metrics"]
    return found


def test_chunks_of_a_plain_file_are_held_against_its_text(tmp_path: Path) -> None:
    cut = [{"id": "a", "text": "# Care\n\n- wick"}, {"id": "b", "text": "- oil\n\nTrim it daily."}]
    found = run(tmp_path, "care.md", MARKDOWN.encode(), cut)
    assert found["chunking.structure_intact"]["mean"] == 0  # the list is torn by both


@pytest.mark.parametrize(
    ("name", "content"),
    [("care.html", b"<ul><li>wick<li>oil</ul>"), ("care.txt", b"\xff\xfe\xfa")],
)
def test_what_has_no_one_text_says_what_to_do(tmp_path: Path, name: str, content: bytes) -> None:
    [figure] = run(tmp_path, name, content, [{"id": "a", "text": "wick"}]).values()
    assert figure["mean"] is None
    assert list(figure["skip_reasons"]) == [
        "no text of the document; expose parse or label expected_text"
    ]


def test_the_adapter_is_given_what_the_dataset_has(tmp_path: Path) -> None:
    (tmp_path / "care.md").write_bytes(MARKDOWN.encode())
    case = DocumentCase(id="d", document=Document(path="care.md"))
    found = placed(case, tmp_path, with_text=True)
    assert isinstance(found, DocumentCase)
    assert found.document.text == MARKDOWN.replace("\r\n", "\n")
    assert document_of(found) == {"id": "d", "path": str(tmp_path / "care.md")}


def test_a_text_that_is_labelled_is_kept_to(tmp_path: Path) -> None:
    (tmp_path / "care.md").write_bytes(MARKDOWN.encode())
    case = DocumentCase(id="d", document=Document(path="care.md"), expected_text="Care")
    found = placed(case, tmp_path, with_text=True)
    assert isinstance(found, DocumentCase)
    assert found.document.text is None
