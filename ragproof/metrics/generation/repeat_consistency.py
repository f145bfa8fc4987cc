"""generation.repeat_consistency"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, Gather, GroupRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER
from ragproof.metrics.samples import agreement, check_kind


@dataclass(frozen=True)
class RepeatConsistency(PureMetric[GroupRun]):
    """How far the answers to one case agree when a run repeats it (`--repeats`).

    Question: Does the whole pipeline, retrieval included, say the same again?
    Formula: as `generation.self_consistency`, of the answers to all repeats of a case
    Range: modal 1 / |repeats|, all differ, to 1, all are equal; pairwise from 0.
    Edge cases: A case put once is not applicable. A repeat that failed is left out, and its
        failure counted with the run's.
    Not to be confused with: `generation.self_consistency`, which compares what the pipeline drew
        itself from one context; or correctness.
    References: Wang et al., ICLR 2023 (self-consistency).

    Example:
        >>> from ragproof.core import Answer
        >>> RepeatConsistency().score(
        ...     GroupRun({ANSWER: (Answer(answer_text="Paris"), Answer(answer_text="Lyon"))})
        ... ).value
        0.5
    """

    kind: str = "modal"

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER,), gather=Gather.REPEATS)

    def __post_init__(self) -> None:
        check_kind(self.kind)

    def score(self, group: GroupRun, /) -> Scored:
        """Compare the answers."""
        return agreement([one.answer_text for one in group[ANSWER]], self.kind)
