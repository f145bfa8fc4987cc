"""Files of traffic: what holds the spans, and what is said of one that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from traffic_spans import CHAIN, batch, span, written

from ragproof.core import UsageError
from ragproof.datasets.traffic import reading
from ragproof.datasets.traffic.spans import Span


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"traceId": "xyz"}, 'spans.0.traceId: got "xyz"; allowed: hex digits'),
        ({"spanId": None}, "spans.0.spanId: got null; allowed: hex digits"),
        ({"startTimeUnixNano": "soon"}, "spans.0.startTimeUnixNano: got"),
        ({"startTimeUnixNano": "-1"}, "allowed: nanoseconds since 1970"),
        ({"startTimeUnixNano": 1_772_000_000}, "nanoseconds since 1970, of the years 2001 to 9999"),
        ({"startTimeUnixNano": 1_772_000_000_000}, "startTimeUnixNano: got 1772000000000"),
        ({"startTimeUnixNano": "1e30"}, 'startTimeUnixNano: got "1e30"'),
        ({"startTimeUnixNano": "2026-03-02T09:00:00Z"}, "allowed: nanoseconds since 1970"),
        ({"endTimeUnixNano": "soon"}, 'spans.0.endTimeUnixNano: got "soon"'),
        ({"name": ""}, 'spans.0.name: got ""; allowed: a text that is not empty'),
        ({"attributes": {}}, "spans.0.attributes: got an empty mapping; allowed: a list"),
        ({"attributes": [{"value": {}}]}, "attributes.0.key: got null"),
        (
            {"attributes": [{"key": "k", "value": {"odd": 1}}]},
            'attributes.0.value: got "odd"; allowed: stringValue, ',
        ),
        (
            {"attributes": [{"key": "k", "value": {"intValue": "x"}}]},
            'attributes.0.value.intValue: got "x"; allowed: a value of this type',
        ),
    ],
)
def test_a_bad_span_is_named_by_file_line_and_field(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    good = batch(span(1, "ask"))
    bad = batch({**span(1, "ask"), **changed})
    path = written(tmp_path / "t.jsonl", good, bad)
    with pytest.raises(UsageError) as raised:
        list(reading.read(path))
    assert str(raised.value).startswith(f"{path}:2: resourceSpans.0.scopeSpans.0.spans.0")
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "t.jsonl: the file is empty"),
        ('{"resourceSpans": []}\n{', "t.jsonl:2: not JSON"),
        ("[5]", "record 1: got 5; allowed: an object"),
        ('{"a": 1}', "neither OTLP (resourceSpans), nor a span"),
        ('{"id": "q", "question": "?", "sesion": "s"}', "Did you mean 'session'?"),
        ('{"question": "?"}', "id: got null; allowed: a text that is not empty"),
        ('{"id": "q", "question": " "}', 'question: got " "'),
        ('{"id": "q", "question": "?", "at": "noon"}', 'at: got "noon"; allowed: seconds since'),
        (
            '{"id": "q", "question": "?", "at": 1772000000000}',
            "at: got 1772000000000; allowed: seconds since 1970, or ISO 8601, up to the year 9999 "
            "(these look like milliseconds)",
        ),
        ('{"id": "q", "question": "?", "at": 1e18}', "(these look like nanoseconds)"),
        ('{"id": "q", "question": "?", "at": -5}', "at: got -5; allowed: seconds since 1970"),
        ('{"id": "q", "question": "?", "tags": {"n": 1}}', "tags: got a mapping with n"),
        ('{"id": "q", "question": "?", "feedback": {"events": 1}}', "lists exposed and events"),
        ('{"context": {}, "name": "x"}', "start_time: got null"),
        ('{"context": {}, "name": "x", "start_time": 5}', "context.trace_id: got null"),
    ],
)
def test_what_is_no_traffic_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        list(reading.read(path))
    assert said in str(raised.value)


def test_lines_a_pretty_document_and_a_list_are_read_alike(tmp_path: Path) -> None:
    spans = [span(1, "ask", input__value="When?", **CHAIN), span(2, "x", parent=1)]
    document = batch(*spans)
    lined = written(tmp_path / "a.jsonl", *(batch(one) for one in spans))
    pretty = written(tmp_path / "b.json", json.dumps(document, indent=2))
    listed = written(tmp_path / "c.json", [batch(one) for one in spans])
    snake = json.dumps(document)
    for name in ("resourceSpans", "scopeSpans", "traceId", "spanId", "parentSpanId"):
        plain = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
        snake = snake.replace(f'"{name}"', f'"{plain}"')
    found = [list(reading.read(path)) for path in (lined, pretty, listed)]
    assert found[0] == found[1] == found[2] == list(reading.read(written(tmp_path / "d", snake)))


def test_spans_that_an_sdk_printed_one_after_the_other_are_read(tmp_path: Path) -> None:
    one = {"name": "ask", "context": {"trace_id": "0x1", "span_id": "0x2"}, "start_time": 5}
    text = "\n".join(json.dumps({**one, "attributes": {}}, indent=4) for _ in range(2))
    path = written(tmp_path / "s.json", text)
    found = list(reading.read(path))
    assert [one.start for one in found if isinstance(one, Span)] == [5, 5]
    with pytest.raises(UsageError, match=r"s\.json: not JSON: .* at line 20, column 1"):
        list(reading.read(written(tmp_path / "s.json", f"{text}\n{{")))
