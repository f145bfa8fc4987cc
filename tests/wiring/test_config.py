"""The config file, the environment over it, the flags over both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragproof.core import SourceMatch, UsageError
from ragproof.wiring.config import ENVIRONMENT, Override, load_config
from ragproof.wiring.config_reference import reference
from ragproof.wiring.schema import Config, Rule
from ragproof.wiring.section import Section

FULL = """
project: faq
adapter:
  type: http
  params: {top: 3}
  version: "7"
  http:
    timeout_seconds: 5
    max_attempts: 2
    retrieve:
      request: {url: "http://localhost/search?q={question}&n={top}"}
      chunks_path: $.hits
      chunk_fields: {id: $._id, text: $.body, score: $.s, metadata: {document_id: $.doc}}
    answer:
      request:
        url: http://localhost/ask
        method: PUT
        headers: {Authorization: Bearer env:TOKEN}
        body: {q: "{question}", k: "{k}", history: "{history}"}
      answer_path: $.text
      citations_path: $.sources
      trace_path: $.trace
dataset: data/d.jsonl
store: runs/r.db
run: {k: 10, depth: 20, concurrency: 4, case_timeout_seconds: 9.5, source_match: document}
metrics:
- retrieval.*
- retrieval.recall_at_k: {k: 20}
- my.module:Metric:
judge:
  provider: openai
  model: m
  base_url: http://localhost/v1
  temperature: omit
  prices: {input_per_mtok: 0.5, output_per_mtok: 2}
  extra: {seed: 1}
local: {nli: models/nli, cross_encoder: org/ranker, embeddings: m.onnx, batch: 8, threads: 1}
corpus: corpus
ontology: o.ttl
prices: p.yaml
versions: {corpus: "3", labels: "1", policy: p}
gate:
  baseline: latest
  on_missing: skip
  on_inconclusive: fail
  min_samples: 20
  min_completion: 0.9
  human_labels: labels.jsonl
  thresholds:
    retrieval.mrr: {min: 0.6}
    retrieval.recall_at_k:
    - {min: 0.85, slice: {intent: refund}}
    - {max_drop: 0.02, noise_floor: 0.01, statistic: mean}
  waivers:
  - {metric: retrieval.mrr, reason: known, expires: 2026-12-31}
decisions: {reranker: {recipe: keep_reranker, min_gain: 0.02, max_cost_rise: 0.001}}
sweep: {params: {top: [3, 5]}}
monitor: {window: 6h, guardrails: [{metric: system.latency_seconds, max: 4}]}
"""


def load(folder: Path, text: str, **rest: Any) -> Config:
    path = folder / "ragproof.yaml"
    path.write_text(text, encoding="utf-8")
    return load_config(path, rest.pop("environ", {}), **rest)


def fault(folder: Path, text: str, **rest: Any) -> list[str]:
    with pytest.raises(UsageError) as caught:
        load(folder, text, **rest)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_the_whole_file_is_read(tmp_path: Path) -> None:
    config = load(tmp_path, FULL)
    assert config.project == "faq"
    assert config.run.source_match is SourceMatch.DOCUMENT
    assert config.asked == (
        ("retrieval.*", {}),
        ("retrieval.recall_at_k", {"k": 20}),
        ("my.module:Metric", {}),
    )
    assert config.judge.configured
    assert config.judge.temperature == "omit"
    assert config.gate.rules("retrieval.mrr") == (Rule(min=0.6),)
    assert [rule.max_drop for rule in config.gate.rules("retrieval.recall_at_k")] == [None, 0.02]
    assert config.gate.rules("echo.exact_match") == ()
    assert config.gate.waivers[0].expires.isoformat() == "2026-12-31"


def test_every_key_of_the_schema_stands_in_that_file(tmp_path: Path) -> None:
    config = load(tmp_path, FULL)

    def unset(section: Section) -> set[str]:
        return set(type(section).model_fields) - section.model_fields_set

    assert unset(config) == {"max_cost_usd", "generation_model"}
    assert config.adapter is not None
    assert unset(config.adapter) == {"target", "path"}
    assert unset(config.gate) == unset(config.run) == unset(config.versions) == set()


def test_paths_are_relative_to_the_config_file(tmp_path: Path) -> None:
    config = load(tmp_path, FULL)
    assert config.folder == tmp_path
    assert config.dataset == tmp_path / "data" / "d.jsonl"
    assert config.store == str(tmp_path / "runs" / "r.db")
    assert config.corpus == tmp_path / "corpus"
    assert config.ontology == tmp_path / "o.ttl"
    recorded = load(tmp_path, "adapter: {type: recorded, path: o.jsonl}")
    assert recorded.adapter is not None
    assert recorded.adapter.path == tmp_path / "o.jsonl"


def test_absolute_paths_and_urls_stay(tmp_path: Path) -> None:
    assert load(tmp_path, "dataset: /d.jsonl").dataset == Path("/d.jsonl")
    assert load(tmp_path, "store: postgresql://h/db").store == "postgresql://h/db"


def test_without_a_file_the_defaults_hold_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = load_config(None, {})
    assert (config.run.k, config.run.concurrency, config.asked) == (5, 8, None)
    assert not config.judge.configured
    assert config.folder == tmp_path
    assert config.store == str(tmp_path / ".ragproof" / "ragproof.db")


def test_the_file_of_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ragproof.yaml").write_text("run: {k: 3}")
    config = load_config(None, {})
    assert config.run.k == 3
    assert config.where("run", "k") == "ragproof.yaml:1"
    assert config.folder == tmp_path


def test_a_file_that_is_named_and_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.yaml: there is no such file"):
        load_config(tmp_path / "none.yaml", {})


@pytest.mark.parametrize("text", ["", "# nothing", "gate:\n#  min_samples: 5\nrun:\n"])
def test_empty_files_and_sections_are_the_defaults(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text).run.k == 5


def test_a_set_variable_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {
        "RAGPROOF_STORE": "other.db",
        "RAGPROOF_MAX_CONCURRENCY": "32",
        "RAGPROOF_MAX_COST_USD": "1.5",
        "RAGPROOF_JUDGE_MODEL": "n",
        "RAGPROOF_LLM_BASE_URL": "https://elsewhere/v1",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "3",
        "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": " 15 ",
        "RAGPROOF_GEN_MODEL": "g",
    }
    assert set(environ) == set(ENVIRONMENT)
    config = load(tmp_path, FULL, environ=environ)
    assert config.store == str(tmp_path / "other.db")
    assert config.run.concurrency == 32
    assert config.max_cost_usd == 1.5
    assert (config.judge.model, config.judge.base_url) == ("n", "https://elsewhere/v1")
    assert config.judge.prices.input_per_mtok == 3
    assert config.judge.prices.output_per_mtok == 15
    assert config.generation_model == "g"
    assert config.run.k == 10, "what the variable does not name stays"


def test_an_empty_variable_is_not_set(tmp_path: Path) -> None:
    assert load(tmp_path, "", environ={"RAGPROOF_JUDGE_MODEL": " "}).judge.model is None


def test_a_model_in_the_environment_is_a_judge(tmp_path: Path) -> None:
    assert load(tmp_path, "", environ={"RAGPROOF_JUDGE_MODEL": "m"}).judge.configured


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("RAGPROOF_MAX_CONCURRENCY", "0", "got 0; allowed: a whole number (at least 1)"),
        ("RAGPROOF_MAX_CONCURRENCY", "4.5", "got 4.5; allowed: a whole number"),
        ("RAGPROOF_MAX_CONCURRENCY", "many", 'got "many"; allowed: a whole number'),
        ("RAGPROOF_MAX_COST_USD", "nan", "got NaN; allowed: a number (at least 0)"),
        ("RAGPROOF_MAX_COST_USD", "inf", "got Infinity; allowed: a number"),
        ("RAGPROOF_JUDGE_INPUT_COST_PER_MTOK", "-1", "got -1; allowed: a number (at least 0)"),
        ("RAGPROOF_LLM_BASE_URL", "localhost", "allowed: http:// or https://"),
        ("RAGPROOF_JUDGE_MODEL", "\udcff", "holds the lone surrogate U+DCFF"),
    ],
)
def test_a_bad_variable_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (told,) = fault(tmp_path, "", environ={name: text})
    assert told.startswith(f"{name}: ")
    assert message in told


def test_a_flag_wins_over_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    flags = {
        "--concurrency": Override("run.concurrency", 2),
        "--dataset": Override("dataset", Path("here/x.jsonl")),
        "--recorded": Override("adapter", {"type": "recorded", "path": "/o.jsonl"}),
    }
    environ = {"RAGPROOF_MAX_CONCURRENCY": "32"}
    config = load(tmp_path, FULL, environ=environ, flags=flags)
    assert config.run.concurrency == 2
    assert config.dataset == tmp_path / "here" / "x.jsonl"
    assert config.adapter is not None
    assert (config.adapter.type, config.adapter.path) == ("recorded", Path("/o.jsonl"))


def test_a_bad_flag_is_named(tmp_path: Path) -> None:
    flags = {"--concurrency": Override("run.concurrency", 0)}
    assert fault(tmp_path, FULL, flags=flags) == [
        "--concurrency: run.concurrency: got 0; allowed: a whole number (at least 1)"
    ]


def test_a_variable_does_not_hide_a_broken_section(tmp_path: Path) -> None:
    environ = {"RAGPROOF_MAX_CONCURRENCY": "4"}
    assert fault(tmp_path, "run: 5", environ=environ) == [
        "ragproof.yaml:1: run: got 5; allowed: a mapping"
    ]


def test_all_faults_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = "projet: x\nrun:\n  k: 0\n  dept: 3\nadapter: {type: pyton}\n"
    assert fault(tmp_path, text) == [
        "ragproof.yaml:1: projet: unknown key. Did you mean 'project'?",
        "ragproof.yaml:3: run.k: got 0; allowed: a whole number (at least 1)",
        "ragproof.yaml:4: run.dept: unknown key. Did you mean 'depth'?",
        'ragproof.yaml:5: adapter.type: got "pyton"; allowed: python, http, recorded, langchain, '
        "llamaindex or haystack. Did you mean 'python'?",
    ]


def test_the_reference_has_every_key_and_every_variable() -> None:
    page = reference()
    for key in (
        "project",
        "adapter.http.answer.request.headers",
        "run.case_timeout_seconds",
        "gate.thresholds.<name>.max_drop",
        "gate.waivers[].expires",
        "judge.prices.input_per_mtok",
    ):
        assert f"| `{key}` |" in page
    assert "| `run.k` | a whole number (at least 1) | `5` | Cut-off of all `*_at_k`" in page
    assert all(f"| `{name}` |" in page for name in ENVIRONMENT)
    assert all(line.count(" | ") in (1, 3) for line in page.splitlines() if line[:3] == "| `")
