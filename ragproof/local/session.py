"""One ONNX file, loaded and ready, on the CPU."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragproof.core import ModelError, UsageError
from ragproof.local.files import ModelFiles
from ragproof.local.tokens import Window, padded

T = TypeVar("T")
Output: TypeAlias = NDArray[np.float64]
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_FLOATS = ("tensor(float)", "tensor(float16)", "tensor(double)")
AXES = ("rows", "tokens")
_ERRORS_ONLY = 3


class Session:
    """Runs one batch at a time, beside the loop: cases that do not need the model go on."""

    def __init__(self, files: ModelFiles, onnxruntime: Any, threads: int) -> None:  # noqa: ANN401
        """Load; raises UsageError for a file that is no model, or one that is fed otherwise."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(threads, os.cpu_count() or 1)  # more only take memory
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        options.enable_mem_pattern = False  # batches differ in size
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.graph = files.graph
        try:
            self._session = onnxruntime.InferenceSession(
                str(files.graph), options, providers=["CPUExecutionProvider"]
            )
        except Exception as fault:  # the library has no tree of exceptions
            raise UsageError(
                f"{files.graph} is no model that onnxruntime reads: {_first_line(fault)}"
            ) from fault
        inputs = self._session.get_inputs()
        self._inputs = {one.name: _INTEGERS.get(one.type) for one in inputs}
        if strange := [one for one, kind in self._inputs.items() if one not in INPUTS or not kind]:
            raise UsageError(
                f"{files.graph} wants the input {', '.join(strange)}; allowed: whole numbers for "
                f"{', '.join(INPUTS)}"
            )
        self._rows, self.tokens = _fixed(files.graph, inputs)
        self.outputs = [one.name for one in self._session.get_outputs() if one.type in _FLOATS]
        if not self.outputs:
            told = ", ".join(f"{one.name} {one.type}" for one in self._session.get_outputs())
            raise UsageError(
                f"{files.graph} has the output {told}; allowed: numbers of {', '.join(_FLOATS)}"
            )
        self._worker = ThreadPoolExecutor(1, "local-model")

    def run(self, windows: Sequence[Window], padding: int, output: str) -> tuple[Output, Output]:
        """Give an output for these windows, its first dimension, and their mask.

        A graph of a fixed number of rows is run as often as it takes, the last time with rows that
        nobody asked for. Raises ModelError where onnxruntime fails.
        """
        fed = dict(zip(INPUTS, padded(windows, padding, self.tokens), strict=True))
        given = {name: fed[name].astype(kind) for name, kind in self._inputs.items()}
        rows = self._rows or len(windows)
        found = [
            self._asked(
                output, {name: _filled(one[at : at + rows], rows) for name, one in given.items()}
            )
            for at in range(0, len(windows), rows)
        ]
        return np.concatenate(found)[: len(windows)], fed["attention_mask"].astype(np.float64)

    def _asked(self, output: str, given: Mapping[str, Any]) -> Output:
        try:
            [found] = self._session.run([output], given)
        except Exception as fault:  # as above
            raise ModelError(f"{self.graph.name} failed: {_first_line(fault)}") from fault
        return np.atleast_1d(np.asarray(found, np.float64))

    async def aside(self, call: Callable[[], T]) -> T:
        """Do something in the model's own thread, one thing after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, call)


def _fixed(graph: Path, inputs: Sequence[Any]) -> tuple[int | None, int | None]:
    """How many rows and tokens the graph takes; None where it takes any number."""
    told = {one.name: list(one.shape) for one in inputs}
    shapes = {name: one for name, one in told.items() if one}  # a graph may tell nothing of it
    said = ", ".join(f"{name} {one}" for name, one in shapes.items())
    if any(len(one) != len(AXES) for one in shapes.values()):
        raise UsageError(f"{graph} wants {said}; allowed is the shape [{', '.join(AXES)}]")
    found: list[int | None] = []
    for at, what in enumerate(AXES):
        sizes = {one[at] for one in shapes.values() if isinstance(one[at], int)}
        if len(sizes) > 1:
            raise UsageError(f"{graph} wants {said}; the number of {what} must be one for all")
        found.append(next(iter(sizes), None))
    return found[0], found[1]


def _filled(rows: Any, size: int) -> Any:  # noqa: ANN401  an array of any integers
    """So many rows: the first one again for those that lack."""
    return rows if len(rows) == size else np.concatenate([rows, *[rows[:1]] * (size - len(rows))])


def _first_line(fault: Exception) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]
