"""Expected tables and parsed ones, paired and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragproof.core import CaseRun, DoesNotArise, Scored
from ragproof.core.needs import EXPECTED_TABLES, TABLES
from ragproof.core.outcome import Json
from ragproof.text.html_table import CELLS, Element, elements, table_in, text_of
from ragproof.text.table_likeness import table_likeness


def compared(run: CaseRun, *, structure: bool) -> Scored:
    """Mean similarity over the expected tables and those too many.

    Raises DoesNotArise where there is no table, ValueError for an expected one that is none.
    """
    given, wanted = run[TABLES], run[EXPECTED_TABLES]
    expected = [table_in(html) for html in wanted]
    if None in expected:
        raise ValueError(f"expected_tables[{expected.index(None)}] has no <table> in it")
    reference, parsed = [one for one in expected if one], [table_in(html) for html in given]
    pairs = paired(reference, parsed)
    count = max(len(wanted), len(given))
    if not count:
        raise DoesNotArise("there is no table, and none was given")
    values: list[Json] = []
    total = 0.0
    for at, place in pairs:
        table = parsed[place]
        value = table_likeness(reference[at], table, structure=structure) if table else 0.0
        total += value
        values.append({"expected": at, "parsed": place, "value": value})
    evidence: dict[str, Json] = {
        "pairs": values,
        "missing": len(wanted) - len(pairs),
        "spurious": len(given) - len(pairs),
        "no_table": [at for at, table in enumerate(parsed) if table is None],
    }
    return Scored(total / count, evidence, weight=count)


def paired(reference: Sequence[Element], parsed: Sequence[Element | None]) -> list[tuple[int, int]]:
    """Pair tables by what their cells say, the most alike first, then by place; as many as can be.

    What is no table comes last.
    """
    mine, theirs = [_cells(one) for one in reference], [_cells(one) for one in parsed]
    ranked = sorted(
        (parsed[place] is None, -_shared(cells, others), abs(at - place), at, place)
        for at, cells in enumerate(mine)
        for place, others in enumerate(theirs)
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for *_, at, place in ranked:
        if at not in pairs and place not in taken:
            pairs[at] = place
            taken.add(place)
    return sorted(pairs.items())


def _cells(table: Element | None) -> Counter[str]:
    if table is None:
        return Counter()
    return Counter(said for one in elements(table) if one.tag in CELLS and (said := text_of(one)))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """What both say, of what they say together: 0 to 1."""
    return 2 * (one & other).total() / ((one.total() + other.total()) or 1)
