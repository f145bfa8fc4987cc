"""Traffic watched from the command line: windows, guardrails, bands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ragproof.cli.main import root

MONDAY = datetime(2026, 3, 2, tzinfo=UTC).timestamp()
DAYS, EACH, CHANGED = 24, 60, 20
CONFIG = """
project: traffic
dataset: cases.jsonl
metrics: [system.latency_seconds, monitoring.regeneration, system.cost_usd]
monitor:
  on_missing: skip
  after_release: 1d
  releases: [{at: 2026-03-22T02:00Z, name: "v2 \\e[31m", kind: model}]
  guardrails:
  - {metric: system.latency_seconds, statistic: p95, max: 4, priority: high}
  - {metric: monitoring.regeneration, statistic: rate, band: {seasons: false}}
  - {metric: system.cost_usd, max: 0.01}
  - {metric: filter.false_exclusion_rate, max: 0.02}
"""


class Done:
    """What a command left behind."""

    def __init__(self, *arguments: str | Path, columns: str = "80") -> None:
        done = CliRunner(env={"COLUMNS": columns}).invoke(root, [*map(str, arguments)])
        self.code, self.out, self.err = done.exit_code, done.stdout, done.stderr

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_constant=pytest.fail)
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traffic of 24 days, slower and more often asked again from the 21st on, and its run."""
    made = tmp_path_factory.mktemp("traffic")
    draw, cases, seen = np.random.default_rng(3), [], []
    for number in range(DAYS * EACH):
        day = number // EACH
        again, name = draw.random() < (0.1 if day < CHANGED else 0.5), f"trace-{number:05d}"
        intent = "refund" if number % 2 else "howto"
        tags = {"intent": intent}
        if number % EACH == 7:
            tags["stratum"] = "thumbs_down"
        cases.append({"id": name, "question": "How?", "tags": tags, "split": "monitoring"})
        line: dict[str, Any] = {"case_id": name, "asked_at": MONDAY + number * 86_400 / EACH}
        if number % EACH == 11:
            seen.append({**line, "error": "the model is down"})
            continue
        seconds = float(draw.lognormal(0.3, 0.3)) + (3 if day >= CHANGED and number % 2 else 0)
        events = [{"kind": "regenerate"}] if again else []
        feedback = {"exposed": ["regenerate", "follow_up"], "events": events}
        answer = {"answer_text": "So."}
        seen.append({**line, "seconds": seconds, "answer": answer, "feedback": feedback})
    for file, lines in (("cases.jsonl", cases), ("observations.jsonl", seen)):
        (made / file).write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    (made / "ragproof.yaml").write_text(CONFIG)
    ran = Done("run", "-c", made / "ragproof.yaml", "--recorded", made / "observations.jsonl")
    assert ran.code == 0, ran.err
    return made


def monitor(folder: Path, command: str, *arguments: str | Path, columns: str = "80") -> Done:
    until = ("--until", "2026-03-26")
    config = ("-c", folder / "ragproof.yaml")
    return Done("monitor", command, *config, *until, *arguments, columns=columns)


def test_the_report_has_every_window_and_every_figure(folder: Path) -> None:
    found = monitor(folder, "report", "--by", "intent", "--json")
    assert (found.code, found.err) == (0, "")
    document = found.document
    assert [one["name"] for one in document["windows"]][::23] == ["2026-03-02", "2026-03-25"]
    assert {one["cases"] for one in document["windows"]} == {EACH - 1}
    assert {one["failed"] for one in document["windows"]} == {1}
    left_out = {"chosen for their stratum thumbs_down, not at random": DAYS}
    assert document["cases"]["left_out"] == left_out
    shapes = {one["metric"]: one["course"]["shape"] for one in document["metrics"][:2]}
    assert shapes == {"monitoring.regeneration": "sudden", "system.latency_seconds": "sudden"}
    sliced = {one["value_of"] for one in document["slices"]}
    assert sliced == {"refund", "howto"}
    cost = document["metrics"][2]
    assert [one["value"] for one in cost["windows"]] == [None] * DAYS
    assert cost["windows"][0]["why"]


@pytest.mark.parametrize("columns", ["80", "40"])
def test_no_line_is_wider_than_the_page(folder: Path, columns: str) -> None:
    for command in (("report", "--by", "intent"), ("check",), ("calibrate",)):
        found = monitor(folder, *command, columns=columns)
        assert found.code in {0, 1}, found.err
        if columns == "80":
            assert max(len(line) for line in found.out.splitlines()) <= 80
        assert "nan" not in found.out.lower().split()
        assert "\x1b" not in found.out


def test_an_alert_exits_with_1_and_says_what_it_points_to(folder: Path) -> None:
    found = monitor(folder, "check", "--json")
    assert found.code == 1
    results = {one["metric"]: one for one in found.document["results"]}
    slow, again = results["system.latency_seconds"], results["monitoring.regeneration"]
    assert (slow["status"], slow["triage"]["points_to"]) == ("alert", "regression")
    assert slow["triage"]["releases"][0]["name"].startswith("v2")
    assert slow["triage"]["slices"][0]["value"] == "refund"
    assert len(slow["triage"]["traces"]) == 5
    assert (again["status"], again["beyond"], again["candidate_signal"]) == ("alert", "above", True)
    assert again["band"]["excluded"] == ["2026-03-22", "2026-03-23", "2026-03-24"]
    assert results["system.cost_usd"]["status"] == "not_measured"
    assert not results["system.cost_usd"]["blocks"]
    counts = [found.document[key] for key in ("not_measured", "not_measured_but_required")]
    assert counts == [2, 0]  # on_missing: skip
    shown = monitor(folder, "check")
    assert shown.out.startswith("Alert: 2 alerts, 2 not measured")
    assert "points to a regression: release v2 \\x1b[31m (model)" in " ".join(shown.out.split())


def test_before_the_change_nothing_alerts(folder: Path) -> None:
    config = ("-c", folder / "ragproof.yaml")
    found = Done("monitor", "check", *config, "--until", "2026-03-22", "--json")
    assert (found.code, found.document["passed"]) == (0, True)
    shown = " ".join(Done("monitor", "check", *config, "--until", "2026-03-22").out.split())
    assert "a candidate signal, no figure of quality until reviews validate it" in shown


def test_what_has_to_be_measured_and_is_not_exits_with_2(folder: Path) -> None:
    strict = folder / "strict.yaml"
    strict.write_text(CONFIG.replace("on_missing: skip", "on_missing: fail"))
    ended = ("--until", "2026-03-22")
    found = Done("monitor", "check", "-c", strict, *ended, "--json")
    assert (found.code, found.document["not_measured"]) == (2, 2)
    assert Done("monitor", "check", "-c", strict, *ended).out.startswith(
        "Not measured: 2 pass, 2 not"
    )


def test_markdown_is_written_beside(folder: Path, tmp_path: Path) -> None:
    for command in ("report", "check"):
        page = tmp_path / f"{command}.md"
        monitor(folder, command, "--markdown", page)
        text = page.read_text(encoding="utf-8")
        assert "| system.latency_seconds" in text or "system.latency_seconds" in text
        assert "\x1b" not in text
    assert monitor(folder, "report", "--markdown", "-", "--json").code == 3


def test_a_page_of_html_has_every_window_and_runs_nothing(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "traffic.html"
    found = monitor(folder, "report", "--by", "intent", "--html", page)
    assert (found.code, found.err) == (0, f"wrote {page}\n")
    text = page.read_text(encoding="utf-8")
    assert text.count("<circle") == 2 * DAYS  # two of the three metrics have figures
    assert "<script" not in text
    assert "2026-03-25" in text
    assert "not measured: " in text
    assert "nan" not in text.lower().replace("&", " ").split()


def test_bands_are_calibrated_on_history(folder: Path) -> None:
    found = monitor(folder, "calibrate", "--window", "1d", "--shift", "0.3", "--json")
    assert found.code == 0
    (day,) = found.document["windows"]
    assert day["windows"] == DAYS
    assert day["detections"][0]["shift"] == 0.3
    assert set(day["outside"]) <= {f"2026-03-{one}" for one in (22, 23, 24, 25)}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("report", "--window", "1x"), "--window: got '1x'; allowed: a length of time"),
        (("report", "--step", "2d"), "--step: got 2d, longer than the window of 1d"),
        (("report", "--by", "intnt"), "no case has the tag 'intnt'. Did you mean 'intent'?"),
        (("report", "--metrics", "system.latency_second"), "Did you mean 'system.latency_seconds'"),
        (("report", "--reference", "2026"), "--reference: got '2026'; allowed: a beginning"),
        (("report", "--window", "1m"), "at most 10,000; take a longer step"),
        (("report", "--timezone", "Nowhere"), "--timezone: got 'Nowhere'"),
        (("report", "no-such-run"), "no-such-run"),
        (("calibrate", "--false-alerts", "many"), "--false-alerts: got 'many'"),
        (("calibrate", "--shift", "nan"), "not a finite number"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(
    folder: Path, arguments: tuple[str, ...], told: str
) -> None:
    found = monitor(folder, *arguments)
    assert (found.code, found.out) == (3, "")
    assert told in " ".join(found.err.split())
    assert "Traceback" not in found.err


def test_a_check_without_guardrails_says_what_to_write(folder: Path) -> None:
    bare = folder / "bare.yaml"
    bare.write_text("project: traffic\ndataset: cases.jsonl\n")
    found = Done("monitor", "check", "-c", bare)
    assert found.code == 3
    assert "monitor.guardrails is empty" in found.err


def test_the_same_traffic_gives_the_same_document(folder: Path) -> None:
    assert monitor(folder, "report", "--json").out == monitor(folder, "report", "--json").out


@pytest.fixture
def golden(folder: Path) -> Path:
    """A newer run of 40 golden cases in the same store and project, replayed with its times."""
    cases = [{"id": f"case-{at}", "question": "How?", "expected_answer": "So."} for at in range(40)]
    seen = [
        {"case_id": one["id"], "asked_at": MONDAY + (DAYS - 1) * 86_400, "seconds": 6e-5}
        for one in cases
    ]
    for file, lines in (("golden.jsonl", cases), ("golden-seen.jsonl", seen)):
        (folder / file).write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    said = ("--dataset", folder / "golden.jsonl", "--recorded", folder / "golden-seen.jsonl")
    ran = Done("run", "-c", folder / "ragproof.yaml", *said, "--label", "golden")
    assert ran.code == 0, ran.err
    return folder


def test_a_golden_run_is_never_taken_for_traffic(golden: Path) -> None:
    unnamed = monitor(golden, "check", "--json")
    assert (unnamed.code, unnamed.document["cases"]["total"]) == (1, DAYS * (EACH - 1))
    for command in ("check", "calibrate"):
        named = monitor(golden, command, "golden")
        assert (named.code, named.out) == (3, "")
        assert "is no run of traffic" in named.err
    shown = monitor(golden, "report", "golden", "--json")
    assert shown.code == 0
    assert "is no run of traffic" in shown.document["notes"][0]


def test_a_store_without_traffic_says_what_traffic_is(golden: Path) -> None:
    bare = golden / "other.yaml"
    bare.write_text("project: other\ndataset: golden.jsonl\n")
    none = monitor(golden, "report", "-c", bare)
    assert none.code == 3
    assert "There is no run in project 'other'" in none.err
    assert "runs of other projects: traffic" in " ".join(none.err.split())
    seen = ("--recorded", golden / "golden-seen.jsonl")
    assert Done("run", "-c", bare, *seen).code == 0
    strange = monitor(golden, "report", "-c", bare)
    assert strange.code == 3
    assert "No run in project 'other' is of traffic" in strange.err


def test_a_check_without_a_config_says_that_there_is_none(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = Done("monitor", "check", "--store", folder / ".ragproof" / "ragproof.db")
    assert found.code == 3
    assert "There is no ragproof.yaml here; -c names one." in " ".join(found.err.split())
    found = Done("monitor", "check")
    assert found.code == 3
    assert "Nor is there a ragproof.yaml here; -c names one" in " ".join(found.err.split())


def test_shifts_too_small_to_be_caught_are_said_to_be(folder: Path) -> None:
    ended = ("-c", folder / "ragproof.yaml", "--until", "2026-03-22", "--window", "1d")
    small = Done("monitor", "calibrate", *ended, "--shift", "0.001")
    assert "none of them is caught: --shift X tries a larger one" in small.out
    assert " to 0." in small.out.split("band")[1].splitlines()[0]
    assert "none of them" not in Done("monitor", "calibrate", *ended, "--shift", "0.6").out
