"""The addresses in a text that a reader could follow, or whose image a page would load."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_URL = r"(?:https?:)?//[^\s<>\"'`\\^{}|]+|https?:[^\s<>\"'`\\^{}|]+"
_ANY = re.compile(_URL, re.IGNORECASE)
_BARE = re.compile(r"(?<![\w@./-])www\.[^\s<>\"'`\\^{}|]+", re.IGNORECASE)
_TARGET = re.compile(rf"\]\(\s{{0,9}}<?(?P<url>{_URL})", re.IGNORECASE)
_LONGEST_ALT = 1_000
_LOADED = re.compile(
    rf"(?:\bsrc(?:set)?|\bbackground|\bposter|\bdata)\s*=\s*[\"']?\s*(?P<url>{_URL})"
    rf"|url\(\s*[\"']?(?P<css>{_URL})",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"!\[(?P<text>[^\[\]]*)\](?:\[(?P<name>[^\[\]]*)\])?(?!\()")
_DEFINED = re.compile(
    rf"^ {{0,3}}\[(?P<name>[^\[\]]+)\]:\s{{0,9}}<?(?P<url>{_URL})", re.M | re.IGNORECASE
)
_PARTS = re.compile(r"(?:[a-z]+:)?//(?P<authority>[^/?#]*)[^?#]*(?P<query>\?[^#]+)?", re.IGNORECASE)
_HINT = re.compile(r"https?:|www\.", re.IGNORECASE)
_CLOSING = ".,;:!?*_~'\""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Link:
    """An address, its host, and whether it is loaded without being followed."""

    url: str
    host: str
    is_loaded: bool

    @property
    def carries_data(self) -> bool:
        """Whether it has a query, or a name and password: room for what is to be let out."""
        parts = _PARTS.match(_absolute(self.url))
        return parts is not None and bool(parts["query"] or "@" in parts["authority"])


def links(text: str) -> list[Link]:
    """Each address once, in the order of the text; loaded where any of its places loads it.

    Markdown, HTML and bare addresses; `//host/` and `www.host` too; entities and invisible
    characters are taken for what a browser takes them for.

    Example:
        >>> [(one.host, one.is_loaded) for one in links("![x](//a.example/p) https://b.example.")]
        [('a.example', True), ('b.example', False)]
    """
    plain = html.unescape(text) if "&" in text else text
    plain = plain if plain.isascii() else _INVISIBLE.sub("", plain)
    if "//" not in plain and not _HINT.search(plain):
        return []
    loaded = {_trimmed(url) for url in _loaded(plain)}
    matches = sorted(
        (found for shape in (_ANY, _BARE) for found in shape.finditer(plain)),
        key=lambda found: found.start(),
    )
    found: dict[str, Link] = {}
    for match in matches:
        url = _trimmed(match[0])
        if (host := host_of(url)) and url not in found:
            found[url] = Link(url, host, url in loaded)
    return list(found.values())


def host_of(url: str) -> str:
    """The host in lower case, without a port; empty where there is none.

    Example:
        >>> host_of("https://user@Example.COM:8080/x")
        'example.com'
    """
    parts = _PARTS.match(_absolute(url))
    authority = "" if parts is None else parts["authority"].rpartition("@")[2]
    host = authority if authority.startswith("[") else authority.partition(":")[0]
    return host.rstrip(".").lower()


def _loaded(text: str) -> Iterator[str]:
    for found in _TARGET.finditer(text):
        opened = text.rfind("![", max(0, found.start() - _LONGEST_ALT), found.start())
        if opened >= 0 and "](" not in text[opened : found.start()]:
            yield found["url"]
    for found in _LOADED.finditer(text):
        yield found["url"] or found["css"]
    defined = {one["name"].casefold(): one["url"] for one in _DEFINED.finditer(text)}
    for one in _REFERENCE.finditer(text):
        if (url := defined.get((one["name"] or one["text"]).casefold())) is not None:
            yield url


def _absolute(url: str) -> str:
    if url.startswith("//"):
        return f"https:{url}"
    if url.lower().startswith("www."):
        return f"https://{url}"
    scheme, colon, rest = url.partition(":")
    return f"{scheme}{colon}//{rest.lstrip('/')}"


def _trimmed(url: str) -> str:
    """Without the punctuation of the sentence, and without a bracket that was opened before."""
    while url and (url[-1] in _CLOSING or (url[-1] in ")]" and not _balanced(url))):
        url = url[:-1]
    return url


def _balanced(url: str) -> bool:
    opening = {")": "(", "]": "["}[url[-1]]
    return url.count(opening) >= url.count(url[-1])
