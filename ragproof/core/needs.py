"""Every input a metric can need, one line each. To add an input, add its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from ragproof.core.case import (
    Boundary,
    CaseKind,
    Element,
    Mention,
    Nugget,
    Relation,
    Section,
    SourceSpan,
    Split,
    TypedSpan,
)
from ragproof.core.corpus import Corpus
from ragproof.core.local import PairModel
from ragproof.core.need import Need
from ragproof.core.observation import (
    Answer,
    Chunk,
    Citation,
    Event,
    EventKind,
    Feedback,
    Parsed,
    Stage,
    Step,
)
from ragproof.core.ontology import Ontology
from ragproof.core.pipeline import Embed, Generate, Rerank, Resolve, Retrieve
from ragproof.core.places import (
    ALL_LISTS,
    CHUNK_LISTS,
    Named,
    Placed,
    chunks_of,
    document_of,
    named_by,
    place_of,
)
from ragproof.core.ports import Judge
from ragproof.core.price_list import PriceList
from ragproof.core.readings import Refusal
from ragproof.core.subject import CaseRun, SourceMatch

T = TypeVar("T")


def _relevant(ids: tuple[str, ...] | Mapping[str, int], _run: CaseRun) -> frozenset[str] | None:
    """Ids listed, or graded 1 and above; none of them is as good as no ids."""
    if isinstance(ids, tuple):
        return frozenset(ids) or None
    return frozenset(source for source, grade in ids.items() if grade >= 1) or None


def _grades(ids: tuple[str, ...] | Mapping[str, int], _run: CaseRun) -> Mapping[str, int] | None:
    """The relevant ids and their grades; ids in a list have grade 1."""
    graded = dict.fromkeys(ids, 1) if isinstance(ids, tuple) else ids
    return {source: grade for source, grade in graded.items() if grade >= 1} or None


def _judged(ids: tuple[str, ...] | Mapping[str, int], _run: CaseRun) -> frozenset[str] | None:
    """Ids graded 0 and above; a list does not tell what else was judged."""
    if isinstance(ids, tuple):
        return None
    return frozenset(source for source, grade in ids.items() if grade >= 0) or None


def _accepted(answer: str | tuple[str, ...], _run: CaseRun) -> tuple[str, ...] | None:
    """Every acceptable answer; an empty list is as good as none."""
    return (answer,) if isinstance(answer, str) else answer or None


def _ranked(chunks: tuple[Chunk, ...], run: CaseRun) -> tuple[str, ...]:
    """Distinct source ids, each at its best rank; possibly none."""
    if run.source_match is SourceMatch.CHUNK:  # every case of every run comes by here
        return tuple(dict.fromkeys([chunk.id for chunk in chunks]))
    return tuple(dict.fromkeys([run.source_match.source(chunk) for chunk in chunks]))


def _scores(chunks: tuple[Chunk, ...], run: CaseRun) -> Mapping[str, float] | None:
    """Distinct source ids in ranked order, each with the score of its best rank."""
    scores: dict[str, float] = {}
    for chunk in chunks:
        if chunk.score is None:
            return None
        scores.setdefault(run.source_match.source(chunk), chunk.score)
    return scores


def _waiting(stages: tuple[Stage, ...], _run: CaseRun) -> tuple[tuple[str, float], ...] | None:
    told = ((stage.name, stage.queue_seconds) for stage in stages)
    return tuple((name, seconds) for name, seconds in told if seconds is not None) or None


def _queued(stages: tuple[Stage, ...], _run: CaseRun) -> tuple[Stage, ...] | None:
    """The stages that say how long their work waited."""
    return tuple(stage for stage in stages if stage.queue_seconds is not None) or None


def _cached(stages: tuple[Stage, ...], _run: CaseRun) -> tuple[Stage, ...] | None:
    """The stages that say whether a cache answered."""
    return tuple(stage for stage in stages if stage.cache is not None) or None


def _samples(samples: tuple[str, ...], _run: CaseRun) -> tuple[str, ...] | None:
    return samples or None


def _counting(stages: tuple[Stage, ...], _run: CaseRun) -> tuple[Stage, ...] | None:
    """The stages that say how many tokens they took or gave."""
    counts = ((stage, (stage.input_tokens, stage.output_tokens)) for stage in stages)
    return tuple(stage for stage, told in counts if told != (None, None)) or None


def _asked(question: str, run: CaseRun) -> str:
    """The question, below the conversation that led to it where there is one."""
    turns = getattr(run.case, "history", None) or ()
    return "\n".join([*(f"{turn.role}: {turn.content}" for turn in turns), question])


def _planted(ids: tuple[str, ...], _run: CaseRun) -> frozenset[str] | None:
    return frozenset(ids) or None


def _some(cited: tuple[Citation, ...], _run: CaseRun) -> tuple[Citation, ...] | None:
    return cited or None


def _ids(ids: tuple[str, ...], _run: CaseRun) -> frozenset[str]:
    """Possibly none."""
    return frozenset(ids)


def _compressed(before: int, run: CaseRun) -> tuple[int, int] | None:
    """Tokens of the context before it was compressed, and after; None where one is not told."""
    trace = run.observation.answer and run.observation.answer.trace
    after = trace.context_tokens_out if trace else None
    return None if after is None else (before, after)


def _nuggets(nuggets: tuple[Nugget, ...], _run: CaseRun) -> tuple[Nugget, ...] | None:
    return nuggets or None


def _perturbation(tags: Mapping[str, str], _run: CaseRun) -> str | None:
    return tags.get("perturbation")


def _named(_: object, run: CaseRun) -> Named:
    return named_by(run.observation)


def _evidence(last: tuple[Chunk | Step, ...], _run: CaseRun) -> tuple[Chunk | str, ...]:
    """Chunks, or the ids of what all steps saw."""
    steps = tuple(one for step in last if isinstance(step, Step) for one in step.seen)
    return (*(one for one in last if isinstance(one, Chunk)), *steps)


def _parts(_: object, run: CaseRun) -> frozenset[str] | None:
    """Ids of chunks that are from a document of another name; None where there is no such."""
    chunks = chunks_of(named_by(run.observation))
    parts = (chunk.id for chunk in chunks if document_of(chunk) not in (None, chunk.id))
    return frozenset(parts) or None


def _placed(chunks: tuple[Chunk, ...], _run: CaseRun) -> tuple[Placed, ...] | None:
    """Each chunk with its document, start and end, as far as it tells; None where none does."""
    found = tuple((one, place_of(one)) for one in chunks)
    return found if not found or any(place is not None for _, place in found) else None


def _spans(spans: tuple[SourceSpan, ...], _run: CaseRun) -> tuple[SourceSpan, ...] | None:
    return spans or None


def _output_and_entities(_: object, run: CaseRun) -> tuple[Any, tuple[Mention, ...]]:
    """The structured output, None without one, and the entities, possibly none."""
    trace = run.observation.answer and run.observation.answer.trace
    return (trace.output, trace.entities or ()) if trace else (None, ())


Merged: TypeAlias = tuple[str, str | None]
"""A document, and the one that it is said to duplicate; None for an original."""


def _merged(parsed: Parsed, run: CaseRun) -> Merged:
    return run.case.id, parsed.duplicate_of


def _not_empty(labels: tuple[T, ...], _run: CaseRun) -> tuple[T, ...] | None:
    """An empty list of labels is as good as none."""
    return labels or None


Exposed: TypeAlias = tuple[EventKind, ...]
Events: TypeAlias = tuple[Event, ...]
"""What the user did, possibly nothing."""


def _events(*kinds: EventKind, of_any: bool = False) -> Callable[[Exposed, CaseRun], Events | None]:
    """Events of these kinds; None where one of them (or all) is not recorded: nothing is known."""

    def read(exposed: Exposed, run: CaseRun) -> Events | None:
        recorded = [kind in exposed for kind in kinds]
        if run.observation.feedback is None or not (any if of_any else all)(recorded):
            return None
        return tuple(one for one in run.observation.feedback.events if one.kind in kinds)

    return read


def _should_abstain(_question: str, run: CaseRun) -> bool | None:
    """The case is unanswerable, or what its answer was to rest on does not permit one.

    A question that someone put into a dataset can be answered where nothing says otherwise; what
    users ask in production need not be one.
    """
    told: bool | None = getattr(run.case, "answerable_from_context", None)
    if run.case.kind is CaseKind.UNANSWERABLE:
        return True
    if told is not None:
        return not told
    has_truth = any(getattr(run.case, one, None) for one in _TRUTHS)
    return False if has_truth or run.case.split is not Split.MONITORING else None


_TRUTHS = ("expected_answer", "expected_nuggets", "expected_source_ids", "expected_spans")


# One line, one input.
# fmt: off
# The case says
QUESTION: Need[str] = Need(("case.question",), "case has no question", _asked)
LAST_QUESTION: Need[str] = Need(("case.question",), QUESTION.reason)
EXPECTED_SOURCES: Need[frozenset[str]] = Need(("case.expected_source_ids",), "case has no expected_source_ids", _relevant)
GRADES: Need[Mapping[str, int]] = Need(("case.expected_source_ids",), EXPECTED_SOURCES.reason, _grades)
JUDGED: Need[frozenset[str]] = Need(("case.expected_source_ids",), "case has no graded expected_source_ids", _judged)
EXPECTED_ANSWER: Need[tuple[str, ...]] = Need(("case.expected_answer",), "case has no expected_answer", _accepted)
ANSWERABLE: Need[bool] = Need(("case.answerable_from_context",), "case has no answerable_from_context")
SHOULD_ABSTAIN: Need[bool] = Need(("case.question",), "traffic: whether its question can be answered is not known", _should_abstain)
PAYLOAD: Need[str] = Need(("case.adversarial_payload",), "case has no adversarial_payload")
PLANTED: Need[frozenset[str]] = Need(("case.planted_source_ids",), "case has no planted_source_ids", _planted)
ELIGIBLE: Need[frozenset[str]] = Need(("case.eligible_source_ids",), "case has no eligible_source_ids", _ids)
EXPECTED_FILTER: Need[Mapping[str, Any]] = Need(("case.expected_filter",), "case has no expected_filter")
EXPECTED_INTENT: Need[str] = Need(("case.expected_intent",), "case has no expected_intent")
EXPECTED_ROUTE: Need[str] = Need(("case.expected_route",), "case has no expected_route")
EXPECTED_SPANS: Need[tuple[SourceSpan, ...]] = Need(("case.expected_spans",), "case has no expected_spans", _spans)
DISTRACTORS: Need[frozenset[str]] = Need(("case.distractor_source_ids",), "case has no distractor_source_ids", _planted)
EXPECTED_ENTITIES: Need[tuple[Mention, ...]] = Need(("case.expected_entities",), "case has no expected_entities")
NUGGETS: Need[tuple[Nugget, ...]] = Need(("case.expected_nuggets",), "case has no expected_nuggets", _nuggets)
VARIANT_OF: Need[str] = Need(("case.variant_of",), "case varies no other")
RELATION: Need[Relation] = Need(("case.expected_relation",), "case has no expected_relation")
PERTURBATION: Need[str] = Need(("case.tags",), "case has no tag perturbation", _perturbation)
SUPERSEDED: Need[frozenset[str]] = Need(("case.superseded_source_ids",), "case has no superseded_source_ids", _planted)
EXPECTED_SCHEMA: Need[Mapping[str, Any]] = Need(("case.expected_schema",), "case has no expected_schema")
EXPECTED_TEXT: Need[str] = Need(("case.expected_text",), "case has no expected_text")
DOCUMENT_TEXT: Need[str] = Need(("case.document.text",), "case has no document.text")
EXPECTED_ELEMENTS: Need[tuple[Element, ...]] = Need(("case.expected_elements",), "case has no expected_elements")
EXPECTED_TABLES: Need[tuple[str, ...]] = Need(("case.expected_tables",), "case has no expected_tables")
EXPECTED_LANGUAGE: Need[str] = Need(("case.expected_language",), "case has no expected_language")
EXPECTED_BOILERPLATE: Need[tuple[tuple[int, int], ...]] = Need(("case.expected_boilerplate",), "case has no expected_boilerplate")
EXPECTED_PII: Need[tuple[TypedSpan, ...]] = Need(("case.expected_pii",), "case has no expected_pii")
DUPLICATE_GROUP: Need[str] = Need(("case.duplicate_group",), "no case has a duplicate_group")
EXPECTED_SECTIONS: Need[tuple[Section, ...]] = Need(("case.expected_sections",), "case has no expected_sections", _not_empty)
BOUNDARIES: Need[tuple[Boundary, ...]] = Need(("case.expected_boundaries",), "case has no expected_boundaries", _not_empty)
EXPECTED_TITLE: Need[str] = Need(("case.expected_title",), "case has no expected_title")
EXPECTED_NAMED_ENTITIES: Need[tuple[TypedSpan, ...]] = Need(("case.expected_named_entities",), "case has no expected_named_entities")
EXPECTED_RELATIONS: Need[tuple[tuple[str, str, str], ...]] = Need(("case.expected_relations",), "case has no expected_relations")
LABELLED_TEXT: Need[str] = Need(("case.document.text", "case.expected_text", "observation.parsed.text"), "no text of the document; expose parse or label expected_text")
CUT_TEXT: Need[str] = Need(("observation.parsed.text", "case.document.text", "case.expected_text"), LABELLED_TEXT.reason)
REPEAT: Need[int] = Need(("repeat",), "the trial is not numbered")

# The adapter exposes
RETRIEVAL: Need[tuple[str, ...]] = Need(("observation.retrieved",), "adapter does not expose retrieval", _ranked)
SCORES: Need[Mapping[str, float]] = Need(("observation.retrieved",), "adapter does not expose retrieval scores", _scores)
ANSWER: Need[Answer] = Need(("observation.answer",), "adapter did not produce an answer")
CITATIONS: Need[tuple[Citation, ...]] = Need(("observation.answer.citations",), "answer has no citations", _some)
CITED: Need[tuple[Citation, ...]] = Need(("observation.answer.citations",), "adapter does not expose citations")
CONTEXT: Need[tuple[Chunk, ...]] = Need(("observation.answer.retrieved_chunks", "observation.retrieved"), "neither the answer nor the adapter gives a context")
SUPPLIED: Need[tuple[Chunk, ...]] = Need(("observation.answer.trace.context", "observation.answer.retrieved_chunks", "observation.retrieved"), "adapter does not expose what the model was given")
COMPRESSED: Need[tuple[int, int]] = Need(("observation.answer.trace.context_tokens_in",), "adapter does not expose the context's token counts", _compressed)
STAGES: Need[tuple[Stage, ...]] = Need(("observation.answer.trace.stages",), "adapter does not expose stages")
WAITING: Need[tuple[tuple[str, float], ...]] = Need(("observation.answer.trace.stages",), "no stage tells its queue_seconds", _waiting)
TOKENS: Need[tuple[Stage, ...]] = Need(("observation.answer.trace.stages",), "no stage tells its tokens", _counting)
FIRST_TOKEN: Need[float] = Need(("observation.answer.trace.first_token_seconds",), "adapter does not expose first_token_seconds")
SECONDS: Need[float] = Need(("observation.seconds",), "adapter was not timed")
ASKED_AT: Need[float] = Need(("observation.asked_at",), "the time at which the case was asked is not known")
COSTED: Need[tuple[Stage, ...]] = Need(("observation.answer.trace.stages",), "the stages' cost is not known")
CACHES: Need[tuple[Stage, ...]] = Need(("observation.answer.trace.stages",), "no stage tells its cache", _cached)
QUEUED: Need[tuple[Stage, ...]] = Need(("observation.answer.trace.stages",), WAITING.reason, _queued)
FOUND: Need[tuple[Chunk, ...]] = Need(("observation.retrieved",), RETRIEVAL.reason)
PLACED: Need[tuple[Placed, ...]] = Need(("observation.retrieved",), "adapter does not tell the places of retrieved chunks", _placed)
SURVIVORS: Need[frozenset[str]] = Need(("observation.answer.trace.survivors",), "adapter does not expose survivors of the filter", _ids)
FILTER: Need[Mapping[str, Any]] = Need(("observation.answer.trace.filter",), "adapter does not expose the filter")
LANES: Need[Mapping[str, tuple[Chunk, ...]]] = Need(("observation.answer.trace.lanes",), "adapter does not expose lanes")
CANDIDATES: Need[tuple[Chunk, ...]] = Need(("observation.answer.trace.candidates",), "adapter does not expose candidates")
RERANKED: Need[tuple[Chunk, ...]] = Need(("observation.answer.trace.reranked",), "adapter does not expose the reranked list")
CONFIDENCE: Need[float] = Need(("observation.answer.trace.confidence",), "adapter does not expose its confidence")
SAMPLES: Need[tuple[str, ...]] = Need(("observation.answer.trace.samples",), "adapter does not expose samples", _samples)
INTENT: Need[str] = Need(("observation.answer.trace.intent",), "adapter does not expose the intent")
ROUTE: Need[str] = Need(("observation.answer.trace.route",), "adapter does not expose the route")
ENTITIES: Need[tuple[Mention, ...]] = Need(("observation.answer.trace.entities",), "adapter does not expose entities")
STEPS: Need[tuple[Step, ...]] = Need(("observation.answer.trace.steps",), "adapter does not expose steps")
STOP_REASON: Need[str] = Need(("observation.answer.trace.stop_reason",), "adapter does not expose stop_reason")
EVIDENCE: Need[tuple[Chunk | str, ...]] = Need(("observation.answer.trace.context", "observation.answer.trace.steps", "observation.answer.retrieved_chunks"), "adapter does not expose the final evidence", _evidence)
OUTPUT: Need[Any] = Need(("observation.answer.trace.output", "observation.answer.answer_text"), "adapter exposes neither an output nor an answer")
OUTPUT_OR_ENTITIES: Need[tuple[Any, tuple[Mention, ...]]] = Need(("observation.answer.trace.output", "observation.answer.trace.entities"), "adapter exposes neither an output nor entities", _output_and_entities)
NAMED: Need[Named] = Need(ALL_LISTS, "adapter does not expose any sources", _named)
PARTS: Need[frozenset[str]] = Need(CHUNK_LISTS, "no chunk is part of a document", _parts)
PARSED: Need[Parsed] = Need(("observation.parsed",), "adapter does not expose parsing")
ELEMENTS: Need[tuple[Element, ...]] = Need(("observation.parsed.elements",), "adapter does not expose elements")
TABLES: Need[tuple[str, ...]] = Need(("observation.parsed.tables",), "adapter does not expose tables")
LANGUAGE: Need[str] = Need(("observation.parsed.language",), "adapter does not expose the language")
REMOVED: Need[tuple[tuple[int, int], ...]] = Need(("observation.parsed.removed",), "adapter does not expose what cleaning removed")
PII: Need[tuple[TypedSpan, ...]] = Need(("observation.parsed.pii",), "adapter does not expose pii")
MERGED: Need[Merged] = Need(("observation.parsed",), "adapter does not expose duplicate_of", _merged)
CHUNKS: Need[tuple[Chunk, ...]] = Need(("observation.chunks",), "adapter does not expose chunking")
TITLE: Need[str] = Need(("observation.parsed.title",), "adapter does not expose the title")
NAMED_ENTITIES: Need[tuple[TypedSpan, ...]] = Need(("observation.parsed.named_entities",), "adapter does not expose named_entities")
RELATIONS: Need[tuple[tuple[str, str, str], ...]] = Need(("observation.parsed.relations",), "adapter does not expose relations")

# The user did
FEEDBACK: Need[Feedback] = Need(("observation.feedback",), "no user events were recorded")
ASKED_AGAIN: Need[Events] = Need(("observation.feedback.exposed",), "neither regenerate nor follow_up is recorded", _events(EventKind.REGENERATE, EventKind.FOLLOW_UP, of_any=True))
OPENS: Need[Events] = Need(("observation.feedback.exposed",), "open is not recorded", _events(EventKind.OPEN))
DWELLS: Need[Events] = Need(("observation.feedback.exposed",), "dwell is not recorded", _events(EventKind.DWELL))
COPIES: Need[Events] = Need(("observation.feedback.exposed",), "copy is not recorded", _events(EventKind.COPY))
SHARES: Need[Events] = Need(("observation.feedback.exposed",), "share is not recorded", _events(EventKind.SHARE))
EXPORTS: Need[Events] = Need(("observation.feedback.exposed",), "export is not recorded", _events(EventKind.EXPORT))
FOLLOW_UPS: Need[Events] = Need(("observation.feedback.exposed",), "follow_up is not recorded", _events(EventKind.FOLLOW_UP))
VOTES: Need[Events] = Need(("observation.feedback.exposed",), "thumbs_up and thumbs_down are not both recorded", _events(EventKind.THUMBS_UP, EventKind.THUMBS_DOWN))
COMPLAINTS: Need[Events] = Need(("observation.feedback.exposed",), "thumbs_down is not recorded", _events(EventKind.THUMBS_DOWN))
EDITS: Need[Events] = Need(("observation.feedback.exposed",), "edit is not recorded", _events(EventKind.EDIT))

# Was read of the answer, once
REFUSAL: Need[Refusal] = Need(("readings.refusal",), "the refusal rule does not cover the answer's language", version=2)

# The run is equipped with
JUDGE: Need[Judge] = Need(("judge",), "no judge is configured")
ONTOLOGY: Need[Ontology] = Need(("ontology",), "no ontology is configured")
CORPUS: Need[Corpus] = Need(("corpus",), "no corpus is configured")
PRICES: Need[PriceList] = Need(("prices",), "no prices are configured")
NLI: Need[PairModel] = Need(("local.nli",), "no local entailment model is configured")
CROSS_ENCODER: Need[PairModel] = Need(("local.cross_encoder",), "no local cross-encoder is configured")

# The adapter can be asked for more
RETRIEVE: Need[Retrieve] = Need(("pipeline.retrieve",), "adapter has no retrieve to call again")
RERANK: Need[Rerank] = Need(("pipeline.rerank",), "adapter has no rerank")
GENERATE: Need[Generate] = Need(("pipeline.generate",), "adapter has no generate")
EMBED: Need[Embed] = Need(("pipeline.embed", "local.embed"), "neither the adapter nor a local model gives embeddings")
RESOLVE: Need[Resolve] = Need(("pipeline.document",), "adapter has no document")
RESOLVER: Need[Resolve | Corpus] = Need(("pipeline.document", "corpus"), "neither the adapter nor a corpus gives documents by id")
