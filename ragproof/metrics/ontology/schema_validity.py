"""ontology.schema_validity"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SCHEMA, OUTPUT
from ragproof.metrics.schemas import allows_text, schema_faults
from ragproof.text.strict_json import parse


@dataclass(frozen=True)
class SchemaValidity(PureMetric[CaseRun]):
    """Share of the outputs that parse and are as their JSON Schema says.

    Question: Can a program that relies on the schema take the output?
    Formula: |outputs that parse and satisfy `expected_schema`| / |outputs|
    Range: 0, none, to 1, all.
    Edge cases: The output is `trace.output`; without one it is the text of the answer, so that a
        pipeline that gave up on a structure does not drop out. A text is parsed as JSON, strictly:
        what does not parse is invalid, also a key that is there twice or NaN. Where the schema's
        `type` allows a text, the text itself may be meant. The draft is the one that `$schema`
        names, 2020-12 without. `format` is checked with `formats: true`. References to what is not
        in the schema are not followed: they, and a schema that is none, are errors of the case, not
        faults of the output.
    Not to be confused with: `ontology.vocabulary_conformance` and `ontology.semantic_conformance`:
        what is valid may name what there is not, or the wrong thing.
    References: JSON Schema 2020-12; Geng et al., JSONSchemaBench 2025.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> schema = {"type": "object", "required": ["drug"]}
        >>> case = QuestionCase(id="q1", question="?", expected_schema=schema)
        >>> answer = Answer(answer_text="?", trace=Trace(output={"drag": "aspirin"}))
        >>> SchemaValidity().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        0.0
    """

    formats: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(OUTPUT, EXPECTED_SCHEMA),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Parse and validate."""
        output, schema = run[OUTPUT], run[EXPECTED_SCHEMA]
        faults = ["$: the output is not JSON"]
        if not isinstance(output, str):
            faults = schema_faults(schema, output, formats=self.formats)
        else:
            try:
                read = parse(output)
            except ValueError as fault:
                faults = [f"$: {fault}"]
                schema_faults(schema, None, formats=self.formats)  # a schema that is none is told
            else:
                faults = schema_faults(schema, read, formats=self.formats)
            if faults and allows_text(schema):
                faults = schema_faults(schema, output, formats=self.formats)
        return Scored(float(not faults), {"faults": faults})
