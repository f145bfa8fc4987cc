"""context.relevance"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Json,
    Judge,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.supplied import Supplied, each_once, some_supplied
from ragproof.text.untrusted import GUARD

MOST = 3
PROMPT = Prompt(
    system=(
        "You rate how much each of several passages helps to answer a question.\n"
        "- 3: it answers the question, or one of several things asked, fully and clearly.\n"
        "- 2: it holds a part of an answer, or an answer that has to be worked out or picked out "
        "of much else.\n"
        "- 1: it is about the subject of the question and holds nothing of an answer.\n"
        "- 0: it is about something else; shared words do not make it the same subject.\n"
        "Rate every passage by itself: what the others say, and where it stands among them, "
        "changes nothing. Go by what the passage says, not by whether that is true. Length is "
        "neither a merit nor a fault. Give every passage exactly one rating.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"ratings": [{"id": "p1", "reason": "one sentence", '
        '"rating": 0 or 1 or 2 or 3}]}'
    ),
    user="Question:\n{question}\n\nPassages:\n{passages}\n",
)


@dataclass(frozen=True)
class Relevance(ToolMetric[CaseRun]):
    """Mean relevance of the chunks that the model was given, each rated alone; a judge decides.

    Question: How much of the context has to do with the question?
    Formula: mean over distinct supplied chunks of rating / 3, the ratings 0 to 3 asked for in one
        call
    Range: 0, nothing is on the subject, to 1, every chunk answers the question.
    Edge cases: The context is `trace.context`, else the answer's own `retrieved_chunks`, else that
        of `retrieve`; a chunk supplied twice counts once. The evidence has each rating and how
        many chunks have which. A chunk without text is rated 0 without being asked for; a context
        without chunks, or without any text, is not applicable. A reply that leaves out, repeats
        or invents a chunk is sent back; a judge without a usable reply, its one repair included,
        is a judge error.
    Not to be confused with: `context.list_relevance`, one rating for the whole; or
        `context.irrelevant_share`, the share of these ratings below a threshold.
    References: Es et al., EACL 2024 (Ragas), for relevance of the context; Upadhyay et al., 2024
        (UMBRELA), for graded relevance told by a model.

    Example:
        >>> distribution([3, 0, 0])
        {'0': 2, '1': 0, '2': 0, '3': 1}
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, SUPPLIED),
        uses=(QUESTION,),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have each chunk rated."""
        judge, context = tools[JUDGE], some_supplied(run)
        rated = await ratings(context, run[QUESTION], judge)
        return Scored(sum(rated.values()) / MOST / len(rated), account(context, rated))


@dataclass(frozen=True)
class Rating:
    """What was found of one passage."""

    id: str
    reason: str
    rating: int


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    ratings: tuple[Rating, ...]


def complete(reply: Reply, asked: Sequence[str]) -> None:
    """Raise ValueError unless every passage that was asked for has one rating from 0 to 3."""
    each_once((one.id for one in reply.ratings), asked, "rating")
    for one in reply.ratings:
        if not 0 <= one.rating <= MOST:
            raise ValueError(f"{one.id}: got rating {one.rating}; allowed: 0, 1, 2 or 3")


async def ratings(context: Supplied, question: str, judge: Judge) -> dict[str, int]:
    """Chunk id to its rating; 0 for a chunk without text."""
    shown = context.shown
    asked = {"question": question, "passages": context.passages}
    reply = await judge.ask(PROMPT, asked, Reply, check=lambda told: complete(told, [*shown]))
    found = {shown[one.id].id: one.rating for one in reply.ratings}
    return {chunk.id: found.get(chunk.id, 0) for chunk in context.chunks}


def distribution(rated: Sequence[int]) -> dict[str, Json]:
    """Each rating and how many chunks have it."""
    counts = Counter(rated)
    return {str(level): counts[level] for level in range(MOST + 1)}


def account(context: Supplied, rated: Mapping[str, int]) -> dict[str, Json]:
    """The evidence of metrics that rest on these ratings."""
    return {
        "ratings": dict(rated),
        "distribution": distribution([*rated.values()]),
        "without_text": len(context.chunks) - len(context.shown),
    }
