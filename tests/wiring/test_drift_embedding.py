"""What gives texts their vectors for `ragproof drift`, and what becomes of it when it fails."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from drift_files import QUICK, document, drift, lines, questions, refused

from ragproof.wiring import drift_embedding


@pytest.fixture
def pumps(tmp_path: Path) -> Path:
    return lines(tmp_path / "pumps.jsonl", questions("pump", 60))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return lines(tmp_path / "mixed.jsonl", questions("pump", 30, 60) + questions("invoice", 30))


EMBEDDERS = """
import time

def by_length(texts):
    print("noise on stdout")
    return [[float(len(text)), 1.0, float(text.count("e"))] for text in texts]

def fails(texts):
    raise RuntimeError("the model is away")

def hangs(texts):
    open("hanging", "w").close()
    time.sleep(600)

def zeros(texts):
    return [[0.0, 0.0] for _ in texts]

class Pipeline:
    calls = 0
    def embed(self, texts):
        return by_length(texts)
"""


@pytest.fixture
def embedders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "drift_embedders.py").write_text(EMBEDDERS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", ["by_length", "Pipeline"])
def test_a_function_or_an_object_of_the_users_embeds(
    embedders: Path, pumps: Path, mixed: Path, target: str
) -> None:
    assert embedders.is_dir()
    found = document(pumps, mixed, *QUICK, "--embed", f"drift_embedders:{target}")
    assert (found["dimensions"], found["representation"]) == (3, f"drift_embedders:{target}")


def test_the_adapter_embeds_where_it_is_asked_to(embedders: Path, pumps: Path, mixed: Path) -> None:
    config = embedders / "ragproof.yaml"
    config.write_text("adapter: {type: python, target: 'drift_embedders:Pipeline'}\n")
    found = document(pumps, mixed, *QUICK, "--embed", "adapter", "-c", config)
    assert found["representation"] == "embed of drift_embedders:Pipeline"
    unasked = document(pumps, mixed, *QUICK, "-c", config)
    assert unasked["representation"].startswith("spelling")  # it might cost


def test_a_model_that_fails_stops_the_run_and_a_wrong_name_is_wrong_input(
    embedders: Path, pumps: Path, mixed: Path
) -> None:
    assert embedders.is_dir()
    told = drift(pumps, mixed, "--embed", "drift_embedders:fails")
    assert told.exit_code == 2
    assert "the model is away" in told.stderr
    assert "has no attribute 'nothing'" in refused(
        pumps, mixed, "--embed", "drift_embedders:nothing"
    )
    assert "spelling, local, adapter" in refused(pumps, mixed, "--embed", "spelled")
    assert "names no model" in refused(pumps, mixed, "--embed", "local")
    wrong = refused(pumps, mixed, "--embed", "drift_embedders:zeros")
    assert 'pumps.jsonl: row 0 (from 0, id "pump-0"): its vector is all 0' in wrong


def test_the_local_model_of_the_config_embeds_unasked_and_each_text_once(
    embedders: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Model:
        fingerprint = "sha256:" + "a" * 64

        async def __call__(self, texts: list[str]) -> list[list[float]]:
            asked.extend(texts)
            return [[float(len(one)), 1.0] for one in texts]

    monkeypatch.setattr(drift_embedding, "local_embedder", lambda *_: Model())
    config = embedders / "ragproof.yaml"
    config.write_text("local: {embeddings: ./model}\n")
    twice = lines(embedders / "twice.jsonl", questions("pump", 20) * 2)
    found = document(twice, mixed, *QUICK, "-c", config)
    assert found["representation"].startswith("local.embeddings ./model")
    assert len(asked) == len({*asked}) == 20 + 60


# as a process of its own


def process(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ragproof", "drift", *map(str, arguments)],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_with_json_stdout_has_the_document_alone_whatever_comes_of_it(
    embedders: Path, pumps: Path, mixed: Path
) -> None:
    base = (pumps, mixed, *QUICK, "--json", "--embed")
    ended = process(embedders, *base, "drift_embedders:by_length")
    out, err = ended.communicate(timeout=60)
    assert json.loads(out)["verdict"] == "drift"
    assert "noise on stdout" in err
    failed = process(embedders, *base, "drift_embedders:fails")
    out, err = failed.communicate(timeout=60)
    assert failed.returncode == 2
    assert json.loads(out)["status"] == "failed"
    assert "the model is away" in err
    wrong = process(embedders, *base, "drift_embedders:nothing")
    assert (wrong.communicate(timeout=60)[0], wrong.returncode) == ("", 3)


def test_who_stops_a_model_that_hangs_is_told_so(embedders: Path, pumps: Path, mixed: Path) -> None:
    hung = process(embedders, pumps, mixed, "--json", "--embed", "drift_embedders:hangs")
    try:
        for _ in range(600):
            if (embedders / "hanging").exists():
                break
            time.sleep(0.1)
        hung.send_signal(signal.SIGINT)
        out, err = hung.communicate(timeout=60)
    finally:
        hung.kill()
    assert hung.returncode == 130
    assert json.loads(out)["status"] == "interrupted"
    assert "Traceback" not in err
