"""What no type says of a config: keys that need each other, rules that cannot fail, secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.core import UsageError
from ragproof.wiring.config import load_config

HTTP = "adapter: {type: http, http: {answer: {answer_path: $.a, request: {url: http://x, %s}}}}"


def fault(folder: Path, text: str) -> str:
    path = folder / "ragproof.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_config(path, {})
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("adapter: {type: python}", ":1: adapter.target: missing; an adapter of type python"),
        ("adapter: {type: http}", "adapter.http: missing"),
        ("adapter: {type: recorded}", "adapter.path: missing"),
        ("adapter: {type: recorded, path: x, target: a:b}", "type recorded has no target"),
        ("adapter: {type: python, target: a.b}", "allowed: module:attribute"),
        ("adapter: {type: http, http: {}}", "neither retrieve nor answer is there"),
        (
            "adapter: {type: http, http: {retrieve: {request: {url: http://x}}}}",
            "retrieve.chunks_path: missing; retrieve needs it",
        ),
        (
            "adapter: {type: http, http: {answer: {request: {url: http://x}}}}",
            "answer.answer_path: missing; answer needs it",
        ),
        (
            "adapter: {type: http, http: {answer: {answer_path: $, request: {url: x}}}}",
            'request.url: got "x"; allowed: http:// or https://',
        ),
        (HTTP % 'headers: {A: "b\\r\\nc: d"}', "headers.A: a header has a name and holds neither"),
        ("run: {k: 5, depth: 3}", "run.depth: got 3; allowed: run.k, which is 5, and above"),
        ("metrics: []", "metrics: got an empty list"),
        ("metrics: [{a.b: {}, c.d: {}}]", "metrics.0: got a mapping with a.b, c.d; allowed: one"),
        ("judge: {provider: recorded}", "judge.run: missing"),
        ("judge: {model: m, run: latest}", "only provider recorded replays"),
        ("gate: {thresholds: {a.b: {noise_floor: 1}}}", "a.b: nothing can fail this rule"),
        ("gate: {thresholds: {a.b: [{min: 1, max: 0}]}}", "a.b.0: got min 1 above max 0"),
        ("gate: {thresholds: {a.b: []}}", "a.b: got an empty list"),
        (
            "gate: {thresholds: {a.b: {min: 0.5, noise_floor: 0.1}}}",
            "a.b.noise_floor: is about a change; it goes with max_drop or max_rise",
        ),
        (
            "gate: {thresholds: {a.b: [{max: 1, non_inferiority: true}]}}",
            "a.b.0.non_inferiority: is about a change",
        ),
        (
            "gate: {thresholds: {a.mean: {min: 1}}, "
            "waivers: [{metric: a.men, reason: x, expires: 2030-01-01}]}",
            'gate.waivers.0.metric: got "a.men", which has no threshold to waive. '
            "Did you mean 'a.mean'?",
        ),
    ],
)
def test_keys_must_fit_together(tmp_path: Path, text: str, message: str) -> None:
    assert message in fault(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run: {k: true}", "run.k: got true; allowed: a whole number"),
        ("run: {k: 5.0}", "run.k: got 5.0"),
        ("run: {concurrency: 0}", "run.concurrency: got 0; allowed: a whole number (at least 1)"),
        ("run: {case_timeout_seconds: 0}", "allowed: a number (above 0)"),
        ("run: {case_timeout_seconds: .inf}", "no finite decimal number"),
        ("run: {source_match: doc}", "allowed: chunk or document"),
        ("gate: {min_completion: 95}", "allowed: a number (at least 0, at most 1)"),
        ("gate: {thresholds: {a.b: {min: .nan}}}", "gate.thresholds.a.b.min: got .nan"),
        ("gate: {thresholds: {a.b: {max_drop: -1}}}", "a.b.max_drop: got -1; allowed: a number"),
        ("gate: {thresholds: {a.b: {mn: 1}}}", "a.b.mn: unknown key. Did you mean 'min'?"),
        ("gate: {thresholds: {a.b: [{min: '1'}]}}", 'a.b.0.min: got "1"; allowed: a number'),
        ("versions: {corpus: 2024}", 'Put quotes around it: "2024"'),
        ("metrics: retrieval.mrr", 'metrics: got "retrieval.mrr"; allowed: a list of'),
        ("- a", ":1: got a list of 1; allowed: a mapping"),
        ("project: on", ":1: project: got on without quotes"),
        ("project: a\nproject: b", ":2: project: this key is already at line 1"),
    ],
)
def test_values_are_taken_at_their_word(tmp_path: Path, text: str, message: str) -> None:
    assert message in fault(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        HTTP % "headers: {Authorization: Bearer sk-123}",
        HTTP % "headers: {x-api-key: sk-123}",
        "adapter: {type: python, target: a:b, params: {api_key: sk-123}}",
        "judge: {model: m, extra: {api_key: sk-123}}",
        "store: postgresql://me:sk-123@host/db",
        "judge: {model: m, api_key: sk-123}",
        "judge: {model: m, base_url: 'https://me:sk-123@host/v1'}",
        "judge: {api_key: [sk-123]}",
        HTTP % "headers: 'Authorization: sk-123'",
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(tmp_path: Path, text: str) -> None:
    told = fault(tmp_path, text)
    assert "sk-123" not in told
    assert "environment" in told or "unknown key" in told or "not shown" in told


@pytest.mark.parametrize(
    "text",
    [
        HTTP % "headers: {Authorization: Bearer env:TOKEN}",
        HTTP % 'headers: {x-api-key: "{key}"}',
        "judge: {model: m, max_output_tokens: 5}",
        "store: postgresql://me@host/db",
        "adapter: {type: python, target: a:b, params: {eos_token: x}}",
    ],
)
def test_references_to_the_environment_and_other_tokens_may_stay(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ragproof.yaml"
    path.write_text(text)
    load_config(path, {})
