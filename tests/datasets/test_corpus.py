"""Documents of a folder, or of a file with one a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.core import UsageError
from ragproof.datasets.corpus import corpus_hash, load_corpus


def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_bytes("\ufeffAlpha\r\nzwei".encode())
    (tmp_path / "sub" / "b.txt").write_text("Beta")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.md").write_text("not ours")
    return tmp_path


def test_a_folders_ids_are_its_paths_and_other_kinds_are_listed(tmp_path: Path) -> None:
    corpus = load_corpus(folder(tmp_path))
    assert list(corpus) == ["a.md", "sub/b.txt"]
    assert corpus.text("a.md") == "Alpha\nzwei"
    assert corpus.text("c.md") is None
    assert getattr(corpus, "skipped", None) == ("image.png",)


def test_a_file_is_read_line_by_line_wherever_its_lines_begin(tmp_path: Path) -> None:
    file = tmp_path / "corpus.jsonl"
    lines = ['{"_id": "1", "title": "T\u00e9", "text": "eins"}', "", '{"id": "2", "text": "zwei"}']
    file.write_bytes(("\ufeff" + "\r\n".join(lines)).encode())
    corpus = load_corpus(file)
    assert len(corpus) == 2
    assert ("1" in corpus, "3" in corpus) == (True, False)
    assert (corpus.text("1"), corpus.text("2"), corpus.text("3")) == ("T\u00e9\neins", "zwei", None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[1]", "corpus.jsonl:2: got"),
        ('{"text": "x"}', "corpus.jsonl:2: id: got null"),
        ('{"id": "b"}', "corpus.jsonl:2: text: got null"),
        ('{"id": "a", "text": "again"}', "already the id of line 1"),
        ('{"id": "b", "text": "x"', "corpus.jsonl:2:"),
    ],
)
def test_a_line_that_is_no_document_is_named(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"id": "a", "text": "x"}\n' + line)
    with pytest.raises(UsageError) as fault:
        load_corpus(file)
    assert told in str(fault.value)


def test_an_empty_folder_and_an_empty_file_are_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    for path in (tmp_path / "empty.jsonl", tmp_path):
        with pytest.raises(UsageError, match=r"(?i)empty|no documents"):
            load_corpus(path)


def test_the_hash_follows_the_contents_and_not_the_order(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    lines = ['{"id": "a", "text": "x"}', '{"id": "b", "text": "y"}']
    one.write_text("\n".join(lines))
    two.write_text("\n".join(reversed(lines)))
    same = {corpus_hash(load_corpus(path)) for path in (one, two)}
    two.write_text("\n".join([lines[0], '{"id": "b", "text": "z"}']))
    assert len(same) == 1
    assert corpus_hash(load_corpus(two)) not in same
