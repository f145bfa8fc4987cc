"""What a speed was measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = {"faiss": "faiss-cpu", "usearch": "usearch"}


def machine() -> str:
    """Name the processor, its cores and the system."""
    model = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        lines = facts.read_text(encoding="utf-8", errors="replace").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        model = named[0] if named else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def versions(libraries: tuple[str, ...]) -> dict[str, str]:
    """The version of each library."""
    found = {}
    for one in libraries:
        try:
            found[one] = version(PACKAGES[one])
        except PackageNotFoundError:
            found[one] = "unknown"
    return found
