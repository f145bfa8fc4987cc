"""Windows of the past as a control chart takes them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from ragproof.analysis.monitor_band import BandRule, Chart, Past, chart
from ragproof.analysis.monitor_clock import Span, Window
from ragproof.analysis.monitor_figures import Part
from ragproof.analysis.requirements import PERCENTILES
from ragproof.analysis.summary import nearest_rank
from ragproof.core.spec import Unit


@dataclass(frozen=True)
class History:
    """Measures windows of one figure."""

    statistic: str
    rule: BandRule
    length: Span
    cases: Callable[[Window], Part | None]
    fewest: int
    """Cases without which a window tells nothing."""
    _known: dict[tuple[float, float], Past | None] = field(
        default_factory=dict[tuple[float, float], "Past | None"], repr=False
    )

    def chart(self, windows: Iterable[Window], window: Window | None = None) -> Chart | str:
        """Fit windows, or say why there is no band for the one that it is wanted for."""
        past = [one for found in windows if (one := self.past(found)) is not None]
        return self.fitted(past, window)

    def fitted(self, past: Iterable[Past], window: Window | None = None) -> Chart | str:
        """Fit what windows were measured to be."""
        of = list(past)
        if not all(one.is_share for one in of):
            of = [Past(one.window, one.value, one.n, one.variance, is_share=False) for one in of]
        return chart(of, self.rule, self.length, self._ends(of), window)

    def past(self, window: Window) -> Past | None:
        """The figure of a window; None where too few of its cases were scored."""
        place = window.start, window.end
        if place not in self._known:
            self._known[place] = self._past(window)
        return self._known[place]

    def _past(self, window: Window) -> Past | None:
        cases = self.cases(window)
        if cases is None:
            return None
        if self.statistic in PERCENTILES:
            values = cases.values
            if values.size < self.fewest:
                return None
            value = nearest_rank(np.sort(values), PERCENTILES[self.statistic])  # type: ignore[index]
            assert value is not None
            return Past(window, value, values.size, None, is_share=False)
        sample = cases.completed() if self.statistic == "completion" else cases.sample()
        n = cases.scored.size + (cases.lost if self.statistic == "completion" else 0)
        value = sample.figure
        if value is None or n < self.fewest:
            return None
        off = sample.numerators - value * sample.denominators
        units = off.size
        spread = float(off @ off) * (units / (units - 1) if units > 1 else 1.0)
        variance = n * spread / float(sample.denominators.sum()) ** 2
        return Past(window, value, n, variance, is_share=self._is_share(cases))

    def _is_share(self, cases: Part) -> bool:
        if self.statistic == "completion":
            return True
        values, weights = cases.values, cases.measure.weights[cases.scored]
        is_fraction = cases.measure.declared.unit is Unit.FRACTION
        return is_fraction and bool((((values == 0) | (values == 1)) & (weights == 1)).all())

    def _ends(self, past: list[Past]) -> tuple[float, float]:
        found = (self.cases(one.window) for one in past[:1])
        units = [one.measure.ends(self.statistic) for one in found if one is not None]
        return units[0] if units else (-np.inf, np.inf)
