"""context.compression_ratio"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import COMPRESSED


@dataclass(frozen=True)
class CompressionRatio(PureMetric[CaseRun]):
    """How many times smaller compression makes the context, in tokens.

    Question: How much shorter is what the model was given than what was found?
    Formula: `trace.context_tokens_in` / `trace.context_tokens_out`; the mean over cases
    Range: 1, nothing was taken away, upwards; below 1 the context grew.
    Edge cases: A context of which nothing is left is not applicable, as is one of which there was
        nothing: there is no ratio, and the evidence has the counts. Negative counts are an error.
    Not to be confused with: a merit: what was lost shows in `generation.correctness` of the same
        questions with and without compression, which `ragproof decide` with the recipe
        `accept_compression` weighs against this ratio.
    References: Jiang et al., ACL 2024 (LongLLMLingua), for compressing what is retrieved.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Trace
        >>> trace = Trace(context_tokens_in=3000, context_tokens_out=750)
        >>> seen = Observation(case_id="q", answer=Answer(answer_text="?", trace=trace))
        >>> CompressionRatio().score(CaseRun(QuestionCase(id="q", question="?"), seen)).value
        4.0
    """

    spec = Spec(unit=Unit.RATIO, better=Better.NEITHER, needs=(COMPRESSED,))

    def score(self, run: CaseRun, /) -> Scored:
        """Divide."""
        before, after = run[COMPRESSED]
        if min(before, after) < 0:
            raise ValueError(f"context tokens in {before}, out {after}; allowed: 0 and above")
        evidence = {"tokens_in": before, "tokens_out": after}
        if not before or not after:
            raise DoesNotArise("there is no context to compress, or none is left", evidence)
        return Scored(before / after, evidence)
