"""Words of which one has to be chosen, as models write them."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Self


class Choice(StrEnum):
    """A closed list of words. Capitals, spaces and hyphens make no difference.

    >>> class Verdict(Choice):
    ...     NOT_APPLICABLE = "not_applicable"
    >>> Verdict(" Not-Applicable.")
    <Verdict.NOT_APPLICABLE: 'not_applicable'>
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        folded = re.sub(r"[\W_]+", "_", value.casefold()).strip("_")
        return next((one for one in cls if one.value == folded), None)
