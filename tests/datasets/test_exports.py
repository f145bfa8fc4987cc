"""What is exported reads back as it was; what a form has no place for is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sets import asked, lines

from ragproof.core import Case, QuestionCase, UsageError
from ragproof.datasets import dataset_hash, load
from ragproof.datasets.exports import export
from ragproof.datasets.parse import Malformed, read_case
from ragproof.datasets.reading import read_given
from ragproof.wiring.dataset_import import ImportRequest, imported

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
LABEL = st.text("abc =+-@'[{\"", min_size=1, max_size=6).filter(lambda text: text.strip() != "")
ID = st.text("abc0-'=", min_size=1, max_size=6)
CASES = st.fixed_dictionaries(
    {"question": TEXT.filter(lambda text: text.strip() != "")},
    optional={
        "kind": st.sampled_from(["qa", "unanswerable"]),
        "expected_answer": TEXT | st.just("") | st.lists(TEXT, max_size=2),
        "expected_source_ids": st.lists(ID, max_size=2) | st.dictionaries(ID, st.integers(-1, 3)),
        "expected_nuggets": st.just([{"text": "n", "vital": True}]),
        "history": st.just([{"role": "user", "content": "hi"}]),
        "tags": st.dictionaries(LABEL, LABEL, max_size=2),
        "group": LABEL,
        "as_of": st.just("2026-01-01"),
        "answerable_from_context": st.booleans(),
        "expected_intent": TEXT,
        "caller": st.dictionaries(TEXT, TEXT | st.integers(), max_size=1),
        "metadata": st.dictionaries(TEXT, TEXT | st.none() | st.booleans(), max_size=2),
    },
)


def read_back(form: str, path: Path) -> tuple[Case, ...]:
    out = path.parent / "back.jsonl"
    imported(ImportRequest(form=form, source=path, out=out))
    return load(out).cases


@pytest.mark.parametrize(("form", "name"), [("csv", "x.csv"), ("beir", "x")])
@given(rows=st.lists(CASES, min_size=1, max_size=3))
@settings(max_examples=20, deadline=None)
def test_a_round_trip_loses_nothing(
    form: str, name: str, rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    texts = [json.dumps({"id": f"c{at}", **row}) for at, row in enumerate(rows)]
    try:
        cases = tuple(map(read_case, texts))
        read_given("d", texts, folder)
    except (Malformed, UsageError):
        return
    corpus = lines(folder / "c.jsonl", {"id": "d", "text": "t"})
    done = export(form, cases, folder / name, corpus=corpus)
    assert dataset_hash(read_back(form, folder / name)) == dataset_hash(cases)
    assert done.lost == {}


def test_trec_says_what_it_has_no_place_for(tmp_path: Path) -> None:
    cases = (asked("a", "What\nnow?", expected_source_ids={"d": 2}), asked("b"))
    done = export("trec", cases, tmp_path / "t.tsv")
    assert done.lost == {
        "expected_answer": 2,
        "line breaks and runs of spaces in a question": 1,
    }
    out = tmp_path / "o.jsonl"
    imported(
        ImportRequest(form="trec", source=tmp_path / "t.tsv", qrels=tmp_path / "t.qrels", out=out)
    )
    first, second = load(out).cases
    assert isinstance(first, QuestionCase)
    assert (first.question, first.expected_source_ids) == ("What now?", {"d": 2})
    assert second.tags == {"judged": "no"}


def test_ids_that_a_form_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="case 'a b': the id 'a b' has white space"):
        export("trec", [asked("a b")], tmp_path / "t.tsv")
    with pytest.raises(UsageError, match="name them by --corpus"):
        export("beir", [asked("a")], tmp_path / "x")
    with pytest.raises(UsageError, match=r"must end in \.jsonl"):
        export("jsonl", [asked("a")], tmp_path / "x.json")


def test_a_spreadsheet_runs_nothing(tmp_path: Path) -> None:
    export("csv", [asked("a", "=HYPERLINK(1)")], tmp_path / "x.csv")
    assert "'=HYPERLINK(1)" in (tmp_path / "x.csv").read_text(encoding="utf-8")
