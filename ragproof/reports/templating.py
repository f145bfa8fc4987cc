"""How HTML is made: what a template prints is inert and escaped, and a missing name is a fault."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ragproof.reports.wording import inert


def environment() -> Environment:
    """Make an environment for the templates of this folder."""
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalised,
    )


def _finalised(value: object) -> object:
    """Make every text that a template prints inert; jinja escapes it afterwards."""
    return inert(value, keep="\n\t") if type(value) is str else value
