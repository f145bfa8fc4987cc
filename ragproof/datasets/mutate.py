"""Variants of cases: what the answer should survive, and what it must not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragproof.core import Case, CaseKind, Judge, QuestionCase, Relation, UselessReply
from ragproof.datasets.generate_files import UNUSABLE
from ragproof.datasets.mutate_model import negated_by_model, rewritten, translated
from ragproof.datasets.mutate_rules import KINDS, Names, negated, recased, typo

BY_MODEL = frozenset({"paraphrase", "translation"})
"""Kinds that no rule makes."""
CHANGING = frozenset(kind for kind, relation in KINDS.items() if relation == "changed_answer")


@dataclass(frozen=True)
class Turned:
    """A variant that was not made, and why."""

    case_id: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Mutated:
    """The cases, each original before its variants."""

    cases: tuple[Case, ...]
    turned: tuple[Turned, ...]
    made: Mapping[str, int]
    """Kind to number of variants."""

    @property
    def left(self) -> int:
        """Variants for which the model gave no usable reply: to be asked for again."""
        return sum(one.reason.startswith(UNUSABLE) for one in self.turned)


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """What is made of each case."""

    kinds: tuple[str, ...]
    languages: tuple[str, ...] = ()
    """Into which is translated."""
    seed: int = 0
    names: Names = field(default_factory=Names)
    judge: Judge | None = None
    """The model; None where there is none."""
    at_once: int = 8

    async def of(self, cases: Sequence[Case]) -> Mutated:
        """Vary all questions that are no variants themselves.

        Raises JudgeError where the model cannot be reached, OverBudget and StoreError.
        """
        ids = {case.id for case in cases}
        places = asyncio.Semaphore(self.at_once)
        tasks = [asyncio.ensure_future(self._variants(case, ids, places)) for case in cases]
        try:
            found = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        made: dict[str, int] = dict.fromkeys(self.kinds, 0)
        out: list[Case] = []
        for case, (variants, _) in zip(cases, found, strict=True):
            out += [_grouped(case), *variants] if variants else [case]
            for one in variants:
                made[one.tags["perturbation"]] += 1
        turned = tuple(one for _, all_ in found for one in all_)
        return Mutated(tuple(out), turned, made)

    async def _variants(
        self, case: Case, ids: Iterable[str], places: asyncio.Semaphore
    ) -> tuple[list[QuestionCase], list[Turned]]:
        variants: list[QuestionCase] = []
        turned: list[Turned] = []
        if not isinstance(case, QuestionCase) or case.variant_of is not None:
            return variants, turned
        if case.kind is CaseKind.INJECTION:
            return variants, [Turned(case.id, kind, "it carries a payload") for kind in self.kinds]
        for kind, language in self._steps:
            ending = f"{kind}-{language}" if language else kind
            if f"{case.id}-{ending}" in ids:
                turned.append(Turned(case.id, ending, "a case has the id of its variant already"))
                continue
            try:
                async with places:
                    question = await self._question(case, kind, language)
            except _No as no:
                turned.append(Turned(case.id, ending, str(no)))
            else:
                variants.append(_variant(case, kind, language, question))
        return variants, turned

    @property
    def _steps(self) -> list[tuple[str, str]]:
        steps = []
        for kind in self.kinds:
            languages = self.languages if kind == "translation" else ("",)
            steps += [(kind, language) for language in languages]
        return steps

    async def _question(self, case: QuestionCase, kind: str, language: str) -> str:
        if kind in CHANGING and case.kind is CaseKind.UNANSWERABLE:
            raise _No("what it asks has no answer that could change")
        if kind == "translation" and case.history:
            raise _No("its conversation would stay in another language")
        if kind in BY_MODEL:
            return await self._by_model(case, kind, language)
        found = self._by_rule(case, kind)
        if found is None and kind == "negation" and self.judge is not None:
            return await self._by_model(case, kind, language)
        if found is None:
            raise _No(_WHY_NOT[kind])
        return found

    def _by_rule(self, case: QuestionCase, kind: str) -> str | None:
        seed = f"{self.seed}:{case.id}"
        if kind == "typo":
            return typo(case.question, seed, " ".join(_answers(case)))
        if kind == "case":
            return recased(case.question, seed)
        if kind == "negation":
            return negated(case.question)
        labelled = [one.text for one in case.expected_entities or ()]
        return self.names.swapped(case.question, seed, labelled)

    async def _by_model(self, case: QuestionCase, kind: str, language: str) -> str:
        if self.judge is None:
            raise _No("it needs a model; set RAGPROOF_GEN_MODEL")
        try:
            if kind == "negation":
                return await negated_by_model(self.judge, case.question)
            if kind == "paraphrase":
                return await rewritten(self.judge, case.question)
            return await translated(self.judge, case.question, language)
        except UselessReply as fault:
            raise _No(f"{UNUSABLE}: {fault}") from fault
        except ValueError as why:
            raise _No(str(why)) from why


class _No(Exception):
    """No variant can be made; says why."""


_WHY_NOT = {
    "typo": "no word is long enough",
    "case": "it has no letters with two cases",
    "negation": "the rule for English does not fit, and no model is named that could",
    "entity_swap": "no name in it has another that could stand for it",
}


def _variant(case: QuestionCase, kind: str, language: str, question: str) -> QuestionCase:
    """The case with another question, and only those labels that still hold."""
    changes: dict[str, Any] = {"expected_entities": None}
    if kind in CHANGING:
        changes |= {
            "expected_source_ids": None,
            "expected_spans": None,
            "expected_answer": None,
            "expected_nuggets": None,
            "expected_filter": None,
            "distractor_source_ids": None,
            "superseded_source_ids": None,
            "answerable_from_context": None,
        }
    elif kind == "translation" and any(map(str.isalpha, "".join(_answers(case)))):
        changes |= {"expected_answer": None}  # it is in the language of the original
    tags = {**case.tags, "perturbation": kind}
    return replace(
        case,
        id=f"{case.id}-{kind}-{language}" if language else f"{case.id}-{kind}",
        question=question,
        variant_of=case.id,
        expected_relation=Relation(KINDS[kind]),
        tags={**tags, "language": language} if language else tags,
        group=case.group or case.id,
        **changes,
    )


def _grouped(case: Case) -> Case:
    """The original, in one group with its variants."""
    return case if case.group is not None else replace(case, group=case.id)


def _answers(case: QuestionCase) -> tuple[str, ...]:
    answer = case.expected_answer
    return (answer,) if isinstance(answer, str) else answer or ()
