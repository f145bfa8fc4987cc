"""Evidence as people read it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core.outcome import Json
from ragproof.reports.account import ROWS, account

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES: st.SearchStrategy[Json] = st.recursive(
    PLAIN, lambda one: st.lists(one, max_size=4) | st.dictionaries(st.text(), one, max_size=4)
)


def test_claims_become_rows_with_verdict_quote_and_reason() -> None:
    claim: dict[str, Json] = {
        "id": "c1",
        "text": "Cats fly.",
        "verdict": "unsupported",
        "failure_mode": "wrong_entity",
        "quote": "Bats fly",
        "quote_found": True,
        "reason": "bats do",
        "passage": 3,
    }
    (row,) = account({"claims": [claim]}).rows
    assert (row.subject, row.verdict, row.tone) == (
        "Cats fly.",
        "unsupported: wrong entity",
        "bad",
    )
    assert (row.quote, row.quote_found, row.reason) == ("Bats fly", True, "bats do")
    assert row.more == (("passage", "3"),)


def test_one_verdict_on_the_whole_answer_is_a_row_and_the_rest_are_facts() -> None:
    found = account({"verdict": "complete", "reason": "all is said", "missing": [], "share": 0.25})
    (row,) = found.rows
    assert (row.subject, row.verdict, row.tone, row.reason) == (
        "",
        "complete",
        "good",
        "all is said",
    )
    assert found.facts == (("share", "0.25"),)


def test_aspects_are_rows_by_their_names() -> None:
    found = account({"required_information": {"verdict": "ok", "reason": "as asked"}})
    assert [(row.subject, row.verdict) for row in found.rows] == [("required information", "ok")]


def test_every_juror_has_an_account_of_its_own() -> None:
    votes: Json = [
        {"juror": "a", "value": 0.5, "evidence": {"claims": [{"text": "x", "verdict": "ok"}]}},
        {"juror": "b", "not_scored": "HTTP 529"},
    ]
    found = account({"pooling": "majority", "unanimous": False, "jurors": votes})
    assert [(name, vote, len(own.rows)) for name, vote, own in found.jurors] == [
        ("a", "0.5", 1),
        ("b", "HTTP 529", 0),
    ]
    assert found.facts == (("pooling", "majority"), ("unanimous", "no"))


def test_a_long_list_is_cut_and_says_so() -> None:
    found = account({"claims": [{"text": str(at)} for at in range(ROWS + 7)], "ids": [*range(20)]})
    assert (len(found.rows), found.unlisted) == (ROWS, 7)
    assert found.facts[0][1].endswith("10, 11, and 8 more")


@settings(max_examples=50)
@given(st.dictionaries(st.text() | st.sampled_from(["jurors", "verdict", "claims"]), VALUES))
def test_whatever_a_metric_leaves_as_evidence_is_told(evidence: dict[str, Json]) -> None:
    found = account(evidence)
    for row in found.rows:
        assert isinstance(row.subject, str)
        assert row.tone in {"good", "bad", "neutral"}
