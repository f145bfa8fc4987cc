"""Every example in every fixture file comes out as written."""

from __future__ import annotations

import pytest
from fixture import Example, Scene, all_examples, play

from ragproof.core import Cause, Failed, NotApplicable, Outcome, Scored, Skipped

EXAMPLES = list(all_examples())


@pytest.mark.parametrize(
    ("metric_id", "example"), EXAMPLES, ids=[f"{m}: {e.name}" for m, e in EXAMPLES]
)
def test_comes_out_as_written(metric_id: str, example: Example) -> None:
    played = play(metric_id, example)
    for scene, found in zip(played.scenes, played.outcomes, strict=True):
        if isinstance(scene.scored, dict):
            assert values(found) == pytest.approx(scene.scored, abs=1e-9)
        else:
            [outcome] = found.values()
            check(scene, outcome)
    if example.each is not None:
        scored = [value for found in played.outcomes for value in values(found).values()]
        assert scored == pytest.approx(example.each, abs=1e-9)
    if example.pooled is not None:
        assert played.pooled == pytest.approx(example.pooled, abs=1e-9)


def values(found: dict[str, Outcome]) -> dict[str, float]:
    return {label: one.value for label, one in found.items() if isinstance(one, Scored)}


def check(scene: Scene, outcome: Outcome) -> None:
    if scene.scored is not None:
        assert isinstance(outcome, Scored), outcome
        assert outcome.value == pytest.approx(scene.scored, abs=1e-9)
    if scene.skipped is not None:
        assert outcome == Skipped(scene.skipped)
    if scene.not_applicable is not None:
        assert isinstance(outcome, NotApplicable), outcome
        assert outcome.reason == scene.not_applicable
    if scene.judge_error is not None:
        assert isinstance(outcome, Failed), outcome
        assert outcome.cause is Cause.JUDGE
        assert scene.judge_error in outcome.message
    if scene.evidence is not None:
        assert isinstance(outcome, Scored | NotApplicable), outcome
        assert outcome.evidence == scene.evidence
