"""What the model was given, as the metrics of the context look at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ragproof.core import CaseRun, Chunk, DoesNotArise
from ragproof.core.needs import SUPPLIED
from ragproof.text.untrusted import listed

Chunks = TypeVar("Chunks", bound=Sequence[Chunk])

EMPTY = "the context is empty"
NO_TEXT = "no chunk of the context has text"


@dataclass(frozen=True, slots=True)
class Supplied:
    """The distinct chunks of a context, at the best rank of each."""

    chunks: tuple[Chunk, ...]

    @property
    def shown(self) -> dict[str, Chunk]:
        """The chunks that have text, by the id under which a judge sees them."""
        return {f"p{n}": one for n, one in enumerate(self.chunks, 1) if one.text.strip()}

    @property
    def passages(self) -> str:
        """The chunks that have text, for a prompt."""
        return listed("passage", (({"id": id_}, one.text) for id_, one in self.shown.items()))

    @property
    def texts(self) -> list[str]:
        """The texts that there are."""
        return [one.text for one in self.shown.values()]


def distinct(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    r"""Each id once, where it stands first, with all that is said under it.

    A pipeline may give several excerpts of one chunk; what only the second says is there, too.

    Example:
        >>> given = [Chunk(id="b", text="Red."), Chunk(id="a"), Chunk(id="b", text="Blue.")]
        >>> [(one.id, one.text) for one in distinct([*given, *given])]
        [('b', 'Red.\n\nBlue.'), ('a', '')]
    """
    by_id: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_id.setdefault(chunk.id, []).append(chunk)
    return tuple(map(_as_one, by_id.values()))


def _as_one(excerpts: Sequence[Chunk]) -> Chunk:
    first = excerpts[0]
    said = dict.fromkeys(one.text for one in excerpts if one.text.strip())
    return first if len(said) < 2 and first.text.strip() else replace(first, text="\n\n".join(said))


def telling(chunks: Chunks) -> Chunks:
    """These chunks as they are, possibly none.

    Raises DoesNotArise where there are some and none tells its text: nobody knows then what they
    say.
    """
    if chunks and not any(one.text.strip() for one in chunks):
        raise DoesNotArise(NO_TEXT, {"chunks": len({one.id for one in chunks})})
    return chunks


def supplied(run: CaseRun) -> Supplied:
    """The context of a run, possibly empty. Raises DoesNotArise as `telling` does."""
    return Supplied(distinct(telling(run[SUPPLIED])))


def some_supplied(run: CaseRun) -> Supplied:
    """The context of a run. Raises DoesNotArise where it is empty, as for `supplied` else."""
    found = supplied(run)
    if not found.chunks:
        raise DoesNotArise(EMPTY)
    return found


def each_once(told: Iterable[str], asked: Collection[str], what: str = "verdict") -> None:
    """Raise ValueError unless there is exactly one verdict for each id that was asked for.

    Example:
        >>> each_once(["p1", "p2"], ["p2", "p1"])
        >>> each_once(["p1"], ["p1", "p2"])
        Traceback (most recent call last):
        ...
        ValueError: there is no verdict for p2
    """
    times = Counter(told)
    for one, count in times.items():
        if one not in asked:
            wrong = f"there is a {what} for {one!r}, which was not asked for"
            raise ValueError(f"{wrong}; asked for: {', '.join(asked)}")
        if count > 1:
            raise ValueError(f"{one} has {count} {what}s; give it one")
    if missing := [one for one in asked if one not in times]:
        raise ValueError(f"there is no {what} for {', '.join(missing)}")
