"""Variants that a model writes, each read again before it counts."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Judge, Prompt
from ragproof.datasets.generate_prompts import GUARD
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.language import COVERED, languages


@dataclass(frozen=True)
class Written:
    """The shape of a rewritten question."""

    question: str


@dataclass(frozen=True)
class Compared:
    """What the second look makes of two questions."""

    reason: str
    same_meaning: bool
    opposite: bool = False


_FORM = '\nReply with one JSON object: {"question": "..."}'
REWRITE = Prompt(
    system=(
        "You are given a question. Ask for exactly the same in other words: another sentence, not "
        "one word replaced. Keep names, numbers and conditions as they are, and the language.\n"
        + GUARD
        + _FORM
    ),
    user="Question:\n{question}",
)
TRANSLATE = Prompt(
    system=(
        "You are given a question and a language. Translate the question into that language, as "
        "somebody who speaks it would ask. Keep names and numbers as they are.\n" + GUARD + _FORM
    ),
    user="Language:\n{language}\n\nQuestion:\n{question}",
)
NEGATE = Prompt(
    system=(
        "You are given a question. Change it by one negation, and by nothing else, so that it asks "
        "for the opposite and its answer changes. Keep its language. Where that gives no sensible "
        "question, reply with an empty one.\n" + GUARD + _FORM
    ),
    user="Question:\n{question}",
)
COMPARE = Prompt(
    system=(
        "You are given two questions, perhaps in different languages. Say whether they ask for the "
        "same: whether every answer that is right for one is right for the other.\n"
        "opposite: true, if one asks for what the other excludes, by a negation.\n"
        + GUARD
        + '\nReply with one JSON object: {"reason": "one sentence", "same_meaning": true or false, '
        '"opposite": true or false}'
    ),
    user="First:\n{first}\n\nSecond:\n{second}",
)


async def rewritten(judge: Judge, question: str) -> str:
    """The question in other words; raises ValueError where what came back is no such thing."""
    told = await judge.ask(REWRITE, {"question": question}, Written)
    other = told.question.strip()
    if answer_tokens(other) == answer_tokens(question):
        raise ValueError("the paraphrase is the question itself")
    spoken, meant = set(languages(other)), set(languages(question))
    if spoken and meant and not spoken & meant:
        raise ValueError("the paraphrase is in another language")
    return await _same(judge, question, other)


async def translated(judge: Judge, question: str, language: str) -> str:
    """The question in another language; raises ValueError as above."""
    asked = {"question": question, "language": language}
    told = await judge.ask(TRANSLATE, asked, Written)
    other = told.question.strip()
    spoken = languages(other)
    code = language.partition("-")[0].lower()
    if answer_tokens(other) == answer_tokens(question):
        raise ValueError("the translation is the question itself")
    if code in COVERED and spoken and code not in spoken:
        raise ValueError(f"the translation is not in the language {language}")
    return await _same(judge, question, other)


async def negated_by_model(judge: Judge, question: str) -> str:
    """The question for the opposite; raises ValueError as above."""
    told = await judge.ask(NEGATE, {"question": question}, Written)
    other = told.question.strip()
    if not other or answer_tokens(other) == answer_tokens(question):
        raise ValueError("the model found no opposite")
    seen = await _compared(judge, question, other)
    if seen.same_meaning or not seen.opposite:
        raise ValueError(f"the second look finds no opposite: {seen.reason}")
    return other


async def _same(judge: Judge, question: str, other: str) -> str:
    if not other:
        raise ValueError("the model wrote nothing")
    seen = await _compared(judge, question, other)
    if not seen.same_meaning:
        raise ValueError(f"the second look finds another meaning: {seen.reason}")
    return other


async def _compared(judge: Judge, first: str, second: str) -> Compared:
    asked = {"first": first, "second": second}
    return await judge.ask(COMPARE, asked, Compared)
