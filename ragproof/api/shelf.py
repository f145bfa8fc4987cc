"""Where a run lies, so that what was found of it can be looked up later."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragproof.store.open import open_store
from ragproof.wiring.looking import Kept


class Scratch:
    """A folder that is there for as long as somebody holds this, or for good where it is kept."""

    def __init__(self, *, is_kept: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ragproof-"))
        if not is_kept:  # no `TemporaryDirectory`, which complains of being let go of
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def store(self) -> str:
        """The store in it."""
        return str(self.folder / "ragproof.db")


@dataclass(frozen=True)
class Shelf:
    """A run and its store."""

    where: str
    """Path or URL; it may hold a password and is not shown."""
    run_id: str
    config: Path | None = None
    """The config it was made with."""
    scratch: Scratch | None = None
    """Held, so that the store stays."""

    @contextmanager
    def opened(self) -> Iterator[Kept]:
        """Open the store for reading."""
        with open_store(self.where, create=False) as store:
            yield Kept(store, self.run_id)
