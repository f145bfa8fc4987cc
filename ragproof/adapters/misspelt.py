"""Near misses: an unknown name that is all but certainly a known one."""

from __future__ import annotations

import difflib
from functools import lru_cache

_CLOSE = 0.8
"""Unknown names are allowed where this is asked, so only what is this similar is taken for one."""


@lru_cache(maxsize=1024)
def meant(name: str, known: frozenset[str]) -> str | None:
    """The known name that was meant, or None.

    >>> meant("citation", frozenset({"citations", "trace"})), meant("bbox", frozenset({"text"}))
    ('citations', None)
    """
    found = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=_CLOSE)
    return found[0] if found else None
