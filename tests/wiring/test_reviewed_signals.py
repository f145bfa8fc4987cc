"""What reviews validated, read beside the traffic that is watched."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from review_keys import head
from rich.console import Console
from traffic_made import AGAIN, DECLARED, SECONDS, UTC_CLOCK, guardrail, share, traffic, watch

from ragproof.analysis.monitor_check import checked
from ragproof.analysis.monitor_clock import Span
from ragproof.analysis.monitor_traffic import Traffic, joined
from ragproof.analysis.monitor_windows import Asked, monitored
from ragproof.analysis.review_agreement import reviewers
from ragproof.analysis.review_signals import Association, Standing, withheld
from ragproof.core import UsageError
from ragproof.reports.monitor_html import windows_html
from ragproof.reports.monitor_json import check_json, windows_json
from ragproof.reports.monitor_markdown import windows_markdown
from ragproof.reports.monitor_terminal import print_check, print_windows
from ragproof.reports.review_json import signals_json
from ragproof.wiring.reviewed_signals import reviewed_signals

HEAD = head(run="0a1b2c3d4e", drawn_at="2026-11-01T09:00:00Z", traffic=500)
MORE = Association(
    signal=AGAIN, label="bad", measured=212, reviewed=240, standing=Standing.MORE, p_value=0.001
)
OPEN = dataclasses.replace(MORE, standing=Standing.OPEN)
AGREED = reviewers([{"ada": "bad", "ben": "bad"}, {"ada": "good", "ben": "good"}], ("bad", "good"))
TOLD = "validated by blind review of 212 answers of 0a1b2c3d4e, drawn 2026-11-01, decided"


def written(folder: Path, *found: Association, version: int | None = None) -> Path:
    """What `review report --out` writes."""
    versions = {AGAIN: DECLARED[AGAIN].version if version is None else version}
    when = "2026-11-08T10:00:00+00:00"
    document = signals_json(HEAD, 240, found, versions, 0.1, when, AGREED)
    path = folder / "signals.json"
    path.write_text(json.dumps(document))
    return path


def seen(path: Path, key: str = AGAIN) -> Traffic:
    days = [share(20, 100)] * 9
    made = joined([traffic(days, key)])
    return dataclasses.replace(made, reviewed=reviewed_signals(path, made))


def pages(found: Traffic) -> dict[str, Any]:
    day = Span.parse("1d")
    asked = Asked(clock=UTC_CLOCK, length=day, step=day, metrics=((AGAIN, "rate"),))
    table, out = monitored(found, asked), io.StringIO()
    print_windows(Console(file=out, width=80), table, 14)
    document = json.loads(windows_json(table))
    return {
        "terminal": " ".join(out.getvalue().split()),
        "html": windows_html(table),
        "markdown": windows_markdown(table),
        "json": document["metrics"][0]["validated"],
        "notes": document["notes"],
    }


def test_a_validated_signal_is_told_with_its_direction_and_sample(tmp_path: Path) -> None:
    found = pages(seen(written(tmp_path, MORE)))
    for page in ("terminal", "html", "markdown"):
        assert "higher points to bad answers" in found[page]
        assert f"{TOLD} 2026-11-08" in found[page]
        assert "candidate" not in found[page]
    assert found["json"] == {
        "points_to": ["bad answers"],
        "measured": 212,
        "runs": ["0a1b2c3d4e"],
        "drawn_at": "2026-11-01T09:00:00Z",
        "decided_at": "2026-11-08T10:00:00+00:00",
    }


def test_a_signal_may_point_to_less(tmp_path: Path) -> None:
    less = dataclasses.replace(MORE, standing=Standing.LESS)
    assert "higher points to good answers" in pages(seen(written(tmp_path, less)))["terminal"]
    both = written(tmp_path, MORE, dataclasses.replace(MORE, label="distrust"))
    told = pages(seen(both))["terminal"]
    assert "higher points to bad answers and distrust" in told


def test_what_was_not_validated_stays_a_candidate(tmp_path: Path) -> None:
    found = pages(seen(written(tmp_path, OPEN)))
    assert "a candidate signal" in found["terminal"]
    assert (found["json"], found["notes"]) == (None, [])


def test_what_was_validated_of_another_version_is_not_taken(tmp_path: Path) -> None:
    found = pages(seen(written(tmp_path, MORE, version=7)))
    assert found["json"] is None
    own = DECLARED[AGAIN].version
    assert found["notes"] == [
        f"{AGAIN}: signals.json validated version 7 of it, this is version {own}: not taken"
    ]
    path = written(tmp_path, MORE)
    document = json.loads(path.read_text())
    del document["signals"][0]["version"]
    path.write_text(json.dumps(document))
    assert "validated an untold version of it" in pages(seen(path))["notes"][0]


def test_what_was_withheld_because_reviewers_differ_is_not_taken(tmp_path: Path) -> None:
    (kept,) = withheld([MORE], "they differ")
    found = pages(seen(written(tmp_path, kept)))
    assert found["json"] is None
    assert "a candidate signal" in found["terminal"]
    assert found["notes"] == [
        f"{AGAIN}: signals.json withheld it, the reviewers agree too little: not taken"
    ]
    assert withheld([OPEN], "they differ") == (OPEN,)


def test_a_metric_with_a_direction_of_its_own_keeps_it(tmp_path: Path) -> None:
    path = written(tmp_path, dataclasses.replace(MORE, signal=SECONDS))
    assert not seen(path, SECONDS).reviewed.untaken


def test_an_alert_says_what_the_signal_points_to(tmp_path: Path) -> None:
    held = checked(seen(written(tmp_path, MORE)), watch(guardrail(max=0.05)))
    out = io.StringIO()
    print_check(Console(file=out, width=80), held)
    assert TOLD in " ".join(out.getvalue().split())
    (result,) = json.loads(check_json(held))["results"]
    assert result["validated"]["points_to"] == ["bad answers"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ('{"runs": [], "drawn_at": "a", "decided_at": "b"}', "signals"),
        ('{"runs": [], "drawn_at": "a", "decided_at": "b", "signals": [{"signal": 3}]}', "signal"),
        ("[]", "It has to be the file that `ragproof review report --out` writes"),
    ],
)
def test_a_file_that_is_no_such_file_names_itself_and_the_field(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "signals.json"
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        seen(path)
    assert str(path) in str(raised.value)
    assert told in str(raised.value)
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        seen(tmp_path / "none.json")
