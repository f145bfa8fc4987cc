"""context.list_relevance"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Json, Prompt, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.supplied import some_supplied
from ragproof.text.untrusted import GUARD

MOST = 2
_REPLY = (
    "Go by what the passages say, not by what you know. Length is neither a merit nor a fault.\n"
    + GUARD
    + '\nReply with JSON and nothing else: {"reason": "one sentence", "rating": 0 or 1 or 2}'
)
_USER = "Question:\n{question}\n\nPassages:\n{passages}\n"
FORWARD = Prompt(
    system=(
        "You rate how far passages, taken together, hold what a question asks for.\n"
        "- 2: all that is needed for an answer is in them.\n"
        "- 1: a part of it is in them.\n"
        "- 0: nothing of it is in them, even where they are about the same subject.\n" + _REPLY
    ),
    user=_USER,
)
BACKWARD = Prompt(
    system=(
        "Somebody has to answer a question and may use nothing but some passages. Rate what would "
        "still have to be looked up elsewhere.\n"
        "- 0: everything: the passages are of no use for the answer.\n"
        "- 1: something: they answer in part.\n"
        "- 2: nothing: they are enough.\n" + _REPLY
    ),
    user="Passages:\n{passages}\n\nQuestion:\n{question}\n",
)


@dataclass(frozen=True)
class ListRelevance(ToolMetric[CaseRun]):
    """How far the context as a whole holds what is asked for, by two ratings of a judge.

    Question: Taken together, is the context about what was asked?
    Formula: (a / 2 + b / 2) / 2 with the ratings a and b, 0 to 2, that two prompts of different
        wording and order give the whole list
    Range: 0, both find nothing, to 1, both find all that is needed.
    Edge cases: A context without chunks, or without any text, is not applicable. Both ratings are
        needed: where the judge has no usable reply to one, its repair included, it is a judge
        error. The evidence has both, so that a judge that contradicts itself is seen.
    Not to be confused with: `context.relevance`, which rates each chunk alone; one good chunk
        among nine others is a full score here and a low one there.
    References: The ContextRelevance metric of Ragas, for two ratings that are averaged.

    Example:
        >>> both(2, 1)
        0.75
    """

    prompts = (FORWARD, BACKWARD)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, SUPPLIED),
        uses=(QUESTION,),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the whole rated twice."""
        judge, context = tools[JUDGE], some_supplied(run)
        asked = {"question": run[QUESTION], "passages": context.passages}
        one, two = [
            await judge.ask(prompt, asked, Reply, check=in_range) for prompt in self.prompts
        ]
        evidence: dict[str, Json] = {
            "ratings": [one.rating, two.rating],
            "reasons": [one.reason, two.reason],
            "chunks": len(context.chunks),
        }
        return Scored(both(one.rating, two.rating), evidence)


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    reason: str
    rating: int


def in_range(reply: Reply) -> None:
    """Raise ValueError for a rating that is none."""
    if not 0 <= reply.rating <= MOST:
        raise ValueError(f"got rating {reply.rating}; allowed: 0, 1 or 2")


def both(one: int, two: int) -> float:
    """The mean of two ratings, as a fraction of the highest."""
    return (one + two) / (2 * MOST)
