"""Columns of numbers: what records of runs and files of rankings are made of."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int8]
Flags: TypeAlias = NDArray[np.bool_]
