"""The section `sweep` of `ragproof.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ragproof.wiring.section import Fraction, NotNegative, Seconds, Section, Text


class SelectConfig(Section):
    """The rule by which a point is chosen."""

    rule: Literal["smallest_sufficient", "until_flat", "best", "frontier", "convex_weight"]
    """`smallest_sufficient`: the smallest value after which none gains more than `min_gain`.
    `until_flat`: go up while each step gains more than `min_gain` and than it costs. `best`: the
    best, where no other can be better by more than `tolerance`. `frontier`: the cheapest point
    over which no dearer one gains more than `min_gain`. `convex_weight`: the value that stays best
    when the cases are drawn again."""
    param: Text | None = None
    """What the rule looks along, the other parameters being those of `baseline`; needed by
    `smallest_sufficient` and `until_flat`, else all points are looked at."""
    metric: Text | None = None
    """What is to gain; default `sweep.quality`."""
    min_gain: NotNegative | None = None
    """The least gain worth having; needed by the rules that ask whether something gains."""
    tolerance: NotNegative = 0.0
    """Points that close to the best are as good."""
    cost_metric: Text | None = None
    """For `until_flat`: the metric whose rise the gain must outweigh, as a share of duplicated
    tokens."""
    gain_per_cost: NotNegative | None = None
    """The gain that one unit of `cost_metric` must bring."""
    stability: Fraction = 0.8
    """For `convex_weight`: least share of resamples in which the chosen value is the best."""
    max_latency_seconds: Seconds | None = None
    """For `frontier`: the highest p95 of the latency that a point may have."""
    max_cost: NotNegative | None = None
    """For `frontier`: the highest mean cost of a case."""


class SweepConfig(Section):
    """Combinations of adapter parameters to compare on one dataset, each an ordinary run."""

    name: Text | None = None
    """What the sweep is called; default the names of the parameters."""
    params: Mapping[Text, tuple[Any, ...]] = {}
    """Name of an adapter parameter to its values: all combinations are tried. A dotted name leads
    into nested parameters."""
    points: tuple[Mapping[Text, Any], ...] = ()
    """Further combinations, one by one."""
    baseline: Mapping[Text, Any] | None = None
    """The point that the others are compared with; default the best."""
    metrics: tuple[Text | Mapping[str, Mapping[str, Any] | None], ...] | None = None
    """As `metrics` of the config, for the sweep alone; default those."""
    quality: Text = "retrieval.recall_at_k"
    """Key of the metric that says how good a point is."""
    latency: Text = "system.latency_seconds"
    """Key of the metric whose p95 says how slow it is."""
    cost: Text | None = None
    """Key of the metric that says what a case costs; default `system.cost_usd` if it has
    figures, else the one in US dollars that has."""
    by: Text = "document_class"
    """Tag by whose values the figures of each point are shown, too."""
    select: SelectConfig | None = None
    """The rule by which a point is chosen."""
