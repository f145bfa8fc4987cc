"""A model at work on a book, once: what it costs is booked, and what ends it is told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from ragproof.core import OverBudget, RunError
from ragproof.datasets.generate import Progress
from ragproof.datasets.generate_files import Book
from ragproof.datasets.generate_plan import KindPlan
from ragproof.llm.door import Door
from ragproof.llm.prices import CHARACTERS_A_TOKEN
from ragproof.llm.settings import ModelSettings
from ragproof.wiring.schema import Config
from ragproof.wiring.writing import prices_of, with_writer

REPLY_TOKENS = 150
"""Of a usual reply."""
Settle = Callable[[], None]
Work = Callable[[Door, Settle], Coroutine[Any, Any, None]]
"""From the model, and what to call when something is done, to the work."""


@dataclass
class BookSitting:
    """The model at work."""

    config: Config
    environ: Mapping[str, str]
    book: Book
    progress: dict[str, Progress] = field(default_factory=dict[str, Progress])
    calls: int = 0
    cache_hits: int = 0
    before: float | None = field(init=False)
    """USD that earlier sittings paid."""

    def __post_init__(self) -> None:
        """Note what was paid before."""
        self.before = self.book.spent

    def ask(self, settings: ModelSettings | None, work: Work) -> tuple[str | None, str]:
        """Have it work; say why it could not go on, and what that makes of the whole.

        Without settings nothing is done. Raises KeyboardInterrupt for Ctrl-C and SIGTERM, the
        files in order.
        """
        try:
            if settings is not None:
                self._work(settings, work)
        except OverBudget as fault:
            return str(fault).replace("resume the run", "--resume"), "aborted:budget"
        except RunError as fault:
            return str(fault), "failed"
        except KeyboardInterrupt:
            self.sum_up("interrupted", self.progress)
            raise
        return None, ""

    def _work(self, settings: ModelSettings, work: Work) -> None:
        async def worked(door: Door) -> None:
            def settle() -> None:
                self._book(door)
                self.sum_up("running", self.progress)

            await work(door, settle)

        spent, note = self.before or 0.0, self._note
        with_writer(self.config, self.environ, settings, worked, self._book, spent=spent, note=note)

    def _note(self, usd: float) -> None:
        """Write down what may be paid by now: a kill must not hide it from the budget."""
        is_known = self.before is not None and prices_of(self.config).known
        self.book.spent = usd if is_known else None
        self.sum_up("running", self.progress)

    def _book(self, door: Door) -> None:
        """Add what was paid since the last time; unknown once a price is."""
        used = door.used
        self.calls, self.cache_hits = used.calls, used.cache_hits
        paid = used.cost_usd
        before = self.before
        self.book.spent = None if paid is None or before is None else before + paid

    def sum_up(self, status: str, kinds: Mapping[str, Progress]) -> None:
        """Write down how far it got."""
        told = {
            kind: {"wanted": one.wanted, "made": one.made, "reasons": dict(one.reasons)}
            for kind, one in kinds.items()
        }
        self.book.sum_up({"status": status, "kinds": told, "cases": len(self.book.cases)})


def priced(config: Config, kinds: Mapping[str, KindPlan]) -> tuple[float | None, float | None]:
    """What the calls cost if all succeed, and at most; None where prices are not known."""
    prices, most = prices_of(config), config.judge.max_output_tokens
    calls = sum(one.calls for one in kinds.values())
    most_calls = sum(one.most_calls for one in kinds.values())
    sent = sum(one.characters for one in kinds.values()) // CHARACTERS_A_TOKEN
    most_sent = sum(one.most_characters for one in kinds.values()) // (CHARACTERS_A_TOKEN - 1)
    return prices.cost(sent, calls * REPLY_TOKENS), prices.cost(most_sent, most_calls * most)
