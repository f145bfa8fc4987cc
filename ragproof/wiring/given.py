"""What a caller from code has in hand, so that no config need name it."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.datasets import Dataset


@dataclass(frozen=True, kw_only=True)
class Given:
    """None is "not in hand": the config, or a flag, names it."""

    dataset: Dataset | None = None
    pipeline: object | None = None
    """An object with the methods of an adapter in Python, or a class or function that makes one."""
    named_after: object | None = None
    """What the pipeline is called after, where that is not the pipeline itself."""

    @property
    def target(self) -> str:
        """What the header and messages call the pipeline: `my_rag.search:Pipeline`."""
        of = self.pipeline if self.named_after is None else self.named_after
        of = of if hasattr(of, "__qualname__") else type(of)
        module, name = getattr(of, "__module__", None), getattr(of, "__qualname__", "pipeline")
        return f"{module or '__main__'}:{name}"


NOTHING_GIVEN = Given()
