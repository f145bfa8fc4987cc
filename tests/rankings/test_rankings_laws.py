"""What holds for all rankings."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_files import Judged, Ranked, qrels_lines, run_lines, written

from ragproof.core import UsageError
from ragproof.rankings import blocks, whole
from ragproof.rankings.evaluation import Evaluated, evaluate
from ragproof.rankings.formats import read
from ragproof.rankings.judgments import judgments
from ragproof.rankings.measures import Asked
from ragproof.rankings.memory import score
from ragproof.rankings.notation import measures
from ragproof.rankings.origin import Kind, Origin

NAMES = ("nDCG@5", "AP", "RR", "P@3", "R@5", "bpref", "infAP", "Judged@4", "RBP(p=0.5)", "NumRet")
ids = st.text("ab1é/-", min_size=1, max_size=20)
judged = st.dictionaries(
    ids, st.dictionaries(ids, st.integers(-1, 3), min_size=1, max_size=8), min_size=1, max_size=6
)
numbers = st.sampled_from([0.0, 1.0, 2.5]) | st.floats(-1e6, 1e6)
ranked = st.dictionaries(ids, st.dictionaries(ids, numbers, min_size=1, max_size=12), max_size=8)


def from_files(folder: Path, qrels: list[str], run: list[str]) -> Evaluated:
    told, lists = written(folder / "q.trec", qrels), written(folder / "r.trec", run)
    wanted = [one for name in NAMES for one in measures(name, Asked())]
    known = judgments(read(told, Kind.QRELS), Origin(str(told), Kind.QRELS))
    origin = Origin(str(lists), Kind.RUN)
    return evaluate(known, lambda: read(lists, Kind.RUN), origin, wanted)


def by_query(found: Evaluated) -> dict[str, list[float]]:
    return {
        query: [float(values[at]) for values in found.values.values()]
        for at, query in enumerate(found.queries)
    }


@settings(max_examples=50)
@given(qrels=judged, run=ranked, seed=st.integers(0, 99), size=st.sampled_from([1, 40, 1 << 20]))
def test_the_order_of_rows_and_the_size_of_blocks_change_nothing(
    qrels: Judged, run: Ranked, seed: int, size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    plain = by_query(score(qrels, run, NAMES))
    lines = [qrels_lines(qrels), run_lines(run)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks.blocks, "__defaults__", (size,))
        patch.setattr(whole, "AT_ONCE", size)
        assert by_query(from_files(folder, *lines)) == plain
        for some in lines:
            random.Random(seed).shuffle(some)
        assert by_query(from_files(folder, *lines)) == plain


@settings(max_examples=30)
@given(qrels=judged, run=ranked.filter(bool), data=st.data())
def test_a_row_that_is_there_again_is_an_error(
    qrels: Judged, run: Ranked, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("twice")
    for lines, told in ((qrels_lines(qrels), "q.trec"), (run_lines(run), "r.trec")):
        at = data.draw(st.integers(0, len(lines) - 1))
        files = {"q.trec": qrels_lines(qrels), "r.trec": run_lines(run)}
        files[told] = [*lines, lines[at]]
        with pytest.raises(
            UsageError, match=rf"{told}:{len(lines) + 1}: .* first on line {at + 1}"
        ):
            from_files(folder, files["q.trec"], files["r.trec"])


@settings(max_examples=30)
@given(graded=judged, run=ranked)
def test_no_fraction_leaves_its_range_and_a_missing_query_is_0(graded: Judged, run: Ranked) -> None:
    found = score(graded, run, NAMES)
    for name, values in found.values.items():
        assert ((values >= 0) & (values <= (1 if name != "NumRet" else 99))).all()
        assert (values[found.returned == 0] == 0).all()
    assert found.missing == sum(query not in run for query in graded)
    assert found.unjudged_queries == sum(query not in graded for query in run)


@settings(max_examples=30)
@given(
    documents=st.lists(ids, min_size=2, max_size=12, unique=True),
    relevant=st.integers(0, 11),
    data=st.data(),
)
def test_moving_a_relevant_document_up_never_lowers_a_value(
    documents: list[str], relevant: int, data: st.DataObject
) -> None:
    old = relevant % len(documents)
    new = data.draw(st.integers(0, old))
    hits = {documents[old]: 1} | {
        one: data.draw(st.sampled_from([0, 1])) for one in documents[:old:2]
    }
    moved = [one for one in documents if one != documents[old]]
    moved.insert(new, documents[old])
    before, after = (
        score({"q": hits}, {"q": {one: -float(at) for at, one in enumerate(order)}}, NAMES)
        for order in (documents, moved)
    )
    for name in ("nDCG@5", "AP", "RR", "P@3", "R@5", "bpref", "RBP(p=0.5)"):
        assert after.figures[name] >= before.figures[name] - 1e-12


@settings(max_examples=30)
@given(documents=st.lists(ids, min_size=1, max_size=30, unique=True), at=st.integers(0, 29))
def test_equal_scores_are_in_order_of_the_ids_bytes_the_greatest_first(
    documents: list[str], at: int
) -> None:
    one = documents[at % len(documents)]
    found = score({"q": {one: 1}}, {"q": dict.fromkeys(documents, 1.0)}, ["RR"])
    order = sorted((name.encode() for name in documents), reverse=True)
    assert found.figures["RR"] == 1 / (order.index(one.encode()) + 1)


def test_an_id_that_only_goes_on_is_another_one() -> None:
    long = "x" * 24
    qrels = {"q": {long: 1, f"{long}y": 0}, f"q{long}": {long: 1}}
    run = {"q": {f"{long}y": 3.0, long: 2.0, long[:-1]: 1.0}, f"q{long}": {f"{long}z": 1.0}}
    assert by_query(score(qrels, run, ["RR"])) == {"q": [0.5], f"q{long}": [0.0]}


def test_ids_that_differ_in_few_places_are_told_apart() -> None:
    digits = "0123456789abcdef"
    names = [
        f"{'x' * 7}{a}{'y' * 3}{b}{'z' * 3}{c}" for a in digits for b in digits for c in digits
    ]
    run = {"q": {name: float(at) for at, name in enumerate(names)}}
    found = score({"q": dict.fromkeys(names, 1)}, run, ["NumRelRet", "AP"])
    assert dict(found.figures) == {"NumRelRet": 4096.0, "AP": 1.0}
