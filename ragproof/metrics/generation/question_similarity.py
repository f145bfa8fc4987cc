"""generation.question_similarity"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    AdapterError,
    Better,
    CaseRun,
    Json,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, EMBED, JUDGE, QUESTION
from ragproof.core.pipeline import Vector
from ragproof.metrics.parameters import at_least
from ragproof.metrics.vectors import cosine
from ragproof.text.untrusted import GUARD
from ragproof.text.wording import wording

PROMPT = Prompt(
    system=(
        "You are given an answer and not what was asked. Write down the questions that it is an "
        "answer to.\n"
        "questions: as many as are asked for, no two in the same words, each a question that the "
        "whole of the answer addresses, as somebody would ask it who does not know the answer. "
        "Take what they are about from what the answer says, and from nothing else; do not give "
        "away in them what they ask for.\n"
        "noncommittal: true where the answer tells nothing that somebody could have asked for: it "
        "declines, says that it does not know or cannot tell, asks back, only points elsewhere, or "
        "is empty. Then questions is []. An answer that tells something, and what it does not know "
        "besides, is not noncommittal.\n"
        "Do not judge whether it is true. Length is neither a merit nor a fault.\n"
        + GUARD
        + " Only the questions need not be English: write them in the language of the answer.\n"
        'Reply with JSON and nothing else: {"noncommittal": true or false, "questions": ["a '
        'question", "another"]}'
    ),
    user="How many questions:\n{count}\n\nAnswer:\n{answer}\n",
)
CONTROL = "Seven swans crossed the frozen harbour before noon."
"""Embedded with the questions: what gives it the vector of all of them tells nothing apart."""


@dataclass(frozen=True)
class QuestionSimilarity(ToolMetric[CaseRun]):
    """Mean cosine of the question with the questions that the answer implies.

    Question: Is the answer an answer to what was asked?
    Formula: Σ cosine(embed(question), embed(implied)) / n over n implied `questions` (3), which a
        judge writes from the answer alone; 0 where the mean is negative; by the adapter's `embed`
        or, where it has none, by `local.embeddings`
    Range: 0, it answers something else, to 1; what is near differs from model to model.
    Edge cases: A noncommittal answer, such as a refusal or an empty one, scores 0 and the evidence
        says so: it does not address the question; whether it was right to decline is for
        `robustness.refused`. The turns of a conversation before the question are part of it. A
        vector of zeros, and an embedder that gives all texts one vector, is an error of the
        adapter. Too few or too many questions, a blank one or the same one twice are sent back; a
        judge without a usable reply, its one repair included, is a judge error.
    Not to be confused with: `generation.answer_relevance`, for which the judge sees the question
        and says how far it is addressed; or `generation.semantic_similarity`, which compares
        with the expected answer. Nothing here sees whether the answer is true.
    References: Es et al., EACL 2024 (Ragas, answer relevance).

    Example:
        >>> mean_cosine([1.0, 0.0], [[1.0, 0.0], [0.0, 2.0]])
        0.5
    """

    questions: int = 3

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, EMBED, ANSWER),
        uses=(QUESTION,),
        on_request=True,
        blames=False,
    )

    def __post_init__(self) -> None:
        at_least("questions", self.questions)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the questions written, and compare them with the one that was asked."""
        judge, embed, answer = tools[JUDGE], tools[EMBED], run[ANSWER]
        asked = {"count": str(self.questions), "answer": answer.answer_text}

        def check(reply: Reply) -> None:
            as_many(reply, self.questions)

        reply = await judge.ask(PROMPT, asked, Reply, check=check)
        if reply.noncommittal:
            return Scored(0.0, {"noncommittal": True, "questions": []})
        texts = [run[QUESTION], *reply.questions]
        vectors = await embed([*texts, CONTROL])
        telling(texts, vectors)
        mine, *others = vectors[:-1]
        implied: list[Json] = [
            {"question": text, "cosine": cosine(mine, one)}
            for text, one in zip(reply.questions, others, strict=True)
        ]
        value = min(1.0, max(0.0, mean_cosine(mine, others)))
        return Scored(value, {"noncommittal": False, "questions": implied})


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    noncommittal: bool
    questions: tuple[str, ...]


def as_many(reply: Reply, asked: int) -> None:
    """Raise ValueError unless there are as many questions as were asked for, or none is due."""
    due = 0 if reply.noncommittal else asked
    if len(reply.questions) != due:
        why = "noncommittal" if reply.noncommittal else "not noncommittal"
        raise ValueError(f"the answer is {why}: write {due} questions, got {len(reply.questions)}")
    words = [wording(one) for one in reply.questions]
    if not all(words):
        raise ValueError(f"question {words.index('') + 1} is blank")
    if twice := [one for one, times in Counter(words).items() if times > 1]:
        raise ValueError(f"the question {twice[0]!r} is there twice; write different ones")


def mean_cosine(mine: Vector, others: Sequence[Vector]) -> float:
    """The mean of the cosines with one vector."""
    return statistics.fmean(cosine(mine, one) for one in others)


def telling(texts: Sequence[str], vectors: Sequence[Vector]) -> None:
    """Raise AdapterError where a vector points nowhere, or all texts and the control have one.

    The last vector is that of the control.
    """
    for text, one in zip([*texts, CONTROL], vectors, strict=True):
        if not any(one):
            raise AdapterError(f"the embedder gave a vector of zeros for {text[:80]!r}")
    if all(list(one) == list(vectors[0]) for one in vectors):
        raise AdapterError(
            f"the embedder gave one vector for {len(vectors)} different texts, {texts[0][:80]!r} "
            "among them: it tells nothing apart"
        )
