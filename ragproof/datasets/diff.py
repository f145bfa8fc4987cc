"""What changed between two versions of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof.core import Case
from ragproof.core.garbage import uncollected
from ragproof.datasets.canonical import dump

LABELS = frozenset(
    {
        *("adversarial_payload", "planted_source_ids", "distractor_source_ids"),
        *("superseded_source_ids", "eligible_source_ids", "answerable_from_context", "kind"),
        *("document_class", "duplicate_group", "as_of"),
    }
)
"""Fields that say what is right, beside those called `expected_...`."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A case that both versions have, with other content."""

    id: str
    fields: Mapping[str, tuple[Any, Any]]
    """Field to what it was and what it is; None where it is absent."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of the fields that say what is right."""
        return tuple(name for name in self.fields if is_label(name))


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions side by side."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: Mapping[str, str]
    """Old id to new id of cases that are otherwise the same."""
    changed: tuple[Changed, ...]
    same: int

    @property
    def relabelled(self) -> tuple[str, ...]:
        """Ids of cases whose scores would differ for the same answer."""
        return tuple(one.id for one in self.changed if one.labels)

    @property
    def is_none(self) -> bool:
        """Whether both have the same cases."""
        return not (self.added or self.removed or self.renamed or self.changed)


def is_label(name: str) -> bool:
    """Whether a field says what is right."""
    return name.startswith("expected_") or name in LABELS


@uncollected()
def difference(before: Sequence[Case], after: Sequence[Case]) -> Difference:
    """Compare by id; a case that only its id tells apart was renamed."""
    old = {case.id: dump(case) for case in before}
    new = {case.id: dump(case) for case in after}
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    bare = {_without_id(new[name]): name for name in reversed(come)}
    renamed: dict[str, str] = {}
    for name in gone:
        if (to := bare.pop(_without_id(old[name]), None)) is not None:
            renamed[name] = to
    both = [name for name in old if name in new]
    changed = tuple(_changed(name, old[name], new[name]) for name in both if old[name] != new[name])
    return Difference(
        added=tuple(name for name in come if name not in renamed.values()),
        removed=tuple(name for name in gone if name not in renamed),
        renamed=renamed,
        changed=changed,
        same=len(both) - len(changed),
    )


def _without_id(line: str) -> str:
    case = json.loads(line)
    del case["id"]
    return json.dumps(case, sort_keys=True)


def _changed(name: str, before: str, after: str) -> Changed:
    old, new = json.loads(before), json.loads(after)
    return Changed(
        name,
        {
            field: (old.get(field), new.get(field))
            for field in sorted({*old, *new})
            if old.get(field) != new.get(field)
        },
    )
