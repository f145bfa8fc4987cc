"""From the section `local` of a config to what metrics are handed; the models are scripted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ragproof.analysis.comparable import Obstacle, obstacles
from ragproof.cli.run import command as run
from ragproof.core import (
    LocalModels,
    MissingInput,
    ModelError,
    PairScore,
    Pipeline,
    QuestionCase,
    RunHeader,
    UsageError,
)
from ragproof.engine.board import Board
from ragproof.wiring import local_models
from ragproof.wiring.checkup import Step, checkup
from ragproof.wiring.identity import refuse_other
from ragproof.wiring.local_models import OR_ITS_OWN, lacking, with_local_embed
from ragproof.wiring.plan import every, plan
from ragproof.wiring.prepare import draft
from ragproof.wiring.schema import Config
from ragproof.wiring.thresholds import calibrate_threshold
from ragproof.wiring.wish import Wish

SUPPORT = "generation.nli_support"
OF_NLI = {SUPPORT, "citation.nli_recall", "citation.nli_precision"}
RANKED = "context.cross_encoder_relevance"
CASES = [QuestionCase(id="q", question="Do cats purr?")]
SEEN = {
    "case_id": "q",
    "answer": {
        "answer_text": "Cats purr [a].",
        "retrieved_chunks": [{"id": "a", "text": "Cats purr."}],
    },
}


class SameText:
    """Entails what it is; `nothing` is no text that it takes."""

    fingerprint = "sha256:" + "a" * 64

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> list[PairScore]:
        if any(one == "nothing" for one, _ in pairs):
            raise ModelError("the local model gave what is no finite number")
        return [PairScore(float(one == other), float(one == other)) for one, other in pairs]


class Lengths:
    """The vector of a text is its length."""

    fingerprint = "sha256:" + "b" * 64

    async def __call__(self, texts: Sequence[str], /) -> list[list[float]]:
        return [[float(len(one))] for one in texts]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("RAGPROOF_JUDGE_MODEL", "RAGPROOF_STORE", "RAGPROOF_LLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        (tmp_path / "m").mkdir(exist_ok=True)
        (tmp_path / "m" / name).write_text("{}")
    (tmp_path / "cases.jsonl").write_text('{"id": "q", "question": "Do cats purr?"}\n')
    (tmp_path / "seen.jsonl").write_text(json.dumps(SEEN) + "\n")
    return tmp_path


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    makers = {
        "nli": lambda _files, _how: SameText(),
        "cross_encoder": lambda _files, _how: SameText(),
        "embeddings": lambda _files, _how: Lengths(),
    }
    monkeypatch.setattr(local_models, "_MAKERS", makers)


def written(folder: Path, **local: str) -> None:
    lines = ["project: p", "dataset: cases.jsonl", "adapter: {type: recorded, path: seen.jsonl}"]
    lines += [f"local: {json.dumps(local)}"] if local else []
    (folder / "ragproof.yaml").write_text("\n".join(lines) + "\n")


def ran(*said: str) -> Any:
    """The document that a run prints; raises what ends it."""
    done = CliRunner().invoke(run, ["--json", *said], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ({}, set()),
        ({"nli": "m"}, OF_NLI),
        ({"cross_encoder": "m"}, {RANKED}),
        ({"nli": "m", "cross_encoder": "m"}, {RANKED, *OF_NLI}),
    ],
)
def test_metrics_of_a_local_model_come_unasked_once_it_is_configured(
    local: Mapping[str, str], expected: set[str]
) -> None:
    config = Config.model_validate({"local": local})
    found = every(CASES, lacking=lacking(config)).keys()
    assert found & {RANKED, *OF_NLI} == expected


def test_one_that_is_asked_for_without_a_model_is_skipped_with_the_reason(folder: Path) -> None:
    written(folder)
    told = ran("--metrics", SUPPORT)
    assert told["metrics"][SUPPORT]["skip_reasons"] == {
        "no local entailment model is configured": 1
    }
    assert "local_models" not in told


@pytest.mark.usefixtures("scripted")
def test_a_run_is_scored_by_the_model_and_says_which(folder: Path) -> None:
    written(folder, nli="m")
    told = ran()
    assert {key: told["metrics"][key]["mean"] for key in OF_NLI} == dict.fromkeys(OF_NLI, 1.0)
    assert told["local_models"] == dict.fromkeys(OF_NLI, SameText.fingerprint)


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("class build:\n    def embed(self, texts):\n        return []\n", None),
        ("class build:\n    def answer(self, question): ...\n", Lengths.fingerprint),
        ("async def build():\n    return object()\n", Lengths.fingerprint + OR_ITS_OWN),
    ],
)
def test_vectors_that_may_be_the_pipelines_own_are_told_as_such(
    folder: Path, made: str, said: str | None
) -> None:
    module = f"made_{len(made)}"  # a name is imported once in a process
    (folder / f"{module}.py").write_text(made)
    (folder / "ragproof.yaml").write_text(
        f"project: p\ndataset: cases.jsonl\nadapter: {{type: python, target: '{module}:build'}}\n"
        "local: {embeddings: m}\n"
    )
    drafted = draft(Wish(metrics=("generation.semantic_similarity",)), {})
    asyncio.run(drafted.system.adapter.close())
    assert drafted.header.local_models == ({"generation.semantic_similarity": said} if said else {})


@pytest.mark.usefixtures("scripted")
def test_a_model_that_gives_no_number_is_an_error_of_the_case(folder: Path) -> None:
    written(folder, nli="m")
    (folder / "seen.jsonl").write_text(json.dumps(SEEN).replace("Cats purr.", "nothing") + "\n")
    told = ran("--metrics", SUPPORT)
    found = told["metrics"][SUPPORT]
    assert (found["mean"], found["errors"], found["completion"]) == (None, 1, 0.0)
    assert "the local model gave what is no finite number" in str(found["error_reasons"])


def test_without_the_extra_it_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    written(folder, nli="m")
    with pytest.raises(UsageError) as told:
        ran()
    assert str(told.value) == (
        "ragproof.yaml:4: local.nli: local models need onnxruntime and tokenizers: "
        'pip install "ragproof[local]"'
    )


def test_a_path_that_leads_nowhere_is_told_by_file_and_line(folder: Path) -> None:
    written(folder, nli="nowhere")
    said = f"ragproof.yaml:4: local.nli: there is no file or folder {folder}/nowhere"
    with pytest.raises(UsageError, match=said):
        ran()


def test_a_model_that_nothing_asks_is_not_looked_for(folder: Path) -> None:
    written(folder, nli="nowhere")
    assert "local_models" not in ran("--metrics", "generation.token_f1")


@pytest.mark.usefixtures("scripted")
def test_runs_of_one_process_share_a_model_and_let_it_go(folder: Path) -> None:
    written(folder, nli="m")
    one, two = (draft(Wish(metrics=(SUPPORT,)), {}) for _ in range(2))
    assert one.local.nli is two.local.nli
    del one, two
    assert not [*local_models._IN_MEMORY]


def header(model: str | None = None) -> RunHeader:
    metrics = plan([(SUPPORT, {}), ("generation.token_f1", {})])
    wish = Wish(dataset=Path("cases.jsonl"), recorded=Path("seen.jsonl"), metrics=tuple(metrics))
    made = draft(wish, {}).header
    return replace(made, local_models={SUPPORT: model} if model else {})


@pytest.mark.usefixtures("folder")
def test_another_model_is_another_yardstick() -> None:
    one, two = header("sha256:1"), header("sha256:2")
    [found] = obstacles(one, two)
    assert found.obstacle is Obstacle.JUDGE
    assert found.text == f"the local model of {SUPPORT} was sha256:1, now sha256:2"
    assert not [*obstacles(one, one)]
    with pytest.raises(UsageError, match=f"local models: {SUPPORT} was sha256:1, now sha256:2"):
        refuse_other(one, two)
    refuse_other(one, one)


@pytest.mark.usefixtures("folder")
def test_a_model_that_only_one_run_had_is_another_yardstick_too() -> None:
    [found] = obstacles(header(), header("sha256:2"))
    assert found.text == f"the local model of {SUPPORT} was none, now sha256:2"


@pytest.mark.usefixtures("folder")
def test_a_header_tells_by_which_model_metrics_are_scored() -> None:
    told = {"a": "sha256:2", "b": "sha256:1", "c": "sha256:2"}
    models = replace(header(), local_models=told).by_local_model
    assert models == {"sha256:1": ("b",), "sha256:2": ("a", "c")}


@pytest.mark.usefixtures("scripted")
def test_the_checkup_names_each_model_and_tries_it(folder: Path) -> None:
    written(folder, nli="m")
    steps = [*checkup(Wish(metrics=(SUPPORT,)), {}, Board())]
    assert Step("model", f"local, of {SUPPORT}: {SameText.fingerprint}") in steps
    assert any(one.name == "metrics" and SUPPORT in str(one) for one in steps)


def test_the_pipelines_own_vectors_come_first_and_the_local_model_helps_out() -> None:
    async def own(texts: Sequence[str]) -> list[list[float]]:
        return [[0.0] for _ in texts]

    async def none(_: Sequence[str]) -> list[list[float]]:
        raise MissingInput("adapter has no embed")

    def embedded(pipeline: Pipeline | None) -> Any:
        made = with_local_embed(pipeline, LocalModels(embed=Lengths()))
        assert made is not None
        assert made.embed is not None
        return asyncio.run(made.embed(["abc"]))  # type: ignore[arg-type]

    assert embedded(Pipeline(embed=own)) == [[0.0]]
    assert embedded(Pipeline(embed=none)) == [[3.0]]
    bare = Pipeline()
    assert with_local_embed(bare, LocalModels(embed=Lengths())) is bare
    assert with_local_embed(None, LocalModels()) is None


LABELS = [
    ("Cats purr.", "Cats purr.", 1.0),
    ("Cats purr. Dogs bark.", "Cats purr.", 0.0),
    ("Dogs bark.", "Cats purr.", 0.0),
    ("Dogs bark.", "Dogs bark.", 1.0),
]


def labels(folder: Path, metric: str = SUPPORT, **more: Any) -> Path:
    lines = [
        {"id": f"i{n}", "metric": metric, "answer": said, "context": [of], "score": score, **more}
        for n, (said, of, score) in enumerate(LABELS)
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return folder / "labels.jsonl"


@pytest.mark.usefixtures("scripted")
def test_a_threshold_is_that_of_the_least_sure_statement(folder: Path) -> None:
    written(folder, nli="m")
    config = Wish().load_config({})
    [found] = calibrate_threshold(config, {}, SUPPORT, labels(folder))
    assert found.metric == "generation.nli_support[aggregate=min]"
    assert (found.found.chosen.threshold, found.found.chosen.accuracy) == (0.5, 1.0)


@pytest.mark.usefixtures("scripted")
def test_a_threshold_is_found_claim_by_claim(folder: Path) -> None:
    written(folder, nli="m")
    claims = [{"text": "Cats purr.", "supported": True}, {"text": "Dogs bark.", "supported": False}]
    path = labels(folder, claims=claims)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    [found] = calibrate_threshold(Wish().load_config({}), {}, SUPPORT, path, claims=True)
    assert (found.labels, found.passed, found.found.chosen.accuracy) == (4, 2, 1.0)


def test_a_threshold_needs_the_model(folder: Path) -> None:
    written(folder)
    said = f"{SUPPORT}: no local entailment model is configured; name one: local.nli"
    with pytest.raises(UsageError, match=said):
        calibrate_threshold(Wish().load_config({}), {}, SUPPORT, labels(folder))
