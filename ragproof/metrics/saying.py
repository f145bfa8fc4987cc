"""Whether an answer says what is accepted, by its tokens alone: for short, factual answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ragproof.text.answer_tokens import answer_tokens


def said(text: str, accepted: Iterable[str]) -> str | None:
    """The first of the accepted answers whose tokens stand in the text, one after the other.

    An accepted answer that is empty is said by an empty text only. Tokens are those of
    `generation.exact_match`.

    Example:
        >>> said("It was built in 1998, in Paris.", ["1999", "1998"])
        '1998'
        >>> said("It was built in 1998.", ["98"]) is None
        True
    """
    given = answer_tokens(text)
    return next((one for one in accepted if _within(answer_tokens(one), given)), None)


def token_f1(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of all tokens of both that both have; of two empty texts 1.

    Example:
        >>> token_f1(["in", "1998"], ["1998"])
        0.6666666666666666
    """
    if not one and not other:
        return 1.0
    shared = sum((Counter(one) & Counter(other)).values())
    return 2 * shared / (len(one) + len(other))


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    if not part:
        return not whole
    size, first = len(part), part[0]
    return any(
        whole[at] == first and list(whole[at : at + size]) == list(part)
        for at in range(len(whole) - size + 1)
    )
