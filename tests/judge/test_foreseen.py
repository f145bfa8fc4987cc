"""What an item brings along is answered first, and the rest by the pipeline that is there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from scripts import saying

from ragproof.core import (
    AdapterError,
    Chunk,
    LocalModels,
    MissingInput,
    ModelError,
    Pipeline,
    QuestionCase,
    Tools,
    UsageError,
)
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import judged, scorer
from ragproof.judge.foreseen import Foreseen
from ragproof.judge.items import Item, read_items
from ragproof.metrics import catalog

CASE = QuestionCase(id="q", question="?")
SIMILARITY = "generation.question_similarity"


def item(foreseen: Foreseen | None) -> Item:
    return Item(
        id="a", metric=SIMILARITY, question="When?", answer="In 1832.", pipeline=foreseen, score=1.0
    )


def found(foreseen: Foreseen, fact: str, k: int) -> list[str]:
    async def search() -> list[str]:
        retrieve = foreseen.before(Tools()).retrieve
        assert retrieve is not None
        return [one.id for one in await retrieve(CASE, fact, k)]

    return asyncio.run(search())


def embedded(foreseen: Foreseen, tools: Tools, *texts: str) -> list[tuple[float, ...]]:
    async def vectors() -> list[tuple[float, ...]]:
        embed = foreseen.before(tools).embed
        assert embed is not None
        return [tuple(one) for one in await embed(texts)]

    return asyncio.run(vectors())


async def elsewhere(texts: Any) -> list[list[float]]:
    return [[9.0, float(len(one))] for one in texts]


def test_whatever_is_asked_the_best_by_words_come_first_and_there_are_k() -> None:
    some = Foreseen(retrieve=("The mill is old.", Chunk(id="b", text="The gate is red."), "Ships."))
    assert found(some, "Is the gate red?", 2) == ["b", "s1"]
    assert found(some, "Ships sail", 1) == ["s3"]
    assert found(some, "nothing of the kind", 5) == ["s1", "b", "s3"]
    assert found(Foreseen(retrieve=()), "anything", 5) == []


def test_vectors_of_one_call_are_all_foreseen_or_all_from_elsewhere() -> None:
    some = Foreseen(embed={"When?": (1.0, 0.0), "Where?": (0.0, 1.0)})
    there = Tools(pipeline=Pipeline(embed=elsewhere))
    assert embedded(some, there, "When?", "Where?") == [(1.0, 0.0), (0.0, 1.0)]
    assert embedded(some, there, "When?", "Who?") == [(9.0, 5.0), (9.0, 4.0)]
    with pytest.raises(MissingInput, match=r"the item has no vector of 'Who\?'"):
        embedded(some, Tools(), "When?", "Who?")


def test_what_an_item_does_not_bring_the_pipeline_that_is_there_answers() -> None:
    judge = ModelJudge(saying())
    there = Tools(pipeline=Pipeline(embed=elsewhere))
    bare, bringing = item(None), item(Foreseen(retrieve=("x",)))
    assert bare.tools(judge).pipeline is None
    assert bare.tools(judge, there).pipeline is there.pipeline
    pipeline = bringing.tools(judge, there).pipeline
    assert pipeline is not None
    assert pipeline.embed is elsewhere
    assert bare.whatever_is_asked == set()
    assert bringing.whatever_is_asked == {"retrieve"}


def test_an_item_for_which_nobody_embeds_is_told_and_a_failing_embedder_is_its_error() -> None:
    said = {"noncommittal": False, "questions": ["In which year?", "What year?", "When is it?"]}
    scorers = {SIMILARITY: scorer(catalog.build(SIMILARITY))}

    async def broken(_: Any) -> list[list[float]]:
        raise AdapterError("embed() raised ValueError: out of order")

    class Broken:
        fingerprint = "broken"

        async def __call__(self, _: Any) -> list[list[float]]:
            raise ModelError("the local model m gave what is no finite number")

    def scored(tools: Tools | None) -> Any:
        judge = ModelJudge(saying(said))
        return asyncio.run(judged([item(None)], scorers, lambda _: judge, tools=tools))

    with pytest.raises(UsageError, match="cannot be scored: neither the adapter nor a local model"):
        scored(None)
    [one] = scored(Tools(pipeline=Pipeline(embed=broken)))
    assert (one.score, one.error) == (None, "embed() raised ValueError: out of order")
    [one] = scored(Tools(local=LocalModels(embed=Broken())))
    assert (one.score, one.error) == (None, "the local model m gave what is no finite number")


def test_lines_bring_along_texts_chunks_and_vectors(tmp_path: Path) -> None:
    line: dict[str, Any] = {"id": "a", "metric": SIMILARITY, "answer": "x", "score": 1}
    path = tmp_path / "labels.jsonl"
    pipeline = {"retrieve": ["one", {"id": "k", "text": "two"}], "embed": {"x": [1, 0.5]}}
    path.write_text(json.dumps(line | {"pipeline": pipeline}))
    [one] = read_items(path)
    assert one.pipeline == Foreseen(
        retrieve=("one", Chunk(id="k", text="two")), embed={"x": (1.0, 0.5)}
    )
    path.write_text(json.dumps(line | {"pipeline": {"retrive": []}}))
    with pytest.raises(UsageError, match=r"labels.jsonl:1: pipeline.retrive: unknown key"):
        read_items(path)
