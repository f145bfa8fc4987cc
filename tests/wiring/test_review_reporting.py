"""Which reviews a judge's figure may be corrected by, and what is looked at in a run."""

from __future__ import annotations

import dataclasses

import pytest
from hand_made import cases, column, declared, record
from review_keys import head

from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better
from ragproof.datasets.review_queue import Key, KeyItem
from ragproof.reports.review_words import powered as told
from ragproof.wiring.review_reporting import powered

JUDGED, OTHER, WORSE = "generation.groundedness", "generation.token_f1", "generation.toxicity"
HEAD = head(run="20260304-101500-ab12", traffic=40)


def judged_run() -> RunRecord:
    """40 answers: the judge passes all but every fourth."""
    scores = [float(at % 4 != 0) for at in range(40)]
    columns = {
        JUDGED: column(declared(JUDGED), scores),
        OTHER: column(declared(OTHER), scores),
        WORSE: column(declared(WORSE, better=Better.LOWER), scores),
    }
    hashes = {JUDGED: ("abc",), WORSE: ("def",)}
    return record(cases(40), columns, prompt_hashes=hashes)


def drawn(numbers: range, stratum: str) -> list[KeyItem]:
    return [
        KeyItem(item=f"i{at}", case_id=f"c{at:04d}", strata=(stratum,), probability=0.5, answer="")
        for at in numbers
    ]


def test_only_the_random_sample_corrects_a_judge_and_only_a_judge_is_corrected() -> None:
    items = [*drawn(range(20), "random"), *drawn(range(20, 40), "thumbs_down")]
    key = Key(HEAD, {one.item: one for one in items})
    # people agree with the judge on the random half; of complaints they call every answer bad
    verdicts = {
        one.item: {"ada": "bad" if at >= 20 or at % 4 == 0 else "good"}
        for at, one in enumerate(items)
    }
    found = dict(powered(judged_run(), key, verdicts))
    assert found.keys() == {JUDGED}
    one = found[JUDGED]
    assert isinstance(one, PredictionPowered)
    assert (one.labelled, one.cases, one.human) == (20, 40, 0.75)
    assert one.tuned.value == pytest.approx(0.75)
    assert told(one).startswith("25.0 % [")
    assert "20 random reviews; weight of the judge 1.00" in told(one)


def test_a_run_that_was_not_drawn_from_as_a_whole_is_not_corrected() -> None:
    key = Key(dataclasses.replace(HEAD, other_strata=3), {})
    assert dict(powered(judged_run(), key, {})) == {
        JUDGED: "part of the run could not be drawn: its mean is not that of this traffic"
    }


def test_without_reviews_of_the_random_sample_it_says_so() -> None:
    items = drawn(range(4), "thumbs_down")
    key = Key(HEAD, {one.item: one for one in items})
    found = dict(powered(judged_run(), key, {one.item: {"ada": "bad"} for one in items}))
    assert found == {JUDGED: "there are no human labels of this metric"}
