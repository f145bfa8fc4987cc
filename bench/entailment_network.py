"""A network of two texts for few examples: each word of the one is held to its like in the other.

MiniLM reads both texts apart, and stays as it is. Each token of the text that is judged looks for
its like in the other one twice: by the first layer, which knows the word, and by the last, which
knows the sentence (soft alignment, as in Parikh et al., EMNLP 2016). Only what then judges the
tokens beside their likes is learnt. All of it is one graph of the usual three inputs.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import torch  # type: ignore[import-not-found]
from torch import nn
from transformers import BertModel  # type: ignore[import-not-found]

Tensor: TypeAlias = Any
LAYERS = (1, 6)
"""Of the encoder: words, and words in their sentence."""
SHARP = (20.0, 12.0)
"""By how much likeness counts in an alignment, for each."""
WIDTH = 128
DROPPED = 0.2


class Encoder(nn.Module):  # type: ignore[misc]
    """What is not learnt: each token of the judged text beside its likes."""

    def __init__(self, home: str, judged: int) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(home, attn_implementation="eager")
        self.bert.eval().requires_grad_(False)  # noqa: FBT003  as torch has it
        self.judged = judged

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Of shapes (pairs, tokens, width of what is known of one) and (pairs, tokens).

        The second is 1 for the tokens that are judged.
        """
        first = (mask * (1 - types)).sum(dim=1, keepdim=True)
        order = torch.cumsum(torch.ones_like(ids), dim=1) - 1
        places = torch.where(types == 1, order - first + 1, order) * mask
        same = (types[:, None, :] == types[:, :, None]) & (mask[:, None, :] == 1)
        apart = (1.0 - same[:, None].float()) * -1e4
        told = self.bert.embeddings(ids, torch.zeros_like(types), places)
        layers = []
        for layer in self.bert.encoder.layer:
            told = layer(told, apart)
            told = told[0] if isinstance(told, tuple) else told
            layers.append(told)
        mine = (types == self.judged) & (mask == 1)
        theirs = (types != self.judged) & (mask == 1)
        found = []
        for at, sharp in zip(LAYERS, SHARP, strict=True):
            vectors = layers[at - 1].float()
            unit = vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1e-6)
            alike = unit @ unit.transpose(1, 2)
            alike = alike.masked_fill(~theirs[:, None, :], -1.0)
            like = torch.softmax(alike * sharp, dim=-1) @ vectors
            found += [vectors, like, alike.amax(dim=-1, keepdim=True)]
        return torch.cat(found, dim=-1), mine.float()


class Judge(nn.Module):  # type: ignore[misc]
    """What is learnt: from tokens beside their likes to logits."""

    def __init__(self, width: int, labels: int) -> None:
        super().__init__()
        self.width = width
        self.narrow = nn.ModuleList(nn.Linear(width, WIDTH) for _ in LAYERS)
        self.compare = nn.Sequential(
            nn.Linear(len(LAYERS) * (4 * WIDTH + 1), 2 * WIDTH),
            nn.GELU(),
            nn.Dropout(DROPPED),
            nn.Linear(2 * WIDTH, WIDTH),
            nn.GELU(),
        )
        self.ask, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.decide = nn.Sequential(
            nn.Linear(3 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(DROPPED), nn.Linear(WIDTH, labels)
        )

    def forward(self, found: Tensor, mine: Tensor) -> Tensor:
        """Logits of shape (pairs, labels)."""
        parts = []
        for at, narrow in enumerate(self.narrow):
            begin = at * (2 * self.width + 1)
            own = narrow(found[..., begin : begin + self.width])
            like = narrow(found[..., begin + self.width : begin + 2 * self.width])
            alike = found[..., begin + 2 * self.width : begin + 2 * self.width + 1]
            parts += [own, like, (own - like).abs(), own * like, alike]
        told = self.compare(torch.cat(parts, dim=-1))
        away = (1.0 - mine)[:, None, :] * -1e4
        heed = torch.softmax(
            self.ask(told) @ self.key(told).transpose(1, 2) / WIDTH**0.5 + away, -1
        )
        told = told + heed @ self.value(told)
        there = mine[..., None]
        mean = (told * there).sum(dim=1) / there.sum(dim=1).clamp(min=1.0)
        highest = (told - (1.0 - there) * 1e4).amax(dim=1)
        lowest = (told + (1.0 - there) * 1e4).amin(dim=1)
        decided: Tensor = self.decide(torch.cat([mean, highest, lowest], dim=-1))
        return decided


class Whole(nn.Module):  # type: ignore[misc]
    """Both, one after the other: what is exported."""

    def __init__(self, encoder: Encoder, judge: Judge) -> None:
        super().__init__()
        self.encoder, self.judge = encoder, judge

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Logits of shape (pairs, labels)."""
        told: Tensor = self.judge(*self.encoder(ids, mask, types))
        return told
