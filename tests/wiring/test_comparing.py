"""Which metrics a comparison tests together: those chosen before the figures were seen."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hand_made import cases, column, declared, record

from ragproof.core import (
    Answer,
    CaseRun,
    Finished,
    Observation,
    QuestionCase,
    Row,
    RunHeader,
    RunState,
    Scored,
    UsageError,
)
from ragproof.store.open import open_store
from ragproof.wiring.baselines import NOTHING_TOLERATED
from ragproof.wiring.comparing import chosen, compare_runs
from ragproof.wiring.config import load_config
from ragproof.wiring.looking import Looking
from ragproof.wiring.schema import Config

MRR, RECALL, TOKENS = "retrieval.mrr", "retrieval.recall_at_k", "generation.token_f1"
RULES = """
gate:
  thresholds:
    retrieval.mrr: [{min: 0.5}, {max_drop: 0.02, role: guardrail}]
    generation.token_f1: {max_drop: 0.05, role: exploratory}
decisions:
  it:
    gain: {metric: retrieval.recall_at_k, min_gain: 0.02}
    exploratory: [{metric: retrieval.hit_at_k}]
"""


def config(folder: Path, text: str) -> Config:
    path = folder / "ragproof.yaml"
    path.write_text(text)
    return load_config(path, {})


def header(asked: Mapping[str, Any]) -> RunHeader:
    columns = {key: column(declared(key), [1.0]) for key in (MRR, TOKENS)}
    return dataclasses.replace(record(cases(1), columns).header, asked=asked)


def told(config: Config, asked: Mapping[str, Any]) -> list[tuple[set[str], str]]:
    return [(set(one.keys), one.chosen) for one in chosen(config, header(asked)) if one.keys]


def test_roles_of_the_config_say_what_is_tested_together(tmp_path: Path) -> None:
    here = "primary ones and guardrails of the config"
    assert told(config(tmp_path, RULES), {}) == [({MRR, RECALL}, here)]


def test_else_it_is_what_the_candidate_was_run_for(tmp_path: Path) -> None:
    named = {"metrics": ["retrieval.*", TOKENS]}
    assert told(config(tmp_path, "project: x\n"), named) == [
        ({MRR, TOKENS}, "those that the candidate was run for")
    ]
    assert told(config(tmp_path, "project: x\n"), {}) == []


def looking(folder: Path) -> Looking:
    """A store with two runs of eight questions: all right in the one, all wrong in the other."""
    store = open_store(folder / "s.db")
    for name, score in (("a", 1.0), ("b", 0.0)):
        head = dataclasses.replace(header({}), id=name, label=name, project="p")
        store.begin(head)
        asyncio.run(store.append(name, list(answered(score))))
        store.finish(name, RunState.COMPLETED, {})
    return Looking(store, config(folder, "project: p\n"))


def answered(score: float) -> Iterator[Finished]:
    for at in range(8):
        case = QuestionCase(id=f"c{at}", question="?")
        seen = Observation(case_id=case.id, answer=Answer(answer_text="yes"))
        rows = [Row(key, key, Scored(score)) for key in (MRR, TOKENS)]
        yield Finished(case.id, rows, run=CaseRun(case, seen))


def test_what_the_command_line_names_goes_before_all_else(tmp_path: Path) -> None:
    here = looking(tmp_path)
    with here.store:
        found = compare_runs(here, "a", "b", NOTHING_TOLERATED, ["retrieval.*"])
        assert {one.key: one.exploratory for one in found.metrics} == {MRR: False, TOKENS: True}
        assert (found.confirmatory.chosen, found.tested) == ("those named by --metrics", 1)
        other = compare_runs(here, "a", "b", NOTHING_TOLERATED)
        assert (other.confirmatory.chosen, other.tested) == ("the headline ones", 1)
        with pytest.raises(
            UsageError, match=r"no metric 'retrieval.mr'. Did you mean 'retrieval.mrr'"
        ):
            compare_runs(here, "a", "b", NOTHING_TOLERATED, ["retrieval.mr"])
