"""JSON objects amid other text: prose, code fences, thoughts."""

from __future__ import annotations

import json
import re
from typing import Any

from ragproof.text.strict_json import unique

Found = dict[str, Any] | ValueError
"""An object, or what is wrong with it."""

_DECODER = json.JSONDecoder(object_pairs_hook=unique, strict=False)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENED_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_STRAIGHT = str.maketrans("“”„‟«»", '""""""')
_LONGEST_SEARCH = 1_000_000
"""Longer text is read only where it is one JSON value."""
_WORK = 2_000_000
"""Characters that may be read in vain."""


def objects(text: str) -> list[Found]:
    """Every complete object in the text, in order; inside an object none is looked for.

    What a model thought aloud before (`<think>`) is left out, unless nothing else is there but
    for an unclosed thought. Typographic quotes are taken for straight ones where there is no
    object otherwise. Takes time linear in the text's length.

    >>> objects('Sure: {"a": 1} } done')
    [{'a': 1}]
    """
    try:
        whole = _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        pass
    else:
        return [whole] if isinstance(whole, dict) else []
    if len(text) > _LONGEST_SEARCH:
        return []
    said = _OPENED_BEFORE.sub("", _THOUGHT.sub("", text))
    return _scanned(said) or _scanned_around(text) or _scanned(said.translate(_STRAIGHT))


def _scanned_around(text: str) -> list[Found]:
    """For text whose tags of thought are quoted inside an object."""
    return [] if _THOUGHT.match(text.lstrip()) else _scanned(text)


def _scanned(text: str) -> list[Found]:
    found: list[Found] = []
    at, work = text.find("{"), 0
    while at >= 0 and work < _WORK:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as fault:
            far = len(text) if fault.msg.startswith("Unterminated") else fault.pos
            work += far - at + fault.pos // 50 + 1  # an error counts the lines before it
            end = at + 1
        except RecursionError:
            work += _WORK // 100
            end = at + 1
        except ValueError as fault:  # a key twice
            found.append(fault)
            work += len(text) - at
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found
