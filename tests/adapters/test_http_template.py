"""What is sent: placeholders, secrets, and what must not be taken for either."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.template import Filled, Template
from ragproof.core import UsageError

ENVIRON = {"TOKEN": "s3cret/key", "BASE": "http://localhost:8000/api", "EMPTY": ""}
VALUES: dict[str, Any] = {
    "question": "How {k} far?",
    "k": 5,
    "history": [{"role": "user", "content": "hi"}],
    "caller": {"team": "a"},
}


def template(params: dict[str, Any] | None = None, **request: Any) -> Template:
    endpoint = HttpEndpoint(**{"url": "http://localhost/ask", **request})
    return Template(endpoint, "adapter.http.answer.request", params or {}, ENVIRON)


def filled(params: dict[str, Any] | None = None, **request: Any) -> Filled:
    return template(params, **request).filled(VALUES)


def sent(body: object, params: dict[str, Any] | None = None) -> object:
    data = filled(params, body=body).data
    assert data is not None
    return json.loads(data)


def test_a_placeholder_alone_becomes_the_value_itself() -> None:
    body = {"q": "{question}", "top": "{k}", "said": "{history}", "who": "{caller}", "n": 3}
    assert sent(body) == {
        "q": "How {k} far?",
        "top": 5,
        "said": [{"role": "user", "content": "hi"}],
        "who": {"team": "a"},
        "n": 3,
    }


def test_the_turns_of_the_history_are_put_into_a_list_one_by_one() -> None:
    now = {"role": "user", "content": "{question}"}
    asked = {"role": "user", "content": "How {k} far?"}
    assert sent({"messages": ["{history}", now]}) == {
        "messages": [{"role": "user", "content": "hi"}, asked]
    }
    first = template(body=["{history}", now]).filled({**VALUES, "history": []})
    assert json.loads(first.data or b"") == [asked]


def test_a_placeholder_in_a_text_becomes_text() -> None:
    assert sent({"q": "Q: {question} ({k}) {history}"}) == {
        "q": 'Q: How {k} far? (5) [{"role": "user", "content": "hi"}]'
    }


def test_parameters_are_placeholders_and_other_braces_stay() -> None:
    body = {"model": "{model}", "t": "{temperature}", "s": "{ {x} {unlike} {{k}}"}
    params = {"model": "small", "temperature": 0.5}
    assert sent(body, params) == {"model": "small", "t": 0.5, "s": "{ {x} {unlike} {5}"}


def test_raw_text_is_filled_so_that_the_json_stays_json() -> None:
    body = '{"q": "{question}", "top": {k}, "h": {k}}'
    made = template(body=body).filled({**VALUES, "question": 'say "{k}"\n\ud800'})
    assert made.data is not None
    assert json.loads(made.data) == {"q": 'say "{k}"\n\ud800', "top": 5, "h": 5}


def test_a_form_is_percent_encoded_and_plain_text_is_not() -> None:
    form = filled(
        body="q={question}&k={k}", headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert form.data == b"q=How+%7Bk%7D+far%3F&k=5"
    text = filled(body="{question}", headers={"Content-Type": "text/plain"})
    assert text.data == b"How {k} far?"
    assert list(text.headers) == ["Content-Type"]


def test_the_method_follows_the_body_unless_given() -> None:
    assert (filled().method, filled(body={}).method, filled(method="put").method) == (
        "GET",
        "POST",
        "PUT",
    )
    assert filled().headers == {}
    assert filled(body={}).headers == {"Content-Type": "application/json"}


@given(st.text(st.characters()))
def test_whatever_is_asked_stays_in_its_place_in_the_url(question: str) -> None:
    values = {**VALUES, "question": question}
    url = template(url="http://localhost/{question}/x?q={question}&k={k}").filled(values).url
    parts = urlsplit(url)
    carried = question.encode("utf-8", "replace").decode()
    assert parts.path.count("/") == 2
    assert parse_qs(parts.query, keep_blank_values=True) == {"q": [carried], "k": ["5"]}


@given(st.text(st.characters()))
def test_whatever_is_asked_stays_in_its_header(question: str) -> None:
    made = template(headers={"X-Q": "<{question}>"}).filled({**VALUES, "question": question})
    value = made.headers["X-Q"]
    value.encode()
    assert not any(ord(one) < 32 or ord(one) == 127 for one in value)


@given(st.recursive(st.text(st.characters()), lambda inner: st.lists(inner)))
def test_whatever_is_asked_is_one_value_of_the_body(question: Any) -> None:
    made = template(body={"q": "{question}"}).filled({**VALUES, "question": question})
    assert made.data is not None
    assert json.loads(made.data) == {"q": question}


def test_secrets_are_read_with_text_around_them() -> None:
    made = filled(
        url="env:BASE/ask?key=env:TOKEN",
        headers={"Authorization": "Bearer env:TOKEN"},
        body={"key": "env:TOKEN", "prose": "not myenv:TOKEN", "n": [1, None, True]},
    )
    assert made.url == "http://localhost:8000/api/ask?key=s3cret%2Fkey"
    assert made.headers["Authorization"] == "Bearer s3cret/key"
    assert json.loads(made.data or b"") == {
        "key": "s3cret/key",
        "prose": "not myenv:TOKEN",
        "n": [1, None, True],
    }


def test_a_question_is_no_template() -> None:
    made = template(body={"q": "{question}", "t": "t {question}"}, headers={"X": "{question}"})
    values = {**VALUES, "question": "env:TOKEN {caller}"}
    made_body = json.loads(made.filled(values).data or b"")
    assert made_body == {"q": "env:TOKEN {caller}", "t": "t env:TOKEN {caller}"}
    assert made.filled(values).headers["X"] == "env:TOKEN {caller}"


@pytest.mark.parametrize("name", ["UNSET", "EMPTY"])
def test_a_variable_that_is_not_set_is_named(name: str) -> None:
    said = rf"^adapter\.http\.answer\.request\.headers\.X: the environment variable {name} is not"
    with pytest.raises(UsageError, match=said):
        template(headers={"X": f"Bearer env:{name}"})
    with pytest.raises(UsageError, match=rf"request\.body\.a\.0: .* {name} is not set"):
        template(body={"a": [f"env:{name}"]})


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"url": "http://x/{quesiton}"}, r"url: there is no placeholder {quesiton}\. .*{question}"),
        ({"body": {"m": "{modell}"}}, r"body\.m: there is no placeholder {modell}\. .*{model}"),
        ({"url": "localhost/ask"}, r"url is 'localhost/ask'; it must begin with http"),
        ({"url": "env:TOKEN"}, r"url is 'env:TOKEN'; it must begin with http"),
    ],
)
def test_a_request_that_cannot_be_meant_is_refused(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        template({"model": "m"}, **request_)


def test_a_parameter_cannot_take_the_name_of_a_placeholder() -> None:
    with pytest.raises(UsageError, match=r"^adapter\.params\.k: "):
        template({"k": 3})


def test_what_people_see_holds_no_secret() -> None:
    one = template(url="http://me:env:TOKEN@localhost/ask?key=env:TOKEN", body={})
    assert one.label == "POST http://***@localhost/ask?key=env:TOKEN"
    said = one.hide('s3cret/key s3cret%2Fkey "s3cret/key"')
    assert said == '*** *** "***"'
