"""generation.token_f1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER
from ragproof.text.answer_tokens import answer_tokens


@dataclass(frozen=True)
class TokenF1(PureMetric[CaseRun]):
    """Overlap of the answer's tokens with those of the nearest accepted answer; for short answers.

    Question: How close is the wording of the answer to what is expected?
    Formula: 2 * shared / (tokens given + tokens expected), where shared counts a token as often
        as both have it: the harmonic mean of token precision and recall; of several accepted
        answers the greatest. Tokens are those of `generation.exact_match`
    Range: 0, no token is shared, to 1, the tokens are the same, in whatever order.
    Edge cases: An empty answer scores 1 where an accepted answer is empty, else 0. A long answer
        scores low however right it is: tokens that are not expected lower precision.
    Not to be confused with: correctness: a wrong number or a missing "not" costs one token; or
        `generation.exact_match`, which gives nothing for being close.
    References: Rajpurkar et al., EMNLP 2016 (SQuAD), and its evaluation script, with which it
        agrees on ASCII text that has a word besides articles.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_answer="in the year 1998")
        >>> seen = Observation(case_id="q1", answer=Answer(answer_text="1998."))
        >>> TokenF1().score(CaseRun(case, seen)).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER, EXPECTED_ANSWER))

    def score(self, run: CaseRun, /) -> Scored:
        """Take the accepted answer that shares the most."""
        given = answer_tokens(run[ANSWER].answer_text)
        best, nearest = 0.0, None
        for accepted in run[EXPECTED_ANSWER]:
            value = _f1(given, answer_tokens(accepted))
            if nearest is None or value > best:
                best, nearest = value, accepted
        return Scored(best, {"nearest": nearest})


def _f1(given: list[str], expected: list[str]) -> float:
    """The share of all their tokens that is shared; of two empty answers, 1."""
    if not given and not expected:
        return 1.0
    left, shared = Counter(given), 0
    for token in expected:
        if left.get(token):
            left[token] -= 1
            shared += 1
    return 2 * shared / (len(given) + len(expected))
