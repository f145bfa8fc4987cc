"""What is wrong with a file is told by query, document, file and line; exit code 3."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from ranking_files import written

from ragproof.core import UsageError
from ragproof.rankings.evaluation import evaluate
from ragproof.rankings.formats import Format, read
from ragproof.rankings.judgments import judgments
from ragproof.rankings.origin import Kind, Origin


def fault(path: Path, kind: Kind, form: Format | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        judgments(read(path, kind, form), Origin(str(path), kind))
    return str(caught.value).removeprefix(str(path))


@pytest.mark.parametrize(
    ("suffix", "lines", "told"),
    [
        ("trec", ["1 Q0 a 1 2.5"], ":1: 5 fields; a TREC run line has 6: query Q0 document rank"),
        ("trec", ["1 Q0 a 1 2 t", "", "1 Q0 b 1 2 t x"], ":3: 7 fields; a TREC run line has 6"),
        (
            "trec",
            ["1 Q0 a 1 2 t", "1 Q0 b 2 nan t"],
            ":2: query '1', document 'b': the score 'nan'",
        ),
        (
            "trec",
            ["1 Q0 a 1 1_0 t"],
            ":1: query '1', document 'a': the score '1_0' is not a number",
        ),
        ("csv", ["1,a\x1b[31m,."], r":1: no column for the score: got '1', 'a\x1b[31m', '.'"),
        ("trec", ["1 Q0 a 1 . t"], ":1: query '1', document 'a': the score '.' is not a number"),
        ("csv", ["1,a,2", "1,b"], ":2: 2 columns; the first line has 3"),
        ("csv", ["1,a,2", "1,b,x"], ":2: query '1', document 'b': the score 'x' is not a number"),
        ("csv", ["1,a"], ":1: 2 columns and no header; without one there are 3 or TREC's 6"),
        ("csv", ["a,b,c"], ":1: no column for the score: got 'a', 'b', 'c'; allowed: score,"),
        ("csv", ["query,doc,points"], ":1: no column for the score: got 'query', 'doc', 'points'"),
        ("csv", ["query,doc,score", ",a,1"], ":2: the query id is empty"),
        ("csv", ["query,doc,score", '1,"a" b,1'], ":2: "),
        ("jsonl", ['{"qid": "1"'], ":1: not JSON: "),
        ("jsonl", ["[1]"], ":1: not a JSON object"),
        ("jsonl", ['{"qid": "1", "pid": "a"}'], ":1: no column for the score"),
        ("jsonl", ['{"qid": "1", "pid": "a", "score": 1}', '{"qid": "1"}'], ":2: no 'pid'"),
        ("jsonl", ['{"qid": 1.5, "pid": "a", "score": 1}'], ":1: the qid 1.5 is neither text nor"),
        ("jsonl", ['{"qid": "1", "pid": "a", "score": "2"}'], ":1: the score '2' is not a number"),
        (
            "jsonl",
            ['{"qid": "1", "pid": "a", "score": NaN}'],
            ":1: query '1', document 'a': the sc",
        ),
    ],
)
def test_a_fault_of_a_run_is_told_with_its_line(
    suffix: str, lines: list[str], told: str, tmp_path: Path
) -> None:
    assert fault(written(tmp_path / f"r.{suffix}", lines), Kind.RUN).startswith(told)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["1 0 a"], ":1: 3 fields; a TREC qrels line has 4: query 0 document relevance"),
        (["1 0 a 0.5"], ":1: query '1', document 'a': the relevance '0.5' is no whole number"),
        (["1 0 a 3000000000"], ":1: query '1', document 'a': the relevance '3000000000' is no"),
        (["1 0 a yes"], ":1: query '1', document 'a': the relevance 'yes' is not a number"),
        (
            ["1 0 a 1", "2 0 a 1", "1 0 a 0"],
            ":3: query '1', document 'a': the document is there twice, first on line 1. Keep one",
        ),
        ([], ":1: there is no judgment in the file"),
    ],
)
def test_a_fault_of_the_qrels_is_told_with_its_line(
    lines: list[str], told: str, tmp_path: Path
) -> None:
    assert fault(written(tmp_path / "q.trec", lines), Kind.QRELS).startswith(told)


def test_a_document_twice_is_found_far_apart_in_the_file(tmp_path: Path) -> None:
    lines = [f"{query} Q0 d{doc} 1 {-doc} t" for query in range(30) for doc in range(2000)]
    run = written(tmp_path / "r.trec", [*lines, "3 Q0 d17 1 5 t"])
    origin = Origin(str(run), Kind.RUN)
    known = judgments(read(written(tmp_path / "q", ["3 0 d1 1"]), Kind.QRELS), origin)
    with pytest.raises(UsageError, match=r":60001: query '3', document 'd17': .* line 6018"):
        evaluate(known, lambda: read(run, Kind.RUN), origin, [])


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert fault(tmp_path / "none", Kind.RUN) == ": there is no such file"
    assert fault(tmp_path, Kind.RUN, Format.TREC) == ": this is a folder; name a file"
    (tmp_path / "u").write_bytes("1 0 a 1\n".encode("utf-16"))
    for form in (Format.TREC, Format.CSV, Format.JSONL):
        assert "Save it as UTF-8" in fault(tmp_path / "u", Kind.QRELS, form)
    whole = gzip.compress(b"1 0 a 1\n" * 1000)
    (tmp_path / "half.gz").write_bytes(whole[: len(whole) // 2])
    for form in (Format.TREC, Format.CSV, Format.JSONL):
        assert "the file is not whole gzip" in fault(tmp_path / "half.gz", Kind.QRELS, form)


def test_bytes_that_are_not_utf_8_are_ids_like_any_other(tmp_path: Path) -> None:
    for form, text in ((Format.TREC, b"1 0 \xff\xfe 1\n"), (Format.CSV, b"1,\xff\xfe,1\n")):
        (tmp_path / "q").write_bytes(text)
        rows = next(iter(read(tmp_path / "q", Kind.QRELS, form)))
        assert rows.text[rows.document.start[0] :][:2].tolist() == [255, 254]


def test_what_can_be_read_only_once_must_hold_the_rows_of_a_query_together(tmp_path: Path) -> None:
    origin = Origin("/dev/stdin", Kind.RUN)
    known = judgments(read(written(tmp_path / "q", ["1 0 a 1"]), Kind.QRELS), origin)
    run = written(tmp_path / "r", ["1 Q0 a 1 2 t", "2 Q0 a 1 2 t", "1 Q0 b 1 1 t"])
    once = [[], list(read(run, Kind.RUN))]
    with pytest.raises(UsageError, match=r"^/dev/stdin: the rows of a query do not stand together"):
        evaluate(known, once.pop, origin, [])
