"""generation.exact_match"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER
from ragproof.text.answer_tokens import answer_tokens


@dataclass(frozen=True)
class ExactMatch(PureMetric[CaseRun]):
    """Whether the answer is, but for typography, one that is accepted; for short answers.

    Question: Does the pipeline say exactly what is expected?
    Formula: 1 if the tokens of the answer are those of an accepted answer, in their order, else
        0. Tokens are words without case, width, punctuation, symbols and English articles; in
        Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan they are characters
    Range: 0, it says something else or something more, or 1, it says the same.
    Edge cases: Of several accepted answers one suffices. Accents, vowel signs and word order
        count. Signs are gone as in SQuAD: -5 is 5, 3.5 is 35, C++ is C. An answer of nothing but
        articles or signs keeps them. An empty answer matches only an accepted answer that is
        empty.
    Not to be confused with: `echo.exact_match`, character for character; or whether a long
        answer is right: one that says more than is expected scores 0.
    References: Rajpurkar et al., EMNLP 2016 (SQuAD), and its evaluation script, with which it
        agrees on ASCII text that has a word besides articles; Lewis et al., ACL 2020 (MLQA), for
        characters as tokens.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_answer=("Paris", "Eiffel Tower"))
        >>> seen = Observation(case_id="q1", answer=Answer(answer_text="The eiffel tower."))
        >>> ExactMatch().score(CaseRun(case, seen)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, EXPECTED_ANSWER),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for an accepted answer with the tokens of the one given."""
        given = answer_tokens(run[ANSWER].answer_text)
        accepted = run[EXPECTED_ANSWER]
        matched = next((one for one in accepted if answer_tokens(one) == given), None)
        return Scored(float(matched is not None), {"matched": matched})
