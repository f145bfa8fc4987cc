"""Put one question to an endpoint, once: the file that knows the HTTP client."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from ragproof.core import Reply
from ragproof.llm import fault as faults
from ragproof.llm.anthropic import AnthropicWire
from ragproof.llm.fault import Fault, Refusal
from ragproof.llm.model import Ask
from ragproof.llm.openai import OpenAIWire
from ragproof.llm.prices import tokens
from ragproof.llm.quick_json import dumps, loads
from ragproof.llm.settings import ModelSettings, api_key
from ragproof.llm.wire import Dialect, NoReply, Said, Wire, weighed

MOST_BYTES = 64 * 1024 * 1024
"""Of one response, decompressed."""
CONNECT_SECONDS = 15.0
_LOOKED_AT = 65_536
"""Bytes of an error's body that are read."""
_WIRES: Mapping[str, Wire] = {"openai": OpenAIWire(), "anthropic": AnthropicWire()}
_SCHEMA_WORDS = ("response_format", "json_schema", "structured output", "output_config", "schema")
FEWER_ALTERNATIVES = 5
"""Probabilities that are asked for where an endpoint does not tell as many as OpenAI's."""
_UNKNOWN = ("unsupported", "not support", "unrecognized", "unknown", "not permitted", "instead")


class Client:
    """A model whose `reply` is one attempt.

    It repeats a request by itself only to leave out, or to call otherwise, what the endpoint says
    it does not take; that costs nothing and is learnt once. Everything else raises Fault, which
    tells whether trying again may help.
    """

    def __init__(self, settings: ModelSettings, key: str | None = None) -> None:
        """Hold settings and key; connections are made when the first request is sent."""
        self.settings = settings
        self._key = key
        self._wire = _WIRES[settings.provider]
        self.dialect = self._wire.first_dialect(settings)
        """What the endpoint takes, as far as is known."""
        self._url = settings.url
        self._session: aiohttp.ClientSession | None = None

    @classmethod
    def of(cls, settings: ModelSettings, environ: Mapping[str, str]) -> Client:
        """Look the key up in the environment."""
        return cls(settings, api_key(settings.provider, environ))

    @property
    def fingerprint(self) -> str:
        """Identifies endpoint, model and settings."""
        return self.settings.fingerprint

    async def reply(self, ask: Ask, /) -> Reply:
        """Ask once. Raises Fault."""
        while True:
            used = self.dialect
            try:
                return await self._attempt(ask, used)
            except Fault as fault:
                learnt = _learnt(fault, used)
                if learnt == used:
                    raise
                self.dialect = learnt

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def _attempt(self, ask: Ask, dialect: Dialect) -> Reply:
        payload = dumps(self._wire.body(ask, self.settings, dialect))
        begun = time.perf_counter()
        document = await self._exchange(payload)
        seconds = time.perf_counter() - begun
        try:
            said = self._wire.read(document)
        except NoReply as error:
            raise self._odd(document, str(error)) from None
        return _reply(ask, said, seconds)

    async def _exchange(self, payload: bytes) -> Any:  # noqa: ANN401  any JSON
        settings = self.settings
        try:
            async with self._opened().post(
                self._url, data=payload, allow_redirects=False
            ) as response:
                body = await self._body(response)
        except aiohttp.ConnectionTimeoutError:
            raise faults.unreachable(settings, "nothing answers there") from None
        except TimeoutError:
            raise faults.too_late(settings, settings.timeout_seconds) from None
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL) as error:
            raise faults.unreachable(settings, _cause(error)) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise faults.broken_off(settings, _cause(error)) from None
        if response.status >= 300:
            refusal = Refusal.of(_document(body, response.charset))
            raise faults.refused(
                settings, response.status, refusal, key=self._key, wait=_wait(response.headers)
            )
        document = _document(body, response.charset)
        if isinstance(document, str):
            kind = response.headers.get("Content-Type", "no type")
            what = f"what is not JSON ({kind})" if document else "nothing"
            raise faults.garbage(settings, what, document, self._key)
        return document

    def _odd(self, document: Any, why: str) -> Fault:  # noqa: ANN401  any JSON
        """Tell an error that came as a success from a success that says nothing."""
        error = document.get("error") if isinstance(document, Mapping) else None
        if error:
            code = error.get("code") if isinstance(error, Mapping) else None
            status = code if isinstance(code, int) and 300 <= code < 600 else 500
            refusal = Refusal.of(document)
            return faults.refused(self.settings, status, refusal, key=self._key, wait=None)
        return faults.garbage(self.settings, f"JSON that is no reply ({why})", "", self._key)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(
                    total=self.settings.timeout_seconds, sock_connect=CONNECT_SECONDS
                ),
                headers={
                    "User-Agent": "ragproof",
                    "Content-Type": "application/json",
                    **self._wire.headers(self.settings, self._key),
                },
            )
        return self._session

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        parts, size = [], 0
        most = MOST_BYTES if response.status < 300 else _LOOKED_AT
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > most:
                if response.status >= 300:
                    break
                what = f"more than {MOST_BYTES:,} bytes"
                raise faults.garbage(self.settings, what, "", self._key)
        return b"".join(parts)


def _reply(ask: Ask, said: Said, seconds: float) -> Reply:
    estimated = said.input_tokens is None or said.output_tokens is None
    sent = tokens(ask.system + ask.user) if said.input_tokens is None else said.input_tokens
    told = tokens(said.text) if said.output_tokens is None else said.output_tokens
    return Reply(
        text=said.text,
        input_tokens=sent,
        output_tokens=told,
        estimated=estimated,
        seconds=seconds,
        model=said.model,
        finish=said.finish,
        truncated=said.truncated,
        weighed=weighed(said.spoken, ask.weighs),
    )


def _learnt(fault: Fault, used: Dialect) -> Dialect:
    """Give the dialect to go on with; the one that was used where the fault teaches nothing."""
    if used.alternatives and "logprob" in fault.said and fault.status in {400, 403, 422}:
        fewer = FEWER_ALTERNATIVES if used.alternatives > FEWER_ALTERNATIVES else 0
        return replace(used, alternatives=fewer)
    if fault.status not in {400, 422}:
        return used
    unknown = any(word in fault.said for word in _UNKNOWN)
    if unknown and not used.has_learnt_limit and used.limit_field in fault.said:
        is_old = used.limit_field == "max_tokens"
        other = "max_completion_tokens" if is_old else "max_tokens"
        return replace(used, limit_field=other, has_learnt_limit=True)
    if used.takes_schema and any(word in fault.said for word in _SCHEMA_WORDS):
        return replace(used, takes_schema=False)
    return used


def _document(body: bytes, charset: str | None) -> Any:  # noqa: ANN401  any JSON
    """Give the JSON of a body; its text where it is none. JSON is UTF-8, whatever is declared."""
    try:
        return loads(body)
    except (ValueError, RecursionError):
        pass
    try:
        text = body.decode(charset or "utf-8", "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    try:
        return loads(text.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return text


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from seconds, milliseconds or an HTTP date; None where none is said."""
    for name, unit in (("Retry-After-Ms", 1000.0), ("Retry-After", 1.0)):
        said = headers.get(name, "").strip()
        try:
            seconds = float(said) / unit
        except ValueError:
            try:
                when = parsedate_to_datetime(said)
            except ValueError:
                continue
            when = when if when.tzinfo else when.replace(tzinfo=UTC)
            seconds = (when - datetime.now(UTC)).total_seconds()
        if math.isfinite(seconds):
            return max(seconds, 0.0)
    return None


def _cause(error: Exception) -> str:
    return str(error) or type(error).__name__
