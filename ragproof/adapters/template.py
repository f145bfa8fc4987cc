"""Fill request templates: `{name}` by a case's values, `env:NAME` by the environment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote, quote_plus

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.misspelt import meant
from ragproof.core import Json, UsageError

Values: TypeAlias = Mapping[str, Json]
Escape: TypeAlias = Callable[[str], str]

RESERVED = frozenset({"question", "k", "history", "caller"})
_PLACE = re.compile(r"\{(?P<name>\w+)\}|(?<!\w)env:(?P<env>[A-Za-z_]\w*)", re.ASCII)
_NOT_IN_HEADERS = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_LEAST_SECRET = 4
"""Characters; hiding anything shorter would garble messages and hide nothing."""
HIDDEN = "***"


@dataclass(frozen=True)
class Filled:
    """A request, ready to be sent. It holds secrets."""

    method: str
    url: str
    headers: Mapping[str, str]
    data: bytes | None


class Template:
    """The templates of one request, filled in a single pass: what is put in is never filled."""

    def __init__(
        self, endpoint: HttpEndpoint, place: str, params: Values, environment: Mapping[str, str]
    ) -> None:
        """Look up every secret now; `place` names the request in messages.

        Raises UsageError for a variable that is not set, a misspelt placeholder and a URL that
        is none.
        """
        self._endpoint = endpoint
        self._params = params
        self._environment: dict[str, str] = {}
        known = RESERVED.union(params)
        if taken := sorted(RESERVED & params.keys()):
            raise UsageError(f"adapter.params.{taken[0]}: this name is a placeholder of its own")
        for where, text in _texts(endpoint):
            for found in _PLACE.finditer(text):
                self._check(f"{place}.{where}", found, known, environment)
        self.method = (endpoint.method or ("GET" if endpoint.body is None else "POST")).upper()
        begins = _in_url(endpoint.url, params, self._environment)
        if not begins.lower().startswith(("http://", "https://")):
            raise UsageError(
                f"{place}.url is {endpoint.url!r}; it must begin with http:// or https://"
            )

    @property
    def label(self) -> str:
        """Method and URL for people: as written, without what it holds of secrets."""
        return f"{self.method} {re.sub('//[^/@?#]*@', f'//{HIDDEN}@', self._endpoint.url)}"

    def hide(self, text: str) -> str:
        """Take the secrets out of a text, in whatever form they were sent."""
        for secret in sorted(self._environment.values(), key=len, reverse=True):
            for form in (secret, quote(secret, safe=""), _in_json(secret)):
                if len(secret) >= _LEAST_SECRET:
                    text = text.replace(form, HIDDEN)
        return text

    def hide_in(self, value: Any) -> Any:  # noqa: ANN401  JSON
        """Take the secrets out of what a reply holds: an echo of them must not be kept."""
        if not self._environment:
            return value
        match value:
            case str():
                return self.hide(value)
            case list():
                return [self.hide_in(one) for one in value]
            case dict():
                return {self.hide(name): self.hide_in(one) for name, one in value.items()}
            case _:
                return value

    def filled(self, values: Values) -> Filled:
        """Fill in the values of one case."""
        values = {**self._params, **values}
        headers = {
            name: _put(text, values, self._environment, _in_header)
            for name, text in self._endpoint.headers.items()
        }
        names = {name.lower(): name for name in headers}
        data = None
        if self._endpoint.body is not None:
            kind = headers.setdefault(names.get("content-type", "Content-Type"), "application/json")
            data = self._data(values, kind)
        url = _in_url(self._endpoint.url, values, self._environment)
        return Filled(self.method, url, headers, data)

    def _data(self, values: Values, kind: str) -> bytes:
        body = self._endpoint.body
        if not isinstance(body, str):
            return json.dumps(self._json(body, values)).encode()
        text = _put(body, values, self._environment, _escape_for(kind))
        return text.encode("utf-8", "replace")

    def _json(self, body: Any, values: Values) -> Json:  # noqa: ANN401  any JSON
        match body:
            case str():
                whole = _PLACE.fullmatch(body)
                if whole and whole["name"] in values:
                    return values[whole["name"]]
                return _put(body, values, self._environment, _as_it_is)
            case Mapping():
                return {str(key): self._json(item, values) for key, item in body.items()}
            case list() | tuple():
                return [one for item in body for one in self._items(item, values)]
            case _:
                return body  # type: ignore[no-any-return]

    def _items(self, item: object, values: Values) -> Sequence[Json]:
        """What an item of a list becomes: the history, whose turns come one by one, or one value.

        So `messages: ["{history}", {role: user, content: "{question}"}]` is a conversation.
        """
        history = values.get("history")
        if item == "{history}" and isinstance(history, list):
            return history
        return [self._json(item, values)]

    def _check(
        self,
        where: str,
        found: re.Match[str],
        known: frozenset[str],
        environment: Mapping[str, str],
    ) -> None:
        if name := found["env"]:
            if not (secret := environment.get(name)):
                raise UsageError(f"{where}: the environment variable {name} is not set")
            if _NOT_IN_HEADERS.search(secret) and ".headers." in where:
                raise UsageError(
                    f"{where}: the environment variable {name} holds a line break or another "
                    "character that no header can carry; set it to the value alone"
                )
            self._environment[name] = secret
        elif found["name"] not in known and (near := meant(found["name"], known)):
            raise UsageError(
                f"{where}: there is no placeholder {found[0]}. Did you mean {{{near}}}?"
            )


def _texts(endpoint: HttpEndpoint) -> Iterator[tuple[str, str]]:
    yield "url", endpoint.url
    for name, text in endpoint.headers.items():
        yield f"headers.{name}", text
    yield from _strings("body", endpoint.body)


def _strings(where: str, body: object) -> Iterator[tuple[str, str]]:
    match body:
        case str():
            yield where, body
        case Mapping():
            for key, item in body.items():
                yield from _strings(f"{where}.{key}", item)
        case list() | tuple():
            for index, item in enumerate(body):
                yield from _strings(f"{where}.{index}", item)


def _put(
    text: str,
    values: Values,
    environment: Mapping[str, str],
    escape: Escape,
    secret: Callable[[str, int], str] | None = None,
) -> str:
    def value(found: re.Match[str]) -> str:
        if name := found["env"]:
            known = environment.get(name, "")
            return secret(known, found.start()) if secret else escape(known)
        if found["name"] not in values:
            return found[0]
        given = values[found["name"]]
        return escape(given if isinstance(given, str) else json.dumps(given))

    return _PLACE.sub(value, text)


def _in_url(url: str, values: Values, environment: Mapping[str, str]) -> str:
    def secret(known: str, start: int) -> str:  # before the query it may be a host, or more
        return quote(known, safe="") if "?" in url[:start] else known

    return _put(url, values, environment, _percent, secret)


def _percent(text: str) -> str:
    return quote(text, safe="", errors="replace")


def _in_header(text: str) -> str:
    """Percent-encode what would end the header or cannot be sent: a question may have lines."""
    return _NOT_IN_HEADERS.sub(lambda found: _percent(found[0]), text)


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _as_it_is(text: str) -> str:
    return text


def _escape_for(kind: str) -> Escape:
    """How values are put into a body of raw text."""
    if "json" in kind:
        return _in_json
    return _form if "x-www-form-urlencoded" in kind else _as_it_is


def _form(text: str) -> str:
    return quote_plus(text, errors="replace")
