"""The section `monitor`, and what it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_clock import Clock, Span
from ragproof.analysis.monitor_guardrails import Release
from ragproof.core import UsageError
from ragproof.wiring.config import load_config
from ragproof.wiring.monitoring import watched
from ragproof.wiring.schema import Config

UTC_CLOCK, DAY = Clock.of("UTC"), Span.parse("1d")


def config(folder: Path, text: str) -> Config:
    path = folder / "ragproof.yaml"
    path.write_text(f"monitor:\n{text}", encoding="utf-8")
    return load_config(path, {})


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        config(folder, text)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_guardrails_become_plain_data(tmp_path: Path) -> None:
    text = """
  window: 1d
  step: 6h
  on_missing: skip
  after_release: 12h
  releases:
  - {at: 2026-11-03T10:00Z, name: v2, kind: prompt}
  guardrails:
  - {metric: system.latency_seconds, statistic: p95, max: 4, on_missing: fail, priority: high}
  - {metric: monitoring.regeneration, band: {history: 14d, seasons: false}, slice: {intent: refund}}
  - {metric: generation.groundedness, min: 0.8, window: 7d, by: intent}
"""
    watch = watched(config(tmp_path, text), UTC_CLOCK, DAY, Span.parse("6h"))
    slow, again, faithful = watch.guardrails
    assert (slow.max, slow.window, slow.required, slow.tests) == (4.0, DAY, True, 2)
    assert again.band == BandRule(history=Span.parse("14d"), seasons=False)
    assert (again.slice, again.required, again.tests) == ({"intent": ("refund",)}, False, 3)
    assert (faithful.window, faithful.by) == (Span.parse("7d"), "intent")
    assert watch.releases == (Release(UTC_CLOCK.moment("2026-11-03T10:00Z"), "v2", "prompt"),)
    assert watch.after_release == Span.parse("12h")


def test_every_fault_names_its_line_and_what_is_allowed(tmp_path: Path) -> None:
    text = """  window: 1 day
  timezone: Mars
  false_alerts: few
  after_release: soon
  guardrails:
  - {metric: system.cost_usd}
  - {metric: system.cost_usd, min: 2, max: 1}
  - {metric: system.cost_usd, max: 1, band: {}}
  - {metric: system.cost_usd, max: 1, by: intent, slice: {intent: a}}
  - {metric: system.cost_usd, band: {history: "1"}, window: 2y}
"""
    told = faults(tmp_path, text)
    time = "allowed: a length of time such as 6h, 1d or 7d"
    assert f"ragproof.yaml:2: monitor.window: got '1 day'; {time}" in told
    assert any(one.startswith("ragproof.yaml:3: monitor.timezone: got 'Mars'") for one in told)
    assert any("monitor.false_alerts: got 'few'; allowed: a number above 0" in one for one in told)
    assert f"ragproof.yaml:5: monitor.after_release: got 'soon'; {time}" in told
    assert any("guardrails.0: nothing can fail this guardrail" in one for one in told)
    assert any("guardrails.1: got min 2 above max 1" in one for one in told)
    assert any("guardrails.2: got band beside min or max" in one for one in told)
    assert any(
        "guardrails.3.by: got 'intent', which slice holds fast already" in one for one in told
    )
    assert any("guardrails.4.window: got '2y'" in one for one in told)


def test_keys_that_are_not_there_are_guessed(tmp_path: Path) -> None:
    (told,) = faults(tmp_path, "  guardrail: []\n")
    assert "Did you mean 'guardrails'?" in told
    (told,) = faults(tmp_path, "  guardrails: [{metrics: x, max: 1}]\n")[:1]
    assert "ragproof.yaml:2: monitor.guardrails.0" in told


def test_a_metric_that_there_is_not_is_guessed(tmp_path: Path) -> None:
    text = """  on_missing: skip
  guardrails:
  - {metric: system.latency_second, max: 4}
  - {metric: "system.stage_seconds[stage=retrieve]", max: 1}
  - {metric: "mine.metrics:Tone[k=3]", max: 1}
"""
    (told,) = faults(tmp_path, text)
    assert told.startswith("ragproof.yaml:4: monitor.guardrails.0.metric: got ")
    assert "which is no metric. Did you mean 'system.latency_seconds'?" in told


def test_between_windows_no_case_may_be_lost(tmp_path: Path) -> None:
    (told,) = faults(tmp_path, "  window: 6h\n  step: 1d\n")
    assert told == (
        "ragproof.yaml:3: monitor.step: got 1d, longer than the window of 6h: "
        "between them cases are lost"
    )
    (told,) = faults(tmp_path, "  guardrails: [{metric: system.cost_usd, max: 1, window: 1h}]\n")
    assert "got 1h, shorter than the step of 1d" in told


def test_dates_of_releases_and_the_reference_are_read_before_anything_is_spent(
    tmp_path: Path,
) -> None:
    told = faults(tmp_path, "  releases: [{at: yesterday, name: v2}]\n  reference: 2026-11-01\n")
    assert any("monitor.releases.0.at: got 'yesterday'" in one for one in told)
    assert any("monitor.reference: got '2026-11-01'" in one for one in told)
    assert config(tmp_path, "  releases: [{at: 2026-11-03, name: v2}]\n").monitor.releases


def test_releases_may_stand_in_a_file(tmp_path: Path) -> None:
    loaded = config(tmp_path, "  releases: releases.jsonl\n")
    lines = tmp_path / "releases.jsonl"
    lines.write_text('{"at": "2026-11-03T10:00Z", "name": "v2", "kind": "index"}\n')
    watch = watched(loaded, UTC_CLOCK, DAY, DAY)
    assert [(one.name, one.kind) for one in watch.releases] == [("v2", "index")]
    lines.write_text('{"at": "x", "name": "v2"}\n{"at": "2026-11-03", "kind": "model"}\n{\n')
    with pytest.raises(UsageError) as caught:
        watched(loaded, UTC_CLOCK, DAY, DAY)
    first, second, third = str(caught.value).splitlines()
    assert first.startswith(f"{lines}:1: at: got 'x'; allowed: a date or time")
    assert second.startswith(f"{lines}:2: name: missing")
    assert third.startswith(f"{lines}:3: not JSON: ")
