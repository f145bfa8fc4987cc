"""What holds for every metric, without a line written per metric."""

from __future__ import annotations

import dataclasses
import doctest
import json
import sys

import pytest
from fixture import (
    examples,
    known,
    outcome,
    path,
    play,
    scored_example,
    together,
)

from ragproof.core import (
    DOCUMENTS,
    CaseKind,
    CaseRun,
    Cause,
    DocumentCase,
    Layer,
    Level,
    Need,
    NotApplicable,
    Observation,
    PureMetric,
    QuestionCase,
    Scored,
    Skipped,
    ToolMetric,
    key,
    needs,
)
from ragproof.core.case import Document
from ragproof.metrics import catalog
from ragproof.metrics.page import SECTIONS, page

NEEDS = {name: need for name, need in vars(needs).items() if isinstance(need, Need)}
every_metric = pytest.mark.parametrize("metric_id", catalog.ids())
of_cases = pytest.mark.parametrize(
    "metric_id", [one for one in catalog.ids() if catalog.load(one).level is Level.CASE]
)


@every_metric
def test_docstring_has_all_sections_in_order(metric_id: str) -> None:
    shown = page(metric_id)
    assert tuple(shown.sections) == SECTIONS
    assert all((shown.summary, *shown.sections.values()))


@every_metric
def test_the_example_in_the_docstring_runs(metric_id: str) -> None:
    metric = catalog.load(metric_id)
    module = sys.modules[metric.__module__]
    [example] = doctest.DocTestFinder(recurse=False).find(metric, globs=dict(vars(module)))
    assert doctest.DocTestRunner().run(example) == doctest.TestResults(0, len(example.examples))
    assert example.examples


@every_metric
def test_has_a_fixture_with_reasons(metric_id: str) -> None:
    assert path(metric_id).exists(), f"write {path(metric_id)}"
    computed = [one for one in examples(metric_id) if (one.scored, one.pooled) != (None, None)]
    assert scored_example(metric_id) in computed
    assert [one.name for one in computed if not one.because] == []


@every_metric
def test_every_need_has_an_example_that_lacks_it(metric_id: str) -> None:
    shown = {one.skipped for one in examples(metric_id)}
    assert {need.reason for need in catalog.load(metric_id).spec.needs} <= shown


@every_metric
def test_is_frozen_and_one_step_below_its_base(metric_id: str) -> None:
    metric = catalog.load(metric_id)
    assert metric.__base__ in {PureMetric, ToolMetric}
    assert metric.level is Level.of(metric.subject)
    with pytest.raises(dataclasses.FrozenInstanceError):
        metric().__setattr__("k", 1)


@every_metric
def test_is_called_by_its_id_as_long_as_no_parameter_differs(metric_id: str) -> None:
    assert key(catalog.build(metric_id)) == metric_id


@every_metric
def test_is_of_documents_if_it_looks_at_ingestion(metric_id: str) -> None:
    if Layer.of(metric_id.partition(".")[0]) is Layer.INGESTION:
        assert catalog.load(metric_id).spec.kinds == DOCUMENTS


@every_metric
def test_lists_its_prompts_if_and_only_if_it_needs_a_judge(metric_id: str) -> None:
    metric = catalog.load(metric_id)
    assert metric.spec.reads(needs.JUDGE) == bool(metric.prompts)


@every_metric
def test_needs_are_exactly_what_is_needed(metric_id: str) -> None:
    example = scored_example(metric_id)
    metric = catalog.build(metric_id, **example.params)
    [whole] = play(metric_id, example).outcomes
    declared = (*metric.spec.needs, *metric.spec.uses)
    for name, need in NEEDS.items():
        if need not in metric.spec.needs and any(need.overlaps(other) for other in declared):
            continue
        tools = example.tools()
        runs = [need.without(known(metric, run, tools)) for run in example.runs()]
        stripped = together(metric, runs, need.without(tools))
        if need in metric.spec.needs:
            assert stripped == {"": Skipped(need.reason)}, f"{name} is declared, but not needed"
        else:
            assert stripped == whole, f"{name} is needed or used, but not declared"


@every_metric
def test_of_several_missing_needs_the_first_declared_is_the_reason(metric_id: str) -> None:
    metric = catalog.build(metric_id)
    for kind in metric.spec.kinds:
        case = QuestionCase(id="q", question="?", kind=kind)
        if kind is not CaseKind.DOCUMENT:
            bare = CaseRun(case, Observation(case_id="q"))
            found = outcome(metric, bare)
            if isinstance(found, NotApplicable):  # the case alone tells: nothing else is missed
                continue
            assert found == Skipped(metric.spec.needs[0].reason)


@of_cases
def test_a_failed_case_is_an_error_whatever_else_it_lacks(metric_id: str) -> None:
    metric = catalog.build(metric_id)
    failed = Observation.failed("q", Cause.ADAPTER, "boom")
    run = CaseRun(QuestionCase(id="q", question="?"), failed)
    assert outcome(metric, run) == failed.failure


@of_cases
def test_a_case_of_another_kind_is_skipped_with_the_kinds_it_is_for(metric_id: str) -> None:
    metric = catalog.build(metric_id)
    document = DocumentCase(id="d", document=Document(text="x"))
    cases = [QuestionCase(id="q", question="?", kind=kind) for kind in list(CaseKind)[:3]]
    for case in (document, *cases):
        if case.kind not in metric.spec.kinds:
            kinds = " or ".join(sorted(metric.spec.kinds))
            found = outcome(metric, CaseRun(case, Observation(case_id=case.id)))
            assert found == Skipped(f"case is not of kind {kinds}")


@every_metric
def test_is_deterministic(metric_id: str) -> None:
    for example in examples(metric_id):
        assert play(metric_id, example) == play(metric_id, example)


@every_metric
def test_stays_in_range_with_evidence_that_is_json(metric_id: str) -> None:
    low, high = catalog.load(metric_id).spec.unit.range
    for example in examples(metric_id):
        outcomes = [one for found in play(metric_id, example).outcomes for one in found.values()]
        for found in outcomes:
            if isinstance(found, Scored):
                assert low <= found.value <= high
            if isinstance(found, Scored | NotApplicable):
                assert json.loads(json.dumps(found.evidence, allow_nan=False)) == found.evidence
