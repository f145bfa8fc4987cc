"""monitoring.dwell_seconds"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import DWELLS, FEEDBACK
from ragproof.metrics.signals import recorded


@dataclass(frozen=True)
class DwellSeconds(PureMetric[CaseRun]):
    """Seconds that the user stayed on the answer.

    Question: How long are answers looked at?
    Formula: sum of the `seconds` of the events `dwell`
    Range: 0 upwards. No value is better by itself.
    Edge cases: What `dwell` is, in view or in front, the interface decides. An answer whose
        interface records it, and for which none came, is not applicable: the message may have
        been lost, and is no stay of 0 seconds. Stays are long-tailed (a tab that was left open):
        read the median, `p50`, and not the mean.
    Not to be confused with: a figure of quality: long may be interest or labour, short may be
        an answer that was clear at a glance. `system.latency_seconds` is the waiting before.
    References: Kim et al., WSDM 2014, for dwell time as a sign that has to be read by topic,
        length and difficulty.

    Example:
        >>> from ragproof.core import Event, EventKind, Feedback, Observation, QuestionCase
        >>> stays = tuple(Event(kind=EventKind.DWELL, seconds=one) for one in (4.0, 2.5))
        >>> said = Feedback(exposed=(EventKind.DWELL,), events=stays)
        >>> case = QuestionCase(id="q1", question="?")
        >>> DwellSeconds().score(CaseRun(case, Observation(case_id="q1", feedback=said))).value
        6.5
    """

    spec = Spec(unit=Unit.SECONDS, better=Better.NEITHER, needs=(FEEDBACK, DWELLS))

    def score(self, run: CaseRun, /) -> Scored:
        """Add up the stays."""
        told = [event.seconds for event in recorded(run, DWELLS)]
        stays = [one for one in told if one is not None and one >= 0]
        if not stays:
            raise DoesNotArise("no stay was recorded of the answer")
        return Scored(math.fsum(stays), {"stays": len(stays)})
