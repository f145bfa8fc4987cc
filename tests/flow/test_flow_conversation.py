"""Conversations, and what they cost, from the dataset to the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from project import Project

from ragproof.analysis.comparable import changes_told
from ragproof.core import CaseRun, Observation, QuestionCase, Turn, UsageError
from ragproof.core.needs import QUESTION
from ragproof.wiring.identity import refuse_other
from ragproof.wiring.prepare import draft
from ragproof.wiring.wish import Wish

PIPELINE = """
    class Pipeline:
        def retrieve(self, question, k, history):
            topic = history[0]["content"].split()[-1] if history else question.split()[-1]
            return [{"id": topic, "text": f"all about {topic}"}]

        def answer(self, question, history):
            chunks = self.retrieve(question, 1, history)
            stages = [
                {"name": "embed", "seconds": 0.25, "input_tokens": 100,
                 "cache": "hit" if history else "miss"},
                {"name": "retrieve", "seconds": 0.25, "queue_seconds": 0.125},
                {"name": "generate", "seconds": 0.5, "model": "large",
                 "input_tokens": 1000 * (1 + len(history)), "output_tokens": 100},
            ]
            said = " then ".join([*(one["content"] for one in history), question])
            return {"answer_text": said, "retrieved_chunks": chunks, "trace": {"stages": stages}}
"""
PRICES = """
models: {large: {input_per_mtok: 1, output_per_mtok: 10}}
stages:
  embed: {input_per_mtok: 10, hit: {usd_per_call: 0}}
  retrieve: {usd_per_call: 0}
storage: {usd_per_month: 5, queries_per_month: 10000}
"""
FIRST, SECOND = "What is a boiler", "And how is it cleaned"


def conversations() -> list[dict[str, Any]]:
    """Four sessions of two turns each."""
    turns: list[dict[str, Any]] = []
    for number in range(4):
        session = {"group": f"s{number}", "expected_source_ids": ["boiler"]}
        history = [
            {"role": "user", "content": FIRST},
            {"role": "assistant", "content": "A kettle."},
        ]
        turns += [
            {"id": f"s{number}-1", "question": FIRST, **session},
            {"id": f"s{number}-2", "question": SECOND, "history": history, **session},
        ]
    return turns


def test_a_follow_up_is_asked_with_its_history_and_every_stage_is_priced(tmp_path: Path) -> None:
    project = Project(tmp_path, PIPELINE)
    project.dataset(conversations())
    project.write("prices.yaml", PRICES)
    project.config("prices: prices.yaml\n")
    found = project.run("run", "--json").document
    metrics = found["metrics"]
    assert metrics["retrieval.recall_at_k"]["mean"] == 1.0, "the topic is in the history alone"
    # first turn: 0.001 + 0 + (0.001 + 0.001) + 0.0005; second: 0 + 0 + (0.003 + 0.001) + 0.0005
    assert round(metrics["system.cost_usd"]["mean"], 9) == round((0.0035 + 0.0045) / 2, 9)
    assert round(metrics["system.cost_usd"]["p99"], 9) == 0.0045
    assert round(metrics["system.cost_by_stage[stage=generate]"]["mean"], 9) == 0.003
    assert round(metrics["system.cost_by_stage[stage=storage]"]["mean"], 9) == 0.0005
    assert metrics["system.cache_hit_rate[stage=embed]"]["mean"] == 0.5
    assert metrics["system.throughput"]["mean"] > 0
    assert metrics["system.throughput"]["scored"] == 1
    assert "system.service_seconds[stage=retrieve]" not in metrics, "it is left out unless asked"
    assert metrics["retrieval.recall_at_k"]["interval"].startswith("cluster"), "by session"
    assert project.run("export", "--to", "jsonl", "out.jsonl").code == 0
    again = project.run("run", "--json", "--recorded", "out.observations.jsonl").document
    for key in ("system.cost_usd", "system.throughput", "retrieval.recall_at_k"):
        assert again["metrics"][key]["mean"] == metrics[key]["mean"]


def test_metrics_read_the_question_below_the_conversation_that_led_to_it() -> None:
    said = (Turn(role="user", content=FIRST), Turn(role="assistant", content="A kettle."))
    case = QuestionCase(id="q", question=SECOND, history=said)
    asked = CaseRun(case, Observation(case_id="q"))[QUESTION]
    assert asked == f"user: {FIRST}\nassistant: A kettle.\n{SECOND}"


def test_other_prices_are_another_version_and_no_run_goes_on_with_them(tmp_path: Path) -> None:
    project = Project(tmp_path, PIPELINE)
    project.dataset(conversations())
    project.write("prices.yaml", PRICES)
    project.config("prices: prices.yaml\n")
    wish = Wish(config=tmp_path / "ragproof.yaml")
    before = draft(wish, {}).header
    project.write("prices.yaml", PRICES.replace("output_per_mtok: 10", "output_per_mtok: 11"))
    now = draft(wish, {}).header
    assert [one for one in changes_told(before, now) if one.startswith("version of prices: ")]
    with pytest.raises(UsageError, match="cannot be resumed"):
        refuse_other(before, now)


def test_without_prices_the_cost_is_unknown_and_the_stage_is_named(tmp_path: Path) -> None:
    project = Project(tmp_path, PIPELINE)
    project.dataset(conversations())
    found = project.run("run", "--json", "--metrics", "system.cost_usd").document
    cost = found["metrics"]["system.cost_usd"]
    assert cost["mean"] is None
    reason = "the stages' cost is not known: 'embed' tells no usd and has no price"
    assert cost["skip_reasons"] == {reason: 8}
