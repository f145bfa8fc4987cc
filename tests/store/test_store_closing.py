"""How a run is closed says what the store holds of it."""

from __future__ import annotations

import pytest
from store_samples import finished, header, save

from ragproof.core import RunState
from ragproof.store.open import RunStore
from ragproof.wiring.perform import close


@pytest.mark.parametrize(
    ("saved", "state"),
    [(("q1", "q2"), RunState.COMPLETED), (("q1",), RunState.PARTIAL), ((), RunState.FAILED)],
)
def test_a_run_is_complete_only_with_every_case(
    store: RunStore, saved: tuple[str, ...], state: RunState
) -> None:
    store.begin(header())  # of two cases
    save(store, "run-1", *map(finished, saved))
    found = close(store, "run-1", RunState.COMPLETED)
    assert found.record.state is store.find("run-1").state is state
    assert found.summary.cases.missing == 2 - len(saved)
