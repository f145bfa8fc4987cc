"""generation.confidence_calibration"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from statistics import fmean

from ragproof.core import Better, Interval, Json, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import ANSWER, CONFIDENCE, EXPECTED_ANSWER
from ragproof.metrics.parameters import one_of
from ragproof.metrics.saying import said
from ragproof.text.answer_tokens import answer_tokens

MATCHES = ("contains", "exact")


@dataclass(frozen=True)
class ConfidenceCalibration(PureMetric[SetRun]):
    """How far the confidence that answers tell is from how often they are right (ECE).

    Question: Are nine of ten answers right that say they are 90 % sure?
    Formula: sum over bins of n(bin) / n * |accuracy(bin) - mean confidence(bin)|, with `bins`
        bins of equal width over [0, 1], closed on the left, the last on both sides. An answer is
        right where the tokens of an accepted answer stand in it, with `match: exact` where they
        are all it says
    Range: 0, accuracy equals confidence in every bin, to 1.
    Edge cases: An empty bin adds nothing. Confidence is `trace.confidence`; one outside [0, 1]
        is an error, not clipped. Answers without one, and cases without `expected_answer`, are
        left out. Few answers a bin make it large by chance: the bins with their counts, the
        calibration curve, are in the evidence. It is one figure of the whole set.
    Not to be confused with: accuracy: who is right half the time and says 0.5 has 0 here.
    References: Naeini, Cooper and Hauskrecht, AAAI 2015; Guo et al., ICML 2017.

    Example:
        >>> from ragproof.core import Answer
        >>> told = (Answer(answer_text="Paris"), Answer(answer_text="Lyon"))
        >>> accepted = (("Paris",), ("Paris",))
        >>> run = SetRun({CONFIDENCE: (0.9, 0.9), ANSWER: told, EXPECTED_ANSWER: accepted})
        >>> round(ConfidenceCalibration().score(run).value, 3)
        0.4
    """

    bins: int = 10
    match: str = "contains"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(ANSWER, CONFIDENCE, EXPECTED_ANSWER),
        interval=Interval.NONE,
    )

    def __post_init__(self) -> None:
        if not isinstance(self.bins, int) or isinstance(self.bins, bool) or self.bins < 1:
            raise ValueError(f"bins: got {self.bins!r}; allowed: a whole number from 1 on")
        one_of("match", self.match, MATCHES)

    def score(self, run: SetRun, /) -> Scored:
        """Put every answer into its bin."""
        rows: list[list[tuple[float, bool]]] = [[] for _ in range(self.bins)]
        inner = [number / self.bins for number in range(1, self.bins)]
        columns = zip(run[ANSWER], run[CONFIDENCE], run[EXPECTED_ANSWER], strict=True)
        count = 0
        for answer, sure, accepted in columns:
            if not 0 <= sure <= 1:
                raise ValueError(f"trace.confidence: got {sure}; allowed: 0 to 1")
            rows[bisect_right(inner, sure)].append(
                (sure, self._right(answer.answer_text, accepted))
            )
            count += 1
        gaps = [self._bin(number, row) for number, row in enumerate(rows) if row]
        value = sum(each["gap"] * each["answers"] for each in gaps) / count
        curve: list[Json] = [{**each} for each in gaps]
        accuracy = fmean(right for row in rows for _, right in row)
        return Scored(min(1.0, value), {"bins": curve, "answers": count, "accuracy": accuracy})

    def _right(self, text: str, accepted: tuple[str, ...]) -> bool:
        if self.match == "contains":
            return said(text, accepted) is not None
        given = answer_tokens(text)
        return any(given == answer_tokens(one) for one in accepted)

    def _bin(self, number: int, row: list[tuple[float, bool]]) -> dict[str, float]:
        accuracy = fmean(right for _, right in row)
        confidence = fmean(sure for sure, _ in row)
        return {
            "from": number / self.bins,
            "to": (number + 1) / self.bins,
            "answers": len(row),
            "accuracy": accuracy,
            "confidence": confidence,
            "gap": abs(accuracy - confidence),
        }
