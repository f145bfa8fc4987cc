"""The page on embedding models does what it says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from test_examples import ROOT, examples

from ragproof.demo.pages import DATASET

PAGE = ROOT / "docs/embedding_models.md"


def test_models_are_compared_by_quality_storage_and_latency(tmp_path: Path) -> None:
    for one in examples(pages=[PAGE]):
        if one.mark == "file":
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
    shutil.copy(DATASET, tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "ragproof", "sweep", "--json"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    points = {one["params"]["model"]: one for one in json.loads(ran.stdout)["points"]}
    assert set(points) == {"letters-256", "letters-2048", "a-vector-a-word"}
    sizes = [
        points[name]["cost"]["mean"] for name in ("letters-256", "letters-2048", "a-vector-a-word")
    ]
    assert sizes == sorted(sizes)
    assert 17 < sizes[-1] / sizes[0] < 19  # as the page says
    for one in points.values():
        low, high = one["quality"]["ci95"]
        assert low < one["quality"]["mean"] < high
        assert one["latency_seconds"]["p95"] > 0
