"""What every metric does with whatever comes."""

from __future__ import annotations

import json
import math

import pytest
from fixture import by_label
from hypothesis import given
from strategies import case_runs

from ragproof.core import CaseRun, Level, NotApplicable, Scored, Skipped
from ragproof.metrics import catalog

OF_CASES = [one for one in catalog.ids() if catalog.load(one).level is Level.CASE]


@pytest.mark.parametrize("metric_id", OF_CASES)
@given(run=case_runs)
def test_scores_in_range_or_says_why_not(metric_id: str, run: CaseRun) -> None:
    metric = catalog.build(metric_id)
    for found in by_label(metric, run).values():
        assert isinstance(found, Scored | Skipped | NotApplicable), found
        if isinstance(found, Scored):
            low, high = metric.spec.unit.range
            assert math.isfinite(found.value)
            assert low <= found.value <= high
            assert json.loads(json.dumps(found.evidence, allow_nan=False)) == found.evidence
        elif isinstance(found, Skipped) and run.case.kind in metric.spec.kinds:
            # after a colon a reason may say what exactly is missing
            assert found.reason.split(": ")[0] in {need.reason for need in metric.spec.needs}
