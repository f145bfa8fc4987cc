"""Which formats are read, each by its name on the command line."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Read
from ragproof.text.nearest import nearest

FORMATS = {
    "beir": ("beir_folder", "a folder with corpus.jsonl, queries.jsonl and qrels/"),
    "trec": ("trec", "topics, and judgments by --qrels"),
    "csv": ("tables", "columns named like a case's fields, or mapped to them"),
    "parquet": ("tables", "the same"),
    "json": ("tables", "the same, as a list or a line a record"),
    "ragas": ("ragas", "test sets, as JSON, JSONL or CSV"),
    "deepeval": ("deepeval", "goldens, as JSON, JSONL or CSV"),
    "promptfoo": ("promptfoo", "tests in YAML"),
    "langsmith": ("langsmith", "examples, as JSON, JSONL or CSV"),
    "langfuse": ("langfuse", "dataset items, as JSON, JSONL or CSV"),
    "phoenix": ("phoenix", "examples, as JSON, JSONL or CSV"),
    "nuggets": ("nuggets", "nuggets of TREC RAG (JSONL)"),
    "clapnq": ("clapnq", "annotated questions (JSONL)"),
    "nomiracl": ("nomiracl", "questions with and without relevant passages (JSONL)"),
    "funsd": ("funsd", "scanned forms: a folder with annotations/ and images/"),
    "sroie": ("sroie", "scanned receipts: a folder with box/, img/ and, if there is, key/"),
    "freshstack": ("freshstack", "questions with judged nuggets (JSON, JSONL, Parquet)"),
}
"""Name to the file here that reads it, and what it reads."""
ONE_A_RECORD = frozenset({"tables", "ragas", "deepeval", "langsmith", "langfuse", "phoenix"})
"""Readers that take any `--map FIELD=COLUMN`."""
QUESTION_ONLY = frozenset({"trec", "promptfoo"})
"""Readers that take `--map question=NAME`."""


def reader(name: str) -> Read:
    """Import what reads a format; raises UsageError for a name that is none."""
    if name not in FORMATS:
        raise UsageError(
            f"--from: got {name!r}; allowed: {', '.join(FORMATS)}.{nearest(name, FORMATS)}"
        )
    module = import_module(f"ragproof.datasets.imports.{FORMATS[name][0]}")
    return cast("Read", module.read)


def refuse_mapping(name: str, mapping: dict[str, str]) -> None:
    """Raise UsageError where a format has its own fixed fields."""
    file = FORMATS[name][0]
    if (
        not mapping
        or file in ONE_A_RECORD
        or (file in QUESTION_ONLY and {*mapping} == {"question"})
    ):
        return
    more = "only --map question=NAME" if file in QUESTION_ONLY else "no --map"
    raise UsageError(f"--map: {name} has fields of its own and takes {more}")
