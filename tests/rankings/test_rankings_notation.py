"""Names of measures, in either notation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.rankings.catalog import FAMILIES
from ragproof.rankings.decimals import number, numbers
from ragproof.rankings.measures import Asked
from ragproof.rankings.memory import score
from ragproof.rankings.notation import ALIASES, TREC_EVAL, TREC_EVAL_AT, measures
from ragproof.rankings.rows import PAD, Fields

QRELS = {"q": {"a": 1, "b": 3, "c": 0, "z": 2}}
RUN = {"q": {"c": 4.0, "a": 3.0, "x": 2.0, "b": 1.0}}


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("map", "AP"),
        ("MAP@3", "AP@3"),
        ("map_cut_3", "AP@3"),
        ("recip_rank", "RR"),
        ("MRR@3", "RR@3"),
        ("P_5", "P@5"),
        ("recall_100", "R@100"),
        ("Recall@2", "R@2"),
        ("success_5", "Success@5"),
        ("R-Prec", "Rprec"),
        ("iprec_at_recall_0.50", "IPrec@0.5"),
        ("set_F", "SetF(beta=1)"),
        ("rbp", "RBP(p=0.9)"),
        ("RBP", "RBP(p=0.8)"),
        ("unj_4", "Unjudged@4"),
        ("P(rel=1)@2", "P@2"),
        ("nDCG(dcg='log2')@3", "nDCG@3"),
    ],
)
def test_two_names_of_one_measure_have_one_value(name: str, same: str) -> None:
    found = score(QRELS, RUN, [name, same]).figures
    assert found[name.replace(".10", "_10")] == found[same] > 0


def test_worked_by_hand() -> None:
    found = score(QRELS, RUN, ["RBP(p=0.8)", "RBP(p=0.5,rel=2)@4", "Judged@3", "RR(rel=2)"])
    assert found.figures == pytest.approx(
        {
            "RBP(p=0.8)": 0.2 * (0.8 + 0.8**3),
            "RBP(p=0.5,rel=2)@4": 0.5 * 0.5**3,
            "Judged@3": 2 / 3,
            "RR(rel=2)": 0.25,
        }
    )
    exponential = score(QRELS, RUN, ["nDCG"], exponential=True).figures["nDCG"]
    discounts = [1 / np.log2(place + 1) for place in (1, 2, 3, 4)]
    gained = 1 * discounts[1] + 7 * discounts[3]
    assert exponential == pytest.approx(
        gained / (7 * discounts[0] + 3 * discounts[1] + 1 * discounts[2])
    )


def test_a_name_of_trec_eval_may_stand_for_several() -> None:
    assert [one.name for one in measures("P.3,7", Asked())] == ["P_3", "P_7"]
    assert len(list(measures("ndcg_cut", Asked()))) == 9
    shares = [one.name for one in measures("iprec_at_recall.0.5,1", Asked())]
    assert shares == ["iprec_at_recall_0.50", "iprec_at_recall_1.00"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nDGC@10", "There is no measure 'nDGC@10'. Did you mean 'nDCG@10'?"),
        ("ndcg_cu_10", "There is no measure 'ndcg_cu_10'. Did you mean 'ndcg_cut'?"),
        ("", "There is no measure ''. Known: nDCG, P, R, RR, AP,"),
        ("P@", "'P@': the cut-off is ''; it must be a whole number of at least 1"),
        ("RBP(p=1)", "'RBP(p=1)': p is '1', with which all is worth 0; it must be below 1"),
        ("P@0", "'P@0': the cut-off is '0'; it must be a whole number of at least 1"),
        ("P@1.5", "'P@1.5': the cut-off is '1.5'"),
        ("Rprec@5", "'Rprec@5': Rprec takes no cut-off"),
        ("R", "'R': R needs a cut-off: R@10"),
        ("IPrec@2", "'IPrec@2': @ is '2'; allowed: 0 to 1"),
        ("RBP(p=2)", "'RBP(p=2)': p is '2'; allowed: 0 to 1"),
        ("P(level=2)@5", "'P(level=2)@5': no parameter 'level'; it takes rel"),
        ("Judged(rel=2)@5", "'Judged(rel=2)@5': no parameter 'rel'; it takes none"),
        ("nDCG(dcg=exp)@5", "'nDCG(dcg=exp)@5': dcg is 'exp'; allowed: log2, exp-log2"),
        ("P_x", "'P_x': the cut-off is 'x'"),
    ],
)
def test_a_name_that_is_none_is_told_what_was_meant(name: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        list(measures(name, Asked()))
    assert str(caught.value).startswith(told)


def test_every_name_leads_to_a_measure() -> None:
    assert {*TREC_EVAL.values(), *ALIASES.values()} <= FAMILIES.keys()
    assert {family for family, _ in TREC_EVAL_AT.values()} <= FAMILIES.keys()


tokens = st.text("0123456789.-+eEnaif_", min_size=1, max_size=22) | st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    st.text("0123456789", max_size=10),
    st.sampled_from(["", ".", "."]),
    st.text("0123456789", min_size=1, max_size=9),
)


@given(st.lists(tokens, min_size=1, max_size=40))
def test_numbers_are_read_as_python_reads_them_to_the_last_bit(given_: list[str]) -> None:
    encoded = [one.encode() for one in given_]
    lengths = np.array([len(one) for one in encoded])
    text = np.frombuffer(b"".join(encoded) + bytes(PAD), dtype=np.uint8)
    found = numbers(text, Fields(np.cumsum(lengths) - lengths, lengths))
    np.testing.assert_array_equal(found, [number(one) for one in encoded])
    assert (np.signbit(found) == [str(number(one)).startswith("-") for one in encoded]).all()
