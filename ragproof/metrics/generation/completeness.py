"""generation.completeness"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Prompt, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER, JUDGE, QUESTION
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You judge whether an answer says what a reference answer says. Where several reference "
        "answers are given each is acceptable: judge by the one to which the answer comes "
        "nearest.\n"
        "- complete: everything in the reference that the question asks for is said in the "
        "answer, in whatever words.\n"
        "- partial: some of it is said, some of it is left out or said wrongly.\n"
        "- missing: none of it is said, or the answer declines to answer.\n"
        "Judge only by the reference, not by what you know. Length is neither a merit nor a "
        "fault: a short answer that says it all is complete, and no amount of other text makes "
        "up for what is left out.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"missing": ["what is left out or said wrongly"], '
        '"reason": "one sentence", "verdict": "complete" or "partial" or "missing"}'
    ),
    user=("Question:\n{question}\n\nReference answers:\n{expected_answers}\n\nAnswer:\n{answer}\n"),
)


@dataclass(frozen=True)
class Completeness(ToolMetric[CaseRun]):
    """How much of the expected answer is said, in three bands; a judge decides.

    Question: Does the answer say all that it should?
    Formula: 1 for complete, 0.5 for partial, 0 for missing
    Range: 0, nothing of what is expected is said, to 1, all of it is.
    Edge cases: Of several expected answers the nearest counts. An answer that declines, and an
        empty one, is missing. What is said beyond the expected changes nothing. A judge without
        a usable reply, its one repair included, is a judge error.
    Not to be confused with: `generation.correctness`, which also asks whether what is said is
        right; or `generation.token_f1`, which compares words.
    References: Voorhees, TREC 2003 question answering track, for what an answer has to have.

    Example:
        >>> [BANDS[one] for one in (Coverage.COMPLETE, Coverage.PARTIAL, Coverage.MISSING)]
        [1.0, 0.5, 0.0]
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, EXPECTED_ANSWER),
        uses=(QUESTION,),
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the answer compared with what is expected."""
        judge, answer, expected = tools[JUDGE], run[ANSWER], run[EXPECTED_ANSWER]
        asked = {
            "question": run[QUESTION],
            "expected_answers": listed("reference", (({}, one) for one in expected)),
            "answer": answer.answer_text,
        }
        reply = await judge.ask(PROMPT, asked, Reply)
        evidence = {"verdict": reply.verdict, "reason": reply.reason, "missing": [*reply.missing]}
        return Scored(BANDS[reply.verdict], evidence)


class Coverage(Choice):
    """How much of the expected answer is said."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    MISSING = "missing"


BANDS = {Coverage.COMPLETE: 1.0, Coverage.PARTIAL: 0.5, Coverage.MISSING: 0.0}


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    missing: tuple[str, ...]
    reason: str
    verdict: Coverage
