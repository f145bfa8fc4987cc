"""Four cases, and pipelines that answer two of them right."""

from __future__ import annotations

import asyncio
from typing import Any

MATCH = "generation.exact_match"
RECALL = "retrieval.recall_at_k"


def case(number: int, **more: object) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "question": f"question {number}",
        "expected_source_ids": ["a"],
        "expected_answer": "yes",
        **more,
    }


CASES = [case(number) for number in range(4)]


class Pipeline:
    """Answers right where the number is even."""

    version = "7"

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:  # noqa: ARG002
        return [{"id": "b"}, {"id": "a"}][:k]

    def answer(self, question: str) -> dict[str, Any]:
        return {"answer_text": "no" if int(question.split()[-1]) % 2 else "yes"}


def build() -> Pipeline:
    return Pipeline()


def answered(question: str) -> dict[str, Any]:
    return Pipeline().answer(question)


async def answered_later(question: str) -> dict[str, Any]:
    await asyncio.sleep(0)
    return Pipeline().answer(question)
