"""Decision rules that the field has names for, written out in the general form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ragproof.analysis.decide_rules import Bar, Basis, Clause, Side
from ragproof.analysis.requirements import Role

Values: TypeAlias = Mapping[str, float]
"""Key of the config to what was given."""
Names: TypeAlias = Mapping[str, str]
"""Part that a metric plays in a recipe to its key."""

LATENCY = {"latency": "system.latency_seconds", "cost": "system.cost_usd"}
BUDGETS = ("max_latency_rise", "max_cost_rise")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A rule with blanks."""

    clauses: Callable[[Values, Names], tuple[Clause, ...]]
    required: tuple[str, ...]
    """Bounds that must be fixed beforehand: nobody else knows what a miss costs."""
    one_of: tuple[str, ...] = ()
    """Of these there must be one at least."""
    optional: tuple[str, ...] = ()
    defaults: Mapping[str, float] = field(default_factory=dict[str, float])
    metrics: Names
    """Empty where there is no usual one."""
    adopt: str
    otherwise: str
    labels: bool = False
    """Whether it needs human labels."""

    @property
    def keys(self) -> tuple[str, ...]:
        """All bounds that it knows."""
        return (*self.required, *self.one_of, *self.optional, *self.defaults)


def _gain(metric: str, bound: float, of: Side | None = None) -> Clause:
    return Clause(role=Role.PRIMARY, metric=metric, bar=Bar.MIN_GAIN, bound=bound, of=of)


def _guard(metric: str, bar: Bar, bound: float, basis: Basis = Basis.INTERVAL) -> Clause:
    return Clause(role=Role.GUARDRAIL, metric=metric, bar=bar, bound=bound, basis=basis)


def _budgets(given: Values, names: Names) -> tuple[Clause, ...]:
    """What a gain may cost: of the latency the 95th percentile, of the price the mean."""
    found = []
    if "max_latency_rise" in given:
        rise = _guard(names["latency"], Bar.MAX_RISE, given["max_latency_rise"])
        found.append(replace(rise, statistic="p95"))
    if "max_cost_rise" in given:
        found.append(_guard(names["cost"], Bar.MAX_RISE, given["max_cost_rise"]))
    return tuple(found)


def _hard_or_soft(given: Values, names: Names) -> tuple[Clause, ...]:
    """The gain by the lower end of its interval, the two bounds on the figures as found."""
    exclusion, recall = given["epsilon"], given["recall_loss_max"]
    return (
        _gain(names["precision"], given["delta_min"], "change"),
        _guard(names["exclusion"], Bar.MAX, exclusion, Basis.POINT),
        _guard(names["recall"], Bar.MAX_DROP, recall, Basis.POINT),
    )


def _worth_its_price(given: Values, names: Names) -> tuple[Clause, ...]:
    return (_gain(names["gain"], given["min_gain"]), *_budgets(given, names))


def _compression(given: Values, names: Names) -> tuple[Clause, ...]:
    ratio, least = names["ratio"], given["min_ratio"]
    return (
        Clause(role=Role.PRIMARY, metric=ratio, bar=Bar.MIN, bound=least, basis=Basis.POINT),
        _guard(names["correctness"], Bar.MAX_DROP, given["max_loss"]),
    )


def _swapped(given: Values, names: Names) -> tuple[Clause, ...]:
    judged = _gain(names["judged"], given["min_gain"], "change")
    return (replace(judged, estimate="agreement"), *_budgets(given, names))


def _steps(given: Values, names: Names) -> tuple[Clause, ...]:
    exhausted = given["max_exhausted"]
    return (
        _gain(names["evidence"], given["min_evidence_gain"], "change"),
        _gain(names["correctness"], given["min_gain"], "change"),
        _guard(names["exhausted"], Bar.MAX, exhausted, Basis.POINT),
        *_budgets(given, names),
    )


RECIPES: Mapping[str, Recipe] = {
    "hard_or_soft_filter": Recipe(
        clauses=_hard_or_soft,
        required=("delta_min", "epsilon", "recall_loss_max"),
        metrics={
            "precision": "retrieval.precision_at_k",
            "exclusion": "filter.false_exclusion_rate",
            "recall": "retrieval.recall_at_k",
        },
        adopt="make it a hard filter",
        otherwise="prefer a soft boost",
    ),
    "keep_reranker": Recipe(
        clauses=_worth_its_price,
        required=("min_gain",),
        one_of=BUDGETS,
        metrics={"gain": "reranking.ndcg_gain", **LATENCY},
        adopt="keep the reranker",
        otherwise="do without the reranker",
    ),
    "adopt_expansion": Recipe(
        clauses=_worth_its_price,
        required=("min_gain",),
        optional=BUDGETS,
        metrics={"gain": "query.rewrite_recall_gain", **LATENCY},
        adopt="expand the queries",
        otherwise="leave the queries as they are",
    ),
    "accept_compression": Recipe(
        clauses=_compression,
        required=("max_loss",),
        defaults={"min_ratio": 1.0},
        metrics={"ratio": "context.compression_ratio", "correctness": "generation.correctness"},
        adopt="compress the context",
        otherwise="do not compress so far",
    ),
    "keep_swapped_order": Recipe(
        clauses=_swapped,
        required=(),
        optional=("max_cost_rise",),
        defaults={"min_gain": 0.0},
        metrics={"judged": "", "cost": LATENCY["cost"]},
        adopt="keep judging in swapped orders",
        otherwise="judge in one order",
        labels=True,
    ),
    "more_search_steps": Recipe(
        clauses=_steps,
        required=("min_gain", "max_exhausted"),
        one_of=BUDGETS,
        defaults={"min_evidence_gain": 0.0},
        metrics={
            "evidence": "query.evidence_coverage",
            "correctness": "generation.correctness",
            "exhausted": "query.exhausted_budget",
            **LATENCY,
        },
        adopt="allow the further searches",
        otherwise="search no more often",
    ),
}
