"""A benchmark's folder is a dataset, and what was not judged is not scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.core import QuestionCase, UsageError
from ragproof.datasets import dataset_hash, load
from ragproof.datasets.beir import dataset_path
from ragproof.datasets.corpus import load_corpus
from ragproof.wiring.wish import Wish

TITLES = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three topics: one of each split, and one that nobody judged."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": f"d{at}", "title": "T", "text": f"text {at}"} for at in range(3)]
    queries = [
        {"_id": "q1", "text": "first?", "metadata": {"from": "x"}},
        {"_id": "q2", "text": "second?", "url": "ignored"},
        {"_id": "q3", "text": "third?"},
    ]
    for name, lines in (("corpus", corpus), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    judged = {"test": "q1\td0\t2\nq1\td1\t0\n", "train": "q2\td2\t1\n"}
    for name, rows in judged.items():
        (folder / f"qrels/{name}.tsv").write_text(TITLES + rows, encoding="utf-8")
    return folder


def test_a_split_is_its_judged_topics_and_those_that_nobody_judged(folder: Path) -> None:
    found = load(folder / "qrels/test.tsv")
    assert found.name == "tiny-test"
    first, third = found.cases
    assert isinstance(first, QuestionCase)
    assert isinstance(third, QuestionCase)
    assert (first.id, first.question, first.metadata) == ("q1", "first?", {"from": "x"})
    assert first.expected_source_ids == {"d0": 2, "d1": 0}
    assert (third.id, third.expected_source_ids, third.tags) == ("q3", None, {"judged": "no"})
    assert found.hash == dataset_hash(found.cases)


def test_the_corpus_beside_it_is_read_as_any_other(folder: Path) -> None:
    assert load_corpus(folder / "corpus.jsonl").text("d1") == "T\ntext 1"


def test_the_split_is_test_or_the_only_one_or_has_to_be_named(folder: Path) -> None:
    assert dataset_path(folder).name == "test.tsv"
    assert dataset_path(folder, "train").name == "train.tsv"
    with pytest.raises(UsageError, match=r"got 'tets'; .*: test, train\. Did you mean 'test'"):
        dataset_path(folder, "tets")
    (folder / "qrels/test.tsv").rename(folder / "qrels/dev.tsv")
    with pytest.raises(UsageError, match="has dev, train; choose one by --split"):
        dataset_path(folder)
    (folder / "qrels/dev.tsv").unlink()
    assert dataset_path(folder).name == "train.tsv"


def test_topics_without_any_judgments_are_all_unjudged(folder: Path) -> None:
    for file in (folder / "qrels").iterdir():
        file.unlink()
    found = load(dataset_path(folder))
    assert (found.name, len(found.cases)) == ("tiny", 3)
    assert {case.tags["judged"] for case in found.cases} == {"no"}


def test_the_four_columns_of_trec_are_read_too(folder: Path) -> None:
    (folder / "qrels/test.tsv").write_text("q1 0 d0 1\nq3\tQ0\td1\t1\n", encoding="utf-8")
    assert [case.id for case in load(folder).cases] == ["q1", "q3"]


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("qrels/test.tsv", TITLES + "q1\td0\n", "test.tsv:2: got "),
        ("qrels/test.tsv", TITLES + "q1\td0\tyes\n", "test.tsv:2: grade: got .yes.; allowed:"),
        ("qrels/test.tsv", "q1\td0\tone\n", "test.tsv:1: grade: got .one"),
        ("qrels/test.tsv", TITLES + "q1\td0\t1\nq1\td0\t2\n", "test.tsv:3: .* grade 2, but"),
        ("qrels/test.tsv", TITLES + "q9\td0\t1\n", "test.tsv:2: topic .q9. is judged and is not"),
        ("qrels/test.tsv", TITLES, "there are no judgments"),
        ("queries.jsonl", '{"_id": 1, "text": "?"}\n', "queries.jsonl:1: _id: got 1; allowed:"),
        ("queries.jsonl", '{"_id": "q1", "text": " "}\n', "queries.jsonl:1: text: got"),
        ("queries.jsonl", '{"_id": "q1"\n', "queries.jsonl:1: "),
        ("queries.jsonl", '{"_id": "q1", "text": "?"}\n' * 2, "queries.jsonl:2.*already the id"),
    ],
)
def test_a_fault_is_told_with_file_and_line(folder: Path, file: str, text: str, said: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        load(folder / "qrels/test.tsv")


def test_what_is_no_benchmark_is_told_what_one_has(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no corpus.jsonl in it\. A benchmark"):
        load(tmp_path)


def test_the_flag_sets_cases_corpus_and_what_ids_name(folder: Path) -> None:
    config = Wish(beir=folder, split="train", ignore_config=True).load_config({})
    assert config.dataset == folder / "qrels/train.tsv"
    assert config.corpus == folder / "corpus.jsonl"
    assert config.run.source_match == "document"
    assert config.runs_under == "tiny-train"
    own = Wish(beir=folder, source_match="chunk", ignore_config=True).load_config({})
    assert own.run.source_match == "chunk"


def test_a_resume_takes_the_benchmark_over(folder: Path) -> None:
    wish = Wish(beir=folder, split="train")
    assert wish.selection == {}
    assert Wish(resume="latest").after(wish.asked).beir == folder


def test_cases_are_named_once(folder: Path) -> None:
    with pytest.raises(UsageError, match="--beir and --dataset both name the cases"):
        Wish(beir=folder, dataset=Path("d.jsonl"), ignore_config=True).load_config({})
