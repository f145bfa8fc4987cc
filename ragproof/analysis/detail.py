"""One case up close: what was expected, what was retrieved, what was cited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core.case import DocumentCase, QuestionCase
from ragproof.core.needs import CONTEXT
from ragproof.core.observation import Chunk
from ragproof.core.outcome import Outcome
from ragproof.core.subject import CaseRun


@dataclass(frozen=True)
class CaseDetail:
    """A case run and what each metric made of it."""

    run: CaseRun
    rows: Mapping[str, Outcome]
    """Metric key to outcome."""

    @property
    def question(self) -> str:
        """What was asked; of a document, where it lies or how it begins."""
        match self.run.case:
            case QuestionCase(question=question):
                return question
            case DocumentCase(document=document):
                return document.path or document.text or ""
            case _:
                return ""

    @property
    def expected_answers(self) -> tuple[str, ...]:
        """Every acceptable answer, possibly none."""
        case = self.run.case
        answer = case.expected_answer if isinstance(case, QuestionCase) else None
        return (answer,) if isinstance(answer, str) else answer or ()

    @property
    def answer(self) -> str | None:
        """What the pipeline replied."""
        answer = self.run.observation.answer
        return answer.answer_text if answer is not None else None


@dataclass(frozen=True, slots=True)
class Expected:
    """A source that was to be found, and the rank at which it was."""

    source: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A chunk that was found."""

    chunk: Chunk
    source: str
    rank: int
    """From 1, of the source: several chunks of one source share the best."""
    relevant: bool
    cited: bool


@dataclass(frozen=True, slots=True)
class Cited:
    """A chunk that the answer cites, and whether the pipeline had it."""

    chunk_id: str
    known: bool


@dataclass(frozen=True)
class Evidence:
    """The way of a case's evidence through the pipeline. `None` means "not known"."""

    expected: tuple[Expected, ...] | None
    retrieved: tuple[Retrieved, ...] | None
    cited: tuple[Cited, ...] | None

    def missed(self, k: int) -> tuple[Expected, ...]:
        """The expected sources that are not among the first k."""
        return tuple(one for one in self.expected or () if one.rank is None or one.rank > k)


def evidence(run: CaseRun) -> Evidence:
    """Lay expected, retrieved and cited sources side by side, matched as the run matched them."""
    wanted = _wanted(run)
    chunks, context = _chunks(run), run.get(CONTEXT) or ()
    answer = run.observation.answer
    cited = answer.citations if answer is not None else None
    named = dict.fromkeys(one.chunk_id for one in cited or ())
    source_of = run.source_match.source
    ranks: dict[str, int] = {}
    for chunk in chunks or ():
        ranks.setdefault(source_of(chunk), len(ranks) + 1)
    known = {chunk.id for chunk in context} | {source_of(chunk) for chunk in context}
    return Evidence(
        expected=tuple(Expected(one, ranks.get(one)) for one in wanted) if wanted else None,
        retrieved=None
        if chunks is None
        else tuple(
            Retrieved(
                chunk,
                source_of(chunk),
                ranks[source_of(chunk)],
                source_of(chunk) in wanted,
                chunk.id in named or source_of(chunk) in named,
            )
            for chunk in chunks
        ),
        cited=None if cited is None else tuple(Cited(one, one in known) for one in named),
    )


def _wanted(run: CaseRun) -> dict[str, None]:
    """The relevant sources in the order in which the case lists them."""
    ids = run.case.expected_source_ids if isinstance(run.case, QuestionCase) else None
    if isinstance(ids, Mapping):
        return dict.fromkeys(source for source, grade in ids.items() if grade >= 1)
    return dict.fromkeys(ids or ())


def _chunks(run: CaseRun) -> tuple[Chunk, ...] | None:
    """What retrieval gave; where it is not exposed, what the answer says it was given."""
    retrieved = run.observation.retrieved
    return retrieved if retrieved is not None else run.get(CONTEXT)
