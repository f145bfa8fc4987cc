"""What the figures mean that a model gives for two texts, as its own `config.json` has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core import UsageError
from ragproof.local.files import ModelFiles

Logits: TypeAlias = NDArray[np.float64]
ENTAILS = ("entailment", "entailed", "entails", "supported", "supports", "consistent")
"""Labels that say yes, in any case."""
_UNNAMED = "label_0"
"""What a single output is called that nobody named: there is nothing else that it could be."""


@dataclass(frozen=True, slots=True)
class Head:
    """The outputs of a model, and which of them is asked for."""

    labels: tuple[str, ...]
    asked: int

    def values(self, logits: Logits) -> tuple[Logits, Logits]:
        """Values from 0 to 1, and the logits they are from, of logits of shape (n, labels).

        One output goes through the logistic function, several through softmax.
        """
        raw = logits[:, self.asked]
        if len(self.labels) == 1:
            return np.exp(-np.logaddexp(0.0, -raw)), raw
        highest = logits.max(axis=1, keepdims=True)
        whole = np.log(np.exp(logits - highest).sum(axis=1)) + highest[:, 0]
        return np.exp(raw - whole), raw


def entailment(files: ModelFiles) -> Head:
    """The output that says that the premise entails the hypothesis."""
    labels = _labels(files)
    said = [one.strip().lower() for one in labels]
    allowed = (*ENTAILS, _UNNAMED) if len(labels) == 1 else ENTAILS
    places = [at for at, one in enumerate(said) if one in allowed]
    if len(places) != 1:
        raise UsageError(
            f"{files.folder / 'config.json'}: id2label: got {_shown(labels)}; exactly one label "
            f"must be called {', '.join(ENTAILS[:-1])} or {ENTAILS[-1]}, so that it is known which "
            "output says that the text is borne out"
        )
    return Head(labels, places[0])


def relevance(files: ModelFiles) -> Head:
    """The only output of a cross-encoder that ranks passages."""
    labels = _labels(files)
    if len(labels) != 1:
        raise UsageError(
            f"{files.folder / 'config.json'}: id2label: got {_shown(labels)}; a cross-encoder that "
            "ranks passages has one output"
        )
    return Head(labels, 0)


def _labels(files: ModelFiles) -> tuple[str, ...]:
    told = files.config.get("id2label")
    where = f"{files.folder / 'config.json'}: id2label"
    if not isinstance(told, dict) or not told:
        raise UsageError(
            f"{where}: got {told!r}; it must name the outputs, such as "
            '{"0": "contradiction", "1": "entailment", "2": "neutral"}'
        )
    numbers = {str(at) for at in range(len(told))}
    if told.keys() != numbers or not all(isinstance(one, str) for one in told.values()):
        raise UsageError(f"{where}: got {told!r}; its keys must be 0 to {len(told) - 1}, each once")
    return tuple(told[str(at)] for at in range(len(told)))


def _shown(labels: tuple[str, ...]) -> str:
    return ", ".join(f"{at}: {one}" for at, one in enumerate(labels))
