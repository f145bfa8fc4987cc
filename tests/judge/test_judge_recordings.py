"""Every prompt has a recorded calibration of its present wording, and says who gave it."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from ragproof.analysis.agreement import Label, Thresholds, agreement
from ragproof.core import JudgeError, Prompt, Reply, UsageError, Weighed
from ragproof.judge.calibration import Judged, judged, scorer
from ragproof.judge.items import shipped_items
from ragproof.judge.recordings import (
    SCRIPTED,
    Recording,
    Told,
    read_recordings,
    said,
    shipped,
    write_recordings,
)
from ragproof.judge.refusal import ReadRefusal
from ragproof.metrics import catalog

ITEMS = shipped_items()
RECORDINGS = shipped()
METRICS = sorted({item.metric for item in ITEMS})


def asking(metric: str) -> Any:
    """What has the judge score."""
    return ReadRefusal() if metric == "readings.refusal" else catalog.build(metric)


def replayed(metric: str, recording: Recording) -> tuple[Judged, ...]:
    items = [item for item in ITEMS if item.metric == metric]
    return asyncio.run(judged(items, {metric: scorer(asking(metric))}, recording.judge))


def test_every_prompt_has_a_recording() -> None:
    assert sorted(RECORDINGS) == METRICS


@pytest.mark.parametrize("metric", METRICS)
def test_the_recording_is_of_the_present_prompt_and_items(metric: str) -> None:
    assert list(RECORDINGS[metric].faults(asking(metric).prompts, ITEMS)) == []


@pytest.mark.parametrize("metric", METRICS)
def test_it_says_who_gave_the_replies(metric: str) -> None:
    recording = RECORDINGS[metric]
    assert recording.source == SCRIPTED
    assert "no model was asked" in recording.by
    assert recording.judge(ITEMS[0]).fingerprint == "recorded: scripted"


@pytest.mark.parametrize("metric", METRICS)
def test_it_agrees_well_enough_to_pass(metric: str) -> None:
    found = replayed(metric, RECORDINGS[metric])
    assert [one.error for one in found if one.error] == []
    labels = [Label(human=one.human, judge=one.score) for one in found]
    assert Thresholds().shortfalls(agreement(labels)) == []


def test_a_changed_prompt_is_noticed_and_none_of_its_replies_is_used() -> None:
    metric = "generation.completeness"
    old = dataclasses.replace(RECORDINGS[metric], prompts=("0" * 64,))
    [fault] = old.faults(asking(metric).prompts, ITEMS)
    assert "prompt 000000000000 was answered" in fault
    assert "ragproof calibrate" in fault
    assert {one.error is not None for one in replayed(metric, old)} == {True}


def test_an_item_without_a_reply_is_noticed_and_is_an_error() -> None:
    metric = "generation.completeness"
    whole = RECORDINGS[metric]
    first, *_ = whole.replies
    short = dataclasses.replace(
        whole, replies={item: said for item, said in whole.replies.items() if item != first}
    )
    [fault] = short.faults(asking(metric).prompts, ITEMS)
    assert f"there is no reply to {first}" in fault
    assert [one.item.id for one in replayed(metric, short) if one.error] == [first]


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    weighed = Reply("4", weighed=(Weighed(0, "4", {"4": 0.5, "5": 0.5}),))
    replies = {"i": ("ü", "\u2028"), "j": said([Reply("plain"), weighed])}
    one = Recording(metric="m", prompts=("p", "q"), source="s", by="b", replies=replies)
    other = dataclasses.replace(one, metric="n", replies={})
    write_recordings(path, [one, other])
    assert read_recordings(path) == {"m": one, "n": other}
    assert replies["j"][0] == "plain"
    assert isinstance(replies["j"][1], Told)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"metric": "m"}\n',
        "[]\n",
        "no JSON\n",
        '{"a": 1}\n{"item": 1}',
        '{"item": "i", "replies": []}',
        '{"metric": "m", "prompts": [], "source": "s", "by": "b"}\n{"item": "i", "replies": [1]}',
    ],
)
def test_a_file_that_is_no_recording_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"one.jsonl\S* not a recording"):
        read_recordings(path)


def test_a_recording_repairs_only_what_was_repaired_then() -> None:
    metric = "generation.completeness"
    prompt: Prompt = asking(metric).prompts[0]
    item = next(item for item in ITEMS if item.metric == metric)
    broken = Recording(
        metric=metric, prompts=(prompt.sha256,), source="s", by="b", replies={item.id: ("?",)}
    )
    with pytest.raises(JudgeError, match=f"the recording has no reply to {item.id}"):
        asyncio.run(scorer(asking(metric))(item.to_run(), item.tools(broken.judge(item))))
