"""Write a dataset for other tools, and say what each form has no place for."""

from __future__ import annotations

import codecs
import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragproof.core import Case, QuestionCase, UsageError
from ragproof.datasets.beir import CORPUS, QRELS, QUERIES, USUAL
from ragproof.datasets.canonical import dump
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.imports.beir_folder import RESTORED
from ragproof.datasets.imports.mapped import TEXTS
from ragproof.datasets.imports.records import GUARDED
from ragproof.datasets.writing import write_cases
from ragproof.text.files import whole

FORMATS = {
    "jsonl": "canonical lines, sorted keys",
    "csv": "a column a field, JSON in those that hold more than a text",
    "parquet": "the same columns",
    "beir": "a folder; what the layout has no place for is kept in each query's metadata",
    "trec": "topics, and judgments beside them in <name>.qrels",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    paths: tuple[Path, ...]
    cases: int
    lost: Mapping[str, int] = field(default_factory=dict[str, int])
    """Field to the number of cases whose value has no place in the form."""


def export(
    form: str, cases: Sequence[Case], out: Path, *, corpus: Path | None = None, split: str = USUAL
) -> Exported:
    """Write; raises UsageError for what the form cannot hold at all."""
    if form == "jsonl":
        return Exported((out,), write_cases(out, cases))
    writers: Mapping[str, Callable[[], Exported]] = {
        "csv": lambda: _csv(cases, out),
        "parquet": lambda: _parquet(cases, out),
        "trec": lambda: _trec(_questions(cases, form), out),
        "beir": lambda: _beir(_questions(cases, form), out, corpus, split),
    }
    return writers[form]()


def _questions(cases: Iterable[Case], form: str) -> list[QuestionCase]:
    found = []
    for case in cases:
        if not isinstance(case, QuestionCase):
            raise UsageError(f"case {case.id!r} is a document; {form} holds questions only")
        found.append(case)
    return found


def _plain(case: Case) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(dump(case))
    return plain


def _rows(cases: Sequence[Case]) -> tuple[list[str], list[dict[str, str]]]:
    """Columns that any case fills, and the cells; a tag is a column `tags.NAME`."""
    rows = []
    names = {"id": None, "kind": None, "question": None}
    for case in cases:
        row: dict[str, str] = {}
        for name, value in _plain(case).items():
            if name == "tags":
                row |= {f"tags.{tag}": one for tag, one in value.items()}
            else:
                row[name] = _cell(name, value)
        names |= dict.fromkeys(row)
        rows.append(row)
    return [name for name in names if any(name in row for row in rows)], rows


def _cell(name: str, value: object) -> str:
    """Text as it is, unless it would be read as JSON; all else as JSON."""
    if isinstance(value, str) and name in TEXTS:
        return value
    if isinstance(value, str) and value and value[0] not in '[{"':
        return value
    return json.dumps(value, ensure_ascii=False)


def _csv(cases: Sequence[Case], out: Path) -> Exported:
    names, rows = _rows(cases)
    with whole(out) as file:
        sheet = csv.writer(codecs.getwriter("utf-8")(file))
        sheet.writerow(names)
        for row in rows:
            sheet.writerow([guarded(row.get(name, "")) for name in names])
    return Exported((out,), len(rows))


def guarded(text: str) -> str:
    """A text that a spreadsheet would take for a formula gets an apostrophe; reading takes it."""
    return f"'{text}" if text.lstrip("'").startswith(GUARDED) else text


def _parquet(cases: Sequence[Case], out: Path) -> Exported:
    try:
        import pyarrow as arrow  # noqa: PLC0415  heavy, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(
            'Parquet needs pyarrow: pip install "ragproof[parquet]"; csv and jsonl need nothing'
        ) from None
    names, rows = _rows(cases)
    table = arrow.table(
        {name: arrow.array([row.get(name) for row in rows], arrow.string()) for name in names}
    )
    with whole(out) as file:
        parquet.write_table(table, file)
    return Exported((out,), len(rows))


def _grades(case: QuestionCase) -> Mapping[str, int]:
    ids = case.expected_source_ids or ()
    return ids if isinstance(ids, Mapping) else dict.fromkeys(ids, 1)


def _trec(cases: Sequence[QuestionCase], out: Path) -> Exported:
    lost: Counter[str] = Counter()
    qrels = out.with_suffix(".qrels")
    if qrels == out:
        raise UsageError(f"{out}: the topics cannot be named .qrels, the judgments are")
    with ExitStack() as files:
        topics = files.enter_context(whole(out))
        judged = files.enter_context(whole(qrels))
        for case in cases:
            topic = _word(case.id, case.id)
            lost.update(_plain(case).keys() - {"id", "kind", "question", "expected_source_ids"})
            question = " ".join(case.question.split())
            lost["line breaks and runs of spaces in a question"] += question != case.question
            lost["kind"] += case.kind != "qa"
            topics.write(f"{topic}\t{question}\n".encode())
            for source, grade in _grades(case).items():
                judged.write(f"{topic} 0 {_word(source, case.id)} {grade}\n".encode())
    return Exported((out, qrels), len(cases), {name: one for name, one in lost.items() if one})


def _word(text: str, case_id: str) -> str:
    if not text or any(one.isspace() for one in text):
        raise UsageError(f"case {case_id!r}: the id {text!r} has white space, which parts fields")
    return text


def _beir(cases: Sequence[QuestionCase], out: Path, corpus: Path | None, split: str) -> Exported:
    if corpus is None:
        raise UsageError("BEIR's layout has the documents: name them by --corpus FILE or FOLDER")
    documents = load_corpus(corpus)
    (out / QRELS).mkdir(parents=True, exist_ok=True)
    paths = [out / CORPUS, out / QUERIES, out / QRELS / f"{split}.tsv"]
    with ExitStack() as files:
        texts, queries, judged = (files.enter_context(whole(path)) for path in paths)
        for name in documents:
            line = {"_id": name, "title": "", "text": documents.text(name) or ""}
            texts.write(f"{json.dumps(line)}\n".encode())
        judged.write(b"query-id\tcorpus-id\tscore\n")
        for case in cases:
            rest = _plain(case)
            metadata = rest.pop("metadata", {})
            grades = _grades(case)
            rest = {key: one for key, one in rest.items() if key not in ("id", "question")}
            if isinstance(case.expected_source_ids, Mapping) and grades:
                rest.pop("expected_source_ids")
            if rest != {"kind": "qa"} or not grades:
                metadata = {**metadata, RESTORED: {"tags": {}, **rest}}
            line = {"_id": case.id, "text": case.question, "metadata": metadata}
            queries.write(f"{json.dumps(line)}\n".encode())
            for source, grade in grades.items():
                cells = (_cellular(case.id, case.id), _cellular(source, case.id), str(grade))
                judged.write(("\t".join(cells) + "\n").encode())
    if not any(_grades(case) for case in cases):  # a file without judgments is none
        paths.pop().unlink()
    return Exported(tuple(paths), len(cases))


def _cellular(text: str, case_id: str) -> str:
    if text != text.strip() or any(one in text for one in "\t\r\n"):
        raise UsageError(f"case {case_id!r}: the id {text!r} does not fit a column")
    return text
