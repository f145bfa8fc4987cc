"""What someone probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Say which of the allowed names is close, as a sentence to append; empty where none is.

    >>> nearest("qestion", ["question", "id"])
    " Did you mean 'question'?"
    >>> nearest("colour", ["question", "id"])
    ''
    """
    known = {one.casefold(): str(one) for one in allowed}
    found = difflib.get_close_matches(name.casefold(), known, n=1)
    return f" Did you mean {known[found[0]]!r}?" if found else ""
