"""What is wrong with a file is told by query, document, file and line; exit code 3."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ranking_files import scored, written

from ragproof.core import UsageError
from ragproof.rankings.evaluation import evaluate
from ragproof.rankings.formats import Format, read
from ragproof.rankings.judgments import judgments
from ragproof.rankings.memory import score
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
        (
            "trec",
            ["1 Q0 b 1 inf t", "1 Q0 a 1 1e999 t"],
            ":2: query '1', document 'a': the score '1e999' is more than a 64-bit number holds",
        ),
        (
            "trec",
            [f"1 Q0 a 1 -{'9' * 400} t"],
            f":1: query '1', document 'a': the score '-{'9' * 55}... is more than a 64-bit",
        ),
        (
            "csv",
            ["qid,docno,score", "1,a,1e400"],
            ":2: query '1', document 'a': the score '1e400' is more than a 64-bit number holds",
        ),
        (
            "jsonl",
            [f'{{"qid": "1", "pid": "a", "score": -1{"0" * 400}}}'],
            f":1: query '1', document 'a': the score -1{'0' * 55}... is more than a 64-bit number",
        ),
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
        (
            [f"1 0 a {'9' * 400}"],
            f":1: query '1', document 'a': the relevance '{'9' * 56}... is more than a 64-bit",
        ),
        (["1 0 a inf"], ":1: query '1', document 'a': the relevance 'inf' is no whole number"),
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


def test_an_infinite_score_is_above_or_below_all_others(tmp_path: Path) -> None:
    run = written(tmp_path / "r", ["1 Q0 z 1 -inf t", "1 Q0 x 1 1e300 t", "1 Q0 a 1 Infinity t"])
    judged = written(tmp_path / "q", ["1 0 a 1", "1 0 z 1"])
    found = scored(judged, run, "--metric", "RR", "--metric", "AP")["metrics"]
    assert found == {"RR": 1.0, "AP": (1 + 2 / 3) / 2}


def test_what_single_precision_cannot_hold_is_infinite_as_in_trec_eval_9(tmp_path: Path) -> None:
    run = written(tmp_path / "r", ["1 Q0 a 1 1e301 t", "1 Q0 b 1 1e300 t"])
    judged = written(tmp_path / "q", ["1 0 a 1"])
    assert scored(judged, run, "--metric", "RR", "--float32-scores")["metrics"] == {"RR": 0.5}
    assert scored(judged, run, "--metric", "RR")["metrics"] == {"RR": 1.0}


@pytest.mark.parametrize("name", ["e\u0301", " \u00e9", "\u00e9 "])
def test_ids_that_never_meet_are_told_of(name: str, tmp_path: Path) -> None:
    """One is written in another form of Unicode, or with a blank that a CSV file keeps."""
    judged = written(tmp_path / "q.csv", ["query,doc,rel", "1,\u00e9,1"])
    run = written(tmp_path / "r.csv", ["query,doc,score", f"1,{name},1"])
    found = scored(judged, run, "--metric", "RR")
    assert found["metrics"] == {"RR": 0.0}
    assert found["warnings"] == [
        f"no document of {run} is judged in {judged}. Do the ids match, byte by byte?"
    ]


@pytest.mark.parametrize("value", ["1", None, True, [1], np.True_])
def test_values_in_memory_that_are_no_numbers_are_refused_by_name(value: Any) -> None:
    with pytest.raises(TypeError, match=r"run: the score of document 'a' is .*; it must be a num"):
        score({"1": {"a": 1}}, {"1": {"a": value}}, ["RR"])
    with pytest.raises(TypeError, match=r"qrels: the relevance of document 'a' is .*; it must be"):
        score({"1": {"a": value}}, {"1": {"a": 1.0}}, ["RR"])


def test_numbers_of_numpy_are_numbers_and_whole_ones_beyond_a_double_are_told_of() -> None:
    found = score({"1": {"a": np.int64(1)}}, {"1": {"a": np.float32(0.5), "b": 10**30}}, ["RR"])  # type: ignore[dict-item]
    assert found.figures == {"RR": 0.5}
    with pytest.raises(UsageError, match=r"run, row 1: query '1', document 'a': the score 10000"):
        score({"1": {"a": 1}}, {"1": {"a": 10**400}}, ["RR"])
