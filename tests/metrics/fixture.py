"""Read a metric's fixture file and play what it describes, by the engine's own operation."""

from __future__ import annotations

import asyncio
import atexit
import json
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, model_validator
from scripted_models import ScriptedModels

from ragproof.core import (
    Answer,
    Case,
    CaseRun,
    Chunk,
    Citation,
    DocumentCase,
    Entity,
    Feedback,
    Level,
    Metric,
    Observation,
    Ontology,
    Outcome,
    Parsed,
    Pipeline,
    Pool,
    QuestionCase,
    Reply,
    Scored,
    SourceMatch,
    Spec,
    Subject,
    Tools,
    Trace,
    Weighed,
)
from ragproof.core.price_list import PriceList
from ragproof.engine.gather import Gathering
from ragproof.engine.run import wanted
from ragproof.engine.score import outcomes, read
from ragproof.judge.ask import ModelJudge
from ragproof.llm.model import Ask
from ragproof.metrics import catalog
from ragproof.wiring.plan import READINGS

T = TypeVar("T")
HERE = Path(__file__).parent
QUESTION = TypeAdapter(QuestionCase)
DOCUMENT = TypeAdapter(DocumentCase)
Number: TypeAlias = Annotated[
    float, BeforeValidator(lambda n: float(Fraction(n)) if isinstance(n, str) else n)
]
ChunkLine: TypeAlias = Annotated[
    Chunk, BeforeValidator(lambda one: {"id": one} if isinstance(one, str) else one)
]
CitationLine: TypeAlias = Annotated[
    Citation, BeforeValidator(lambda one: {"chunk_id": one} if isinstance(one, str) else one)
]


def with_chunks(trace: Any) -> Any:
    """Ids alone stand for chunks in the lists of a trace too."""
    if not isinstance(trace, dict):
        return trace
    lists = {name: trace[name] for name in ("candidates", "reranked", "context") if name in trace}
    found: dict[str, Any] = {
        name: [chunk_of(one) for one in given] for name, given in lists.items()
    }
    if "lanes" in trace:
        found["lanes"] = {
            lane: [chunk_of(one) for one in trace["lanes"][lane]] for lane in trace["lanes"]
        }
    return {**trace, **found}


def chunk_of(one: Any) -> Any:
    return {"id": one} if isinstance(one, str) else one


class Scene(BaseModel):
    """One case, what was seen of it, and what is to come out."""

    model_config = ConfigDict(extra="forbid")

    case: dict[str, Any] = {}
    retrieved: tuple[ChunkLine, ...] | None = None
    answer: str | None = None
    citations: tuple[CitationLine, ...] | None = None
    context: tuple[ChunkLine, ...] | None = None
    """The answer's own `retrieved_chunks`."""
    trace: Annotated[Trace | None, BeforeValidator(with_chunks)] = None
    """The answer's."""
    parsed: Parsed | None = None
    """Of a case of kind `document`; so are `chunks`."""
    chunks: tuple[ChunkLine, ...] | None = None
    seconds: float | None = None
    asked_at: float | None = None
    feedback: Feedback | None = None
    source_match: SourceMatch = SourceMatch.CHUNK
    repeat: int = 0
    judge: list[dict[str, Any] | str] | None = None
    """What the judge replies, in order; without it there is no judge. With probabilities of the
    last rating: `{says: {...}, weighed: {"4": 0.6, "5": 0.3}}`."""

    scored: Number | dict[str, Number] | None = None
    """The value, or label to value where there are several."""
    skipped: str | None = None
    not_applicable: str | None = None
    judge_error: str | None = None
    """Part of the message."""
    evidence: dict[str, Any] | None = None
    because: str = ""

    def to_run(self, number: int) -> CaseRun:
        case = self.to_case(number)
        answer = None
        if self.answer is not None:
            answer = Answer(
                answer_text=self.answer,
                citations=self.citations,
                retrieved_chunks=self.context,
                trace=self.trace,
            )
        seen = Observation(
            case_id=case.id,
            retrieved=self.retrieved,
            answer=answer,
            parsed=self.parsed,
            chunks=self.chunks,
            seconds=self.seconds,
            asked_at=self.asked_at,
            feedback=self.feedback,
        )
        return CaseRun(case, seen, repeat=self.repeat, source_match=self.source_match)

    def to_case(self, number: int) -> Case:
        given = {"id": f"q{number}", **self.case}
        if given.get("kind") == "document":
            return DOCUMENT.validate_python(given)
        return QUESTION.validate_python({"question": "?", **given})


class Scripted(BaseModel):
    """A pipeline's answers to further calls; what is not in it, it cannot do."""

    model_config = ConfigDict(extra="forbid")

    retrieve: dict[str, tuple[ChunkLine, ...]] | None = None
    """By question; nothing is found for any other."""
    rerank: dict[str, list[str]] | None = None
    """By question: the ids in their new order."""
    generate: dict[str, str] | None = None
    """By the context's ids, joined by blanks."""
    embed: dict[str, list[float]] | None = None
    """By text."""
    document: dict[str, str] | None = None
    """By id."""

    def to_pipeline(self) -> Pipeline:
        async def retrieve(_case: Case, question: str, k: int) -> tuple[Chunk, ...]:
            return (self.retrieve or {}).get(question, ())[:k]

        async def rerank(_case: Case, question: str, chunks: Any) -> tuple[Chunk, ...]:
            by_id = {one.id: one for one in chunks}
            return tuple(by_id[name] for name in (self.rerank or {})[question])

        async def generate(_case: Case, _question: str, context: Any) -> Answer:
            return Answer(answer_text=(self.generate or {})[" ".join(c.id for c in context)])

        async def embed(texts: Any) -> list[list[float]]:
            return [(self.embed or {})[one] for one in texts]

        async def document(document_id: str) -> str | None:
            return (self.document or {}).get(document_id)

        can: dict[str, Any] = {
            "retrieve": retrieve,
            "rerank": rerank,
            "generate": generate,
            "embed": embed,
            "document": document,
        }
        return Pipeline(**{k: v for k, v in can.items() if getattr(self, k) is not None})


class Example(Scene):
    """One scene, or several under `cases` with the figure of them all."""

    name: str
    params: dict[str, Any] = {}
    cases: list[Scene] | None = None
    """Written out, or the name of a file of scenes beside this module. For a metric of groups or
    sets they are what one is made of, and the outcome stands beside them."""
    corpus: dict[str, str] | None = None
    """Document id to text."""
    ontology: dict[str, list[str] | dict[str, Any]] | None = None
    """Entity id to its parents, or to all that an entity has."""
    prices: PriceList | None = None
    """What stages, models and storage cost."""
    local: ScriptedModels | None = None
    """Small models on this machine."""
    pipeline: Scripted | None = None
    """What the adapter says when a metric calls it."""
    each: list[Number] | None = None
    """The scores of `cases`, in their order."""
    pooled: Number | None = None

    @model_validator(mode="before")
    @classmethod
    def read_named_cases(cls, given: dict[str, Any]) -> dict[str, Any]:
        if isinstance(name := given.get("cases"), str):
            return {**given, "cases": loaded(HERE / name)}
        return given

    @model_validator(mode="after")
    def says_what_comes_out(self) -> Example:
        said = (self.scored, self.skipped, self.not_applicable, self.judge_error, self.pooled)
        assert sum(one is not None for one in said) == 1, f"{self.name}: name one outcome"
        return self

    @property
    def scenes(self) -> list[Scene]:
        return [self] if self.cases is None else self.cases

    def runs(self) -> list[CaseRun]:
        return [scene.to_run(number) for number, scene in enumerate(self.scenes, 1)]

    def tools(self) -> Tools:
        """What the metric is handed: a judge that says what the scenes have it say."""
        scripts = [scene.judge for scene in self.scenes if scene.judge is not None]
        replies = iter([reply for script in scripts for reply in script])
        return Tools(
            judge=ModelJudge(ScriptedModel(replies)) if scripts else None,
            pipeline=None if self.pipeline is None else self.pipeline.to_pipeline(),
            corpus=None if self.corpus is None else ScriptedCorpus(self.corpus),
            ontology=None if self.ontology is None else ontology_of(self.ontology),
            prices=self.prices,
            local=None if self.local is None else self.local.to_models(),
        )


def ontology_of(given: dict[str, list[str] | dict[str, Any]]) -> Ontology:
    """Entities from their parents, or from all that they have."""
    told: list[tuple[str, dict[str, Any]]] = [
        (one, up if isinstance(up, dict) else {"parents": up}) for one, up in given.items()
    ]
    return Ontology(
        Entity(
            one,
            name=has.get("name"),
            parents=tuple(has.get("parents", ())),
            synonyms=tuple(has.get("synonyms", ())),
            aliases=tuple(has.get("aliases", ())),
        )
        for one, has in told
    )


class ScriptedCorpus(dict[str, str]):
    """Documents from a mapping."""

    def text(self, document_id: str, /) -> str | None:
        return self.get(document_id)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    atexit.register(loop.close)
    return loop


def told(asked: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine; one loop for all, since making one costs more than scoring."""
    return _loop().run_until_complete(asked)


@dataclass
class ScriptedModel:
    """Replies from a list, in order."""

    replies: Iterator[dict[str, Any] | str]
    fingerprint: str = "scripted"
    asked: list[Ask] = field(default_factory=list)

    async def reply(self, ask: Ask, /) -> Reply:
        self.asked.append(ask)
        reply = next(self.replies)
        weighed: dict[str, float] | None = None
        if isinstance(reply, dict) and "weighed" in reply:
            weighed, reply = reply["weighed"], reply["says"]
        text = reply if isinstance(reply, str) else json.dumps(reply)
        if weighed is None:
            return Reply(text, usd=0.001)
        at = max(text.rfind(digit) for digit in "12345")  # the rating comes last
        return Reply(text, usd=0.001, weighed=(Weighed(at, text[at], weighed),))

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class Played:
    """What an example came to."""

    outcomes: list[dict[str, Outcome]]
    """One a case, or one of the group or set: label to outcome."""
    pooled: float | None
    scenes: list[Scene]
    """Where the outcomes are written."""


def play(metric_id: str, example: Example) -> Played:
    """Build the metric as the example says and score what the example describes."""
    metric = catalog.build(metric_id, **example.params)
    tools = example.tools()
    if metric.level is Level.CASE:
        found, scenes = [by_label(metric, run, tools) for run in example.runs()], example.scenes
    else:
        found, scenes = [together(metric, example.runs(), tools)], [example]
    values = [one for each in found for one in each.values()]
    return Played(found, pooled(metric.spec, values), scenes)


def together(metric: Metric[Any], runs: list[CaseRun], tools: Tools) -> dict[str, Outcome]:
    """What the engine makes of the metric on the only run, or the only group or set of them."""
    if metric.level is Level.CASE:
        [run] = runs
        return scores(metric, run, tools)
    heap = Gathering(metric)
    for run in runs:
        heap.add(known(metric, run, tools))
    [subject] = heap.subjects().values()
    return scores(metric, subject, tools)


def outcome(metric: Metric[Any], run: CaseRun) -> Outcome:
    """What the engine makes of the metric on the run, where that is one figure."""
    [found] = together(metric, [known(metric, run, Tools())], Tools()).values()
    return found


def by_label(metric: Metric[Any], run: CaseRun, tools: Tools | None = None) -> dict[str, Outcome]:
    """What the engine makes of the metric on the run; a figure without a label has an empty one."""
    tools = tools or Tools()
    return scores(metric, known(metric, run, tools), tools)


def known(metric: Metric[Any], run: CaseRun, tools: Tools) -> CaseRun:
    """The run with what the metric needs to have read of it."""
    seen, _ = told(read(run, wanted(READINGS, {"m": metric}), tools))
    return seen


def scores(metric: Metric[Any], run: Subject, tools: Tools) -> dict[str, Outcome]:
    """What the engine makes of the metric on a subject that has been read."""
    rows = told(outcomes(run, {"m": metric}, tools))
    lead = f"m[{metric.spec.each}="
    return {row.key[len(lead) : -1] if row.key != "m" else "": row.outcome for row in rows}


def pooled(spec: Spec, found: list[Outcome]) -> float | None:
    """The mean of what was scored, or the ratio of sums; written again, to check by."""
    scored = [one for one in found if isinstance(one, Scored)]
    weights = [one.weight if spec.pool is Pool.RATIO else 1.0 for one in scored]
    summed = sum(one.value * weight for one, weight in zip(scored, weights, strict=True))
    return summed / sum(weights) if sum(weights) else None


def path(metric_id: str) -> Path:
    return HERE / f"{metric_id.replace('.', '/')}.yaml"


def loaded(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


@cache
def examples(metric_id: str) -> list[Example]:
    return TypeAdapter(list[Example]).validate_python(loaded(path(metric_id)))


def scored_example(metric_id: str) -> Example:
    return next(example for example in examples(metric_id) if example.scored is not None)


def all_examples() -> Iterator[tuple[str, Example]]:
    for metric_id in catalog.ids():
        if path(metric_id).exists():
            for example in examples(metric_id):
                yield metric_id, example
