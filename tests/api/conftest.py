"""What holds for all tests of the API."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder; a variable of whoever runs the tests must not name a judge."""
    for name in ("RAGPROOF_STORE", "RAGPROOF_JUDGE_MODEL", "RAGPROOF_MAX_COST_USD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
