"""Runs of traffic, joined in time."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hand_made import case, column, record
from traffic_made import AGAIN, DECLARED, DOWN, MONDAY, traffic

from ragproof.analysis.monitor_traffic import (
    ABSENT,
    EARLY,
    FUTURE,
    REPEATED,
    SUPERSEDED,
    UNDATED,
    Measure,
    joined,
)
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord


def run(name: str, started: str, rows: dict[str, float], *, at: float = MONDAY) -> RunRecord:
    cases = [case(one, asked_at=at + number) for number, one in enumerate(rows)]
    made = record(cases, {AGAIN: column(DECLARED[AGAIN], [*rows.values()])}, id=name)
    return dataclasses.replace(made, header=dataclasses.replace(made.header, started_at=started))


WEEK = "2026-11-09T00:00:00+00:00"
OLD = run("old", "2026-11-03T00:00:00+00:00", {"a": 0.0, "b": 0.0})
NEW = run("new", "2026-11-04T00:00:00+00:00", {"b": 1.0, "c": 1.0})


def test_a_case_of_two_runs_counts_once_as_the_newest_scored_it() -> None:
    for order in ([OLD, NEW], [NEW, OLD]):
        found = joined(order)
        measure = found.measure(AGAIN)
        assert measure is not None
        told = {found.case(at).id: float(measure.values[at]) for at in range(found.size)}
        assert told == {"a": 0.0, "b": 1.0, "c": 1.0}
        assert found.left_out == {SUPERSEDED: 1}
        assert [one.header.id for one in found.records] == ["new", "old"]


def test_cases_lie_in_the_order_in_which_they_were_asked() -> None:
    found = joined([traffic([[1.0, 0.0], [1.0]])])
    assert [found.case(at).id for at in range(3)] == ["t000-0000", "t000-0001", "t001-0000"]
    assert found.rows(MONDAY, MONDAY + 86_400) == slice(0, 2)
    assert (np.diff(found.asked_at) > 0).all()


def test_what_is_in_no_window_is_counted_with_its_reason() -> None:
    rows = [
        case("dated", asked_at=MONDAY),
        case("dated", repeat=1, asked_at=MONDAY),
        case("random", asked_at=MONDAY, tags={"stratum": "random"}),
        case("chosen", asked_at=MONDAY, tags={"stratum": "thumbs_down"}),
        case("undated"),
        case("early", asked_at=MONDAY - 10),
        case("late", asked_at=MONDAY + 10),
        case("unset", asked_at=0.0),
        case("ahead", asked_at=9e9),
        case("never", asked_at=-1e300),
    ]
    made = record(rows, {AGAIN: column(DECLARED[AGAIN], [1.0] * 10)}, started_at=WEEK)
    found = joined([made], since=MONDAY, until=MONDAY + 10)
    assert {found.case(at).id for at in range(found.size)} == {"dated", "random"}
    assert found.left_out == {
        REPEATED: 1,
        "chosen for their stratum thumbs_down, not at random": 1,
        UNDATED: 1,
        "outside --since and --until": 2,
        EARLY: 2,
        FUTURE: 1,
    }


def test_a_metric_that_a_run_lacks_is_not_measured_there() -> None:
    other = run("other", "2026-11-05T00:00:00+00:00", {"z": 1.0}, at=MONDAY + 50)
    other = dataclasses.replace(other, columns={})
    found = joined([OLD, other])
    measure = found.measure(AGAIN)
    assert measure is not None
    assert measure.reasons(np.arange(3)) == {ABSENT: 1}
    assert found.measure("no.such") is None


def test_another_version_of_a_metric_is_left_out_and_said() -> None:
    changed = dataclasses.replace(DECLARED[AGAIN], version=2)
    columns = {AGAIN: dataclasses.replace(OLD.columns[AGAIN], declared=changed)}
    found = joined([dataclasses.replace(OLD, columns=columns), NEW])
    (note,) = found.notes([AGAIN])
    assert note.startswith(f"{AGAIN}: run old measured another one, version: 2 -> 1")
    measure = found.measure(AGAIN)
    assert measure is not None
    assert int((measure.status == 0).sum()) == 2


def under(made: RunRecord, **header: object) -> RunRecord:
    return dataclasses.replace(made, header=dataclasses.replace(made.header, **header))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"judge": "j1"}, {"judge": "j2"}, "judge: j1 -> j2"),
        ({"prompt_hashes": {AGAIN: ("p1",)}}, {"prompt_hashes": {AGAIN: ("p2",)}}, "other prompts"),
        ({"local_models": {AGAIN: "m1"}}, {"local_models": {AGAIN: "m2"}}, "local model: m1 -> m2"),
    ],
)
def test_what_another_judge_measured_is_left_out_and_said(
    before: dict[str, object], after: dict[str, object], told: str
) -> None:
    asked = {"judge": "j", "prompt_hashes": {AGAIN: ("p",)}}
    runs = [under(OLD, **(asked | before)), under(NEW, **(asked | after))]
    found = joined(runs)
    assert [*found.notes([AGAIN])] == [f"{AGAIN}: run old measured another one, {told}; left out"]
    measure = found.measure(AGAIN)
    assert measure is not None
    assert int((measure.status == 0).sum()) == 2


def test_another_judge_does_not_touch_what_no_judge_measured() -> None:
    found = joined([under(OLD, judge="j1"), under(NEW, judge="j2")])
    assert not [*found.notes([AGAIN])]
    measure = found.measure(AGAIN)
    assert measure is not None
    assert (measure.status == 0).all()


def test_figures_by_label_are_held_to_the_prompts_of_their_metric() -> None:
    runs = []
    for made, prompt in ((OLD, "p1"), (NEW, "p2")):
        asked = under(made, judge="j", prompt_hashes={AGAIN: (prompt,)})
        label = {f"{AGAIN}[reason=slow]": made.columns[AGAIN]}
        runs.append(dataclasses.replace(asked, columns=label))
    (note,) = joined(runs).notes([f"{AGAIN}[reason=slow]"])
    assert note.endswith("run old measured another one, other prompts; left out")


def test_readings_of_another_judge_are_a_warning() -> None:
    reading = {"prompt_hashes": {"readings.refusal": ("p",)}}
    runs = [under(OLD, judge="j1", **reading), under(NEW, judge="j2", **reading)]
    (note,) = joined(runs).notes([AGAIN])
    assert note == (
        "run old: the judge was j1, now j2 in run new: figures that rest on readings.refusal "
        "are not alike"
    )


def test_a_metric_that_the_newest_run_of_a_case_lacks_is_taken_from_the_one_before() -> None:
    """Cheap metrics on all traffic today; last week a judge scored a sample of it."""
    cheap = dataclasses.replace(NEW, columns={"m": NEW.columns[AGAIN]})
    cheap = under(cheap, metrics={"m": DECLARED[AGAIN]})
    found = joined([OLD, cheap])
    measure = found.measure(AGAIN)
    assert measure is not None
    told = {found.case(at).id: float(measure.values[at]) for at in measure_rows(measure)}
    assert told == {"a": 0.0, "b": 0.0}
    assert measure.reasons(np.arange(3)) == {ABSENT: 1}


def test_a_run_whose_judge_was_not_asked_does_not_stand_for_the_metric() -> None:
    quiet = dataclasses.replace(
        NEW, columns={AGAIN: column(DECLARED[AGAIN], [Skipped("no judge")] * 2)}
    )
    judged = under(OLD, judge="j", prompt_hashes={AGAIN: ("p",)})
    measure = joined([judged, quiet]).measure(AGAIN)
    assert measure is not None
    assert int((measure.status == 0).sum()) == 2


def measure_rows(measure: Measure) -> list[int]:
    rows: list[int] = np.flatnonzero(measure.status == 0).tolist()
    return rows


def test_reasons_are_those_of_the_cases_that_are_asked_for() -> None:
    found = joined([traffic([[1.0, Skipped("not exposed"), DOWN]])])
    measure = found.measure(AGAIN)
    assert measure is not None
    assert measure.reasons(np.arange(3)) == {"not exposed": 1, "adapter: down": 1}
    assert measure.reasons(np.arange(2)) == {"not exposed": 1}


def test_no_case_at_all_is_no_fault() -> None:
    found = joined([record([], {})])
    assert (found.size, found.tags, found.keys) == (0, (), ())
    assert found.codes("intent") == ((), found.codes("intent")[1])
