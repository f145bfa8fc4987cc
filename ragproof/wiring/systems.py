"""From the config to the adapter of the system under test."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.adapters.python import PythonAdapter
from ragproof.core import Adapter, AdapterInfo, Need, Pipeline, UsageError
from ragproof.core.needs import FEEDBACK
from ragproof.wiring.given import NOTHING_GIVEN, Given
from ragproof.wiring.schema import AdapterConfig, Config, EndpointConfig


@dataclass(frozen=True)
class System:
    """The system under test, ready to be asked."""

    adapter: Adapter
    info: AdapterInfo
    warnings: tuple[str, ...] = ()
    pipeline: Pipeline | None = None
    """What metrics may call themselves, where it can be called at all."""
    lacks: frozenset[Need[Any]] = frozenset({FEEDBACK})
    """What it is known to give of no case: users act on recorded traffic only."""


def system(
    config: Config,
    case_ids: Iterable[str],
    depth: int,
    environ: Mapping[str, str],
    given: Given = NOTHING_GIVEN,
) -> System:
    """Load the adapter that the config names, or take the pipeline that is given.

    Raises UsageError for one that is missing or ill described, RunError where its code fails.
    """
    if given.pipeline is not None:
        python = PythonAdapter.of(given.pipeline, given.target, {}, depth)
        more = python.further(config.run.case_timeout_seconds)
        return System(python, python.info(), pipeline=more)
    if (chosen := config.adapter) is None:
        raise UsageError(
            "no adapter is configured. Write `adapter: {type: python, target: module:attribute}` "
            "in ragproof.yaml, or give --recorded FILE"
        )
    match chosen.type:
        case "python":
            python = PythonAdapter.load(chosen.target or "", chosen.params, config.folder, depth)
            more = python.further(config.run.case_timeout_seconds)
            return System(python, python.info(chosen.version), pipeline=more)
        case "http":
            return _http(chosen, depth, config.run.case_timeout_seconds, environ)
        case "recorded":
            return _recorded(chosen, case_ids)
        case "langchain" | "llamaindex" | "haystack":
            return _framework(chosen, config.folder, depth)


def _http(
    chosen: AdapterConfig, depth: int, case_seconds: float, environ: Mapping[str, str]
) -> System:
    from ragproof.adapters.http import HttpAdapter, HttpEndpoint  # noqa: PLC0415  aiohttp is heavy

    def endpoint(one: EndpointConfig | None) -> HttpEndpoint | None:
        if one is None:
            return None
        return HttpEndpoint(
            url=one.request.url,
            method=one.request.method,
            headers=one.request.headers,
            body=one.request.body,
            answer_path=one.answer_path,
            citations_path=one.citations_path,
            chunks_path=one.chunks_path,
            trace_path=one.trace_path,
            chunk_fields=one.chunk_fields.model_dump(exclude_none=True),
        )

    http = chosen.http
    if http is None:  # the config's check has said so before
        raise UsageError("adapter.http is missing")
    adapter = HttpAdapter.load(
        retrieve=endpoint(http.retrieve),
        answer=endpoint(http.answer),
        params=chosen.params,
        depth=depth,
        timeout_seconds=http.timeout_seconds,
        max_attempts=http.max_attempts,
        case_timeout_seconds=case_seconds,
        environ=environ,
    )
    return System(adapter, adapter.info(chosen.version), pipeline=adapter.further(case_seconds))


def _framework(chosen: AdapterConfig, folder: Path, depth: int) -> System:
    from ragproof.adapters.framework import FrameworkAdapter  # noqa: PLC0415  for these only
    from ragproof.adapters.haystack import HAYSTACK  # noqa: PLC0415
    from ragproof.adapters.langchain import LANGCHAIN  # noqa: PLC0415
    from ragproof.adapters.llamaindex import LLAMAINDEX  # noqa: PLC0415

    known = {one.name: one for one in (LANGCHAIN, LLAMAINDEX, HAYSTACK)}
    adapter = FrameworkAdapter.load(
        known[chosen.type], chosen.target or "", chosen.params, folder, depth
    )
    return System(adapter, adapter.info(chosen.version))


def _recorded(chosen: AdapterConfig, case_ids: Iterable[str]) -> System:
    from ragproof.adapters.recorded import RecordedAdapter  # noqa: PLC0415

    if chosen.path is None:
        raise UsageError("adapter.path is missing")
    path = filled(chosen.path, chosen.params)
    adapter = RecordedAdapter.load(path)
    unknown = adapter.unknown(case_ids)
    warnings = (
        (f"{path.name}: lines for cases that the dataset does not have: {unknown}",)
        if unknown
        else ()
    )
    info = dataclasses.replace(adapter.info(chosen.version), params=chosen.params)
    lacks = frozenset[Need[Any]]() if adapter.has_feedback else frozenset({FEEDBACK})
    return System(adapter, info, warnings, lacks=lacks)


def filled(path: Path, params: Mapping[str, object]) -> Path:
    """The path with each `{name}` replaced by the parameter: `outputs/{parser}.jsonl`."""

    def value(found: re.Match[str]) -> str:
        return str(params[found[1]]) if found[1] in params else found[0]

    return Path(re.sub(r"\{(\w+)\}", value, str(path)))
