"""What the parameters of metrics may be: one wording for all that refuse one."""

from __future__ import annotations

from collections.abc import Collection


def one_of(name: str, got: object, allowed: Collection[str]) -> None:
    """Raise ValueError unless the parameter is one of these words.

    >>> one_of("match", "near", ("exact", "partial"))
    Traceback (most recent call last):
    ...
    ValueError: match: got 'near'; allowed: exact, partial
    """
    if got not in allowed:
        words = ", ".join(one or "''" for one in allowed)
        raise ValueError(f"{name}: got {got!r}; allowed: {words}")


def at_least(name: str, got: float, least: float = 1) -> None:
    """Raise ValueError for a parameter below the least that is allowed.

    >>> at_least("passages", 0)
    Traceback (most recent call last):
    ...
    ValueError: passages: got 0; allowed: 1 and above
    """
    if got < least:
        raise ValueError(f"{name}: got {got}; allowed: {least} and above")


def positive_share(name: str, got: float) -> None:
    """Raise ValueError for a boundary that everything or nothing could reach.

    >>> positive_share("threshold", 0.0)
    Traceback (most recent call last):
    ...
    ValueError: threshold: got 0.0; allowed: above 0, up to 1
    """
    if not 0 < got <= 1:
        raise ValueError(f"{name}: got {got}; allowed: above 0, up to 1")
