"""generation.conflicting_sources"""

from __future__ import annotations

from collections.abc import Collection
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
from ragproof.core.needs import ANSWER, CONTEXT, JUDGE, QUESTION
from ragproof.metrics.supplied import NO_TEXT, distinct
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You check how an answer deals with passages that contradict each other.\n"
        "First look at the passages alone: conflict is yes where two statements in them about "
        "what the question asks cannot both be true of the same thing at the same time; else no. "
        "One that says more, says it of another time or thing, or says nothing, contradicts none. "
        "Name the ids of the passages that contradict each other.\n"
        "Then look at the answer. handling: told where it says that the sources disagree and "
        "what each side says, or why it follows one of them; hinted where it says that this is "
        "uncertain or disputed, and no more, or gives both sides as if both were true; silent "
        "where it gives one side as if there were no other, gives neither, or does not answer. "
        "Where there is no conflict, handling is silent.\n"
        "Being right is not asked here. Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"conflict": "yes" or "no", "passages": ["p1", "p2"], '
        '"reason": "one sentence", "handling": "told" or "hinted" or "silent"}'
    ),
    user="Question:\n{question}\n\nPassages:\n{passages}\n\nAnswer:\n{answer}\n",
)


class Conflict(Choice):
    """Whether the passages contradict each other."""

    YES = "yes"
    NO = "no"


class Handling(Choice):
    """What the answer makes of it."""

    TOLD = "told"
    HINTED = "hinted"
    SILENT = "silent"


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    conflict: Conflict
    passages: tuple[str, ...]
    reason: str
    handling: Handling


VALUES = {Handling.TOLD: 1.0, Handling.HINTED: 0.5, Handling.SILENT: 0.0}


@dataclass(frozen=True)
class ConflictingSources(ToolMetric[CaseRun]):
    """Whether the answer says so where its sources contradict each other; a judge decides.

    Question: Does the reader learn that the sources disagree?
    Formula: 1 where the answer tells that they do and what the sides are, or why it follows one;
        0.5 where it only hints at it; 0 where it gives one side as if there were no other
    Range: 0, silent, 0.5, hinted, or 1, told.
    Edge cases: Where the passages do not contradict each other about the question, and
        where none of them has text, it is not applicable, and counted. A conflict that
        names no passage, or one that is not there, is sent back; a judge without a usable reply,
        its one repair included, is a judge error.
    Not to be confused with: `generation.groundedness`, for which either side is supported; or
        `generation.as_of`, where it is known which source has been superseded.
    References: Chen, Zhang and Choi, EMNLP 2022, for answers over conflicting evidence.

    Example:
        >>> named = Reply(Conflict.YES, ("p1", "p2"), "10 against 12 days", Handling.HINTED)
        >>> of_passages(named, {"p1", "p2"})
        >>> VALUES[named.handling]
        0.5
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, CONTEXT),
        uses=(QUESTION,),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the passages compared, then the answer."""
        judge, answer, context = tools[JUDGE], run[ANSWER], run[CONTEXT]
        shown = {f"p{n}": one for n, one in enumerate(distinct(context), 1) if one.text.strip()}
        if not shown:
            raise DoesNotArise(NO_TEXT)
        asked = {
            "question": run.get(QUESTION) or "",
            "passages": listed("passage", (({"id": id_}, one.text) for id_, one in shown.items())),
            "answer": answer.answer_text,
        }

        def check(reply: Reply) -> None:
            of_passages(reply, shown)

        reply = await judge.ask(PROMPT, asked, Reply, check=check)
        evidence: dict[str, Json] = {
            "reason": reply.reason,
            "sources": [shown[one].id for one in reply.passages],
        }
        if reply.conflict is Conflict.NO:
            raise DoesNotArise("the sources do not contradict each other", evidence)
        return Scored(VALUES[reply.handling], evidence | {"handling": str(reply.handling)})


def of_passages(reply: Reply, shown: Collection[str]) -> None:
    """Raise ValueError where the passages named do not fit what was found."""
    if strange := [one for one in reply.passages if one not in shown]:
        raise ValueError(f"there is no passage {strange[0]!r}; there are: {', '.join(shown)}")
    if reply.conflict is Conflict.YES and not reply.passages:
        raise ValueError("the conflict is yes, but no passage is named")
