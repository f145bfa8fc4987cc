"""How `bench.entailment_agreement` holds a model to people."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("scipy", reason="scipy is not installed, which the measurement needs")

from bench.entailment_agreement import (
    LEAST,
    SUPPORT,
    WORDS,
    Scores,
    Timed,
    against,
    auroc,
    calibrated,
    scored,
    show,
)
from bench.entailment_cases import Labelled, begin, mtrag, scifact, scifact_claims, xquad
from bench.entailment_model import SHARED
from ragproof.core import Answer, CaseRun, Chunk, Observation, PairScore, QuestionCase
from ragproof.core.needs import ANSWER, CONTEXT


class Containing:
    """Stands for a model: sure of what stands in the premise word for word."""

    fingerprint = "sha256:0"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> list[PairScore]:
        self.asked += pairs
        return [PairScore(0.9 if said in text else 0.1, 0.0) for text, said in pairs]


def labelled(at: int, text: str, said: str, *, good: bool) -> Labelled:
    chunk = Chunk(id="c", text=text)
    case = QuestionCase(id=f"q{at}", question="?")
    answer = Answer(answer_text=said, retrieved_chunks=(chunk,))
    run = CaseRun(case, Observation(case_id=case.id, answer=answer))
    return Labelled(run, good, float(good), case.id)


def some(count: int = 24) -> list[Labelled]:
    """Every other one borne out; words in another order are those of the source all the same."""
    return [
        labelled(
            at,
            f"Dogs chase cats number {at}.",
            f"Dogs chase cats number {at}." if at % 2 else f"Cats chase dogs number {at}.",
            good=bool(at % 2),
        )
        for at in range(count)
    ]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2).filter(
        lambda rows: len({good for _, good in rows}) > 1
    )
)
def test_auroc_is_that_of_scikit_learn(rows: list[tuple[int, bool]]) -> None:
    values, good = np.array([*zip(*rows, strict=True)], float)
    oracle = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    assert auroc(values, good) == pytest.approx(oracle.roc_auc_score(good, values))


def test_metrics_are_asked_as_in_a_run_and_what_they_leave_out_is_counted() -> None:
    nothing = labelled(99, "Dogs bark.", "I cannot answer that question.", good=False)
    model = Containing()
    found = scored([*some(4), nothing], (WORDS, SUPPORT, LEAST), Timed(model))
    assert len(model.asked) == 4  # two metrics ask the same
    assert found.values[WORDS].tolist() == [1, 1, 1, 1]  # words alone see no difference
    assert found.values[SUPPORT].tolist() == [0, 1, 0, 1]
    assert found.values[LEAST].tolist() == [0.1, 0.9, 0.1, 0.9]
    assert found.good.tolist() == [False, True, False, True]
    assert {text.partition(":")[0] for text in found.without} == {SUPPORT, LEAST}
    assert set(found.without.values()) == {1}


def test_no_pair_is_asked_twice() -> None:
    model = Containing()
    timed = Timed(model)
    pairs = [("a b", "b"), ("a b", "b"), ("a", "c")]
    assert [one.value for one in asyncio.run(timed.scores(pairs))] == [0.9, 0.9, 0.1]
    asyncio.run(timed.scores(pairs))
    assert model.asked == [("a b", "b"), ("a", "c")]
    assert (timed.pairs, timed.windows) == (2, 2)


def test_what_passes_is_told_with_its_counts() -> None:
    passes, good = np.array([1, 1, 1, 0, 0], bool), np.array([1, 1, 0, 1, 0], bool)
    told = against(passes, good)
    # 2 of 3 that pass are good, 2 of 3 good pass; chance agrees on 0.52, these agree on 0.6
    assert told.startswith("precision 2/3 = 0.67  recall 2/3 = 0.67  kappa +0.17 [")


def test_the_figures_of_both_are_shown_with_what_the_model_adds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = scored(some(), (WORDS, LEAST), Containing())
    show("Dogs", found, (LEAST,))
    told = capsys.readouterr().out
    assert "Dogs: 24 answers, people call 12 of them borne out" in told
    assert "AUROC 0.50 [0.50, 0.50]" in told
    assert "AUROC 1.00 [1.00, 1.00]" in told
    assert "AUROC more than of shared words: +0.50 [+0.50, +0.50]" in told


def test_the_threshold_of_one_half_is_held_to_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = scored(some(48), (WORDS, LEAST), Containing())
    halves = found.units // 2 % 2  # whatever half a unit is in, it has both kinds
    mixed = Scores(found.values, found.good, found.ratings, halves, found.kept, found.without)
    calibrated("Dogs", mixed)
    told = capsys.readouterr().out
    assert "found on 24 answers" in told
    assert "24 others: precision 12/12 = 1.00  recall 12/12 = 1.00  kappa +1.00" in told


@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED.is_dir(), reason="the data is not beside the checkout")
def test_people_labelled_so_many() -> None:
    counts = {
        source.__name__: (len(made), sum(one.good for one in made))
        for source, folder in (
            (mtrag, "mtrag_human"),
            (begin, "begin"),
            (scifact, "scifact"),
            (scifact_claims, "scifact"),
        )
        for made in [[*source(SHARED / folder)]]
    }
    assert counts["mtrag"][0] == 276
    assert counts["begin"] == (430, 180)
    assert counts["scifact"][0] == 339
    assert counts["scifact_claims"][0] == 300
    told = [*xquad(SHARED / "xquad", "en")]
    assert len(told) == 3 * len({one.unit for _, one in told})
    for kind, one in told:
        [chunk] = one.run[CONTEXT]
        stands = one.run[ANSWER].answer_text in (chunk.text or "")
        assert stands == (kind == "own") or kind == "planted"
