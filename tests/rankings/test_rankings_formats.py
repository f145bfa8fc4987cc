"""The same rankings in every format have the same figures."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from ranking_files import Judged, Ranked, qrels_lines, run_lines, scored, written

from ragproof.core import UsageError
from ragproof.rankings.formats import Format, found, read
from ragproof.rankings.origin import Kind

QRELS: Judged = {"1": {"a": 2, "b": 0}, "tü": {"c,d": 1}}
RUN: Ranked = {"1": {"b": 1.5, "a": 1e-3}, "tü": {"x": 7.0, "c,d": -0.25}}
FIGURES = {"AP": 0.5, "nDCG@10": (1 / 1.584962500721156 * 2) / 2}
ASKED = ("--metric", "AP", "--metric", "nDCG@10")


def quoted(cell: object, delimiter: str) -> str:
    return f'"{cell}"' if delimiter in str(cell) else str(cell)


def table(rows: Mapping[str, Mapping[str, float]], delimiter: str, *header: str) -> list[str]:
    cells = [(q, doc, value) for q, docs in rows.items() for doc, value in docs.items()]
    lines = [delimiter.join(quoted(cell, delimiter) for cell in row) for row in cells]
    return [delimiter.join(header), *lines] if header else lines


def objects(rows: Mapping[str, Mapping[str, float]], *names: str) -> list[str]:
    return [
        json.dumps(dict(zip(names, (q, doc, value), strict=True)))
        for q, docs in rows.items()
        for doc, value in docs.items()
    ]


FILES: dict[str, tuple[str, Callable[[], tuple[list[str], list[str]]]]] = {
    "TREC": ("txt", lambda: (qrels_lines(QRELS), run_lines(RUN))),
    "CSV without a header": ("csv", lambda: (table(QRELS, ","), table(RUN, ","))),
    "CSV with one": (
        "csv",
        lambda: (
            table(QRELS, ",", "query_id", "doc_id", "relevance"),
            table(RUN, ",", "qid", "docno", "Score"),
        ),
    ),
    "TSV as in BEIR": (
        "tsv",
        lambda: (
            table(QRELS, "\t", "query-id", "corpus-id", "score"),
            table(RUN, "\t", "query-id", "corpus-id", "score"),
        ),
    ),
    "TSV as in MS MARCO": (
        "tsv",
        lambda: (
            [line.replace(" ", "\t") for line in qrels_lines(QRELS)],
            [line.replace(" ", "\t") for line in run_lines(RUN)],
        ),
    ),
    "JSON Lines": (
        "jsonl",
        lambda: (
            objects(QRELS, "query_id", "doc_id", "relevance"),
            objects(RUN, "query_id", "doc_id", "score"),
        ),
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_has_the_same_figures(name: str, tmp_path: Path, *, packed: bool) -> None:
    suffix, lines = FILES[name]
    files = [
        written(tmp_path / f"{kind}.{suffix}", some)
        for kind, some in zip(("q", "r"), lines(), strict=True)
    ]
    if packed:
        for at, file in enumerate(files):
            files[at] = file.with_name(f"{file.name}.gz")
            files[at].write_bytes(gzip.compress(file.read_bytes()))
    assert scored(files[0], files[1], *ASKED)["metrics"] == pytest.approx(FIGURES)


def test_line_ends_marks_and_blank_lines_make_no_difference(tmp_path: Path) -> None:
    lines = ("\ufeff", "\r\n\r\n".join(qrels_lines(QRELS)), "\r\n \r\n")
    qrels = tmp_path / "q"
    qrels.write_bytes("".join(lines).encode())
    run = tmp_path / "r"
    run.write_text("\n\n" + "\n".join(run_lines(RUN)).replace(" ", " \t "), encoding="utf-8")
    assert scored(qrels, run, *ASKED)["metrics"] == pytest.approx(FIGURES)


def test_a_format_can_be_told_and_the_first_bytes_tell_it(tmp_path: Path) -> None:
    qrels = written(tmp_path / "q.dat", qrels_lines(QRELS))
    run = written(tmp_path / "r.dat", table(RUN, ","))
    told = ("--format", "csv", "--qrels-format", "trec")
    assert scored(qrels, run, *ASKED, *told)["metrics"] == pytest.approx(FIGURES)
    assert found(written(tmp_path / "o", objects(RUN, "qid", "pid", "sim"))) is Format.JSONL
    assert found(qrels) is Format.TREC
    (tmp_path / "p").write_bytes(b"PAR1")
    assert found(tmp_path / "p") is Format.PARQUET


def test_a_column_of_ranks_puts_the_smallest_first(tmp_path: Path) -> None:
    qrels = written(tmp_path / "q", ["1 0 a 1"])
    run = written(tmp_path / "r.csv", ["query,doc,rank", "1,x,2", "1,a,1"])
    assert scored(qrels, run, "--metric", "RR")["metrics"] == {"RR": 1.0}


def test_scores_that_are_ranks_are_not_taken_for_scores(tmp_path: Path) -> None:
    run = written(tmp_path / "r.tsv", ["1\ta\t1", "1\tb\t2", "1\tc\t3", "2\ta\t1"])
    with pytest.raises(UsageError, match=r"r\.tsv:1: the scores look like places"):
        list(read(run, Kind.RUN))


def test_whole_numbers_are_ids_in_json_lines(tmp_path: Path) -> None:
    qrels = written(tmp_path / "q", ["1 0 10 1"])
    run = written(tmp_path / "r.jsonl", ['{"qid": 1, "pid": 10, "score": 3}'])
    assert scored(qrels, run, "--metric", "AP")["metrics"] == {"AP": 1.0}


def test_parquet_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r'pip install "ragproof\[parquet\]"'):
        list(read(tmp_path / "r.parquet", Kind.RUN))


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
@pytest.mark.parametrize("ids", ["string", "large_string", "dictionary", "binary"])
def test_parquet_has_the_same_figures(ids: str, tmp_path: Path) -> None:
    import pyarrow as arrow  # noqa: PLC0415  an extra
    from pyarrow import parquet  # noqa: PLC0415

    kinds = {"dictionary": arrow.dictionary(arrow.int8(), arrow.string())}
    kind = kinds.get(ids) or getattr(arrow, ids)()
    files = []
    for name, rows, value in (("q", QRELS, "relevance"), ("r", RUN, "score")):
        flat = [(q, doc, one) for q, docs in rows.items() for doc, one in docs.items()]
        columns = [list(column) for column in zip(*flat, strict=True)]
        made = {
            "query_id": arrow.array(columns[0], arrow.string()).cast(kind),
            "doc_id": arrow.array(columns[1], arrow.string()).cast(kind),
            value: columns[2],
        }
        files.append(tmp_path / f"{name}.parquet")
        parquet.write_table(arrow.table(made), files[-1], row_group_size=3)
    assert scored(files[0], files[1], *ASKED)["metrics"] == pytest.approx(FIGURES)
