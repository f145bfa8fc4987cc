"""What the sections of `ragproof.yaml` are made of."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Text: TypeAlias = Annotated[str, Field(min_length=1)]
Texts: TypeAlias = Annotated[tuple[Text, ...], Field(min_length=1)]
Count: TypeAlias = Annotated[int, Field(ge=1)]
Seconds: TypeAlias = Annotated[float, Field(gt=0)]
Fraction: TypeAlias = Annotated[float, Field(ge=0, le=1)]
NotNegative: TypeAlias = Annotated[float, Field(ge=0)]


class Section(BaseModel):
    """A mapping of the file. Keys it does not have are errors; types are taken at their word."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
