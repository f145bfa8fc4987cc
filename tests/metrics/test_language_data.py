"""The metrics that ask no model, in five languages, where it is known what they must say."""

from __future__ import annotations

import pytest

from bench.language_agreement import (
    AWAY,
    FLAG,
    LANGUAGES,
    METRICS,
    XQUAD,
    asked,
    flagged,
    gold_answers,
    same_figures,
)

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not XQUAD.is_dir(), reason=f"the questions are not at {XQUAD}"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", METRICS)
def test_a_gold_answer_is_in_its_own_paragraph_and_in_no_other(language: str, name: str) -> None:
    cases = asked(XQUAD, language)
    _, own = gold_answers(name, cases)
    _, other = gold_answers(name, cases, AWAY)
    assert own >= 0.975
    assert other <= 0.17


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_figures_of_a_translation_are_those_of_the_original(language: str) -> None:
    _, share = same_figures(asked(XQUAD, language), asked(XQUAD, "en"))
    # Chinese counts where English does not: 两个 where the original has "both", 十年 for a decade
    assert share >= (0.94 if language == "zh" else 0.95)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_flag_of_unseen_entities_flags_plants_and_nothing_else(language: str) -> None:
    found = flagged(asked(XQUAD, language), asked(XQUAD, "en"))
    assert found.precision >= 0.99, FLAG
    assert found.of_figures >= 0.83
    if language in {"en", "de"}:
        assert found.of_names >= 0.96
