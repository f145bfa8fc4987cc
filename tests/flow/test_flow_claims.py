"""Judged metrics that call the pipeline again: in a run, a plan, and where a judge is measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import PRICES, Provider, best, serving
from project import Project, question

from ragproof.core import Scored
from ragproof.store.open import open_store

CASES = 3
METRICS = ("generation.factscore", "generation.claim_support", "generation.question_similarity")
SIMILARITY = METRICS[-1]
WITHOUT = """
    class Pipeline:
        def retrieve(self, question, k):
            note(question)
            texts = {"a": "The gate is red.", "b": "Walls are old."}
            found = ["a"] if "gate" in question else ["b"]
            return [{"id": one, "text": texts[one]} for one in found]

        def answer(self, question):
            context = [{"id": "b", "text": "Walls are old."}]
            return {"answer_text": "The gate is red. It hums.", "retrieved_chunks": context}
"""
PIPELINE = f"""{WITHOUT}
        def embed(self, texts):
            return [[3.0, 4.0] if "gate" in one else [4.0, 3.0] if "?" in one else [1.0, 0.0]
                    for one in texts]
"""
LEFT_OUT = {SIMILARITY: "neither the adapter nor a local model gives embeddings"}


def says(prompt: str) -> str:
    """Take an answer apart, support what is on a gate, and know what was asked."""
    if '"misleading"' in prompt:
        passages = re.search(r'<passage-\w+ id="(p\d+)">\nThe gate is red', prompt)
        facts = []
        for name, text in re.findall(r'<fact-\w+ id="(f\d+)" [^>]*>\n(.*?)\n</fact', prompt):
            held = passages is not None and "red" in text
            verdict = "supported" if held else "unsupported"
            by = [passages[1]] if held and passages else []
            one = {"id": name, "verdict": verdict, "supported_by": by, "missing_modifier": ""}
            facts.append(one)
        return json.dumps({"facts": facts, "misleading": []})
    if '"repeats"' in prompt:
        texts = ("The gate is red.", "The gate hums.")
        return json.dumps(
            {
                "facts": [
                    {"id": f"f{n}", "text": t, "quote": t, "repeats": "", "trivial": False}
                    for n, t in enumerate(texts, 1)
                ]
            }
        )
    if '"noncommittal"' in prompt:
        asked = ["What is the gate?", "How is the gate?", "Which gate?"]
        return json.dumps({"noncommittal": False, "questions": asked})
    return best(prompt)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider(says_by={"m": says})) as one:
        yield one


def judged(folder: Path, provider: Provider, pipeline: str = PIPELINE) -> Project:
    project = Project(folder, pipeline)
    project.dataset(question(n, question=f"What is number {n}?") for n in range(CASES))
    judge = f"model: m, base_url: {provider.url!r}, concurrency: 4, prices: {PRICES}"
    project.config(f"metrics: [{', '.join(METRICS)}]\njudge: {{{judge}}}\n")
    return project


def test_facts_are_searched_for_and_checked_in_a_run(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider)
    done = project.run("run", "--json").document
    assert done["metrics"]["generation.factscore"]["mean"] == 0.5
    assert done["metrics"]["generation.claim_support"]["mean"] == 0.5
    assert done["metrics"][SIMILARITY]["mean"] == pytest.approx(0.96)
    assert project.asked.count("The gate hums.") == 2 * CASES, "by either metric"
    with open_store(project.store, create=False) as store:
        rows = {row.key: row for row in store.detail(done["run_id"], "q0").rows}
    assert len(rows["generation.factscore"].replies) == 2
    support = rows["generation.claim_support"].outcome
    assert isinstance(support, Scored)
    assert (support.evidence["by_context"], support.evidence["by_search"]) == (0, 1)
    facts = support.evidence["facts"]
    assert isinstance(facts, list)
    assert [(one["evidence"], one["supported_by"]) for one in facts] == [
        (["b", "a"], ["a"]),
        (["b", "a"], []),
    ]


def test_a_plan_counts_every_prompt_of_every_case(tmp_path: Path, provider: Provider) -> None:
    project = judged(tmp_path, provider)
    told = project.run("run", "--plan", "--json").document
    assert told["calls_by_metric"] == dict(zip(METRICS, (2 * CASES, 2 * CASES, CASES), strict=True))
    done = project.run("run", "--json").document
    assert done["judge"]["calls"] == provider.calls <= told["calls"]
    assert done["judge"]["calls"] + done["judge"]["cache_hits"] == told["calls"]
    again = project.run("run", "--plan", "--json").document
    assert again["calls"] == told["calls"], "a second prompt is no repair of the first"
    listed = project.run("run", "--metrics", "context.list_relevance", "--plan", "--json")
    assert listed.document["calls"] == 2 * CASES


def test_a_judge_is_calibrated_by_the_embedder_of_the_configured_pipeline(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider)
    only = ("calibrate", "--metric", SIMILARITY, "--json")
    done = project.run(*only, "--record", "replies.jsonl")
    assert done.code == 1, done.err
    assert (done.document["errors"], done.document["left_out"]) == ({}, {})
    [told] = done.document["prompts"]
    assert (told["items"], told["failed"]) == (24, 0)
    assert project.asked == [], "what an item can find, it brings along"
    calls = provider.calls
    project.config("judge: {provider: recorded, run: replies.jsonl}\n")
    replayed = project.run(*only).document
    assert (replayed["prompts"], provider.calls) == (done.document["prompts"], calls)
    project.pipeline(WITHOUT)
    assert project.run(*only).code == 3, "nobody foresaw what this judge says"
    assert project.run("calibrate", "--json").document["left_out"] == LEFT_OUT


def test_a_judge_whose_questions_nobody_embeds_is_measured_by_all_else(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, WITHOUT)
    alone = project.run("calibrate", "--metric", SIMILARITY)
    assert alone.code == 3
    assert alone.says(SIMILARITY, LEFT_OUT[SIMILARITY], "Items can bring along")
    provider.says_by = {"m": says}
    whole = project.run("calibrate", "--json").document
    assert whole["left_out"] == LEFT_OUT
    measured = {one["metric"] for one in whole["prompts"]}
    assert SIMILARITY not in measured
    assert {"generation.factscore", "generation.claim_support"} <= measured
    shown = project.run("calibrate")
    assert "left out" in shown.out
    assert SIMILARITY in shown.out
    provider.says_by = {"m": lambda _: '{"reason": "?", "verdict": "a"}'}
    leaning = project.run("judge", "bias", "--json")
    assert leaning.code == 0, leaning.err
    assert leaning.document["left_out"] == LEFT_OUT


def test_a_pipeline_that_cannot_be_loaded_leaves_the_judge_measurable(
    tmp_path: Path, provider: Provider
) -> None:
    project = judged(tmp_path, provider, "raise OSError('no index')\n")
    told = project.run("calibrate", "--json").document
    assert told["left_out"][SIMILARITY].startswith(LEFT_OUT[SIMILARITY])
    assert "no index" in told["left_out"][SIMILARITY]
    assert len(told["prompts"]) > 10
