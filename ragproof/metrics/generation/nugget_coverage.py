"""generation.nugget_coverage"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Judge,
    Nugget,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, JUDGE, NUGGETS, QUESTION
from ragproof.metrics.nugget_scores import SCORES, Assigned, Label, nugget_scores
from ragproof.metrics.parameters import one_of
from ragproof.metrics.saying import said
from ragproof.metrics.supplied import each_once
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You check which pieces of information an answer has.\n"
        "You are given a question, an answer, and nuggets: short statements of what an answer may "
        "say, each with an id. For every nugget, give one label: support where the answer says "
        "all of it, in whatever words or language; partial_support where it says a part of it, or "
        "says it less exactly; not_support where it says nothing of it, or the contrary. Judge "
        "what the answer says, not what is true. That it names the subject is not enough. What it "
        "merely quotes from the question, says that it does not know, or asks, it does not say. "
        "Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"nuggets": [{"id": "n1", "reason": "one short '
        'sentence", "label": "support" or "partial_support" or "not_support"}]}, with every id '
        "exactly once."
    ),
    user="Question:\n{question}\n\nNuggets:\n{nuggets}\n\nAnswer:\n{answer}\n",
)


@dataclass(frozen=True)
class NuggetCoverage(ToolMetric[CaseRun]):
    """How much of what a good answer has is in the answer, vital and okay apart.

    Question: Does the answer have the information that it should have?
    Formula: with s = 1 where a nugget is there, 0.5 where in part and 0 else: `vital`
        (default) sum of s / number over the vital nuggets; `okay` over the others; `all` over all;
        `weighted` over all, the okay ones at weight 0.5; `strict_...` with s = 0 for a part. All
        eight are in the evidence; `figure` says which is the value
    Range: 0, none is there, to 1, all are.
    Edge cases: Without a judge a nugget is there where its text, or one of its `aliases`, stands
        in the answer token by token, and never in part; the evidence says which way it went. A
        case without a vital nugget is not applicable for `vital`, one without others for `okay`.
        A judge without a usable reply, its one repair included, is a judge error: an unknown
        label is not taken for a missing nugget.
    Not to be confused with: `generation.completeness`, which compares with one expected answer;
        or `generation.groundedness`: what covers every nugget may say more that is made up.
    References: Pradeep et al., 2024 (AutoNuggetizer, TREC RAG 2024), whose six scores it equals.

    Example:
        >>> nuggets = (Nugget(text="It was founded in 1900.", vital=True, aliases=("1900",)),)
        >>> [one.label.value for one in by_words("In 1900, by Ada.", nuggets)]
        ['support']
    """

    figure: str = "vital"

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, NUGGETS),
        uses=(JUDGE, QUESTION),
    )

    def __post_init__(self) -> None:
        one_of("figure", self.figure, SCORES)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the nuggets looked for, by the judge where there is one."""
        text, nuggets = run[ANSWER].answer_text, run[NUGGETS]
        judge = JUDGE.of(tools)
        if judge is None:
            found = by_words(text, nuggets)
        else:
            found = await _by_judge(judge, run.get(QUESTION) or "", text, nuggets)
        scores = nugget_scores(found)
        evidence: dict[str, Json] = {
            "nuggets": [
                {"text": one.text, "vital": one.vital, "label": str(told.label)}
                for one, told in zip(nuggets, found, strict=True)
            ],
            "by": "words" if judge is None else "judge",
            "scores": {**scores},
        }
        if (value := scores[self.figure]) is None:
            what = self.figure.removeprefix("strict_")
            raise DoesNotArise(f"no nugget is {what}", evidence)
        return Scored(value, evidence)


def by_words(text: str, nuggets: tuple[Nugget, ...]) -> list[Assigned]:
    """Look for the text and the aliases of each nugget, token by token."""
    return [
        Assigned(
            one.vital,
            Label.NOT_SUPPORT
            if said(text, (alias for alias in (one.text, *one.aliases) if alias.strip())) is None
            else Label.SUPPORT,
        )
        for one in nuggets
    ]


async def _by_judge(
    judge: Judge, question: str, text: str, nuggets: tuple[Nugget, ...]
) -> list[Assigned]:
    ids = [f"n{number}" for number in range(1, len(nuggets) + 1)]
    asked = {
        "question": question,
        "nuggets": listed(
            "nugget", (({"id": id_}, one.text) for id_, one in zip(ids, nuggets, strict=True))
        ),
        "answer": text,
    }

    def complete(reply: Reply) -> None:
        each_once([one.id for one in reply.nuggets], ids, "label")

    reply = await judge.ask(PROMPT, asked, Reply, check=complete)
    labels = {one.id: one.label for one in reply.nuggets}
    return [Assigned(one.vital, labels[id_]) for id_, one in zip(ids, nuggets, strict=True)]


@dataclass(frozen=True)
class Told:
    """What the judge says of one nugget."""

    id: str
    reason: str
    label: Label


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    nuggets: tuple[Told, ...]
