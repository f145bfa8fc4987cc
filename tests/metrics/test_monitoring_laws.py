"""What holds for every signal of users."""

from __future__ import annotations

import dataclasses

import pytest
from fixture import by_label
from hypothesis import given
from strategies import case_runs

from ragproof.core import Better, CaseRun, EventKind, Feedback, Scored, UsageError
from ragproof.metrics import catalog

KINDS = {
    "citation_open": {EventKind.OPEN},
    "copied": {EventKind.COPY},
    "dwell_seconds": {EventKind.DWELL},
    "edit_kept": {EventKind.EDIT},
    "edited": {EventKind.EDIT},
    "exported": {EventKind.EXPORT},
    "follow_up": {EventKind.FOLLOW_UP},
    "regeneration": {EventKind.REGENERATE, EventKind.FOLLOW_UP},
    "shared": {EventKind.SHARE},
    "thumbs_down": {EventKind.THUMBS_UP, EventKind.THUMBS_DOWN},
    "thumbs_reason": {EventKind.THUMBS_DOWN},
}
"""Metric to the kinds of events without any of which it has no figure."""
METRICS = {name: catalog.build(f"monitoring.{name}") for name in KINDS}


def test_all_signals_are_here() -> None:
    assert {f"monitoring.{name}" for name in KINDS} == {*catalog.matching("monitoring.*")} - {
        "monitoring.fallback"
    }


def test_none_has_a_direction() -> None:
    for metric_id in catalog.matching("monitoring.*"):
        assert catalog.load(metric_id).spec.better is Better.NEITHER


@given(run=case_runs)
def test_what_is_not_recorded_is_no_zero(run: CaseRun) -> None:
    told = run.observation.feedback or Feedback()
    for name, metric in METRICS.items():
        left = Feedback(
            exposed=tuple(kind for kind in EventKind if kind not in KINDS[name]), events=told.events
        )
        seen = dataclasses.replace(run.observation, feedback=left, failure=None)
        found = by_label(metric, dataclasses.replace(run, observation=seen))
        assert not any(isinstance(one, Scored) for one in found.values()), name


@pytest.mark.parametrize("routes", ["", " ", "fallback|", "|"])
def test_a_fallback_without_a_route_is_refused(routes: str) -> None:
    with pytest.raises(UsageError, match="allowed: names of routes, as fallback"):
        catalog.build("monitoring.fallback", routes=routes)
