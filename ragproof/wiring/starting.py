"""Write the files that a new project starts from. They run as they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragproof.core import UsageError
from ragproof.text.files import write_new

STARTERS = Path(__file__).parent / "starters"
CONFIG = "ragproof.yaml"
MODULE = "pipeline.py"
OWN = {
    "http": "put your service's addresses and JSONPaths into ragproof.yaml",
    "recorded": "write what your pipeline did to observations.jsonl, one line a case",
}
"""Type of adapter to how the user's own pipeline is put in; others have it in a module."""
ABOUT: Mapping[str, str] = {
    CONFIG: "what is evaluated, on which cases, and how",
    "dataset.jsonl": "five cases, to be replaced by yours",
    "documents.jsonl": "what the starter searches",
    MODULE: "the adapter: put your own pipeline in",
    "server.py": "a small service to try the config with",
    "observations.jsonl": "what a pipeline did with the cases, to be replaced by yours",
}
"""Each file, in the order in which it is met, and what it is."""


def start(folder: Path, kind: str) -> list[str]:
    """Write the starter files for a type of adapter; return their names.

    A type is a folder in `starters`; what it holds is written beside what all share. Raises
    UsageError that names each file that is there already, and writes none then.
    """
    files = _files(kind)
    if there := [name for name in files if (folder / name).exists()]:
        raise UsageError(
            f"{', '.join(there)}: there already, and nothing is overwritten. "
            "Run `ragproof init` in a folder that has no such file"
        )
    for name, text in files.items():
        write_new(folder / name, text)
    return list(files)


def next_steps(kind: str) -> list[str]:
    """Say what a user does with the files, in this order."""
    server = ["python server.py (in a terminal of its own)"] if kind == "http" else []
    own = OWN.get(kind, f"put your own pipeline into {MODULE}")
    return [*server, "ragproof check", "ragproof run", f"{own}, and your cases into dataset.jsonl"]


def _files(kind: str) -> dict[str, str]:
    """Name to text, in the order of ABOUT."""
    mine = STARTERS / kind
    adapter = (mine / "adapter.yaml").read_text(encoding="utf-8").rstrip()
    config = (STARTERS / CONFIG).read_text(encoding="utf-8")
    files = {CONFIG: config.replace("{adapter}", adapter)}
    shared = ["dataset.jsonl"] if kind == "recorded" else ["dataset.jsonl", "documents.jsonl"]
    sources = [STARTERS / name for name in shared]
    sources += [path for path in mine.iterdir() if path.name != "adapter.yaml"]
    if kind == "http":  # the service is made of the pipeline in Python
        sources.append(STARTERS / "python" / "pipeline.py.txt")
    # a module is kept as text: it belongs to the user's project, not to this package
    files |= {path.name.removesuffix(".txt"): path.read_text(encoding="utf-8") for path in sources}
    return {name: files[name] for name in ABOUT if name in files}
