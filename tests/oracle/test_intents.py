"""Precision, recall and F1 of intents, pooled by the house, against scikit-learn."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from fixture import by_label, pooled, together
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import Answer, CaseRun, Observation, Outcome, QuestionCase, Scored, Tools, Trace
from ragproof.metrics import catalog

reference = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1)


def runs(some: list[tuple[str, str]]) -> list[CaseRun]:
    return [
        CaseRun(
            QuestionCase(id=f"q{at}", question="?", expected_intent=expected),
            Observation(case_id=f"q{at}", answer=Answer(answer_text="?", trace=Trace(intent=got))),
        )
        for at, (expected, got) in enumerate(some)
    ]


def figures(metric_id: str, of: list[CaseRun]) -> dict[str, float | None]:
    """Label to what the scores of all cases come to."""
    metric = catalog.build(metric_id)
    found: dict[str, list[Outcome]] = defaultdict(list)
    for run in of:
        for label, one in by_label(metric, run).items():
            found[label].append(one)
    return {label: pooled(metric.spec, some) for label, some in found.items()}


@settings(max_examples=25)
@given(some=pairs)
def test_every_figure_is_that_of_scikit_learn(some: list[tuple[str, str]]) -> None:
    expected, got = [one for one, _ in some], [one for _, one in some]
    labels = sorted({*expected, *got})
    report: dict[str, Any] = reference.classification_report(
        expected, got, labels=labels, output_dict=True, zero_division=0
    )
    of = runs(some)
    for name in ("precision", "recall", "f1"):
        mine = figures(f"query.intent_{name}", of)
        theirs = {label: report[label]["f1-score" if name == "f1" else name] for label in labels}
        # where scikit-learn divides by zero there is no figure here
        assert mine == pytest.approx({label: theirs[label] for label in mine})
        assert all(theirs[label] == 0 for label in labels if label not in mine)
    accuracy = reference.accuracy_score(expected, got)
    assert figures("query.intent_correct", of) == {"": pytest.approx(accuracy)}
    [macro] = together(catalog.build("query.intent_macro_f1"), of, Tools()).values()
    assert isinstance(macro, Scored)
    assert macro.value == pytest.approx(report["macro avg"]["f1-score"])
