"""system.tokens"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import TOKENS


@dataclass(frozen=True)
class Tokens(PureMetric[CaseRun]):
    """Tokens that the pipeline's models read and wrote for the case.

    Question: How much model work does an answer take?
    Formula: input: the sum of the stages' input_tokens; output: that of their output_tokens
    Range: 0 upwards, a figure for `input` and one for `output`. Lower is better, at equal
        quality.
    Edge cases: A stage that does not tell a count adds nothing to it. A count that no stage
        tells is left out, and a trace without any is skipped; 0 is a measurement.
    Not to be confused with: the tokens of the judge, which are no work of the pipeline; or cost,
        for which prices differ by model and by input and output.
    References: OpenTelemetry, semantic conventions for generative AI, `gen_ai.token.type`.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> rewrite = Stage(name="rewrite", seconds=0.1, input_tokens=40, output_tokens=8)
        >>> generate = Stage(name="generate", seconds=0.9, input_tokens=960, output_tokens=92)
        >>> answer = Answer(answer_text="", trace=Trace(stages=(rewrite, generate)))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> {label: scored.value for label, scored in Tokens().score(run).items()}
        {'input': 1000.0, 'output': 100.0}
    """

    spec = Spec(unit=Unit.COUNT, better=Better.LOWER, needs=(TOKENS,), each="type")

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Add up what the stages tell."""
        stages = run[TOKENS]
        counts = {
            "input": [one.input_tokens for one in stages if one.input_tokens is not None],
            "output": [one.output_tokens for one in stages if one.output_tokens is not None],
        }
        return {label: Scored(float(sum(told))) for label, told in counts.items() if told}
