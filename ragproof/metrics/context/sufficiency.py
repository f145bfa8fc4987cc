"""context.sufficiency"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Json, Prompt, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWERABLE, JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.supplied import supplied
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD

PROMPT = Prompt(
    system=(
        "You decide whether passages permit an answer to a question. Nobody has answered yet; "
        "suppose a careful reader who knows nothing but these passages and common words.\n"
        "- sufficient: the reader can answer all that is asked, directly or by putting together "
        "what the passages say. That they answer with no, with none or with a correction of "
        "the question is an answer.\n"
        "- partial: the reader can answer some of it, or only under a condition that the "
        "passages leave open, or they contradict each other on it.\n"
        "- insufficient: the reader would have to guess; being about the same subject is not "
        "enough.\n"
        "Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"missing": ["what would still have to be known"], '
        '"reason": "one sentence", "verdict": "sufficient" or "partial" or "insufficient"}'
    ),
    user="Question:\n{question}\n\nPassages:\n{passages}\n",
)


@dataclass(frozen=True)
class Sufficiency(ToolMetric[CaseRun]):
    """Whether what the model was given permits an answer, in three bands; a judge decides.

    Question: Could anyone have answered from this context?
    Formula: 1 for sufficient, 0.5 for partial, 0 for insufficient
    Range: 0, an answer would be a guess, to 1, all that is asked can be answered.
    Edge cases: The answer is not looked at. An empty context scores 0, without asking; one whose
        chunks all lack text is not applicable. Where the case has `answerable_from_context` the
        evidence says whether the verdict agrees with it; that label changes no score. A judge
        without a usable reply, its one repair included, is a judge error.
    Not to be confused with: `context.recall`, which knows the expected answer; this one needs
        none, and asks of unanswerable questions too.
    References: Joren et al., ICLR 2025, for sufficient context.

    Example:
        >>> [BANDS[one] for one in (Verdict.SUFFICIENT, Verdict.PARTIAL, Verdict.INSUFFICIENT)]
        [1.0, 0.5, 0.0]
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, SUPPLIED),
        uses=(QUESTION, ANSWERABLE),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the context read without the answer."""
        judge, context = tools[JUDGE], supplied(run)
        reply = Reply((), "the context is empty", Verdict.INSUFFICIENT)
        if context.chunks:
            asked = {"question": run[QUESTION], "passages": context.passages}
            reply = await judge.ask(PROMPT, asked, Reply)
        evidence: dict[str, Json] = {
            "verdict": reply.verdict,
            "reason": reply.reason,
            "missing": [*reply.missing],
            "empty_context": not context.chunks,
        }
        if (labelled := run.get(ANSWERABLE)) is not None:
            evidence["answerable_from_context"] = labelled
            evidence["agrees"] = labelled is (reply.verdict is Verdict.SUFFICIENT)
        return Scored(BANDS[reply.verdict], evidence)


class Verdict(Choice):
    """Whether the passages permit an answer."""

    SUFFICIENT = "sufficient"
    PARTIAL = "partial"
    INSUFFICIENT = "insufficient"


BANDS = {Verdict.SUFFICIENT: 1.0, Verdict.PARTIAL: 0.5, Verdict.INSUFFICIENT: 0.0}


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    missing: tuple[str, ...]
    reason: str
    verdict: Verdict
