"""Whatever a pipeline or a metric says is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_samples import (
    RECALL,
    case_run,
    declared,
    header,
    save,
    whole,
)

from ragproof.core import (
    Cause,
    Chunk,
    Failed,
    Finished,
    Json,
    Level,
    NotApplicable,
    Observation,
    Reply,
    Row,
    RunState,
    Scored,
    Skipped,
)
from ragproof.store.open import RunStore

ODD = (
    "nul \0, lone \udc80\ud800, back\\slash \\u0041, \u2028 \x85 \ufeff \N{GRINNING FACE} 'quote\""
)


def test_text_that_no_encoding_carries_is_kept_everywhere(store: RunStore) -> None:
    store.begin(header(label=ODD, metrics={ODD: declared(ODD)}))
    run = case_run(ODD)
    odd = replace(
        run,
        case=replace(run.case, group=ODD, tags={ODD: ODD}, metadata={ODD: [ODD]}),
        observation=Observation(case_id=ODD, retrieved=(Chunk(id=ODD, text=ODD),)),
    )
    failed = replace(odd, observation=Observation.failed(ODD, Cause.ADAPTER, ODD), repeat=1)
    row = Row(ODD, ODD, NotApplicable(ODD, {ODD: ODD}))
    kept = [Finished(ODD, (row,), run=odd), Finished(ODD, (row,), run=failed)]
    save(store, "run-1", *kept)
    store.finish("run-1", RunState.COMPLETED, {ODD: {ODD: ODD}})
    assert [store.detail("run-1", ODD, repeat) for repeat in (0, 1)] == kept
    assert store.find(ODD).header.label == ODD
    assert store.done("run-1") == {(ODD, 0), (ODD, 1)}
    assert store.summaries("run-1") == {ODD: {ODD: ODD}}
    record = store.record("run-1")
    assert record.columns[ODD].reasons == (ODD, ODD)
    assert record.cases[1].failure == Failed(Cause.ADAPTER, ODD)
    assert (record.cases[0].id, record.cases[0].group) == (ODD, ODD)


def test_what_is_not_json_in_metadata_does_not_stop_a_run(store: RunStore) -> None:
    store.begin(header())
    deep: list[object] = []
    for _ in range(3000):
        deep = [deep]
    loop: dict[str, object] = {}
    loop["self"] = loop
    metadata = {
        "nan": float("nan"),
        "when": case_run,
        "set": {"b", "a"},
        "number": np.float32(0.5),
        "array": np.arange(2),
        "deep": deep,
        "loop": loop,
    }
    run = case_run("a")
    seen = Observation(case_id="a", retrieved=(Chunk(id="m", metadata=metadata),))
    save(store, "run-1", Finished("a", [], run=replace(run, observation=seen)))
    [back] = store.case_runs("run-1")
    assert back.observation.retrieved is not None
    kept = back.observation.retrieved[0].metadata
    assert (kept["nan"], kept["set"], kept["number"]) == (None, ["a", "b"], 0.5)
    assert kept["array"] == [0, 1]
    assert "nested too deeply to be kept" in str(kept["deep"])


def test_evidence_that_is_no_number_is_kept_as_none(store: RunStore) -> None:
    store.begin(header())
    evidence: dict[str, Json] = {"ratio": float("nan"), "odd": "\udc80"}
    save(store, "run-1", whole("g", Level.GROUP, {"g.m": Scored(1.0, evidence)}))
    save(store, "run-1", whole("h", Level.GROUP, {"g.m": Scored(1.0, {"ratio": float("inf")})}))
    kept = [store.detail("run-1", name, level=Level.GROUP).rows[0].outcome for name in "gh"]
    assert kept == [Scored(1.0, {"ratio": None, "odd": "\udc80"}), Scored(1.0, {"ratio": None})]


def test_a_text_of_ten_megabytes_is_kept(store: RunStore) -> None:
    store.begin(header())
    run = case_run("a")
    seen = Observation(case_id="a", retrieved=(Chunk(id="m", text="\N{SNOWMAN}" * 10_000_000),))
    save(store, "run-1", Finished("a", [], run=replace(run, observation=seen)))
    [back] = store.case_runs("run-1")
    assert back.observation == seen


SURROGATES = st.characters(exclude_categories=())
TEXTS = st.text(SURROGATES, max_size=8)
OUTCOMES = st.one_of(
    st.builds(
        Scored,
        st.floats(allow_nan=False, allow_infinity=False),
        st.dictionaries(TEXTS, TEXTS, max_size=2),
        st.floats(0, 1e9),
    ),
    st.builds(Skipped, TEXTS),
    st.builds(NotApplicable, TEXTS),
    st.builds(Failed, st.sampled_from(Cause), TEXTS),
)
REPLIES = st.lists(st.builds(Reply, TEXTS), max_size=1).map(tuple)
ROWS = st.builds(Row, st.just(""), st.just(RECALL), OUTCOMES, REPLIES, st.booleans())


@given(st.dictionaries(TEXTS.filter(bool), ROWS, max_size=4))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_outcome_comes_back_exactly(store: RunStore, told: dict[str, Row]) -> None:
    if ("run-1", 0) not in {(info.header.id, 0) for info in store.runs()}:
        store.begin(header())
    rows = tuple(replace(row, key=key) for key, row in told.items())
    kept = Finished("a", rows, run=case_run("a"))
    save(store, "run-1", kept)
    back = store.detail("run-1", "a")
    assert {row.key: row for row in back.rows} == {row.key: row for row in rows}
