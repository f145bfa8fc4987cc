"""ingestion.pii_micro_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import EXPECTED_PII, PII
from ragproof.core.spec import Unit
from ragproof.metrics.personal import check_match, labelled, told


@dataclass(frozen=True)
class PiiMicroRecall(PureMetric[CaseRun]):
    """Share of the personal data that was found.

    Question: Does personal data get into the index?
    Formula: labelled spans that were found / labelled spans
    Range: 0, none, to 1, all of them.
    Edge cases: A span is right by `match: exact` where the adapter has one of the same type, start
        and end; by `match: partial` where it shares a character with one of the same type. Each
        span counts once, however often it is given; types are equal by every letter. With
        `min_score` above 0 only what the detector is that sure of counts, which needs its `score`.
        A document without labelled data is not applicable. Over a set it is micro: all spans
        together.
    Not to be confused with: `ingestion.pii_recall`, a figure a type: a frequent type hides a rare
        one here.
    References: Nakayama 2018, seqeval, and Segura-Bedmar et al. 2013 (SemEval 2013, task 9), for
        exact and partial matching of spans.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document, TypedSpan
        >>> name = TypedSpan(start=0, end=4, type="NAME")
        >>> mail = TypedSpan(start=9, end=20, type="MAIL")
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_pii=(name, mail))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="", pii=(name,))))
        >>> PiiMicroRecall().score(run).value
        0.5
    """

    match: str = "exact"
    min_score: float = 0.0

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(PII, EXPECTED_PII),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the spans."""
        by_type = labelled(run, self.match, self.min_score)
        if not by_type:
            raise DoesNotArise("no personal data is labelled")
        spans = [span for of_type in by_type.values() for span in of_type]
        return Scored(sum(right for _, right in spans) / len(spans), told(spans), weight=len(spans))
