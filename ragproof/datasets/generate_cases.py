"""The case of a draft that has passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragproof.core import CaseKind, QuestionCase, Relation, SourceSpan, Turn
from ragproof.datasets.attempts import Attempt
from ragproof.datasets.chunker import Passage
from ragproof.datasets.generate_prompts import (
    Draft,
    JoinedDraft,
    OpenDraft,
    SwapDraft,
    TalkDraft,
)
from ragproof.datasets.generate_rules import found


def answered_case(attempt: Attempt, draft: Draft, **more: Any) -> QuestionCase:  # noqa: ANN401
    """A question with its answer and the span that holds it."""
    return _case(
        attempt,
        question=draft.question.strip(),
        expected_answer=draft.answer.strip(),
        **_gold((attempt.passage, draft.quote)),
        **more,
    )


def open_case(attempt: Attempt, draft: OpenDraft, near: Sequence[str]) -> QuestionCase:
    """A question without an answer; where it was looked for stands in the metadata."""
    return _case(
        attempt,
        kind=CaseKind.UNANSWERABLE,
        question=draft.question.strip(),
        metadata={"missing": draft.missing, "looked_at": list(near)},
    )


def joined_case(attempt: Attempt, draft: JoinedDraft) -> QuestionCase:
    """A question that two passages answer together."""
    assert attempt.other is not None
    return _case(
        attempt,
        question=draft.question.strip(),
        expected_answer=draft.answer.strip(),
        **_gold((attempt.passage, draft.quote_a), (attempt.other, draft.quote_b)),
    )


def talk_case(attempt: Attempt, draft: TalkDraft) -> QuestionCase:
    """A follow-up question, after what was said before."""
    return _case(
        attempt,
        question=draft.question.strip(),
        expected_answer=draft.answer.strip(),
        history=(
            Turn(role="user", content=draft.first_question.strip()),
            Turn(role="assistant", content=draft.first_answer.strip()),
        ),
        metadata={"standalone": draft.standalone.strip()},
        **_gold((attempt.passage, draft.quote)),
    )


def adversarial_case(attempt: Attempt, draft: Draft) -> QuestionCase:
    """A question that something misleads from; the misleading document, where there is one."""
    other = attempt.other
    if other is None or other.document_id == attempt.passage.document_id:
        return answered_case(attempt, draft)
    return answered_case(attempt, draft, distractor_source_ids=(other.document_id,))


def swapped_cases(attempt: Attempt, draft: SwapDraft) -> tuple[QuestionCase, QuestionCase]:
    """A question, and the same with one thing swapped, which another passage answers."""
    assert attempt.other is not None
    original = _case(
        attempt,
        id=f"{attempt.id}-original",
        question=draft.original_question.strip(),
        expected_answer=draft.original_answer.strip(),
        **_gold((attempt.passage, draft.original_quote)),
    )
    swapped = _case(
        attempt,
        question=draft.question.strip(),
        expected_answer=draft.answer.strip(),
        variant_of=original.id,
        expected_relation=Relation.CHANGED_ANSWER,
        **_gold((attempt.other, draft.quote)),
    )
    return original, swapped


def _case(attempt: Attempt, **fields: Any) -> QuestionCase:  # noqa: ANN401
    tags = {
        "kind": attempt.kind,
        "challenge": attempt.challenge,
        "persona": attempt.persona[0],
        "category": attempt.category[0],
        "document": attempt.passage.document_id,
    }
    metadata = {"passage": attempt.passage.place, **fields.pop("metadata", {})}
    if attempt.other is not None:
        metadata["other"] = attempt.other.place
    known: dict[str, Any] = {
        "id": attempt.id,
        "group": attempt.passage.document_id,
        "tags": {name: value for name, value in tags.items() if value},
        "metadata": metadata,
    }
    return QuestionCase(**{**known, **fields})


def _gold(*quoted: tuple[Passage, str]) -> dict[str, Any]:
    """The documents, each once, and the spans of the quotes in them."""
    spans = []
    for passage, quote in quoted:
        place = found(quote, passage.text)
        assert place is not None, "the rules have found it"
        start, end = (passage.start + at for at in place)
        spans.append(SourceSpan(document_id=passage.document_id, start=start, end=end))
    ids = tuple(dict.fromkeys(passage.document_id for passage, _ in quoted))
    return {"expected_source_ids": ids, "expected_spans": tuple(spans)}
