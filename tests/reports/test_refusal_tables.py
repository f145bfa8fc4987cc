"""The table of refusals over what models and people really answered."""

from __future__ import annotations

import pytest

from bench.refusal_tables import DATA, clapnq, nomiracl, table

pytestmark = pytest.mark.shared_data


def test_a_model_that_declines_a_lot_is_seen_to_do_so_where_it_should_not() -> None:
    if not (DATA / "nomiracl").is_dir():
        pytest.skip(f"the outputs of models are not at {DATA / 'nomiracl'}")
    said = nomiracl(DATA / "nomiracl")
    assert len(said) == 11
    cautious, bold = table(said["Mistral-7B-Instruct-v0.2"]), table(said["llama-2-13b-chat"])
    assert cautious == {
        "answerable": {"answered": 107, "refused": 143, "wrong": 143, "errors": 0},
        "retrieval_miss": {"answered": 31, "refused": 219, "wrong": 31, "errors": 0},
    }
    assert bold == {
        "answerable": {"answered": 250, "refused": 0, "wrong": 0, "errors": 0},
        "retrieval_miss": {"answered": 250, "refused": 0, "wrong": 250, "errors": 0},
    }


def test_people_who_answered_refused_nothing_and_their_silence_is_a_refusal() -> None:
    if not (DATA / "clapnq").is_dir():
        pytest.skip(f"the answers of people are not at {DATA / 'clapnq'}")
    assert table([*clapnq(DATA / "clapnq")]) == {
        "answerable": {"answered": 300, "refused": 0, "wrong": 0, "errors": 0},
        "out_of_scope": {"answered": 0, "refused": 300, "wrong": 0, "errors": 0},
    }
