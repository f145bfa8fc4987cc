"""Names of languages."""

from __future__ import annotations


def code(tag: str, *, subtags: bool) -> str:
    """A language tag in lower case with hyphens; without `subtags` only its first part.

    >>> code("zh_Hans", subtags=False), code("zh_Hans", subtags=True)
    ('zh', 'zh-hans')
    """
    plain = tag.strip().lower().replace("_", "-")
    return plain if subtags else plain.partition("-")[0]
