"""What is fixed before a run: a later change of the rules shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ragproof.wiring.schema import Config


def fixed_rules(config: Config) -> dict[str, str]:
    """The sha256 of the `gate` section, if it is written, and of each decision rule."""
    fixed = config.model_dump(mode="json", include={"gate"}, exclude_unset=True)
    gate = {name: hash_of(rules) for name, rules in fixed.items() if rules}
    decisions = fixed_decisions(config)
    return gate | {f"decisions.{name}": hash_of(rule) for name, rule in decisions.items()}


def fixed_decisions(config: Config) -> dict[str, dict[str, Any]]:
    """Each decision rule in its general form, as plain data."""
    return {name: one.rule(name).fixed for name, one in config.decisions.items()}


def hash_of(rules: Mapping[str, Any]) -> str:
    """The sha256 of a rule, however it was written."""
    return sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()
