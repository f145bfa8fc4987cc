"""What a cell of a table stands for, where a list or an object was written into it.

Exports write JSON; Python's csv and pandas write lists and objects as Python shows them.
"""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

from ragproof.text.strict_json import parse

LONGEST = 1_000_000
"""Characters of what Python shows; a parser of whole programs reads them."""


def literal(text: str) -> Any:  # noqa: ANN401  any JSON value
    """Read JSON, else what Python shows of a list or an object; raises ValueError for neither.

    >>> literal('["a", null]'), literal("['a', None]"), literal("{'b': (1, 2)}")
    (['a', None], ['a', None], {'b': [1, 2]})
    """
    try:
        return parse(text)
    except ValueError as fault:
        if text[:1] not in ("[", "{") or len(text) > LONGEST:
            raise
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                return json.loads(json.dumps(ast.literal_eval(text), allow_nan=False))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            raise fault from None
