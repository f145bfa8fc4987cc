"""Whether a quote is one."""

from __future__ import annotations

from collections.abc import Iterable


def occurs(quote: str, texts: Iterable[str]) -> bool:
    r"""Whether one of the texts has the quote word for word, white space aside.

    An empty quote occurs nowhere: it shows nothing.

    >>> occurs("two  moons", ["Mars has two\nmoons."])
    True
    """
    bare = "".join(quote.split())
    return bool(bare) and any(bare in "".join(text.split()) for text in texts)
