"""Every recipe, run as it stands on its page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, Example, examples

PAGE = ROOT / "docs/recipes.md"
PLACE = "127.0.0.1:8000"
FRAMEWORKS = {"LangChain": "langchain_core", "LlamaIndex": "llama_index", "Haystack": "haystack"}


def recipe(title: str) -> dict[str, list[Example]]:
    """The marked blocks of a section, by their marks; those before all sections come first."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    starts = [at for at, line in enumerate(lines, 1) if line.startswith("## ")]
    begin = lines.index(f"## {title}") + 1
    end = min((at for at in starts if at > begin), default=len(lines))
    found: dict[str, list[Example]] = {}
    for one in examples(pages=[PAGE]):
        if one.mark and (one.line < starts[0] or begin < one.line < end):
            found.setdefault(one.mark, []).append(one)
    return found


@contextmanager
def serving(reply: Example | None) -> Iterator[str]:
    """A server on loopback that gives the reply of the page to every request."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            assert reply is not None
            body = reply.text.encode()
            self.send_response(200)
            self.send_header("Content-Type", reply.file or "")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def outcome(title: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """The JSON of a run in a folder with the recipe's files."""
    found = recipe(title)
    with serving(next(iter(found.get("served", ())), None)) as place:
        for one in found["file"]:
            text = one.text.replace(PLACE, place)
            (folder / str(one.file)).write_text(text, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "-m", "ragproof", "run", "--json", *arguments],
            cwd=folder,
            env={"SERVICE_TOKEN": "t", "PROXY_KEY": "k", "HOME": str(folder)},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
    assert ran.returncode == 0, ran.stderr
    made: dict[str, Any] = json.loads(ran.stdout)
    return made


def mean(run: dict[str, Any], metric: str) -> object:
    return run["metrics"][metric]["mean"]


def test_a_service_over_http(tmp_path: Path) -> None:
    run = outcome("A service over HTTP", tmp_path)
    assert run["cases"]["ok"] == 2
    assert mean(run, "retrieval.recall_at_k") == 0.5  # the reply is the same to both questions
    assert mean(run, "generation.citation_validity") == 1.0


def test_a_streaming_endpoint(tmp_path: Path) -> None:
    run = outcome("A streaming endpoint", tmp_path)
    assert mean(run, "generation.exact_match") == 0.5
    first, whole = mean(run, "system.first_token_seconds"), mean(run, "system.latency_seconds")
    assert isinstance(first, float)
    assert isinstance(whole, float)
    assert 0 < first <= whole


def test_an_endpoint_that_speaks_openais_api(tmp_path: Path) -> None:
    run = outcome("LiteLLM, or any endpoint that speaks OpenAI's API", tmp_path)
    assert mean(run, "generation.exact_match") == 0.5
    reasons = run["metrics"]["retrieval.recall_at_k"]["skip_reasons"]
    assert reasons == {"adapter does not expose retrieval": 2}


class Frame:
    """As much of a data frame as the recipe uses."""

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        chunks = {"context_ids": ["warranty.md"], "contexts": ["24 months"], "seconds": 0.5}
        return [
            {"id": "q1", "answer": "24 months.", **chunks},
            {"id": "q2", "answer": float("nan"), **chunks},
        ]


def test_recorded_answers_in_a_data_frame(tmp_path: Path) -> None:
    title = "Recorded answers in a data frame"
    (code,) = (one for one in recipe(title)["file"] if one.file == "recording.py")
    made: dict[str, Any] = {}
    exec(code.text, made)
    made["write_recorded"](Frame(), tmp_path / "observations.jsonl")
    run = outcome(title, tmp_path, "--dataset", "dataset.jsonl", "--recorded", "observations.jsonl")
    assert run["cases"] == {**run["cases"], "ok": 1, "errors": 1}
    assert mean(run, "retrieval.recall_at_k") == 1.0


@pytest.mark.parametrize("title", FRAMEWORKS)
def test_a_framework(title: str, tmp_path: Path) -> None:
    if find_spec(FRAMEWORKS[title]) is None:
        pytest.skip(f"{title} is not installed; `make test-extras` runs this")
    run = outcome(title, tmp_path)
    assert run["cases"]["ok"] == 2
    assert mean(run, "retrieval.recall_at_k") == 1.0  # of two pages, both are found


def test_every_recipe_has_a_test() -> None:
    titles = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    source = Path(__file__).read_text(encoding="utf-8")
    assert [title for title in titles if f'"{title}"' not in source] == []
    assert len(titles) == 7
