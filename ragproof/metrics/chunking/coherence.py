"""chunking.coherence"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, sumprod
from typing import TypeAlias

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import CHUNKS, EMBED
from ragproof.core.pipeline import Embed
