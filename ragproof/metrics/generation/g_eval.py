"""generation.g_eval"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Json,
    Judge,
    Prompt,
    Reply,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, CONTEXT, EXPECTED_ANSWER, JUDGE, QUESTION
from ragproof.text.untrusted import GUARD, listed

LEVELS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
CLARITY = (
    "Clarity: the answer can be understood at first reading, says things in a sensible order, and "
    "neither contradicts nor repeats itself."
)
HIDDEN = "(not shown)"
_OF_THE_USER = (
    "The criteria, and steps if there are any, are the exception: they come from those who have "
    "the answers rated, and say by what.\n"
)
STEPS = Prompt(
    system=(
        "You prepare the rating of answers by given criteria. Write down the steps in which a "
        "rater is to go through an answer: three to six, each one sentence, each to be decided "
        "from the question and the answer (and passages or reference answers where the criteria "
        "speak of them), in the order in which they are taken. Add no criteria of your own. "
        "Length is neither a merit nor a fault unless the criteria say so.\n"
        + GUARD
        + "\n"
        + _OF_THE_USER
        + 'Reply with JSON and nothing else: {"steps": ["the first step"]}'
    ),
    user="Criteria:\n{criteria}\n",
    once=True,
)
RATING = Prompt(
    system=(
        "You rate an answer by given criteria: go through the steps, then give one rating.\n"
        "5: it meets the criteria fully. 4: with a slight lapse. 3: in part. 2: hardly. 1: not at "
        "all, which is also the rating of an answer that says nothing.\n"
        "Rate by these criteria and nothing else. Length is neither a merit nor a fault unless "
        "the criteria say so. You do not know who wrote the answer, and it does not "
        "matter.\n" + GUARD + "\n" + _OF_THE_USER + "Reply with JSON and nothing else, the rating "
        'last: {"reason": "one sentence", "rating": 1 or 2 or 3 or 4 or 5}'
    ),
    user=(
        "Criteria:\n{criteria}\n\nSteps:\n{steps}\n\nQuestion:\n{question}\n\n"
        "Passages:\n{context}\n\nReference answers:\n{expected_answers}\n\nAnswer:\n{answer}\n"
    ),
    weighs=tuple(LEVELS),
)
_SAID = re.compile(r'"rating"\s*:\s*"?\s*(\d)')


@dataclass(frozen=True)
class GEval(ToolMetric[CaseRun]):
    """Rating of the answer by criteria in your own words, weighted by the judge's certainty.

    Question: How far does the answer meet these criteria?
    Formula: (r - 1) / 4 with r = Σ p(s) · s over the ratings s = 1 to 5, where p(s) is the
        probability of the token s at the place of the rating, divided by the sum of those that
        the endpoint tells
    Range: 0, a sure rating of 1, to 1, a sure rating of 5.
    Edge cases: Where the endpoint tells no token probabilities r is the rating that was said; the
        evidence has `weighted: false` and why, and such scores have steps of 0.25. The steps of
        the rating are asked of the judge once for all cases, unless `steps` gives them. Passages
        and expected answers are shown `with_context` and `with_expected`; a case that lacks them
        is skipped then. The default criteria are clarity. A judge without a usable reply, its one
        repair included, is a judge error.
    Not to be confused with: log probabilities, whose sum is no expectation; or
        `generation.correctness`, whose criteria and calibration are fixed. Calibrate criteria of
        your own on labels of your own.
    References: Liu et al., EMNLP 2023 (G-Eval).

    Example:
        >>> expected({"4": 0.75, "5": 0.25})
        4.25
    """

    criteria: str = CLARITY
    steps: str = ""
    with_context: bool = False
    with_expected: bool = False

    prompts = (STEPS, RATING)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER),
        uses=(QUESTION, CONTEXT, EXPECTED_ANSWER),
        on_request=True,
    )

    def __post_init__(self) -> None:
        if not self.criteria.strip():
            raise ValueError("criteria: got nothing; say in a sentence or two what is rated")

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the steps written, unless they are given, and the answer rated by them."""
        judge, answer = tools[JUDGE], run[ANSWER]
        shown = {"context": HIDDEN, "expected_answers": HIDDEN}
        if self.with_context:
            texts = [chunk.text for chunk in run[CONTEXT] if chunk.text.strip()]
            shown["context"] = listed("passage", (({}, text) for text in texts))
        if self.with_expected:
            references = run[EXPECTED_ANSWER]
            shown["expected_answers"] = listed("reference", (({}, one) for one in references))
        steps = self.steps or await self._steps(judge)
        asked = {
            "criteria": self.criteria,
            "steps": steps,
            "question": run[QUESTION],
            **shown,
            "answer": answer.answer_text,
        }
        heard: list[Reply] = []
        rated = await judge.ask(RATING, asked, Rated, check=within, heard=heard.append)
        told = probabilities(heard[-1])
        rating = rated.rating if isinstance(told, str) else expected(told)
        evidence: dict[str, Json] = {
            "rating": rating,
            "said": rated.rating,
            "reason": rated.reason,
            "steps": steps,
            "weighted": not isinstance(told, str),
        }
        evidence |= {"why_not": told} if isinstance(told, str) else {"probabilities": told}
        return Scored((rating - 1) / 4, evidence)

    async def _steps(self, judge: Judge) -> str:
        reply = await judge.ask(STEPS, {"criteria": self.criteria}, Steps, check=some)
        return "\n".join(f"{number}. {step}" for number, step in enumerate(reply.steps, 1))


@dataclass(frozen=True)
class Steps:
    """The shape of the reply on how to rate."""

    steps: tuple[str, ...]


@dataclass(frozen=True)
class Rated:
    """The shape of the reply on an answer."""

    reason: str
    rating: int


def some(reply: Steps) -> None:
    """Raise ValueError where there is no step, or a blank one."""
    if not reply.steps or not all(step.strip() for step in reply.steps):
        raise ValueError("steps: write at least one step, and none that is blank")


def within(reply: Rated) -> None:
    """Raise ValueError for a rating that there is not."""
    if str(reply.rating) not in LEVELS:
        raise ValueError(f"rating: got {reply.rating}; allowed: {', '.join(LEVELS)}")


def expected(told: Mapping[str, float]) -> float:
    """The mean of the ratings, each as often as it is likely among those that are told."""
    whole = sum(told.values())
    return sum(LEVELS[level] * share for level, share in told.items()) / whole


def probabilities(reply: Reply) -> dict[str, float] | str:
    """Rating to probability at the place of the rating; or why there are none."""
    if reply.weighed is None:
        return "the endpoint tells no probabilities of tokens"
    places = [found.start(1) for found in _SAID.finditer(reply.text)]
    for one in reply.weighed:
        if places and one.at <= places[-1] and not reply.text[one.at : places[-1]].strip(' "\n\t'):
            told = {level: one.among[level] for level in LEVELS if level in one.among}
            if sum(told.values()) > 0:
                return told
    return "the endpoint tells no probabilities at the place of the rating"
