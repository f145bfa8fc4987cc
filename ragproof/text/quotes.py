"""Whether a quote is one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from ragproof.text.sentence_spans import sentence_spans


def occurs(quote: str, texts: Iterable[str]) -> bool:
    r"""Whether one of the texts has the quote word for word, white space aside.

    An empty quote occurs nowhere: it shows nothing.

    >>> occurs("two  moons", ["Mars has two\nmoons."])
    True
    """
    bare = "".join(quote.split())
    return bool(bare) and any(bare in "".join(text.split()) for text in texts)


def unquoted(text: str, quotes: Iterable[str]) -> list[str]:
    """The sentences of a text of which no quote has a part, white space aside.

    >>> unquoted("It is red. It hums. Thanks!", ["is  red", "hums. Th"])
    []
    >>> unquoted("It is red. It hums. Thanks!", ["It is red."])
    ['It hums.', 'Thanks!']
    """
    solid = [*accumulate((not letter.isspace() for letter in text), initial=0)]
    bare, covered = "".join(text.split()), set[int]()
    for quote in quotes:
        if part := "".join(quote.split()):
            at = bare.find(part)
            while at >= 0:
                covered.update(range(at, at + len(part)))
                at = bare.find(part, at + len(part))
    return [
        text[start:end]
        for start, end in sentence_spans(text)
        if covered.isdisjoint(range(solid[start], solid[end]))
    ]
