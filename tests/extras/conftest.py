"""Tests against the real packages, each in an environment of its own: `make test-extras`."""

from __future__ import annotations

import socket
from importlib.util import find_spec
from typing import Any

import pytest

PACKAGES = {
    "langchain": "langchain_core",
    "llamaindex": "llama_index",
    "haystack": "haystack",
    "local": "onnx",
}
MODELS = ["tiny_models.py"]
"""Made with onnx; every module of the tests is searched for doctests."""
collect_ignore = [
    f"test_{name}_real.py" for name, module in PACKAGES.items() if find_spec(module) is None
] + (MODELS if find_spec("onnx") is None else [])


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in {"127.0.0.1", "::1"}:
            pytest.fail(f"a connection to {address} was tried")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
