"""What a browser would follow or load is found, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text.links import host_of, links


@pytest.mark.parametrize(
    ("text", "host", "is_loaded"),
    [
        ("see https://a.example/x.", "a.example", False),
        ("see (https://a.example/x(1)).", "a.example", False),
        ("[text](https://a.example/x)", "a.example", False),
        ("![alt](https://a.example/x.png)", "a.example", True),
        ("![alt](<https://a.example/x.png>)", "a.example", True),
        ("![alt](//a.example/x.png)", "a.example", True),
        ("![alt][1]\n\n[1]: https://a.example/x.png", "a.example", True),
        ("[alt][1]\n\n[1]: https://a.example/x.png", "a.example", False),
        ('<img src="https://a.example/x">', "a.example", True),
        ("<img src=https&#58;//a.example/x>", "a.example", True),
        ("<div style=\"background:url('https://a.example/x')\">", "a.example", True),
        ("<a href='HTTPS://A.Example:8080/x'>", "a.example", False),
        ("http\u200bs://a.exa\u200bmple/x", "a.example", False),
        ("www.a.example/x", "www.a.example", False),
        ("https:a.example/x", "a.example", False),
        ("https://user:secret@a.example/", "a.example", False),
        ("参见https://a.example/路径。", "a.example", False),
    ],
)
def test_a_link_is_found(text: str, host: str, *, is_loaded: bool) -> None:
    [found] = links(text)
    assert (found.host, found.is_loaded) == (host, is_loaded)


@pytest.mark.parametrize(
    "text", ["", "a//b", "a.b/c", "1 // 2", "http://", "mail@example.com", "//"]
)
def test_what_leads_nowhere_is_no_link(text: str) -> None:
    assert [one.host for one in links(text) if "." in one.host] == []


def test_each_address_counts_once_and_is_loaded_where_any_place_loads_it() -> None:
    [found] = links("https://a.example/x and ![](https://a.example/x)")
    assert found.is_loaded


@pytest.mark.parametrize(
    ("url", "carries"),
    [
        ("https://a.example/x", False),
        ("https://a.example/x?q=secret", True),
        ("https://secret@a.example/", True),
        ("https://a.example/#part", False),
    ],
)
def test_a_query_and_credentials_are_room_for_data(url: str, *, carries: bool) -> None:
    [found] = links(url)
    assert found.carries_data is carries


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("htps:/.[]()!<>\"'w x@?&#;"), max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    for one in links(text):
        assert one.host == host_of(one.url) != ""
        assert one.carries_data in (True, False)
