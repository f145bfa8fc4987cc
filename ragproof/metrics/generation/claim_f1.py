"""generation.claim_f1"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER, JUDGE, QUESTION
from ragproof.metrics.parameters import one_of
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed
from ragproof.text.wording import wording

PROMPT = Prompt(
    system=(
        "You compare the claims of an answer with those of a reference.\n"
        "Take both apart into atomic factual claims, each once, in its order, in words that can "
        "be understood alone, with modifiers, numbers, dates and negations kept: the answer's "
        "with ids a1, a2 and so on, the reference's with ids r1, r2 and so on. Where there are "
        "several references, take the one that is nearest to the answer. What a text says of "
        "itself or does not know, greetings and questions are no claims; an answer that only "
        "declines makes none.\n"
        "told of a claim of the answer: yes where the reference says or plainly implies all of "
        "it, else no, even if it is true. told of a claim of the reference: yes where the answer "
        "says or plainly implies all of it, else no. Wording and language do not matter. Length is "
        "neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"answer": [{"id": "a1", "text": "the claim", "told": '
        '"yes" or "no"}], "reference": [{"id": "r1", "text": "the claim", "told": "yes" or "no"}]}'
    ),
    user="Question:\n{question}\n\nReferences:\n{references}\n\nAnswer:\n{answer}\n",
)
FIGURES = ("f1", "precision", "recall")


@dataclass(frozen=True)
class ClaimF1(ToolMetric[CaseRun]):
    """Claims of the answer against those of the accepted answer: precision, recall and F1.

    Question: Does the answer say what it should, and nothing else?
    Formula: precision p = |claims of the answer that the reference has| / |claims of the answer|;
        recall r = |claims of the reference that the answer has| / |claims of the reference|; F1 =
        2pr / (p + r), 0 where both are. All three are in the evidence; `figure` says which is the
        value
    Range: 0, nothing agrees, to 1, all does.
    Edge cases: An answer without a claim, such as a refusal, has recall and F1 0, and for
        precision it is not applicable. A reference without a claim is not applicable. A claim
        listed twice, or without an id of its own, is sent back; a judge without a usable reply,
        its one repair included, is a judge error.
    Not to be confused with: `generation.correctness`, which asks for five aspects; or
        `generation.groundedness`, which compares with the context, not with what is expected.
    References: Ru et al., NeurIPS 2024 (RAGChecker); the factual part of Ragas' AnswerCorrectness.

    Example:
        >>> told, other = Claim("a1", "It is red.", Told.YES), Claim("a2", "It is old.", Told.NO)
        >>> share([told, other])
        0.5
    """

    figure: str = "f1"

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, EXPECTED_ANSWER),
        uses=(QUESTION,),
        on_request=True,
    )

    def __post_init__(self) -> None:
        one_of("figure", self.figure, FIGURES)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have both taken apart and compared."""
        judge, answer = tools[JUDGE], run[ANSWER]
        asked = {
            "question": run.get(QUESTION) or "",
            "references": listed("reference", (({}, one) for one in run[EXPECTED_ANSWER])),
            "answer": answer.answer_text,
        }
        reply = await judge.ask(PROMPT, asked, Reply, check=each_claim_once)
        precision, recall = share(reply.answer), share(reply.reference)
        f1 = _harmonic(precision, recall)
        figures = {"f1": f1, "precision": precision, "recall": recall}
        evidence: dict[str, Json] = {
            "answer": [{"text": one.text, "told": one.told == Told.YES} for one in reply.answer],
            "reference": [
                {"text": one.text, "told": one.told == Told.YES} for one in reply.reference
            ],
            "figures": {**figures},
        }
        if recall is None:
            raise DoesNotArise("the accepted answer makes no factual claim", evidence)
        if (value := figures[self.figure]) is None:
            raise DoesNotArise("the answer makes no factual claim", evidence)
        return Scored(value, evidence)


class Told(Choice):
    """Whether the other text has the claim."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True)
class Claim:
    """One claim."""

    id: str
    text: str
    told: Told


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    answer: tuple[Claim, ...]
    reference: tuple[Claim, ...]


def share(claims: Sequence[Claim]) -> float | None:
    """Of the claims, those that the other text has; None of none."""
    return sum(one.told is Told.YES for one in claims) / len(claims) if claims else None


def _harmonic(precision: float | None, recall: float | None) -> float:
    if not precision or not recall:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def each_claim_once(reply: Reply) -> None:
    """Raise ValueError where a claim is blank, or has an id or words of another."""
    for claims in (reply.answer, reply.reference):
        ids: set[str] = set()
        texts: set[str] = set()
        for one in claims:
            words = wording(one.text)
            if not words:
                raise ValueError(f"claim {one.id} is blank")
            if one.id in ids:
                raise ValueError(f"the id {one.id} is that of two claims")
            if words in texts:
                raise ValueError(f"claim {one.id} is listed twice; list every claim once")
            ids.add(one.id)
            texts.add(words)
