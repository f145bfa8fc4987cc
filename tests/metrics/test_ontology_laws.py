"""What holds for metrics of entities and ontologies, whatever was found."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fixture import pooled
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import (
    Answer,
    CaseRun,
    Entity,
    Failed,
    Mention,
    NotApplicable,
    Observation,
    Ontology,
    Outcome,
    QuestionCase,
    Scored,
    Skipped,
    Tools,
    Trace,
)
from ragproof.engine.score import outcomes
from ragproof.metrics import catalog
from ragproof.metrics.mentions import mentions

PARENTS = {"r": "", "s": "", "a": "r", "b": "r a", "c": "a", "d": "b c", "e": "s", "f": "s d"}
ONTOLOGY = Ontology(Entity(one, parents=tuple(up.split())) for one, up in PARENTS.items())
METRICS: dict[str, Any] = {
    one: catalog.build(one) for one in catalog.ids() if one.startswith("ontology.")
}
linked = st.builds(
    lambda start, size, entity: Mention(start=start, end=start + size, text="x", entity_id=entity),
    st.integers(0, 12),
    st.integers(0, 5),
    st.none() | st.sampled_from([*PARENTS, "unknown"]),
)
entities = st.none() | st.lists(linked, max_size=5).map(tuple)
outputs = st.none() | st.recursive(
    st.sampled_from(["a", "zz", 1, True, None]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["entity_id", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)
filters = st.none() | st.dictionaries(
    st.sampled_from("kl"), st.sampled_from(["a", "zz", ["b", "c"], 1, True, None])
)
sources = st.none() | st.lists(st.sampled_from("uvw"), max_size=3).map(tuple)
runs = st.builds(
    lambda case, trace: CaseRun(
        case, Observation(case_id="q", answer=Answer(answer_text="?", trace=trace))
    ),
    st.builds(
        QuestionCase,
        id=st.just("q"),
        question=st.just("?"),
        expected_entities=entities,
        expected_source_ids=sources,
        expected_filter=filters,
        expected_schema=st.none() | st.sampled_from([{}, {"type": "array"}]),
    ),
    st.builds(Trace, entities=entities, output=outputs, filter=filters, survivors=sources),
)


def scored(run: CaseRun, metrics: dict[str, Any] = METRICS) -> dict[str, Outcome]:
    rows = asyncio.run(outcomes(run, metrics, Tools(ontology=ONTOLOGY)))
    return {row.key: row.outcome for row in rows}


@settings(max_examples=50)
@given(runs)
def test_scores_in_range_or_says_why_not(run: CaseRun) -> None:
    for name, found in scored(run).items():
        assert isinstance(found, Scored | Skipped | NotApplicable), (name, found)
        if isinstance(found, Scored):
            assert 0 <= found.value <= 1
            assert json.loads(json.dumps(found.evidence, allow_nan=False)) == found.evidence


@settings(max_examples=30)
@given(st.lists(runs, min_size=1, max_size=6))
@pytest.mark.parametrize("family", ["mention", "hierarchical"])
def test_f1_is_that_of_the_pooled_precision_and_recall(family: str, runs: list[CaseRun]) -> None:
    found = [scored(run) for run in runs]
    p, r, f = (
        pooled(METRICS[name].spec, [one[name] for one in found])
        for name in (f"ontology.{family}_{one}" for one in ("precision", "recall", "f1"))
    )
    if p is not None and r is not None and p + r > 0:
        assert f == pytest.approx(2 * p * r / (p + r))
    else:
        assert f in (None, 0)


@settings(max_examples=50)
@given(runs)
def test_kinds_of_errors_are_apart(run: CaseRun) -> None:
    found = scored(run)
    kinds = [found[f"ontology.{one}_confusion"] for one in ("sibling", "parent", "descendant")]
    values = [one.value for one in kinds if isinstance(one, Scored)]
    assert len(values) in (0, 3)
    assert sum(values) <= 1 + 1e-12
    declined, over = found["ontology.nil_recall"], found["ontology.over_linking_rate"]
    if isinstance(declined, Scored) and isinstance(over, Scored):
        missing = declined.evidence["not_found"]
        assert isinstance(missing, int)
        assert declined.value + over.value + missing / declined.weight == pytest.approx(1)


@settings(max_examples=50)
@given(st.lists(linked, max_size=5), st.lists(linked, max_size=5))
def test_as_many_mentions_are_paired_by_overlap_as_can_be(
    expected: list[Mention], found: list[Mention]
) -> None:
    case = QuestionCase(id="q", question="?", expected_entities=tuple(expected))
    answer = Answer(answer_text="?", trace=Trace(entities=tuple(found)))
    seen = mentions(CaseRun(case, Observation(case_id="q", answer=answer)), "partial")
    equal = {(one.start, one.end) for one in seen.expected} & {
        (one.start, one.end) for one in seen.found
    }
    left = [one for one in seen.expected if (one.start, one.end) not in equal]
    right = [one for one in seen.found if (one.start, one.end) not in equal]
    assert len(seen.pairs) == len(equal) + most(left, right)


def most(left: list[Mention], right: list[Mention]) -> int:
    """Every way of pairing is tried."""
    if not left:
        return 0
    one, rest = left[0], left[1:]
    ways = [most(rest, right)]
    for at, other in enumerate(right):
        if max(one.start, other.start) < min(one.end, other.end):
            ways.append(1 + most(rest, right[:at] + right[at + 1 :]))
    return max(ways)


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "nothing"}, "expected_schema is no JSON Schema: $.type"),
        ({"$ref": "http://127.0.0.1:9/x"}, "expected_schema refers to what is not in it"),
        ({"$ref": "#/$defs/x"}, "expected_schema refers to what is not in it"),
        ({"$ref": "#"}, "expected_schema refers to itself without end"),
        ({"$schema": "http://x/y"}, "expected_schema names a draft that is not known"),
    ],
)
@pytest.mark.parametrize("output", [{"a": 1}, "not parsed"])
def test_a_schema_that_is_none_is_no_fault_of_the_output(
    schema: dict[str, Any], told: str, output: object
) -> None:
    case = QuestionCase(id="q", question="?", expected_schema=schema)
    answer = Answer(answer_text="?", trace=Trace(output=output))
    run = CaseRun(case, Observation(case_id="q", answer=answer))
    found = scored(run)["ontology.schema_validity"]
    assert isinstance(found, Failed)
    assert told in found.message


@pytest.mark.parametrize("metric", ["mention_f1", "wu_palmer", "parent_confusion", "nil_recall"])
def test_a_way_to_match_that_there_is_not_is_refused(metric: str) -> None:
    with pytest.raises(Exception, match=r"match: got 'near'; allowed: exact, partial"):
        catalog.build(f"ontology.{metric}", match="near")
