"""Which format a file has, by its name and, where that tells nothing, by its first bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TypeAlias, cast

from ragproof.core import UsageError
from ragproof.rankings.blocks import unpacked
from ragproof.rankings.delimited import delimited
from ragproof.rankings.origin import Kind
from ragproof.rankings.parquet import parquet
from ragproof.rankings.records import jsonl
from ragproof.rankings.rows import Rows
from ragproof.rankings.trec import trec

Reader: TypeAlias = Callable[[Path, Kind], Iterator[Rows]]


class Format(StrEnum):
    """How rows are written down."""

    TREC = "trec"
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"


READERS: Mapping[Format, Reader] = {
    Format.TREC: trec,
    Format.CSV: partial(delimited, delimiter=","),
    Format.TSV: partial(delimited, delimiter="\t"),
    Format.JSONL: jsonl,
    Format.PARQUET: parquet,
}
GZ = ".gz"
SUFFIXES: Mapping[str, Format] = {
    **{".csv": Format.CSV, ".tsv": Format.TSV},
    **{".jsonl": Format.JSONL, ".ndjson": Format.JSONL},
    **{".parquet": Format.PARQUET, ".pq": Format.PARQUET},
}


def read(path: Path, kind: Kind, form: Format | None = None) -> Iterator[Rows]:
    """Yield a file's rows, some thousands at once; raises UsageError for whatever is wrong."""
    return READERS[form or found(path)](path, kind)


def found(path: Path) -> Format:
    """Tell a file's format; what nothing else is said of is TREC."""
    if (named := _by_name(path)) is not None:
        return named
    if not path.is_file():  # a pipe can be read once; one that is not there is told of later
        return Format.TREC
    with unpacked(path) as file:
        start = cast("BufferedReader", file).peek(64)[:64]
    if start.startswith(b"PAR1"):
        return Format.PARQUET
    return Format.JSONL if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else Format.TREC


def refuse_name(path: Path) -> None:
    """Raise UsageError for a name that says of TREC's plain text that it is something else."""
    if (form := _by_name(path)) is not None:
        raise UsageError(f"{path}: TREC's format is written, and the name is that of {form}")
    if path.suffix.casefold() == GZ:
        raise UsageError(f"{path}: plain text is written, not gzip; leave {GZ} out of the name")


def _by_name(path: Path) -> Format | None:
    suffixes = [one.casefold() for one in path.suffixes if one.casefold() != GZ]
    return SUFFIXES.get(suffixes[-1]) if suffixes else None
