"""generation.answer_relevance"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Prompt, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, JUDGE, QUESTION
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD

PROMPT = Prompt(
    system=(
        "You judge whether an answer addresses the question that was asked.\n"
        "- relevant: it addresses what was asked, all of it, whether or not what it says is true.\n"
        "- partial: it addresses only a part of what was asked, or a neighbouring question from "
        "which the asker still learns something about theirs.\n"
        "- irrelevant: it addresses something else, says nothing, or declines to answer.\n"
        "Do not judge whether it is true or well put. Length is neither a merit nor a fault: a "
        "short answer that addresses everything is relevant; additions nobody asked for neither "
        "help nor harm.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"reason": "one sentence", "verdict": "relevant" or '
        '"partial" or "irrelevant"}'
    ),
    user="Question:\n{question}\n\nAnswer:\n{answer}\n",
)


@dataclass(frozen=True)
class AnswerRelevance(ToolMetric[CaseRun]):
    """How far the answer addresses the question, in three bands; a judge decides.

    Question: Does the answer speak to what was asked?
    Formula: 1 for relevant, 0.5 for partial, 0 for irrelevant
    Range: 0, it speaks of something else, to 1, it addresses all that was asked.
    Edge cases: An answer that declines, and an empty one, is irrelevant. A false answer may be
        relevant. The turns of a conversation before the question are shown with it. A judge
        without a usable reply, its one repair included, is a judge error.
    Not to be confused with: `generation.groundedness`, which asks whether it is supported; or
        `generation.completeness`, which compares it with what is expected.
    References: Es et al., EACL 2024 (Ragas), for relevance to the question as a measure of its
        own.

    Example:
        >>> [BANDS[one] for one in (Relevance.RELEVANT, Relevance.PARTIAL, Relevance.IRRELEVANT)]
        [1.0, 0.5, 0.0]
    """

    prompts = (PROMPT,)
    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(JUDGE, ANSWER), uses=(QUESTION,))

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have question and answer compared."""
        judge, answer = tools[JUDGE], run[ANSWER]
        asked = {"question": run[QUESTION], "answer": answer.answer_text}
        reply = await judge.ask(PROMPT, asked, Reply)
        return Scored(BANDS[reply.verdict], {"verdict": reply.verdict, "reason": reply.reason})


class Relevance(Choice):
    """How far an answer addresses its question."""

    RELEVANT = "relevant"
    PARTIAL = "partial"
    IRRELEVANT = "irrelevant"


BANDS = {Relevance.RELEVANT: 1.0, Relevance.PARTIAL: 0.5, Relevance.IRRELEVANT: 0.0}


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    reason: str
    verdict: Relevance
