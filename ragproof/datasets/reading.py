"""A dataset file, read and checked as a whole before anything is run on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ragproof.core import Case, QuestionCase, UsageError
from ragproof.core.garbage import uncollected
from ragproof.datasets import beir, frozen
from ragproof.datasets.canonical import dataset_hash
from ragproof.datasets.checks import check
from ragproof.datasets.parse import Malformed, read_case
from ragproof.text.faults import SHOWN, Fault, raise_all, shown
from ragproof.text.jsonl import read_lines
from ragproof.text.nearest import nearest


@dataclass(frozen=True, slots=True)
class Dataset:
    """Cases as they were found in a file."""

    name: str
    """The file's, without suffix."""
    path: Path
    """Absolute."""
    cases: tuple[Case, ...]
    """In the order of the file; never empty."""
    hash: str
    """As `canonical.dataset_hash` says."""


@uncollected()
def load(path: Path) -> Dataset:
    """Read a JSONL or frozen dataset, or a benchmark in BEIR's layout.

    Raises UsageError with up to 20 of the file's faults, each with line, case and field; for a
    frozen one also when its cases are not those that were frozen.
    """
    stated: str | None = None
    if path.suffix == ".json":
        stated, texts = frozen.read(path)
        cases = _Reader(path, "case ").read(enumerate(texts, 1))
    elif beir.is_beir(path):
        cases = _Reader(beir.folder_of(path) / beir.QUERIES).read(beir.read(path))
    else:
        cases = _Reader(path).read((line, raw.decode()) for line, raw in read_lines(path))
    digest = dataset_hash(cases)
    if stated not in (None, digest):
        raise UsageError(
            f"{path}: the cases were altered after freezing: the file states hash {stated}, its "
            f"cases have {digest}. Restore the file, or freeze the dataset again"
        )
    return Dataset(name_of(path), path.absolute(), cases, digest)


def read_given(name: str, lines: Iterable[str], folder: Path) -> Dataset:
    """Check cases that a caller has in hand, each as its JSON; raises UsageError as `load` does."""
    reader = _Reader(Path(name), " case ", folder)
    cases = reader.read(enumerate(lines, 1))
    return Dataset(name, folder / name, cases, dataset_hash(cases))


def freeze(path: Path) -> Path:
    """Write a dataset's frozen form, `<name>.frozen.json`, beside it and return its path."""
    dataset = load(path)
    target = dataset.path.with_name(f"{dataset.name}{frozen.SUFFIX}")
    frozen.write(target, dataset.name, dataset.hash, dataset.cases)
    return target


def name_of(path: Path) -> str:
    """Name a dataset after its file: `faq` for `faq.jsonl` and for `faq.frozen.json`.

    A benchmark is called by its folder and the split: `scifact-test`.
    """
    if beir.is_beir(path):
        return beir.called(path)
    return path.stem.removesuffix(".frozen") or path.stem


class _Reader:
    """Reads all cases of a file, remembering where each stood and what is wrong with any."""

    def __init__(self, path: Path, unit: str = "", folder: Path | None = None) -> None:
        self._path = path
        self._folder = folder or path.parent
        self._unit = unit
        """What the numbers count; nothing for lines."""
        self._numbers: dict[str, int] = {}
        self._lines: list[str] = []
        self._total = 0

    def read(self, numbered: Iterable[tuple[int, str]]) -> tuple[Case, ...]:
        cases = tuple(case for one in numbered if (case := self._case(*one)) is not None)
        for case in cases:
            if isinstance(case, QuestionCase) and case.variant_of is not None:
                self._check_original(case, case.variant_of)
        raise_all(self._lines, self._total)
        if not cases:
            raise UsageError(f"{self._path}: the dataset is empty. Write one case a line")
        return cases

    def _case(self, number: int, text: str) -> Case | None:
        case: Case | None = None
        try:
            case = read_case(text)
        except Malformed as malformed:
            case_id, faults = malformed.case_id, malformed.faults
        else:
            case_id, faults = case.id, tuple(check(case, self._folder))
        if faults:
            self._note(number, case_id, *faults)
        if case_id and (first := self._numbers.setdefault(case_id, number)) != number:
            taken = Fault(("id",), f"already the id of the case at {self._place(first)}")
            self._note(number, case_id, taken)
        return case

    def _check_original(self, case: Case, original: str) -> None:
        if original in self._numbers:
            return
        near = nearest(original, self._numbers)
        message = f"got {shown(original)}; allowed: the id of another case.{near}"
        self._note(self._numbers[case.id], case.id, Fault(("variant_of",), message))

    def _note(self, number: int, case_id: str, *faults: Fault) -> None:
        self._total += len(faults)
        known = f" (case {shown(case_id)})" if case_id else ""
        for fault in faults[: SHOWN - len(self._lines)]:
            self._lines.append(f"{self._place(number)}{known}: {fault}")

    def _place(self, number: int) -> str:
        return f"{self._path}:{self._unit}{number}"
