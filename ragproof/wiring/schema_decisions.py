"""The `decisions` of `ragproof.yaml`: rules by which a candidate is adopted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ragproof.analysis.decide_recipes import RECIPES, Recipe
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Basis, Clause, Experiment
from ragproof.analysis.requirements import Role, Statistic
from ragproof.core.spec import Better
from ragproof.text.faults import Fault, shown
from ragproof.text.faults import Path as Place
from ragproof.text.nearest import nearest
from ragproof.wiring.section import Count, NotNegative, Section, Text, Texts

Positive: TypeAlias = Annotated[float, Field(gt=0)]
LIMITS = (Bar.MIN, Bar.MAX, Bar.MAX_DROP, Bar.MAX_RISE)
BOUNDS = tuple(dict.fromkeys(key for one in RECIPES.values() for key in one.keys))


class FigureConfig(Section):
    """A figure that is shown with a decision."""

    metric: Text
    """Metric key."""
    statistic: Statistic = "mean"
    """Which figure of it."""
    slice: Mapping[str, Text | Texts] = {}
    """Only cases with these tags: name to a value, or a list of which any will do."""


class GainConfig(FigureConfig):
    """What the candidate must be better in."""

    min_gain: NotNegative
    """Least lower end of the gain's 95 % interval; 0 asks for any gain above 0."""
    of: Literal["change", "candidate"] | None = None
    """Whether the gain is the change against the baseline or the candidate's own figure; default
    the change, unless the metric is a difference already, as `reranking.ndcg_gain` is."""
    direction: Literal["higher", "lower"] | None = None
    """Which way is a gain, for a metric of which neither way is better."""
    estimate: Literal["plain", "prediction_powered", "agreement"] = "plain"
    """`prediction_powered`: the mean as human labels correct it; `agreement`: the share of cases
    that the judge puts into the people's band."""


class GuardrailConfig(FigureConfig):
    """What the candidate must not pay for it."""

    min: float | None = None
    """Least allowed value of the candidate."""
    max: float | None = None
    """Greatest allowed value of the candidate."""
    max_drop: NotNegative | None = None
    """Greatest allowed change for the worse against the baseline."""
    max_rise: NotNegative | None = None
    """Greatest allowed increase against the baseline."""
    tested_on: Literal["interval", "point"] = "interval"
    """Whether the worse end of the 95 % interval or the figure as it is stays within the bound."""
    estimate: Literal["plain", "prediction_powered"] = "plain"
    """`prediction_powered`: the mean as human labels correct it, for `min` and `max`."""


class ExperimentConfig(Section):
    """An experiment with traffic, fixed before it is launched."""

    unit: Literal["user", "session", "query"]
    """What is assigned to an arm at random; a user or session is the cases' `group`."""
    estimand: Text
    """What is estimated, in your words."""
    stopping_rule: Text
    """When it ends, in your words."""
    looks: tuple[Count, ...] = ()
    """Units an arm at which the stopping rule allows a decision before the planned end."""
    sample_size: Count
    """Planned units an arm."""
    minimum_effect: Positive | None = None
    """Smallest effect worth detecting; with `baseline_sd` the plan's power is told."""
    baseline_sd: Positive | None = None
    """Standard deviation of a unit's figure; where both runs have the same cases, of the
    difference."""


class DecisionConfig(Section):
    """When a candidate is adopted: a recipe with its bounds, or a gain and guardrails."""

    recipe: (
        Literal[
            "hard_or_soft_filter",
            "keep_reranker",
            "adopt_expansion",
            "accept_compression",
            "keep_swapped_order",
            "more_search_steps",
        ]
        | None
    ) = None
    """A rule with blanks; the keys from `metrics` to `min_evidence_gain` fill them."""
    metrics: Mapping[str, Text] = {}
    """Metrics to put in the place of the recipe's, by the part that they play in it."""
    delta_min: NotNegative | None = None
    """`hard_or_soft_filter`: least lower end of the precision gain's interval."""
    epsilon: NotNegative | None = None
    """`hard_or_soft_filter`: greatest share of questions that lose all their evidence."""
    recall_loss_max: NotNegative | None = None
    """`hard_or_soft_filter`: greatest loss of recall against the soft boost."""
    min_gain: NotNegative | None = None
    """Least lower end of the gain's interval, in the recipes with one gain."""
    max_latency_rise: NotNegative | None = None
    """Greatest rise of the 95th percentile of the latency, in seconds."""
    max_cost_rise: NotNegative | None = None
    """Greatest rise of the mean cost of a question, in US dollars."""
    max_loss: NotNegative | None = None
    """`accept_compression`: greatest loss of correctness."""
    min_ratio: NotNegative | None = None
    """`accept_compression`: least compression; default 1."""
    max_exhausted: NotNegative | None = None
    """`more_search_steps`: greatest share of questions that run out of their budget."""
    min_evidence_gain: NotNegative | None = None
    """`more_search_steps`: least lower end of the evidence gain's interval; default any above 0."""
    gain: GainConfig | tuple[GainConfig, ...] | None = None
    """What the candidate must be better in: one gain or a list, of which all must be met."""
    guardrails: tuple[GuardrailConfig, ...] = ()
    """What must stay within bounds."""
    exploratory: tuple[FigureConfig, ...] = ()
    """Changes that are shown and decide nothing."""
    experiment: ExperimentConfig | None = None
    """The plan, where the runs are of traffic."""
    human_labels: Path | None = None
    """JSON Lines of `case_id`, `score` and perhaps `metric`; default `gate.human_labels`."""
    min_samples: Count = 1
    """Fewer scored cases, or pairs, leave a clause undecided."""
    adopt: Text | None = None
    """What adopting means, in your words."""
    otherwise: Text | None = None
    """What is done otherwise, in your words."""

    @property
    def bounds(self) -> dict[str, float]:
        """The recipe's bounds that were given."""
        told = {key: getattr(self, key) for key in BOUNDS}
        return {key: value for key, value in told.items() if value is not None}

    def rule(self, name: str) -> AdoptionRule:
        """The rule in its general form."""
        recipe = RECIPES[self.recipe] if self.recipe is not None else None
        clauses: tuple[Clause, ...] = ()
        if recipe is not None:
            names = {**recipe.metrics, **self.metrics}
            clauses = recipe.clauses({**recipe.defaults, **self.bounds}, names)
        own = (*map(_gain, self.gains), *(c for one in self.guardrails for c in _guards(one)))
        shown_only = (
            Clause(role=Role.EXPLORATORY, **_figure(one))  # type: ignore[arg-type]
            for one in self.exploratory
        )
        wording = ("", "") if recipe is None else (recipe.adopt, recipe.otherwise)
        plan = self.experiment
        return AdoptionRule(
            name=name,
            clauses=(*clauses, *own, *shown_only),
            experiment=None if plan is None else Experiment(**plan.model_dump()),
            min_samples=self.min_samples,
            adopt=self.adopt or wording[0],
            otherwise=self.otherwise or wording[1],
        )

    @property
    def gains(self) -> tuple[GainConfig, ...]:
        """Those that are written out."""
        if self.gain is None:
            return ()
        return (self.gain,) if isinstance(self.gain, GainConfig) else self.gain


def _figure(one: FigureConfig) -> dict[str, object]:
    values = one.slice.items()
    cut = {tag: (held,) if isinstance(held, str) else held for tag, held in values}
    return {"metric": one.metric, "statistic": one.statistic, "slice": cut}


def _gain(one: GainConfig) -> Clause:
    return Clause(
        role=Role.PRIMARY,
        bar=Bar.MIN_GAIN,
        bound=one.min_gain,
        of=one.of,
        direction=None if one.direction is None else Better(one.direction),
        estimate=one.estimate,
        **_figure(one),  # type: ignore[arg-type]
    )


def _guards(one: GuardrailConfig) -> Iterator[Clause]:
    for bar in LIMITS:
        if (bound := getattr(one, bar)) is not None:
            yield Clause(
                role=Role.GUARDRAIL,
                bar=bar,
                bound=bound,
                basis=Basis(one.tested_on),
                estimate=one.estimate,
                **_figure(one),  # type: ignore[arg-type]
            )


def decision_faults(
    decisions: Mapping[str, DecisionConfig], labels: Path | None
) -> Iterator[Fault]:
    """Yield what is wrong with rules whose keys have the right types."""
    for name, one in decisions.items():
        place: Place = ("decisions", name)
        yield from _recipe(one, place) if one.recipe is not None else _general(one, place)
        for index, gain in enumerate(one.gains):
            yield from _estimated(gain, (*place, "gain", index), relative=gain.of == "change")
        for index, guard in enumerate(one.guardrails):
            yield from _guardrail(guard, (*place, "guardrails", index))
        if one.experiment is not None:
            yield from _experiment(one.experiment, (*place, "experiment"))
        needs = any(gain.estimate == "agreement" for gain in one.gains)
        needs |= one.recipe is not None and RECIPES[one.recipe].labels
        if needs and one.human_labels is None and labels is None:
            message = "missing; how far a judge agrees with people is told by their labels"
            yield Fault((*place, "human_labels"), message)


def _general(one: DecisionConfig, place: Place) -> Iterator[Fault]:
    if not one.gains:
        recipes = ", ".join(RECIPES)
        yield Fault(place, f"nothing to decide by; write `gain`, or `recipe` ({recipes})")
    for key in ("metrics", *one.bounds):
        if getattr(one, key):
            yield Fault((*place, key), "fills the blank of a recipe, and there is none")


def _recipe(one: DecisionConfig, place: Place) -> Iterator[Fault]:
    assert one.recipe is not None
    recipe: Recipe = RECIPES[one.recipe]
    for key in recipe.required:
        if key not in one.bounds:
            message = f"missing; recipe {one.recipe} is fixed by it before the runs"
            yield Fault((*place, key), message)
    if recipe.one_of and not set(recipe.one_of) & one.bounds.keys():
        wanted = " or ".join(recipe.one_of)
        yield Fault(place, f"recipe {one.recipe} needs {wanted}: what the gain may cost")
    for key in one.bounds:
        if key not in recipe.keys:
            message = f"recipe {one.recipe} has no such bound; it has {', '.join(recipe.keys)}"
            yield Fault((*place, key), message)
    if one.epsilon is not None and one.epsilon > 1:
        yield Fault((*place, "epsilon"), f"got {one.epsilon:g}; allowed: a share (0 to 1)")
    yield from _parts(one, recipe, place)


def _parts(one: DecisionConfig, recipe: Recipe, place: Place) -> Iterator[Fault]:
    for part in one.metrics:
        if part not in recipe.metrics:
            close = nearest(part, recipe.metrics) or f" It has {', '.join(recipe.metrics)}"
            yield Fault((*place, "metrics", part), f"recipe {one.recipe} has no such part.{close}")
    for part, usual in recipe.metrics.items():
        if not usual and part not in one.metrics:
            yield Fault((*place, "metrics", part), "missing; name the metric that is judged")


def _guardrail(one: GuardrailConfig, place: Place) -> Iterator[Fault]:
    given = [bar for bar in LIMITS if getattr(one, bar) is not None]
    if not given:
        message = "nothing can be missed; give it min, max, max_drop or max_rise"
        yield Fault(place, message)
    if one.min is not None and one.max is not None and one.min > one.max:
        yield Fault(place, f"got min {one.min:g} above max {one.max:g}, which nothing can meet")
    relative = any(bar in (Bar.MAX_DROP, Bar.MAX_RISE) for bar in given)
    yield from _estimated(one, place, relative=relative)


def _estimated(
    one: GainConfig | GuardrailConfig, place: Place, *, relative: bool
) -> Iterator[Fault]:
    """Labels are of one run's answers: they correct its mean, and no change."""
    if one.estimate == "plain":
        return
    if one.statistic != "mean":
        got = shown(one.statistic)
        yield Fault((*place, "statistic"), f"got {got}; human labels correct the mean only")
    if relative and one.estimate == "prediction_powered":
        message = "human labels are of one run's answers: they correct its mean, not a change"
        yield Fault((*place, "estimate"), message)


def _experiment(one: ExperimentConfig, place: Place) -> Iterator[Fault]:
    late = [look for look in one.looks if look >= one.sample_size]
    if late:
        message = f"got {late[0]}; a look lies before the planned end ({one.sample_size})"
        yield Fault((*place, "looks"), message)
    if (one.minimum_effect is None) != (one.baseline_sd is None):
        lacking = "baseline_sd" if one.baseline_sd is None else "minimum_effect"
        yield Fault((*place, lacking), "missing; power follows from both, or neither is given")
