"""Recorded observations: what is read, and what is refused with its line."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from pathlib import Path

import pytest

from ragproof.adapters.recorded import RecordedAdapter
from ragproof.core import (
    AdapterError,
    Answer,
    Cause,
    Chunk,
    Citation,
    Event,
    EventKind,
    Failed,
    Feedback,
    Observation,
    Parsed,
    QuestionCase,
    RunError,
    UsageError,
)


def written(folder: Path, *lines: object, end: str = "\n") -> Path:
    path = folder / "observations.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_bytes("".join(text + end for text in texts).encode("utf-8", "surrogatepass"))
    return path


def observed(one: RecordedAdapter, case_id: str = "q1") -> Observation:
    async def main() -> Observation:
        try:
            return await one.observe(QuestionCase(id=case_id, question="?"))
        finally:
            await one.close()

    return asyncio.run(main())


def test_a_line_is_an_observation(tmp_path: Path) -> None:
    line = {
        "case_id": "q1",
        "retrieved": [{"id": 1, "text": "one", "score": 0.5, "metadata": {"document_id": 2}}],
        "answer": {"answer_text": "x", "citations": [{"chunk_id": 1}]},
        "parsed": {"text": "p"},
        "chunks": [],
        "seconds": 0.25,
    }
    assert observed(RecordedAdapter.load(written(tmp_path, line))) == Observation(
        case_id="q1",
        retrieved=(Chunk(id="1", text="one", score=0.5, metadata={"document_id": "2"}),),
        answer=Answer(answer_text="x", citations=(Citation(chunk_id="1"),)),
        parsed=Parsed(text="p"),
        chunks=(),
        seconds=0.25,
    )


def test_what_users_did_is_part_of_it(tmp_path: Path) -> None:
    told = {
        "exposed": ["open", "dwell", "thumbs_down"],
        "events": [
            {"kind": "open", "chunk_id": 7, "at": 1767323045.5},
            {"kind": "dwell", "seconds": 12},
            {"kind": "thumbs_down", "reason": "too long"},
        ],
    }
    seen = observed(
        RecordedAdapter.load(written(tmp_path, {"case_id": "q1", "asked_at": 8, "feedback": told}))
    )
    assert seen.asked_at == 8
    assert seen.feedback == Feedback(
        exposed=(EventKind.OPEN, EventKind.DWELL, EventKind.THUMBS_DOWN),
        events=(
            Event(kind=EventKind.OPEN, chunk_id="7", at=1767323045.5),
            Event(kind=EventKind.DWELL, seconds=12),
            Event(kind=EventKind.THUMBS_DOWN, reason="too long"),
        ),
    )


@pytest.mark.parametrize("asked_at", [-1, 1_772_000_000_000, 1e300])
def test_a_time_in_other_units_is_refused(tmp_path: Path, asked_at: float) -> None:
    path = written(tmp_path, {"case_id": "q1", "asked_at": asked_at})
    with pytest.raises(UsageError, match=r":1: the line: asked_at: got .*; allowed: seconds since"):
        RecordedAdapter.load(path)


@pytest.mark.parametrize(
    ("feedback", "said"),
    [
        ({"exposed": ["coppy"]}, "feedback.exposed.0: got 'coppy'; allowed: regenerate, open, "),
        (
            {"exposed": ["copy"], "events": [{"kind": "copied"}]},
            "feedback.events.0.kind: got 'copied'; allowed: regenerate, open, ",
        ),
        (
            {"exposed": ["copy"], "events": [{"kind": "copy"}, {"kind": "share"}]},
            "feedback.events.1.kind: got 'share', which is not among feedback.exposed",
        ),
        (
            {"exposed": ["dwell"], "events": [{"kind": "dwell"}]},
            "feedback.events.0: seconds is missing; 'dwell' says it",
        ),
        (
            {"exposed": ["dwell"], "events": [{"kind": "dwell", "seconds": -1}]},
            "feedback.events.0.seconds: got -1; allowed: 0 and above",
        ),
        (
            {"exposed": ["copy"], "events": [{"kind": "copy", "at": 1_772_000_000_000}]},
            "feedback.events.0.at: got 1.772e+12; allowed: seconds since 1970, up to the year 9999",
        ),
        ({"exposed": ["edit"], "events": [{"kind": "edit"}]}, "text is missing; 'edit' says it"),
        ({"event": []}, "feedback: there is no key 'event'. Did you mean 'events'?"),
        ([], "feedback: got []; allowed: a mapping with exposed, events"),
    ],
)
def test_events_that_no_figure_could_count_are_refused(
    tmp_path: Path, feedback: object, said: str
) -> None:
    path = written(tmp_path, {"case_id": "q1"}, {"case_id": "q2", "feedback": feedback})
    with pytest.raises(UsageError) as raised:
        RecordedAdapter.load(path)
    assert str(raised.value).startswith(f"{path}:2: the line: feedback")
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ({"error": "no index"}, Failed(Cause.ADAPTER, "no index")),
        ({"error": ""}, Failed(Cause.ADAPTER, "the recording gives no message")),
        ({"timeout": True}, Failed(Cause.TIMEOUT, "the recording gives no message")),
        ({"timeout": True, "error": "30 s"}, Failed(Cause.TIMEOUT, "30 s")),
        ({"timeout": False, "error": None, "answer": None}, None),
    ],
)
def test_a_failure_that_was_recorded_is_one(
    tmp_path: Path, line: dict[str, object], failure: Failed | None
) -> None:
    one = RecordedAdapter.load(written(tmp_path, {"case_id": "q1", **line}))
    assert observed(one).failure == failure


def test_a_case_without_a_line_is_an_error(tmp_path: Path) -> None:
    one = RecordedAdapter.load(written(tmp_path, {"case_id": "q1"}))
    with pytest.raises(AdapterError, match=r"^no recorded observation for this case in obs"):
        observed(one, "q2")


def test_lines_for_unknown_cases_are_counted(tmp_path: Path) -> None:
    one = RecordedAdapter.load(written(tmp_path, *({"case_id": f"q{n}"} for n in range(5))))
    assert one.unknown(["q0", "q1", "other"]) == 3


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n \n"])
def test_marks_line_ends_and_odd_characters_do_not_matter(tmp_path: Path, end: str) -> None:
    texts = ["\u2028 \u0085 \x0b", "\ud800", "größer"]
    lines = [
        json.dumps({"case_id": f"q{n}", "answer": text}, ensure_ascii=text == "\ud800")
        for n, text in enumerate(texts)
    ]
    lines[0] = f"\ufeff{lines[0]}"
    one = RecordedAdapter.load(written(tmp_path, *lines, end=end))
    for n, text in enumerate(texts):
        assert observed(one, f"q{n}").answer == Answer(answer_text=text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "the line is not JSON"),
        ("[" * 100_000, "the line is not JSON"),
        ("5", "the line holds 5; allowed: a mapping with case_id"),
        ({}, "case_id is missing; given are the keys (none)"),
        ({"case_id": "q2", "retreived": []}, "no key 'retreived'. Did you mean 'retrieved'?"),
        ({"case_id": "q2", "citations": []}, "there is no key 'citations'. Allowed: answer, "),
        ({"case_id": "q2", "answer": {}}, "answer: answer_text is missing"),
        (
            {"case_id": "q2", "answer": {"answer_text": "x", "citation": []}},
            "answer: there is no key 'citation'. Did you mean 'citations'?",
        ),
        (
            '{"case_id": "q2", "retrieved": [{"id": "a", "score": NaN}]}',
            "retrieved.0.score: got nan; allowed: a finite number",
        ),
        ({"case_id": "q2", "retrieved": [{"id": 5.0}]}, "retrieved.0.id: got 5.0; write it as a"),
        ({"case_id": "q2", "seconds": -1}, "seconds: got -1; allowed: 0 and above"),
        ({"case_id": "q2", "timeout": "yes"}, "timeout: got 'yes'; allowed: true or false"),
        ({"case_id": "q1"}, "case 'q1' is recorded in line 1 too; keep one of them"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, line: object, said: str) -> None:
    path = written(tmp_path, {"case_id": "q1"}, "", line)
    with pytest.raises(UsageError) as error:
        RecordedAdapter.load(path)
    assert str(error.value).startswith(f"{path}:3: ")
    assert said in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        RecordedAdapter.load(tmp_path / "none.jsonl")


def test_the_header_pins_the_content(tmp_path: Path) -> None:
    path = written(tmp_path, {"case_id": "q1"})
    one = RecordedAdapter.load(path)
    info = one.info("2")
    assert (info.type, info.target, info.version) == ("recorded", str(path), "2")
    assert info.content == sha256(path.read_bytes()).hexdigest()
    assert one.name == str(path)


def test_a_file_that_changes_under_the_run_stops_it(tmp_path: Path) -> None:
    path = written(tmp_path, {"case_id": "q1"}, {"case_id": "q2"})
    for change in ('{"case_id": "q2"}\n{"case_id": "q1"}\n', "{}", ""):
        written(tmp_path, {"case_id": "q1"}, {"case_id": "q2"})
        one = RecordedAdapter.load(path)
        path.write_text(change)
        with pytest.raises(RunError, match=r":2: the file was changed while it was in use"):
            observed(one, "q2")
    one = RecordedAdapter.load(written(tmp_path, {"case_id": "q1"}))
    path.unlink()
    with pytest.raises(RunError, match="changed"):
        observed(one)


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    text = "x" * 10_000_000
    one = RecordedAdapter.load(written(tmp_path, {"case_id": "q1", "answer": text}))
    assert observed(one).answer == Answer(answer_text=text)
