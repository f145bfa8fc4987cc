"""Whether two texts say something in the same words."""

from __future__ import annotations


def wording(text: str) -> str:
    r"""The words of a text; two that differ by case and white space alone have the same.

    >>> wording(" It is\n RED. ") == wording("it is red.")
    True
    """
    return " ".join(text.casefold().split())
