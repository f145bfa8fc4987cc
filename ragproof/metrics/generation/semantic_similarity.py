"""generation.semantic_similarity"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, EMBED, EXPECTED_ANSWER
from ragproof.metrics.vectors import cosine


@dataclass(frozen=True)
class SemanticSimilarity(ToolMetric[CaseRun]):
    """Cosine of the answer's embedding with that of the nearest accepted answer.

    Question: Is the answer about the same thing as what is expected?
    Formula: max over accepted answers of cosine(embed(answer), embed(accepted)), 0 where that is
        negative, by the `embed` of the adapter or, where it has none, by `local.embeddings`
    Range: 0 to 1; what is near differs from model to model.
    Edge cases: An answer that is empty scores 0, as does a vector of zeros: it points nowhere. An
        accepted answer that is empty is left out; where there is none else it is not applicable.
    Not to be confused with: correctness, for which it must never stand alone: a wrong number or a
        missing "not" hardly moves a vector. Use `generation.correctness`,
        `generation.exact_match` or `generation.quantities_supported` beside it.
    References: Zhang et al., ICLR 2020 (BERTScore), for similarity by embeddings; Reimers and
        Gurevych, EMNLP 2019, for cosine of sentences.

    Example:
        >>> cosine((3.0, 4.0), (4.0, 3.0))
        0.96
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(EMBED, ANSWER, EXPECTED_ANSWER),
        blames=False,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Embed the answer and all that is accepted in one call."""
        embed, text = tools[EMBED], run[ANSWER].answer_text
        accepted = [one for one in run[EXPECTED_ANSWER] if one.strip()]
        if not accepted:
            raise DoesNotArise("every accepted answer is empty")
        if not text.strip():
            return Scored(0.0, {"nearest": None})
        mine, *others = await embed([text, *accepted])
        cosines = [cosine(mine, other) for other in others]
        best = max(range(len(cosines)), key=cosines.__getitem__)
        evidence: dict[str, Json] = {"nearest": accepted[best], "cosine": cosines[best]}
        return Scored(min(1.0, max(0.0, cosines[best])), evidence)
