"""ontology.false_exclusion_rate"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Interval,
    Json,
    Ontology,
    Pool,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import (
    ELIGIBLE,
    EXPECTED_FILTER,
    EXPECTED_SOURCES,
    FILTER,
    ONTOLOGY,
    PARTS,
    SURVIVORS,
)
from ragproof.metrics.eligibility import gold_and_kept


@dataclass(frozen=True)
class FalseExclusionRate(ToolMetric[CaseRun]):
    """Share of the questions filtered by category that lost every eligible expected source.

    Question: How often does a category of the ontology make a right answer impossible?
    Formula: |questions filtered by category of which no eligible expected source survived| /
        |questions filtered by category with an eligible expected source|
    Range: 0, some source survived everywhere, to 1, none anywhere. Lower is better.
    Edge cases: A field of `trace.filter` is a category if `field` names it, or without `field` if
        its value there or in `expected_filter` is an entity of the ontology: a category that was
        made up is one, where the right one is known. Other questions are not counted. What is
        eligible and what survived is as in `filter.false_exclusion_rate`. With `expected_filter`
        the evidence says which category was wrong, and what it is to the right one.
    Not to be confused with: `filter.false_exclusion_rate`, over all filters;
        `filter.predicate_error_exclusion`, over wrong filters alone.
    References: The reference on evaluating RAG systems that ragproof follows, parts 5 and 7.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Entity, Observation, Ontology, Trace
        >>> from ragproof.core import QuestionCase
        >>> ontology = Ontology([Entity("sedan"), Entity("hatchback")])
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("d2",))
        >>> trace = Trace(filter={"category": "sedan"}, survivors=("d1",))
        >>> answer = Answer(answer_text="?", trace=trace)
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> asyncio.run(FalseExclusionRate().score(run, Tools(ontology=ontology))).value
        1.0
    """

    field: str = ""

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(ONTOLOGY, FILTER, SURVIVORS, EXPECTED_SOURCES),
        uses=(EXPECTED_FILTER, ELIGIBLE, PARTS),
        pool=Pool.RATIO,
        interval=Interval.WILSON,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Contribute one question, excluded or not."""
        ontology, applied = tools[ONTOLOGY], run[FILTER]
        gold, kept = gold_and_kept(run)
        wanted = run.get(EXPECTED_FILTER)
        fields = self._fields(applied, wanted or {}, ontology)
        if not fields:
            raise DoesNotArise("the filter has no category of the ontology")
        evidence: dict[str, Json] = {
            "category": {one: sorted(_values(applied[one])) for one in fields},
            "lost": sorted(gold - kept),
            "kept": sorted(kept),
        }
        if wanted is not None:
            evidence["wrong"] = _wrong(applied, wanted, fields, ontology)
        return Scored(float(not kept), evidence)

    def _fields(
        self, applied: Mapping[str, object], wanted: Mapping[str, object], ontology: Ontology
    ) -> list[str]:
        if self.field:
            return [self.field] if _values(applied.get(self.field)) else []
        return [
            one
            for one in sorted(applied)
            if (here := _values(applied[one]))
            and any(value in ontology for value in (*here, *_values(wanted.get(one))))
        ]


def _values(value: object) -> list[str]:
    """The values of a predicate, as ids."""
    listed = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return [str(one) for one in listed if isinstance(one, str | int) and one is not True]


def _wrong(
    applied: Mapping[str, object],
    wanted: Mapping[str, object],
    fields: list[str],
    ontology: Ontology,
) -> list[Json]:
    """The categories that are not as expected, and what they are to those that are."""
    found: list[Json] = []
    for one in fields:
        right = {ontology.canonical(value) for value in _values(wanted.get(one))}
        for got in _values(applied[one]):
            if ontology.canonical(got) not in right:
                kin: dict[str, Json] = {
                    value: str(ontology.kinship(got, value)) for value in sorted(right)
                }
                found.append({"field": one, "got": got, "is_to": kin})
    return found
