"""Which text an id, a label or a file may hold."""

from __future__ import annotations

import re

_UNCARRIED = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def uncarried(text: str) -> str:
    """Name the lone surrogate in a text, which no encoding can carry; empty where none is."""
    return _named(_UNCARRIED.search(text))


def unclean(text: str) -> str:
    r"""Name the character that an id or label must not hold; empty where all may stay.

    >>> unclean("doc\n1")
    'the control character U+000A'
    >>> unclean("größe 10")
    ''
    """
    return "" if text.isprintable() else _named(_CONTROL.search(text))


def _named(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    code = ord(found[0])
    kind = "lone surrogate" if 0xD800 <= code <= 0xDFFF else "control character"
    return f"the {kind} U+{code:04X}"
