"""A benchmark in BEIR's layout: `corpus.jsonl`, `queries.jsonl` and judgments in `qrels/*.tsv`.

The dataset is called by its file of judgments, `qrels/test.tsv`, or by the folder. Its topics are
those that the file judges, and those that no file of the folder does: these are kept, marked by the
tag `judged: no`, and have nothing that a score could rest on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.text.faults import shown
from ragproof.text.jsonl import read_lines
from ragproof.text.nearest import nearest
from ragproof.text.strict_json import parse

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
USUAL = "test"
"""The split that is taken where none is named and there are several."""
UNJUDGED = {"judged": "no"}
_TITLES = frozenset({"query-id", "query_id", "qid", "query", "topic"})
"""What the first column may be called in a line of titles."""
_HIGHEST = 100


def is_beir(path: Path) -> bool:
    """Whether a dataset's path means a benchmark: a folder, or a file of judgments in one."""
    return path.suffix == ".tsv" or path.is_dir()


def folder_of(path: Path) -> Path:
    """The benchmark's folder."""
    return path.parent.parent if path.suffix == ".tsv" else path


def called(path: Path) -> str:
    """Name the dataset after folder and split: `scifact-test`."""
    name = folder_of(path.absolute()).resolve().name
    return f"{name}-{path.stem}" if path.suffix == ".tsv" else name


def dataset_path(folder: Path, split: str | None = None) -> Path:
    """Find the judgments of a split; the folder itself where it has no judgments at all.

    Without a split it is `test`, or the only one there is. Raises UsageError for what is no
    benchmark, and for a split that it does not have.
    """
    _check(folder)
    splits = {file.stem: file for file in sorted((folder / QRELS).glob("*.tsv"))}
    if split is not None and split not in splits:
        told = ", ".join(splits) or "none"
        raise UsageError(
            f"--split: got {split!r}; {folder / QRELS} has: {told}.{nearest(split, splits)}"
        )
    if split is None and not splits:
        return folder
    if split is None and USUAL not in splits and len(splits) > 1:
        raise UsageError(f"{folder / QRELS} has {', '.join(splits)}; choose one by --split")
    return splits[split or (USUAL if USUAL in splits else next(iter(splits)))]


def read(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line number in `queries.jsonl` and the JSON of each case.

    Raises UsageError, with file and line, for what cannot be read, and for a judged topic that is
    not among the queries.
    """
    folder = folder_of(path)
    _check(folder)
    path = path if path.suffix == ".tsv" else dataset_path(folder)
    grades, lines = _judgments(path) if path.suffix == ".tsv" else ({}, {})
    elsewhere = {
        query
        for other in sorted((folder / QRELS).glob("*.tsv"))
        if other.resolve() != path.resolve()
        for _, query, _, _ in _rows(other)
    }
    for number, query, text, metadata in _queries(folder / QUERIES):
        judged = grades.pop(query, None)
        if judged is None and query in elsewhere:
            continue
        case: dict[str, Any] = {"id": query, "question": text, "metadata": metadata}
        case |= {"tags": UNJUDGED} if judged is None else {"expected_source_ids": judged}
        yield number, json.dumps(case)
    for query in grades:
        raise UsageError(
            f"{path}:{lines[query]}: topic {shown(query)} is judged and is not in {QUERIES}"
        )


def _check(folder: Path) -> None:
    for name in (CORPUS, QUERIES):
        if not (folder / name).is_file():
            raise UsageError(
                f"{folder}: there is no {name} in it. A benchmark in BEIR's layout has {CORPUS}, "
                f"{QUERIES} and {QRELS}/*.tsv"
            )


def _queries(path: Path) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    for number, raw in read_lines(path):
        try:
            line = parse(raw.decode())
        except ValueError as fault:
            raise UsageError(f"{path}:{number}: {fault}") from None
        if not isinstance(line, dict):
            raise UsageError(f"{path}:{number}: got {shown(line)}; allowed: a JSON object")
        for name in ("_id", "text"):
            if not isinstance(line.get(name), str) or not line[name].strip():
                got = shown(line.get(name))
                raise UsageError(
                    f"{path}:{number}: {name}: got {got}; allowed: a text that is not empty"
                )
        metadata = line.get("metadata")
        yield number, line["_id"], line["text"], metadata if isinstance(metadata, dict) else {}


def _judgments(path: Path) -> tuple[dict[str, dict[str, int]], Mapping[str, int]]:
    """Topic to document to grade, and the line at which each topic comes first."""
    grades: dict[str, dict[str, int]] = {}
    lines: dict[str, int] = {}
    for number, query, document, grade in _rows(path):
        lines.setdefault(query, number)
        if grades.setdefault(query, {}).setdefault(document, grade) != grade:
            raise UsageError(
                f"{path}:{number}: topic {shown(query)}, document {shown(document)}: got grade "
                f"{grade}, but an earlier line says {grades[query][document]}"
            )
    if not grades:
        raise UsageError(f"{path}: there are no judgments in it")
    return grades, lines


def _rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    """Line number, topic, document and grade; a first line that holds titles is passed over."""
    for number, raw in read_lines(path):
        text = raw.decode()
        cells = [cell.strip() for cell in text.split("\t")] if "\t" in text else text.split()
        if len(cells) == 4:  # as TREC has it: topic, iteration, document, grade
            del cells[1]
        if len(cells) != 3 or not cells[0] or not cells[1]:
            raise UsageError(
                f"{path}:{number}: got {shown(text)}; allowed: topic, document and grade, "
                "parted by tabs"
            )
        if number == 1 and cells[0].lower() in _TITLES:
            continue
        if (grade := _grade(cells[2])) is None:
            raise UsageError(
                f"{path}:{number}: grade: got {shown(cells[2])}; allowed: a whole number from "
                f"-{_HIGHEST} to {_HIGHEST}"
            )
        yield number, cells[0], cells[1], grade


def _grade(cell: str) -> int | None:
    try:
        grade = int(cell)
    except ValueError:
        return None
    return grade if abs(grade) <= _HIGHEST else None
