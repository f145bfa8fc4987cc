"""Send a request until it is answered: the one file that knows the HTTP client."""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from ragproof.adapters.template import Filled, Template
from ragproof.core import AdapterError
from ragproof.text.counting import counted

RETRIED = frozenset({408, 429, 500, 501, 502, 503, 504, 529})
"""Statuses that may pass; all others from 300 on fail at once."""
LONGEST_WAIT_SECONDS = 30.0
"""What a server may ask for by Retry-After; it is held to this."""
BACKOFF_SECONDS = 0.5
"""Before the second attempt; then twice as long each time."""
LONGEST_BACKOFF_SECONDS = 8.0
MOST_BYTES = 50 * 1024 * 1024
"""Of one response, decompressed."""
_QUOTED = 200
_LOOKED_AT = 65_536
"""Bytes of an error's body that are read."""


class _Fault(Exception):
    """What went wrong with an attempt."""

    def __init__(
        self, why: str, *, body: str = "", passes: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(why)
        self.body = body
        self.passes = passes
        """Whether the next attempt may fare better."""
        self.wait = wait
        """Seconds that the server asks to be left alone."""


class Exchange:
    """One client for all the requests of a run. Redirects are refused and cookies forgotten.

    A redirect would turn a POST into a GET, or carry secrets elsewhere; a cookie would let one
    case shape the answer to the next.
    """

    def __init__(
        self,
        *,
        timeout_seconds: float,
        max_attempts: int,
        backoff_seconds: float = BACKOFF_SECONDS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Hold the limits; connections are made when the first request is sent."""
        self._timeout = timeout_seconds
        self._attempts = max_attempts
        self._backoff = backoff_seconds
        self._most_bytes = most_bytes
        self._session: aiohttp.ClientSession | None = None

    async def ask(self, template: Template, filled: Filled, until: float) -> tuple[Any, float]:
        """Return the JSON of the response and the seconds of the attempt that brought it.

        No attempt begins after `until`, in the loop's time. Raises AdapterError that says what
        the last attempt met, without secrets.
        """
        attempt = 1
        while True:
            try:
                return await self._attempt(filled)
            except _Fault as fault:
                wait = self._backoff_for(attempt) if fault.wait is None else fault.wait
                last = not fault.passes or attempt >= self._attempts
                late = not last and asyncio.get_running_loop().time() + wait >= until
                if last or late:
                    raise AdapterError(_said(fault, attempt, template, late=late)) from None
            attempt += 1
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _backoff_for(self, attempt: int) -> float:
        longest: float = min(self._backoff * 2 ** (attempt - 1), LONGEST_BACKOFF_SECONDS)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311  so that cases do not march in step

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=self._timeout),
                headers={"User-Agent": "ragproof"},
            )
        return self._session

    async def _attempt(self, filled: Filled) -> tuple[Any, float]:
        started = time.perf_counter()
        try:
            async with self._opened().request(
                filled.method,
                filled.url,
                headers=filled.headers,
                data=filled.data,
                allow_redirects=False,
            ) as response:
                if response.status >= 300:
                    await self._refuse(response)
                body = await self._body(response)
                seconds = time.perf_counter() - started
                return _json(body, response), seconds
        except TimeoutError:
            why = f"no complete response within {self._timeout:g} s"
            raise _Fault(why, passes=True) from None
        except aiohttp.ClientSSLError as error:
            raise _Fault(f"no secure connection: {error}") from None
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError) as error:
            why = f"the connection failed: {str(error) or type(error).__name__}"
            raise _Fault(why, passes=True) from None
        except (aiohttp.ClientError, ValueError) as error:
            raise _Fault(f"the exchange failed: {type(error).__name__}: {error}") from None

    async def _refuse(self, response: aiohttp.ClientResponse) -> None:
        body = (await response.content.read(_LOOKED_AT)).decode("utf-8", "replace")
        status = f"{response.status} {response.reason or ''}".strip()
        if response.status in RETRIED:
            raise _Fault(status, body=body, passes=True, wait=_retry_after(response))
        if response.status < 400:
            place = response.headers.get("Location", "nowhere")
            raise _Fault(f"{status}: it redirects to {place}; write that as the url")
        raise _Fault(status, body=body)

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        parts, size = [], 0
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > self._most_bytes:
                raise _Fault(f"the response is larger than {self._most_bytes:,} bytes")
        return b"".join(parts)


def _json(body: bytes, response: aiohttp.ClientResponse) -> Any:  # noqa: ANN401  any JSON
    text = _text(body, response)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        kind = response.headers.get("Content-Type", "no type")
        why = f"the response ({kind}) is {'not JSON' if text else 'empty'}"
        raise _Fault(why, body=text[:_LOOKED_AT]) from None


def _text(body: bytes, response: aiohttp.ClientResponse) -> str:
    """JSON is UTF-8, whatever the header says; only what is not may be what the header says."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        charset = response.charset or "utf-8"
    try:
        return body.decode(charset)
    except (LookupError, UnicodeDecodeError):
        raise _Fault(f"the response is not text in the charset {charset!r}") from None


def _said(fault: _Fault, attempts: int, template: Template, *, late: bool) -> str:
    """The whole complaint; secrets are taken out before anything is cut, lest a half is left."""
    tried = ""
    if fault.passes:
        tried = f" (after {counted(attempts, 'attempt')}"
        tried += "; the next would come too late for this case)" if late else ")"
    body = template.hide(fault.body.strip())[:_QUOTED]
    return f"{template.label}: {template.hide(str(fault))}{tried}{': ' if body else ''}{body}"


def _retry_after(response: aiohttp.ClientResponse) -> float | None:
    """Seconds to wait, from seconds or an HTTP date; None where that is not said."""
    said = response.headers.get("Retry-After", "").strip()
    try:
        wait = float(said)
    except ValueError:
        try:
            when = parsedate_to_datetime(said)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        wait = (when - datetime.now(UTC)).total_seconds()
    return min(max(wait, 0.0), LONGEST_WAIT_SECONDS) if math.isfinite(wait) else None
