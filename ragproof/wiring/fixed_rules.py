"""What is fixed before a run: a later change of the rules shows."""

from __future__ import annotations

import json
from hashlib import sha256

from ragproof.wiring.schema import Config


def fixed_rules(config: Config) -> dict[str, str]:
    """The sha256 of the `gate` and `decisions` sections, of those that are written."""
    fixed = config.model_dump(mode="json", include={"gate", "decisions"}, exclude_unset=True)
    return {
        name: sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()
        for name, rules in fixed.items()
        if rules
    }
