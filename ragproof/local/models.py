"""Models that read two texts at once, or one: what metrics are handed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ragproof.core import ModelError, PairScore, UsageError
from ragproof.core.pipeline import Vector
from ragproof.local.files import ModelFiles
from ragproof.local.heads import Head, Logits, entailment, relevance
from ragproof.local.session import Output, Session
from ragproof.local.tokens import Tokens, Window

NO_EXTRA = 'local models need onnxruntime and tokenizers: pip install "ragproof[local]"'


@dataclass(frozen=True, slots=True)
class Loading:
    """How models are loaded and run."""

    batch: int = 16
    """Windows that are read at once."""
    threads: int = 2
    """Of each model."""


@dataclass(frozen=True, eq=False)
class _Loaded:
    """A model in memory."""

    files: ModelFiles
    tokens: Tokens
    session: Session
    batch: int

    @classmethod
    def of(cls, files: ModelFiles, how: Loading) -> _Loaded:
        onnxruntime, tokenizers = _imported()
        session = Session(files, onnxruntime, how.threads)
        return cls(files, Tokens.of(files, tokenizers, session.tokens), session, how.batch)

    async def outputs(
        self, windows: Sequence[Window], output: str, take: Callable[[Output, Output], Output]
    ) -> Output:
        """What `take` makes of each batch; those of like length go together, order is kept."""
        order = sorted(range(len(windows)), key=lambda at: len(windows[at]))
        found: dict[int, Output] = {}
        for at in range(0, len(order), self.batch):
            some = order[at : at + self.batch]
            batch = [windows[one] for one in some]
            call = partial(self.session.run, batch, self.tokens.padding, output)
            found.update(zip(some, take(*await self.session.aside(call)), strict=True))
        rows = np.stack([found[at] for at in range(len(windows))])
        if not np.isfinite(rows).all():
            raise ModelError(f"the local model {self.files.name} gave what is no finite number")
        return rows


@dataclass(frozen=True, eq=False)
class OnnxPairModel:
    """Reads two texts at once; the longer of them window by window, of which the best counts."""

    loaded: _Loaded
    head: Head
    long: int
    """Which of the two is cut into windows: 0 for premises, 1 for passages."""
    output: str

    @classmethod
    def nli(cls, files: ModelFiles, how: Loading) -> OnnxPairModel:
        """A model of premise and hypothesis. Raises UsageError for one that cannot be used."""
        return cls._of(_Loaded.of(files, how), entailment, long=0)

    @classmethod
    def cross_encoder(cls, files: ModelFiles, how: Loading) -> OnnxPairModel:
        """A model of question and passage. Raises UsageError for one that cannot be used."""
        return cls._of(_Loaded.of(files, how), relevance, long=1)

    @classmethod
    def _of(
        cls, loaded: _Loaded, reads: Callable[[ModelFiles], Head], *, long: int
    ) -> OnnxPairModel:
        head = reads(loaded.files)
        known = loaded.session.outputs
        model = cls(loaded, head, long, "logits" if "logits" in known else known[0])
        model._try()
        return model

    @property
    def fingerprint(self) -> str:
        """The hash of its files."""
        return self.loaded.files.fingerprint

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> list[PairScore]:
        """Score each pair, in the order given; a pair that is there twice is scored once."""
        if not pairs:
            return []
        known = {one: await self._windows(one) for one in dict.fromkeys(pairs)}
        windows = [window for some in known.values() for window in some]
        logits = await self.loaded.outputs(windows, self.output, lambda found, _: found)
        values, raw = self.head.values(logits)
        scored, at = dict[tuple[str, str], PairScore](), 0
        for pair, some in known.items():
            mine = slice(at, at + len(some))
            best = at + int(np.lexsort((raw[mine], values[mine]))[-1])
            scored[pair] = PairScore(float(values[best]), float(raw[best]), len(some))
            at += len(some)
        return [scored[one] for one in pairs]

    async def _windows(self, pair: tuple[str, str]) -> list[Window]:
        return await self.loaded.session.aside(
            partial(self.loaded.tokens.of_pair, *pair, long=self.long)
        )

    def _try(self) -> None:
        """Raise UsageError unless two pairs of unlike length give as many figures as labels."""
        tokens, session = self.loaded.tokens, self.loaded.session
        windows = [tokens.of_pair(one, "b", long=0)[0] for one in ("a", "a b c")]
        found = _tried(session, windows, tokens.padding, self.output)
        if found.shape != (2, len(self.head.labels)):
            raise UsageError(
                f"{session.graph}: {self.output} of 2 pairs has the shape {found.shape}; "
                f"id2label has {len(self.head.labels)} labels, so it must be "
                f"(2, {len(self.head.labels)})"
            )


@dataclass(frozen=True, eq=False)
class OnnxEmbedder:
    """Gives texts their vectors; one that is too long for the model is read window by window."""

    loaded: _Loaded
    output: str
    pooling: str | None
    """`mean` or `cls` over the tokens' vectors; None where the model does it."""

    @classmethod
    def of(cls, files: ModelFiles, how: Loading) -> OnnxEmbedder:
        """A model of sentences. Raises UsageError for one that cannot be used."""
        loaded = _Loaded.of(files, how)
        output = _embedding_output(loaded)
        windows = [loaded.tokens.of_text(one)[0] for one in ("a", "a b c")]
        found = _tried(loaded.session, windows, loaded.tokens.padding, output)
        if found.ndim not in (2, 3) or len(found) != 2:
            raise UsageError(
                f"{loaded.session.graph}: {output} of 2 texts has the shape {found.shape}; allowed "
                "are (2, dimensions) and (2, tokens, dimensions)"
            )
        return cls(loaded, output, None if found.ndim == 2 else _pooling(loaded.files))

    @property
    def fingerprint(self) -> str:
        """The hash of its files."""
        return self.loaded.files.fingerprint

    async def __call__(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed each text; windows of one text are averaged by how many tokens each has."""
        if not texts:
            return []
        cut = self.loaded.tokens.of_text
        known = await self.loaded.session.aside(lambda: [cut(one) for one in texts])
        windows = [window for some in known for window in some]
        rows = await self.loaded.outputs(windows, self.output, self._pooled)
        found, at = list[list[float]](), 0
        for some in known:
            sizes = [len(one) for one in some]
            vector = np.average(rows[at : at + len(some)], axis=0, weights=sizes)
            found.append(vector.tolist())
            at += len(some)
        return found

    def _pooled(self, found: Output, mask: Output) -> Output:
        match self.pooling:
            case "mean":
                told: Output = (found * mask[..., None]).sum(axis=1) / mask.sum(axis=1)[:, None]
                return told
            case "cls":
                return found[:, 0]
            case _:
                return found


def _embedding_output(loaded: _Loaded) -> str:
    known = loaded.session.outputs
    wanted = ("sentence_embedding", "last_hidden_state", "token_embeddings")
    return next((one for one in wanted if one in known), known[0])


def _pooling(files: ModelFiles) -> str:
    """How tokens' vectors become one, as the files of sentence-transformers say."""
    modules = files.settings.get("modules.json")
    kinds = [str(one.get("type", "")) for one in modules or () if isinstance(one, dict)]
    if any(one.endswith(".Dense") for one in kinds):
        raise UsageError(
            f"{files.folder}: modules.json has a layer after the pooling that the ONNX file does "
            "not have; export the model with all of them (output sentence_embedding)"
        )
    place = "1_Pooling/config.json"
    named = files.told(place, "pooling_mode")
    flags = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token"}
    asked = [named] if named else [one for one, key in flags.items() if files.told(place, key)]
    if place in files.settings and (len(asked) != 1 or asked[0] not in flags):
        raise UsageError(
            f"{files.folder / place}: allowed is pooling by mean or by cls, one of them"
        )
    return str(asked[0]) if asked else "mean"


def _tried(session: Session, windows: Sequence[Window], padding: int, output: str) -> Logits:
    """What the model makes of two short texts; raises UsageError where that fails."""
    try:
        return session.run(windows, padding, output)[0]
    except ModelError as fault:
        raise UsageError(
            f"{session.graph} takes no batch of texts of unlike length ({fault}); export it with "
            "dynamic axes"
        ) from fault


def _imported() -> tuple[Any, Any]:
    try:
        import onnxruntime  # noqa: PLC0415  heavy, and an extra
        import tokenizers  # noqa: PLC0415  as above
    except ImportError as fault:
        raise UsageError(NO_EXTRA) from fault
    return onnxruntime, tokenizers
