"""Two runs side by side."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hand_made import FRACTION, case, cases, column, declared, record

from ragproof.analysis.comparable import Obstacle, changes_told, obstacles
from ragproof.analysis.comparison import Compared, Comparison, Confirmatory, compare
from ragproof.core.header import AdapterInfo, DatasetInfo, RunSettings
from ragproof.core.outcome import Cause, Failed, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.core.subject import Level, SourceMatch

KEY = FRACTION.id
BROKEN = Failed(Cause.ADAPTER, "gone")
HEAD = record(cases(2), {KEY: column(FRACTION, [0, 1])}).header


def metric(found: Comparison, key: str) -> Compared:
    return next(one for one in found.metrics if one.key == key)


def runs(**columns: tuple[list[Any], list[Any]]) -> tuple[RunRecord, RunRecord]:
    of = {"recall": FRACTION, "mrr": declared("retrieval.mrr")}
    sides = []
    for side in range(2):
        found = {of[name].id: column(of[name], values[side]) for name, values in columns.items()}
        sides.append(record(cases(len(next(iter(columns.values()))[0])), found))
    return sides[0], sides[1]


def test_wins_and_losses_know_which_way_is_better() -> None:
    rate = declared("robustness.overrefusal", better=Better.LOWER)
    count = declared("system.tokens", better=Better.NEITHER, unit=Unit.COUNT)
    sides = [
        record(
            cases(3),
            {
                KEY: column(FRACTION, values),
                rate.id: column(rate, values),
                count.id: column(count, values),
            },
        )
        for values in ([0, 0, 1], [1, 1, 0])
    ]
    found = compare(sides[0], sides[1])
    for key, wins, losses in ((KEY, 2, 1), (rate.id, 1, 2), (count.id, 2, 1)):
        one = metric(found, key)
        assert (one.wins, one.losses, one.change.ties) == (wins, losses, 0)
    assert metric(found, KEY).gain == pytest.approx(1 / 3)
    assert metric(found, rate.id).gain == pytest.approx(-1 / 3)
    assert metric(found, count.id).gain is None


def test_cases_are_counted_on_either_side() -> None:
    before = record(
        [case("a"), case("b"), case("c", failure=BROKEN), case("d")],
        {KEY: column(FRACTION, [1, 1, BROKEN, 1])},
    )
    after = record(
        [case("b", 0), case("b", 1, failure=BROKEN), case("c"), case("x"), case("y")],
        {KEY: column(FRACTION, [1, BROKEN, 1, 1, 1])},
    )
    found = compare(before, after).cases
    assert (found.common, found.only_baseline, found.only_candidate, found.failed) == (2, 2, 2, 2)
    assert (found.failed_baseline, found.failed_candidate) == (1, 1)


def test_a_metric_that_lost_all_its_scores_is_told_from_one_that_never_had_any() -> None:
    full, none = (record([case("a")], {KEY: column(FRACTION, [one])}) for one in (1, BROKEN))
    assert compare(full, none).apart == {KEY: "scored in the baseline, in no case of the candidate"}
    assert compare(none, full).apart == {KEY: "scored in the candidate, in no case of the baseline"}
    assert compare(none, none).apart == {KEY: "no case was scored in both runs"}


def test_renamed_cases_have_nothing_in_common() -> None:
    before = record([case("a")], {KEY: column(FRACTION, [1])})
    after = record([case("b")], {KEY: column(FRACTION, [1])})
    found = compare(before, after)
    assert (found.cases.common, found.metrics) == (0, ())
    assert found.apart == {KEY: "no case was scored in both runs"}


def test_a_metric_in_one_run_only_or_declared_otherwise_is_named_and_left_out() -> None:
    before, after = runs(recall=([1.0], [1.0]), mrr=([1.0], [1.0]))
    deep = dataclasses.replace(FRACTION, params={"k": 10})
    other = declared("retrieval.hit_at_k")
    columns = {KEY: column(deep, [1.0]), other.id: column(other, [1.0])}
    found = compare(before, dataclasses.replace(after, columns=columns))
    assert found.metrics == ()
    assert found.apart == {
        other.id: "only the candidate has it",
        "retrieval.mrr": "only the baseline has it",
        KEY: "params: k 5 -> k 10",
    }


def test_p_values_are_adjusted_over_all_metrics_where_none_is_a_headline() -> None:
    found = compare(*runs(recall=([1] * 8, [0] * 8), mrr=([1] * 8, [0] * 7 + [1])))
    # all eight lost: 2/2^8, doubled; seven of seven: 2/2^7
    assert metric(found, KEY).p_adjusted == pytest.approx(2 * 2 / 2**8)
    assert metric(found, "retrieval.mrr").p_adjusted == pytest.approx(2 / 2**7)


LOST, ALMOST = ([1] * 8, [0] * 8), ([1] * 8, [0] * 7 + [1])
P_LOST, P_ALMOST = 2 / 2**8, 2 / 2**7


def with_headline(headline: str) -> list[RunRecord]:
    """Two runs of recall, MRR and a headline metric: all lost, seven lost, all lost."""
    before, after = runs(recall=LOST, mrr=ALMOST)
    of = declared(headline)
    return [
        dataclasses.replace(run, columns={**run.columns, of.id: column(of, LOST[side])})
        for side, run in enumerate((before, after))
    ]


def test_headline_metrics_are_tested_together_and_the_others_are_exploratory() -> None:
    before, after = with_headline("generation.correctness")
    found = compare(before, after)
    assert (found.confirmatory.chosen, found.tested) == ("the headline ones", 1)
    assert {one.key: one.exploratory for one in found.metrics} == {
        "generation.correctness": False,
        "retrieval.mrr": True,
        KEY: True,
    }
    told = [one.p_adjusted for one in found.metrics]
    assert told == pytest.approx([P_LOST, P_ALMOST, P_LOST])


def test_what_was_chosen_beforehand_goes_before_the_headline_metrics() -> None:
    before, after = with_headline("generation.correctness")
    absent = Confirmatory(frozenset({"filter.false_exclusion_rate"}), "nowhere")
    named = Confirmatory(frozenset({KEY, "retrieval.mrr"}), "named")
    found = compare(before, after, [absent, named])
    assert (found.confirmatory.chosen, found.tested) == ("named", 2)
    assert metric(found, KEY).p_adjusted == pytest.approx(2 * P_LOST)
    assert metric(found, "generation.correctness").exploratory
    assert metric(found, "generation.correctness").p_adjusted == pytest.approx(P_LOST)


def test_a_metric_that_is_chosen_is_chosen_with_each_of_its_figures() -> None:
    of = dataclasses.replace(declared("system.stage_seconds"), each="stage")
    key = "system.stage_seconds[stage=rerank]"
    before, after = (record(cases(8), {key: column(of, LOST[side])}) for side in range(2))
    chosen = [Confirmatory(frozenset({of.id}), "named")]
    assert compare(before, after, chosen).confirmatory.keys == {key}


def test_the_cases_that_changed_most_come_first_the_worse_before_the_better() -> None:
    found = compare(
        *runs(recall=([1, 0, 1, 0.5], [0, 1, 1, 0.25]), mrr=([1, 0, 1, 1], [0, 1, 1, 1]))
    )
    assert [(one.id, one.amount) for one in found.changed] == [
        ("c0000", -1.0),
        ("c0001", 1.0),
        ("c0003", -0.125),
    ]
    assert found.changed[2].figures == {KEY: (0.5, 0.25)}


def test_seconds_do_not_say_which_case_changed_most() -> None:
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    sides = [record(cases(2), {seconds.id: column(seconds, v)}) for v in ([1, 2], [9, 9])]
    assert compare(sides[0], sides[1]).changed == ()


def test_figures_of_groups_are_joined_on_the_names_of_the_groups() -> None:
    group = declared("robustness.consistency", level=Level.GROUP)
    sides = [
        record(cases(1), {group.id: column(group, values, subjects=names)})
        for names, values in ((("a", "b"), [0.5, 1.0]), (("b", "c"), [0.5, 1.0]))
    ]
    one = metric(compare(sides[0], sides[1]), group.id)
    assert (one.change.pairs, one.change.delta) == (1, -0.5)


def test_runs_alike_have_no_obstacle() -> None:
    assert not [*obstacles(HEAD, HEAD)]
    assert not [*changes_told(HEAD, HEAD)]


@pytest.mark.parametrize(
    ("changed", "obstacle", "told"),
    [
        (
            {"dataset": dataclasses.replace(HEAD.dataset, hash="9" * 64)},
            Obstacle.DATASET,
            "the dataset was manual.jsonl (3f2a3f2a3f2a), now manual.jsonl (999999999999)",
        ),
        (
            {"dataset": dataclasses.replace(HEAD.dataset, selection={"sample": 5, "seed": 0})},
            Obstacle.DATASET,
            "the selection of cases was all, now sample 5, seed 0",
        ),
        ({"judge": "m-2"}, Obstacle.JUDGE, "the judge was none, now m-2"),
        ({"settings": RunSettings(k=10)}, Obstacle.COUNTING, "k was 5, now 10"),
        (
            {"settings": RunSettings(source_match=SourceMatch.DOCUMENT)},
            Obstacle.COUNTING,
            "source_match was chunk, now document",
        ),
    ],
)
def test_what_makes_a_comparison_doubtful_is_named(
    changed: dict[str, Any], obstacle: Obstacle, told: str
) -> None:
    (found,) = obstacles(HEAD, dataclasses.replace(HEAD, **changed))
    assert (found.obstacle, found.text) == (obstacle, told)


def test_changed_prompts_are_an_obstacle_but_not_those_of_other_metrics() -> None:
    before = dataclasses.replace(HEAD, prompt_hashes={"a": ("1",), "b": ("1",)})
    after = dataclasses.replace(HEAD, prompt_hashes={"a": ("2",), "c": ("1",)})
    assert [one.text for one in obstacles(before, after)] == ["the prompts of a were changed"]


def test_what_is_being_compared_is_told() -> None:
    now = dataclasses.replace(
        HEAD,
        adapter=AdapterInfo(
            type="python", target="my_package.pipeline:build", version="2.2", params={"size": 400}
        ),
        dataset=DatasetInfo(name="x", path="/x", hash="0", total=1, cases=1),
        settings=RunSettings(depth=20),
        versions={"corpus": "may"},
    )
    assert [*changes_told(HEAD, now)] == [
        "adapter version: 2.1 -> 2.2",
        "adapter param size: not set -> 400",
        "version of corpus: not set -> may",
        "depth: 5 -> 20",
    ]


def test_skipped_cases_are_no_pairs() -> None:
    skipped = Skipped("case has no expected_source_ids")
    found = compare(*runs(recall=([1, skipped, 1], [0, 1, 1])))
    assert metric(found, KEY).change.pairs == 2
