"""Scanned pages and their transcriptions become cases of documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragproof.core import DocumentCase, UsageError
from ragproof.datasets import load
from ragproof.wiring.dataset_import import Imported, ImportRequest, imported

FORM = [
    {"id": 0, "label": "header", "text": "REPORT", "linking": [[0, 1]]},
    {"id": 1, "label": "question", "text": "Date:", "linking": [[0, 1], [1, 2], [1, 3]]},
    {"id": 2, "label": "answer", "text": "May 5", "linking": [[1, 2]]},
    {"id": 3, "label": "other", "text": "", "linking": [[1, 3]]},
]
BOXES = "1,2,3,2,3,4,1,4,BOOK SHOP\n1,5,3,5,3,6,1,6,TOTAL: 9,00\n"


def folder(tmp_path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (tmp_path / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / name).write_text(text, encoding="utf-8")
    return tmp_path / "set"


def got(tmp_path: Path, form: str, files: dict[str, str]) -> tuple[Imported, list[Any]]:
    out = tmp_path / "cases.jsonl"
    found = imported(ImportRequest(form=form, source=folder(tmp_path, files), out=out))
    return found, [*load(out).cases]


def test_entities_of_a_form_are_elements_and_links_relations(tmp_path: Path) -> None:
    form = json.dumps({"form": FORM})
    files = {"annotations/a.json": form, "images/a.png": "", "annotations/b.json": form}
    found, [case] = got(tmp_path, "funsd", files)
    assert isinstance(case, DocumentCase)
    assert case.document.path == str(tmp_path / "set/images/a.png")
    assert [(one.type, one.text) for one in case.expected_elements or ()] == [
        ("header", "REPORT"),
        ("question", "Date:"),
        ("answer", "May 5"),
    ]
    assert case.expected_relations == (
        ("REPORT", "question", "Date:"),
        ("Date:", "answer", "May 5"),
    )
    assert case.expected_text is None
    assert found.notes.lost == {"entity without a text": 1}
    assert found.notes.left_out == {"no picture in images/": 1}
    assert {"annotations/a.json", "annotations/b.json"} == set(
        json.loads(found.sidecar.read_text())["files"]
    )


def test_lines_of_a_receipt_are_its_text(tmp_path: Path) -> None:
    files = {"box/r.csv": BOXES, "img/r.jpg": "", "key/r.json": '{"total": "9,00"}'}
    found, [case] = got(tmp_path, "sroie", files)
    assert isinstance(case, DocumentCase)
    assert (case.expected_text, case.document_class) == ("BOOK SHOP\nTOTAL: 9,00", "receipt")
    assert [one.text for one in case.expected_elements or ()] == ["BOOK SHOP", "TOTAL: 9,00"]
    assert case.metadata == {"key": {"total": "9,00"}}
    assert found.notes.kept == {"key": 1}


@pytest.mark.parametrize(
    ("form", "files", "told"),
    [
        ("funsd", {"images/a.png": ""}, "there is no annotations/ in it; needed: a folder with"),
        ("funsd", {"annotations/a.json": "{}", "images/a.png": ""}, "a.json: form: got null"),
        (
            "funsd",
            {"annotations/a.json": '{"form": [{"text": 5}]}', "images/a.png": ""},
            "a.json: form.0: got a mapping with text; allowed: an entity with",
        ),
        ("funsd", {"annotations/a.json": "{", "images/a.png": ""}, "a.json: not JSON"),
        ("sroie", {"box/r.txt": "1,2,BOOK\n", "img/r.jpg": ""}, "r.txt:1: got"),
        ("sroie", {"box/r.txt": BOXES}, "there is nothing to import"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, form: str, files: dict[str, str], told: str
) -> None:
    with pytest.raises(UsageError) as fault:
        got(tmp_path, form, files)
    assert told in str(fault.value)
