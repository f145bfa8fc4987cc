"""What every metric does with whatever comes."""

from __future__ import annotations

import json
import math
from typing import Any

from fixture import by_label
from hypothesis import given, settings
from strategies import case_runs

from ragproof.core import CaseRun, Level, Metric, NotApplicable, Scored, Skipped
from ragproof.metrics import catalog

OF_CASES = {
    one: catalog.build(one) for one in catalog.ids() if catalog.load(one).level is Level.CASE
}


@settings(max_examples=200)
@given(run=case_runs)
def test_every_metric_scores_in_range_or_says_why_not(run: CaseRun) -> None:
    for metric_id, metric in OF_CASES.items():
        check(metric_id, metric, run)


def check(metric_id: str, metric: Metric[Any], run: CaseRun) -> None:
    for found in by_label(metric, run).values():
        assert isinstance(found, Scored | Skipped | NotApplicable), f"{metric_id}: {found}"
        if isinstance(found, Scored):
            low, high = metric.spec.unit.range
            assert math.isfinite(found.value), metric_id
            assert low <= found.value <= high, metric_id
            read = json.loads(json.dumps(found.evidence, allow_nan=False))
            assert read == found.evidence, metric_id
        elif isinstance(found, Skipped) and run.case.kind in metric.spec.kinds:
            told = found.reason.partition(": ")[0]  # a detail may follow: which stage it is
            reasons = {need.reason for need in metric.spec.needs}
            assert {told, found.reason} & reasons, f"{metric_id}: {found.reason}"
