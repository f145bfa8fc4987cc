"""What `ragproof init` writes for a framework runs with the real one, as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

CORES = {"langchain": "langchain_core", "llamaindex": "llama_index", "haystack": "haystack"}
INSTALLED = [name for name, module in CORES.items() if find_spec(module)]


def told(folder: Path, *arguments: str) -> Any:
    ran = subprocess.run(
        [sys.executable, "-m", "ragproof", *arguments, "--json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("kind", INSTALLED)
def test_a_starter_passes_check_and_runs(kind: str, tmp_path: Path) -> None:
    told(tmp_path, "init", "--from", kind)
    assert told(tmp_path, "check")["ok"]
    run = told(tmp_path, "run")
    assert run["cases"]["ok"] == 5
    # one of four questions is in other words than its document
    assert run["metrics"]["retrieval.recall_at_k"]["mean"] == 0.75
