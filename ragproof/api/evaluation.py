"""Evaluate a pipeline from Python: the run of `ragproof run`, without a command around it."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, Unpack

from ragproof.api.asking import Asked, Asking, Cases, Said
from ragproof.api.result import Result
from ragproof.api.shelf import Scratch, Shelf
from ragproof.api.waiting import waited_for, wish_to_stop
from ragproof.core import RunError
from ragproof.engine.stop import Stop
from ragproof.wiring.perform import Outcome, Tally, findings, perform_here
from ragproof.wiring.prepare import Nothing, Prepared, prepare

P = ParamSpec("P")
T = TypeVar("T")


async def evaluate_async(
    cases: Cases | None = None,
    adapter: object | None = None,
    metrics: Asked | Iterable[Asked] | None = None,
    **said: Unpack[Said],
) -> Result:
    """Evaluate on the loop that runs: `evaluate`, to be awaited.

    The pipeline's async methods are called on this loop, so sessions and clients made on it work.
    Cancelled, it lets go of the cases in hand; what is saved stays in the `store`.
    """
    asking = Asking.of(cases, adapter, metrics, said)
    return await _carried_out(asking, progress=said.get("progress", False))


def _spelled_out(call: Callable[..., object]) -> inspect.Signature:
    """The signature with every name that may be said, for `help` and notebooks."""
    signature = inspect.signature(call)
    first = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    more = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=getattr(annotation, "__forward_arg__", annotation),
        )
        for name, annotation in Said.__annotations__.items()
    ]
    return signature.replace(parameters=[*first, *more])


def _blocking(call: Callable[P, Coroutine[Any, Any, T]], name: str, about: str) -> Callable[P, T]:
    @functools.wraps(call)
    def blocking(*args: P.args, **kwargs: P.kwargs) -> T:
        return waited_for(call(*args, **kwargs))

    blocking.__name__ = blocking.__qualname__ = name
    blocking.__doc__ = about
    vars(blocking)["__signature__"] = _spelled_out(call)
    return blocking


evaluate = _blocking(
    evaluate_async,
    "evaluate",
    """Evaluate a pipeline on cases and return what was found.

    It may be called anywhere, also where a loop runs already (a notebook): the work is done on a
    loop of its own in a thread of its own. A call of the pipeline that takes longer than
    `timeout_seconds` is a timeout of its case, whether or not it ever returns; only code that
    never lets go of the interpreter (an endless loop in C) stops everything, because there is no
    other process to end it: `ragproof run` has one.

    Args:
        cases: A dataset file, or a list of cases: mappings with the keys of a dataset's line, or
            `Case` objects. Default the config's.
        adapter: An object with `retrieve` or `answer` (or both, sync or async), a class or
            function that makes one, a function of the question that answers, `module:attribute`,
            a file of recorded observations, or a mapping like the config's `adapter`. Default the
            config's.
        metrics: Ids, globs, `{id: parameters}`, metrics or their classes. Default all that apply.
        k: Cut-off of `*_at_k` metrics. Default the config's, else 5.
        concurrency: Cases at once. Default the config's, else 8.
        repeats: Times that each case is tried. Default 1.
        source_match: What expected source ids name: `chunk` (default) or `document`.
        timeout_seconds: Longest time for one case. Default the config's, else 60.
        judge: Name of the model that judges, or a mapping like the config's `judge`; False for
            none. Default the config's or the environment's, else none.
        sample: Only so many cases, stratified by tags. `seed` says which.
        seed: Which sample. Default 0.
        limit: Only the first so many cases.
        split: Only the cases of a split.
        store: Where the run is kept: a file, or a `postgresql://` URL; every finished case is
            saved at once. Default the store of the `config`; without either nothing is kept.
        project: Name under which the run is kept.
        label: Name of the run.
        resume: Go on with a run of the store: its id, its label, or `latest`.
        config: A `ragproof.yaml` for all that is not said here. None is read by itself.
        settings: Further keys of the config, by dotted place: `{"run.depth": 20}`.
        progress: Show on stderr how far it is, if that is a terminal.

    Raises:
        UsageError: Something given is wrong; the message says what, and what is allowed.
        RunError: The run was ended before its time, by a budget or a pipeline that never returns.
            Its attribute `result` has what was found until then.

    >>> import ragproof
    >>> cases = [{"id": "q1", "question": "How long is the warranty?",
    ...           "expected_source_ids": ["warranty"], "expected_answer": "24 months"}]
    >>> class Pipeline:
    ...     def retrieve(self, question, k):
    ...         return [{"id": "returns"}, {"id": "warranty"}]
    ...     def answer(self, question):
    ...         return {"answer_text": "24 months"}
    >>> result = ragproof.evaluate(cases, Pipeline(), ["retrieval.mrr", "generation.exact_match"])
    >>> result.status, result.mean("retrieval.mrr"), result.mean("generation.exact_match")
    ('completed', 0.5, 1.0)
    """,
)


async def _carried_out(asking: Asking, *, progress: bool) -> Result:
    scratch = None if asking.is_kept else Scratch()
    wish = asking.wish(None if scratch is None else scratch.store)
    prepared = await asyncio.to_thread(prepare, wish, os.environ, asking.given())
    if isinstance(prepared, Nothing):
        where = wish.load_config(os.environ).store
        return await asyncio.to_thread(_again, prepared, Shelf(where, prepared.info.header.id))
    stop = wish_to_stop.get() or Stop()
    shelf = Shelf(prepared.draft.config.store, prepared.header.id, wish.config, scratch)
    try:
        with _told(prepared, shown=progress) as told:
            outcome = await perform_here(prepared, stop=stop, told=told)
    finally:
        await asyncio.shield(asyncio.to_thread(prepared.store.close))
    return _result(outcome, shelf)


def _again(done: Nothing, shelf: Shelf) -> Result:
    with done.store as store:
        return Result(findings(store, shelf.run_id), shelf)


def _result(outcome: Outcome, shelf: Shelf) -> Result:
    result = Result(outcome.findings, shelf)
    if outcome.error is not None:
        raise with_result(outcome.error, result)
    return result


def with_result(error: RunError, result: Result) -> RunError:
    """Let the error that ended a run carry what was found until then."""
    vars(error)["result"] = result
    error.add_note(f"what was found until then is its attribute `result`: {result!r}")
    return error


@contextmanager
def _told(prepared: Prepared, *, shown: bool) -> Iterator[Callable[[Tally], None]]:
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  only for those who look

    from ragproof.reports.progress import Progress  # noqa: PLC0415

    total = len(prepared.draft.cases) * prepared.header.settings.repeats
    with Progress(total, Console(stderr=True)) as line:
        yield lambda tally: line.update(tally.done, tally.failed, tally.timeouts)
