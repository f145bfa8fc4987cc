"""Open a store to look at runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragproof.core import UsageError
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.config import DEFAULT
from ragproof.wiring.schema import Config
from ragproof.wiring.wish import Wish

DEMO_STORE = Path(".ragproof/demo.db")
"""Where the runs of `ragproof demo` are kept, in the folder that it was called in."""


@dataclass(frozen=True)
class Looking:
    """A store opened for reading, and what says which project's runs are meant."""

    store: RunStore
    config: Config

    @property
    def project(self) -> str | None:
        """None for those of all projects."""
        return self.config.runs_under


@dataclass(frozen=True)
class Kept:
    """A run in a store that is open."""

    store: RunStore
    id: str


@contextmanager
def open_for_reading(
    config: Path | None, store: str | None, environ: Mapping[str, str]
) -> Iterator[Looking]:
    """Open the store that flag, environment or config name; raise UsageError if there is none."""
    loaded = Wish(config=config, store=store).load_config(environ)
    with _opened(loaded) as opened:
        yield Looking(opened, loaded)


def _opened(config: Config) -> RunStore:
    try:
        return open_store(config.store, create=False)
    except UsageError as fault:  # there is none
        told = str(fault)
        if config.source_path is None:
            told += f". Nor is there a {DEFAULT} here; -c names one"
        if DEMO_STORE.exists():
            told += f". `ragproof demo` has its own: --store {DEMO_STORE}"
        raise UsageError(told) from None
