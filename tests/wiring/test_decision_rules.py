"""What a config's decisions ask for, in the general form, and whether they were fixed before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hand_made import FRACTION, declared, one_metric

from ragproof.analysis.decide_recipes import RECIPES
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Basis, Clause
from ragproof.analysis.requirements import Role
from ragproof.core import UsageError
from ragproof.core.spec import Better
from ragproof.wiring.config import load_config
from ragproof.wiring.deciding import refuse_nonsense, registration
from ragproof.wiring.fixed_rules import fixed_decisions, fixed_rules
from ragproof.wiring.gating import refuse_senseless
from ragproof.wiring.human_labels import in_range, read_labels
from ragproof.wiring.schema import Config

PRIMARY, GUARD = Role.PRIMARY, Role.GUARDRAIL


def config(folder: Path, text: str) -> Config:
    path = folder / "ragproof.yaml"
    path.write_text(text)
    return load_config(path, {})


def rule(folder: Path, text: str) -> AdoptionRule:
    return config(folder, f"decisions: {{it: {text}}}").decisions["it"].rule("it")


def faults(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        config(folder, f"decisions: {{it: {text}}}")
    return str(caught.value).replace(f"{folder}/", "")


def test_a_rule_in_its_general_form(tmp_path: Path) -> None:
    found = rule(
        tmp_path,
        "{gain: {metric: a.b, min_gain: 0.02, slice: {intent: refund}}, guardrails: ["
        "{metric: system.latency_seconds, statistic: p95, max: 1.5, max_rise: 0.2},"
        "{metric: c.d, max_drop: 0.01, tested_on: point}], exploratory: [{metric: e.f}],"
        "min_samples: 50, adopt: ship it}",
    )
    assert found == AdoptionRule(
        name="it",
        clauses=(
            Clause(
                role=PRIMARY,
                metric="a.b",
                bar=Bar.MIN_GAIN,
                bound=0.02,
                slice={"intent": ("refund",)},
            ),
            Clause(
                role=GUARD, metric="system.latency_seconds", bar=Bar.MAX, bound=1.5, statistic="p95"
            ),
            Clause(
                role=GUARD,
                metric="system.latency_seconds",
                bar=Bar.MAX_RISE,
                bound=0.2,
                statistic="p95",
            ),
            Clause(role=GUARD, metric="c.d", bar=Bar.MAX_DROP, bound=0.01, basis=Basis.POINT),
            Clause(role=Role.EXPLORATORY, metric="e.f"),
        ),
        min_samples=50,
        adopt="ship it",
    )


def test_a_hard_filter_is_tested_as_the_specification_says(tmp_path: Path) -> None:
    text = "{recipe: hard_or_soft_filter, delta_min: 0.05, epsilon: 0.02, recall_loss_max: 0.01}"
    found = rule(tmp_path, text)
    assert found.clauses == (
        # the lower end of hard P@k less soft P@k is at least delta_min
        Clause(
            role=PRIMARY,
            metric="retrieval.precision_at_k",
            bar=Bar.MIN_GAIN,
            bound=0.05,
            of="change",
        ),
        # the exclusion rate is at most epsilon
        Clause(
            role=GUARD,
            metric="filter.false_exclusion_rate",
            bar=Bar.MAX,
            bound=0.02,
            basis=Basis.POINT,
        ),
        # hard recall less soft recall is at least -recall_loss_max
        Clause(
            role=GUARD,
            metric="retrieval.recall_at_k",
            bar=Bar.MAX_DROP,
            bound=0.01,
            basis=Basis.POINT,
        ),
    )
    assert found.otherwise == "prefer a soft boost"


FILLED = {
    "hard_or_soft_filter": "delta_min: 0.05, epsilon: 0.02, recall_loss_max: 0.01",
    "keep_reranker": "min_gain: 0.02, max_latency_rise: 0.2, max_cost_rise: 0.001",
    "adopt_expansion": "min_gain: 0.02",
    "accept_compression": "max_loss: 0.02",
    "keep_swapped_order": "metrics: {judged: generation.correctness}, human_labels: l.jsonl",
    "more_search_steps": "min_gain: 0.02, max_exhausted: 0.05, max_latency_rise: 2",
}
ASKED = {
    "keep_reranker": [
        ("reranking.ndcg_gain", "min_gain", 0.02),
        ("system.latency_seconds", "max_rise", 0.2),
        ("system.cost_usd", "max_rise", 0.001),
    ],
    "adopt_expansion": [("query.rewrite_recall_gain", "min_gain", 0.02)],
    "accept_compression": [
        ("context.compression_ratio", "min", 1.0),
        ("generation.correctness", "max_drop", 0.02),
    ],
    "keep_swapped_order": [("generation.correctness", "min_gain", 0.0)],
    "more_search_steps": [
        ("query.evidence_coverage", "min_gain", 0.0),
        ("generation.correctness", "min_gain", 0.02),
        ("query.exhausted_budget", "max", 0.05),
        ("system.latency_seconds", "max_rise", 2.0),
    ],
}


@pytest.mark.parametrize("name", ASKED)
def test_a_recipe_is_the_general_form_with_blanks(tmp_path: Path, name: str) -> None:
    found = rule(tmp_path, f"{{recipe: {name}, {FILLED[name]}}}")
    assert [(one.metric, one.bar, one.bound) for one in found.clauses] == ASKED[name]
    assert found.adopt
    assert found.otherwise


def test_every_recipe_can_be_written_down_and_has_its_own_words() -> None:
    assert FILLED.keys() == RECIPES.keys()
    assert len({one.adopt for one in RECIPES.values()}) == len(RECIPES)


def test_the_metrics_of_a_recipe_can_be_others(tmp_path: Path) -> None:
    text = "{recipe: adopt_expansion, min_gain: 0.02, metrics: {gain: retrieval.recall_at_k}}"
    (clause,) = rule(tmp_path, text).clauses
    assert clause.metric == "retrieval.recall_at_k"
    assert clause.is_relative(FRACTION)
    assert not clause.is_relative(declared("x.y", unit=FRACTION.unit.DIFFERENCE))


def test_a_recipe_may_have_further_guardrails(tmp_path: Path) -> None:
    text = "{recipe: adopt_expansion, min_gain: 0.02, guardrails: [{metric: a.b, max: 3}]}"
    assert [one.metric for one in rule(tmp_path, text).clauses][1:] == ["a.b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", ["ragproof.yaml:1: decisions.it: nothing to decide by; write `gain`, or `recipe`"]),
        ("{min_gain: 0.1}", ["fills the blank of a recipe, and there is none"]),
        ("{gain: {metric: a.b}}", ["min_gain: missing"]),
        ("{gain: {metric: a.b, min_gain: -0.1}}", ["got -0.1"]),
        ("{gain: {metric: a.b, min_gain: 0.1, slcie: {}}}", ["Did you mean 'slice'"]),
        ("{gain: {metric: a.b, min_gain: .nan}}", ["min_gain: got .nan"]),
        ("{recipe: keep_rerankr}", ["Did you mean 'keep_reranker'"]),
        ("{recipe: keep_reranker, min_gain: 0.1}", ["needs max_latency_rise or max_cost_rise"]),
        ("{recipe: keep_reranker, max_cost_rise: 1}", ["min_gain: missing"]),
        (
            "{recipe: adopt_expansion, min_gain: 0.1, epsilon: 0.1}",
            ["recipe adopt_expansion has no such bound; it has min_gain"],
        ),
        (
            "{recipe: hard_or_soft_filter, delta_min: 0.1, epsilon: 2, recall_loss_max: 0.1}",
            ["epsilon: got 2; allowed: a share (0 to 1)"],
        ),
        (
            "{recipe: adopt_expansion, min_gain: 0.1, metrics: {gian: a.b}}",
            ["recipe adopt_expansion has no such part", "Did you mean 'gain'"],
        ),
        ("{recipe: keep_swapped_order, human_labels: l}", ["metrics.judged: missing"]),
        (
            "{recipe: keep_swapped_order, metrics: {judged: a.b}}",
            ["human_labels: missing; how far a judge agrees with people"],
        ),
        (
            "{gain: {metric: a.b, min_gain: 0.1}, guardrails: [{metric: a.b}]}",
            ["guardrails.0: nothing can be missed"],
        ),
        (
            "{gain: {metric: a.b, min_gain: 0}, guardrails: [{metric: a.b, min: 2, max: 1}]}",
            ["got min 2 above max 1"],
        ),
        (
            "{gain: {metric: a.b, min_gain: 0, of: change, estimate: prediction_powered}}",
            ["they correct its mean, not a change"],
        ),
        (
            "{gain: {metric: a.b, min_gain: 0.1}, experiment: {unit: session}}",
            ["estimand: missing", "stopping_rule: missing", "sample_size: missing"],
        ),
        (
            "{gain: {metric: a.b, min_gain: 0.1}, experiment: {unit: session, estimand: e, "
            "stopping_rule: s, sample_size: 10, looks: [20], baseline_sd: 1}}",
            ["looks: got 20; a look lies before the planned end (10)", "minimum_effect: missing"],
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    told = faults(tmp_path, text)
    assert all(word in told for word in words), told


def test_a_gate_that_corrects_what_labels_cannot_is_refused(tmp_path: Path) -> None:
    for more in ("max_drop: 0.1", "min: 0.1, statistic: p95"):
        text = f"gate: {{thresholds: {{a.b: {{{more}, estimate: prediction_powered}}}}}}"
        with pytest.raises(UsageError, match="it goes with min and max alone"):
            config(tmp_path, text)


GAIN = "gain: {metric: a.b, min_gain: 0.02}"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (f"{{it: {{{GAIN}}}}}", True),
        (f"{{another: {{{GAIN}}}}}", True),
        (f"{{it: {{{GAIN}, adopt: ship it, min_samples: 1}}}}", True),
        ("{it: {gain: [{metric: a.b, min_gain: 0.02, statistic: mean}]}}", True),
        ("{it: {gain: {metric: a.b, min_gain: 0.01}}}", False),
        (f"{{it: {{{GAIN}, guardrails: [{{metric: c.d, max: 1}}]}}}}", False),
        (f"{{it: {{{GAIN}, min_samples: 2}}}}", False),
    ],
)
def test_a_rule_has_one_hash_however_it_is_written(
    tmp_path: Path, text: str, *, same: bool
) -> None:
    known = fixed_rules(config(tmp_path, f"decisions: {{it: {{{GAIN}}}}}"))
    assert known.keys() == {"decisions.it"}
    found = fixed_rules(config(tmp_path, f"decisions: {text}"))
    assert ([*found.values()] == [*known.values()]) is same


def test_a_recipe_and_what_it_says_are_one_rule(tmp_path: Path) -> None:
    metric = "query.rewrite_recall_gain"
    written = rule(tmp_path, f"{{gain: {{metric: {metric}, min_gain: 0.02}}}}")
    assert rule(tmp_path, "{recipe: adopt_expansion, min_gain: 0.02}").fixed == written.fixed


def test_a_rule_is_registered_where_both_runs_began_with_it(tmp_path: Path) -> None:
    now = config(tmp_path, f"decisions: {{it: {{{GAIN}}}}}")
    old = config(tmp_path, "decisions: {it: {gain: {metric: a.b, min_gain: 0.05}}}")
    header = one_metric([1.0]).header
    with_it = replace(header, rules=fixed_rules(now), decisions=fixed_decisions(now))
    before = replace(header, rules=fixed_rules(old), decisions=fixed_decisions(old))
    asked = now.decisions["it"].rule("it")
    assert registration(asked, with_it, with_it).stands
    found = registration(asked, with_it, before)
    assert (found.baseline, found.candidate, found.stands) == (True, False, False)
    assert found.changed == {"clauses[a.b].bound": (0.05, 0.02)}
    assert registration(asked, header, header).changed == {}


def test_nonsense_shows_before_a_run(tmp_path: Path) -> None:
    known = {"a.b": declared("a.b"), "n.o": declared("n.o", better=Better.NEITHER)}
    bad = config(
        tmp_path,
        "gate: {thresholds: {a.b: {min: 85}, 'a.b[stage=x]': {max: 2}}}\n"
        "decisions:\n  it: {gain: {metric: a.b, min_gain: 85}}\n"
        "  other: {gain: {metric: n.o, min_gain: 0.1}}\n",
    )
    with pytest.raises(UsageError, match=r"ragproof.yaml:1: a.b: min 85 can never be met") as gates:
        refuse_senseless(bad, known)
    assert "a.b[stage=x]: max 2 can never fail" in str(gates.value)
    with pytest.raises(UsageError, match=r"ragproof.yaml:3: it: a.b: min_gain 85") as rules:
        refuse_nonsense(bad, known)
    assert "neither way is better" in str(rules.value)
    refuse_nonsense(bad, {})


LINE = '{"case_id": "c0000", "score": 0.5'


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "the file is empty"),
        ("{", "labels.jsonl:1: not JSON"),
        (LINE + ', "scroe": 1}', "labels.jsonl:1: scroe: unknown key"),
        ('{"case_id": "x"}', "labels.jsonl:1: score: missing"),
        ('{"case_id": "x", "score": NaN}', "NaN is not a number that JSON has"),
        ('{"case_id": "x", "score": "1"}', 'score: got "1"; allowed: a number'),
        ('{"case_id": 7, "score": 1}', "case_id: got 7"),
        (f"{LINE}}}\n{LINE}}}", "labels.jsonl:2: case_id: 'c0000' is there twice"),
        ('{"case_id": "<b>[/x]", "score": 1}', ""),
    ],
)
def test_labels_are_read_strictly(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text)
    if not word:
        assert read_labels(path, ["a.b"])[0].case_id == "<b>[/x]"
        return
    with pytest.raises(UsageError) as caught:
        read_labels(path, ["a.b"])
    assert word in str(caught.value)


def test_labels_without_a_metric_are_of_the_one_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(LINE + "}\n" + LINE + ', "metric": "c.d"}\n')
    assert [one.metric for one in read_labels(path, ["a.b"])] == ["a.b", "c.d"]
    for asked, word in (([], "no rule asks"), (["a.b", "c.d"], "2 rules ask for labels")):
        with pytest.raises(UsageError, match=word):
            read_labels(path, asked)


def test_a_score_that_the_metric_could_not_give_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"case_id": "c0000", "score": 4}')
    labels = read_labels(path, [FRACTION.id])
    with pytest.raises(UsageError, match="case 'c0000': score: got 4; allowed: 0 to 1"):
        in_range(labels, one_metric([1.0]), path)
