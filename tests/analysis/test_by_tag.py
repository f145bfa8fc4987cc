"""The figures of a run by the values of its tags."""

from __future__ import annotations

import numpy as np
import pytest
from hand_made import FRACTION, case, column, declared, one_metric, record

from ragproof.analysis.by_tag import FEW, METRICS, VALUES, by_tag
from ragproof.analysis.slicing import sliced
from ragproof.analysis.summary import summarise
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Pool, Unit


def shop(count: int = 60, **more: str) -> RunRecord:
    """Two intents of unlike recall, three languages; every tenth case has no intent."""
    rows = [
        case(
            f"c{at:04d}",
            tags=({} if at % 10 == 9 else {"intent": "refund" if at % 2 else "order"})
            | {"language": ("en", "de", "fr")[at % 3]}
            | more,
        )
        for at in range(count)
    ]
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    return record(
        rows,
        {
            FRACTION.id: column(FRACTION, [float(at % 2) for at in range(count)]),
            "retrieval.mrr": column(declared("retrieval.mrr"), [0.5] * count),
            seconds.id: column(seconds, [1.0 + at % 2 for at in range(count)]),
        },
    )


def test_a_part_is_what_the_gate_says_of_the_same_slice() -> None:
    run = shop()
    (intent, language) = by_tag(run).tags
    assert (intent.name, language.name) == ("intent", "language")
    for tag in (intent, language):
        for metric in tag.metrics:
            for part in metric.parts:
                if part.value is None:
                    continue
                lines = summarise(sliced(run, {tag.name: (part.value,)})).lines
                line = next(one for one in lines if one.key == metric.key)
                assert (part.figure, part.bounds) == (line.mean, line.bounds)
                assert part.scored == line.scored


def test_metrics_whose_parts_differ_most_beyond_chance_come_first() -> None:
    rows = [case(f"c{at:02d}", tags={"topic": "ab"[at % 2]}) for at in range(40)]
    few = [float(at % 2) if at in (0, 2, 3, 5) else Skipped("no ids") for at in range(40)]
    columns = {
        "retrieval.few": column(declared("retrieval.few"), [*few]),
        "retrieval.less": column(declared("retrieval.less"), [at % 4 / 4 for at in range(40)]),
        "retrieval.more": column(declared("retrieval.more"), [at % 2 / 3 for at in range(40)]),
        "retrieval.same": column(declared("retrieval.same"), [0.5] * 40),
    }
    (tag,) = by_tag(record(rows, columns)).tags
    order = [one.key.partition(".")[2] for one in tag.metrics]
    assert order == ["more", "less", "few", "same"]  # four scores are too few to tell
    assert [one.contrast for one in tag.metrics][2:] == [0, 0]


def test_the_contrast_is_scipys_f_ratio() -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(5)
    rows = [case(f"c{at:02d}", tags={"topic": "abc"[at % 3]}) for at in range(60)]
    values = draw.random(60) + np.arange(60) % 3 / 10
    (metric,) = by_tag(one_metric(values.tolist(), rows)).tags[0].metrics
    wanted = stats.f_oneway(*(values[at::3] for at in range(3))).statistic
    assert metric.contrast == pytest.approx(wanted)


def test_cases_without_the_tag_are_a_part_of_their_own() -> None:
    intent = by_tag(shop()).tags[0]
    assert intent.cases == (("order", 30), ("refund", 24), (None, 6))
    assert [part.is_small for part in intent.metrics[0].parts] == [False, False, True]
    assert FEW > 6


def test_a_tag_of_one_value_parts_nothing_and_one_of_many_names_cases() -> None:
    assert [tag.name for tag in by_tag(shop(source="web")).tags] == ["intent", "language"]
    rows = [case(f"c{at}", tags={"author": str(at // 2)}) for at in range(100)]
    found = by_tag(one_metric([1.0] * 100, rows))
    assert (found.tags, found.unshown) == ((), (("author", 50),))


def test_what_is_shown_is_bounded() -> None:
    rows = [case(f"c{at}", tags={"topic": str(at % 30)}) for at in range(300)]
    keys = [f"retrieval.metric_{at}" for at in range(METRICS + 3)]
    columns = {key: column(declared(key), [float(at % 7 > 2) for at in range(300)]) for key in keys}
    (tag,) = by_tag(record(rows, columns)).tags
    assert (len(tag.cases), tag.other_values) == (VALUES, 30 - VALUES)
    assert (len(tag.metrics), tag.other_metrics) == (METRICS, 3)


def test_a_part_in_which_nothing_was_scored_has_no_figure() -> None:
    rows = [case(f"c{at}", tags={"topic": "ab"[at % 2]}) for at in range(8)]
    outcomes = [Skipped("no ids") if at % 2 else 1.0 for at in range(8)]
    assert by_tag(one_metric(outcomes, rows)).tags[0].metrics == ()
    three = [case(f"c{at}", tags={"topic": "abc"[at % 3]}) for at in range(9)]
    some = [Skipped("no ids") if at % 3 == 0 else 1.0 for at in range(9)]
    (metric,) = by_tag(one_metric(some, three)).tags[0].metrics
    assert [(part.value, part.figure, part.scored) for part in metric.parts] == [
        *(("a", None, 0), ("b", 1.0, 3), ("c", 1.0, 3)),
    ]


def test_repeats_are_one_case_and_ratios_are_pooled() -> None:
    rows = [case(f"c{at // 2}", at % 2, tags={"topic": "ab"[at // 2 % 2]}) for at in range(16)]
    ratio = declared("generation.correctness", pool=Pool.RATIO)
    found = by_tag(record(rows, {ratio.id: column(ratio, [at % 2 / 2 for at in range(16)])}))
    assert [part.scored for part in found.tags[0].metrics[0].parts] == [4, 4]


def test_thousands_of_different_values_have_nearly_the_interval_of_the_bootstrap() -> None:
    draw = np.random.default_rng(2)
    values = draw.beta(4, 2, 6_000).tolist()
    rows = [case(f"c{at:05d}", tags={"topic": "ab"[at % 2]}) for at in range(6_000)]
    (metric,) = by_tag(one_metric(values, rows)).tags[0].metrics
    part = metric.parts[0]
    assert part.bounds.method == "normal"
    line = summarise(sliced(one_metric(values, rows), {"topic": ("a",)})).lines[0]
    assert line.bounds.method == "bootstrap"
    assert part.bounds.ends == pytest.approx(line.bounds.ends, abs=1e-3)
