"""readings.refusal"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import CaseRun, Judge, MissingInput, Prompt, Reading, Refusal
from ragproof.core.needs import ANSWER, REFUSAL
from ragproof.text.untrusted import GUARD

PROMPT = Prompt(
    system=(
        "You decide whether an answer declines to answer the question it was asked.\n"
        "It declines where all it amounts to is that whoever speaks does not know, cannot or "
        "will not answer, or that the sources do not say; apologies, what the sources hold "
        "instead and advice to ask elsewhere change nothing. An empty answer declines.\n"
        "It does not decline where it answers at least in part, however hedged, or where what it "
        "reports is itself that something is missing, impossible, unknown or not allowed.\n"
        + GUARD
        + "\n"
        'Reply with JSON and nothing else: {"refused": true or false, "because": "the words of '
        'the answer that decide it, or nothing"}'
    ),
    user="Answer:\n{answer}\n",
)


@dataclass(frozen=True)
class ReadRefusal(Reading[Refusal]):
    """Does the answer decline to answer?"""

    need = REFUSAL
    prompts = (PROMPT,)

    def by_rule(self, run: CaseRun, /) -> Refusal:
        """Look for the words of refusal; an answer in a language without them is not read."""
        from ragproof.text.refusal import refusal  # noqa: PLC0415  many runs read no refusals

        verdict = refusal(run[ANSWER].answer_text)
        if verdict is None:
            raise MissingInput(REFUSAL.reason)
        return Refusal(refused=verdict.refused, because=verdict.words, sentence=verdict.sentence)

    async def by_judge(self, run: CaseRun, judge: Judge, /) -> Refusal:
        """Ask."""
        return await judge.ask(PROMPT, {"answer": run[ANSWER].answer_text}, Refusal)
