from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hand_made import FRACTION, cases, column, declared, one_metric, record
from shown import detail, shown, shown_record

from ragproof.analysis.findings import Findings, find
from ragproof.core.outcome import Cause, Failed, Outcome, Skipped
from ragproof.core.spec import Better, Unit
from ragproof.reports.html import run_html

VOID = {"meta", "link", "br", "wbr", "img", "input", "hr", "rect", "path", "col"}


class Reader(HTMLParser):
    """Reads a page strictly: every tag is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.words += [" "] if tag in {"td", "th"} else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        """What a reader sees, white space squeezed."""
        return " ".join("".join(self.words).split())


def big(count: int) -> Findings:
    draw = np.random.default_rng(1)
    failed = Failed(Cause.ADAPTER, "ConnectionError: refused")
    keys = [f"retrieval.metric_{number}" for number in range(8)]
    columns = {key: column(declared(key), draw.random(count).tolist()) for key in keys}
    outcomes: list[float | Outcome] = [failed if at % 3 == 0 else 0.5 for at in range(count)]
    columns["echo.exact_match"] = column(declared("echo.exact_match"), outcomes)
    return find(record(cases(count), columns))


@pytest.mark.parametrize("found", [shown(), find(record((), {})), big(300)], ids=range(3))
def test_the_page_is_well_formed_and_loads_and_runs_nothing(found: Findings) -> None:
    page = run_html(found)
    read = Reader(page)
    assert read.open == []
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in read.tags}
    for _, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        assert (attributes.get("href") or "#").startswith("#")  # within the page
    assert "url(" not in page
    assert "http" not in re.sub(r"http-equiv|HTTP 529", "", page)


def test_every_figure_of_the_summary_is_on_the_page() -> None:
    text = Reader(run_html(shown())).text
    for key in shown_record().columns:
        assert key in text
    assert "[0.21, 0.94]wilson" in text
    assert "420 ms" in text
    assert "Completed: 4 of 5 cases ok, 1 failed" in text
    assert text.index("Query: was") < text.index("Answer: was") < text.index("System: what")


def test_bars_and_whiskers_are_drawn_to_scale_and_said_in_words() -> None:
    found = find(one_metric([1, 1, 1, 1, 0]))
    page = run_html(found)
    assert 'width="160.0" height="10"' in page  # 0.8 of 200
    # Wilson's 0.3755 and 0.9638 of 200
    assert 'd="M75.1 9H192.8M75.1 5v8M192.8 5v8"' in page
    assert 'role="img" aria-label="0.80 [0.38, 0.96]"' in page


def test_what_is_no_fraction_has_no_bar() -> None:
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    page = run_html(find(one_metric([0.2, 0.4], of=seconds)))
    assert 'aria-label="300 ms' not in page
    assert 'class="figures barless"' in page


def test_the_worst_cases_show_the_way_of_their_evidence() -> None:
    text = Reader(run_html(shown())).text
    assert "When must the shaft seal be replaced" in text
    assert "p22: not retrieved" in text
    assert "p12: rank 3" in text
    assert "p99: not retrieved" in text
    assert "Page 20. The shaft seal is checked." in text


def test_reasons_and_failures_are_told() -> None:
    text = Reader(run_html(shown())).text
    assert "case has no expected_source_ids" in text
    assert "ConnectionError: the index at 127.0.0.1:9200 refused" in text
    assert "the judge answered HTTP 529 four times" in text
    assert "pump-02: adapter" in text


def test_the_record_says_what_was_measured_and_how() -> None:
    text = Reader(run_html(shown())).text
    for fact in ("3f2a" * 16, "my_package.pipeline:build, version 2.1", "k = 5 distinct chunks"):
        assert fact in text
    assert "ragproof=0.1.0" in text
    assert "retrieval.recall_at_k 1 k=5 fraction higher mean wilson query case" in text


def test_hostile_text_is_text() -> None:
    hostile = "</style><script>alert(1)</script>{{ 7*7 }}<img src=x onerror=y>\x1b[31m\u202e\ud800"
    details = {"seal-02": detail("seal-02", hostile, hostile)}
    page = run_html(shown(details=details, warnings=(hostile,)))
    read = Reader(page)
    assert {tag for tag, _ in read.tags}.isdisjoint({"script", "img"})
    assert not {"\x1b", "\u202e", "\ud800"} & set(page)
    assert read.text.count("<script>alert(1)</script>{{ 7*7 }}") == 4  # card twice, list, warning
    page.encode("utf-8")


def test_ids_keys_and_reasons_are_text_too() -> None:
    hostile = "<b>\u202e&"
    key = f"system.stage_seconds[stage={hostile}]"
    found = record(
        cases(1), {key: column(declared(key), [Skipped(hostile)])}, label=hostile, project=hostile
    )
    page = run_html(find(found))
    assert "<b>\\" not in page
    assert "\u202e" not in page
    assert key.replace("\u202e", "\\u202e") in Reader(page).text


def test_ten_thousand_cases_stay_below_a_megabyte_and_say_what_is_not_shown() -> None:
    page = run_html(big(10_000))
    assert len(page.encode()) < 1_000_000
    assert "9,800 cases not shown here" in Reader(page).text
    assert "1 to 50" in page
    assert "151 to 200" in page


def test_long_texts_are_cut_and_say_so() -> None:
    details = {"seal-02": detail("seal-02", "x" * 100_000)}
    page = run_html(shown(details=details))
    assert len(page) < 100_000
    assert "98,500 characters more" in page


def test_all_tables_have_headers_for_those_who_cannot_see() -> None:
    read = Reader(run_html(shown()))
    tables = [tag for tag, _ in read.tags if tag == "table"]
    scopes = [attributes.get("scope") for tag, attributes in read.tags if tag == "th"]
    assert tables
    assert set(scopes) <= {"col", "row"}
    assert ("html", {"lang": "en"}) in read.tags


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_has_the_contrast_that_wcag_asks_for_in_light_and_dark() -> None:
    page = run_html(find(one_metric([1.0], of=FRACTION)))
    palettes = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    assert len(palettes) == 2
    for palette in palettes:
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", palette))
        for ink, paper in (
            ("ink", "paper"), ("ink", "panel"), ("soft", "paper"), ("soft", "panel"),
            ("bad", "paper"), ("bad", "bad-paper"), ("good", "good-paper"), ("ink", "good-paper"),
            ("ink", "bad-paper"), ("warn", "warn-paper"), ("soft", "good-paper"),
        ):  # fmt: skip
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)


def test_the_table_of_figures_gives_way_to_any_width() -> None:
    style = run_html(shown()).split("<style>")[1].split("</style>")[0]
    of_figures = re.findall(r"(?:table)?\.figures[^{]*\{[^}]*\}", style)
    assert of_figures
    assert not any(re.search(r"min-width: [^0]", rule) for rule in of_figures)
    # on a narrow screen, not on paper, the rows are laid out one below the other
    narrow = style.split("@media screen and (max-width: 68rem)")[1].split("@media")[0]
    assert ".figures thead { display: none; }" in narrow
    columns = [float(one) for one in re.findall(r"\.figures col\.\w+ \{ width: ([\d.]+)%", style)]
    assert sum(columns) <= 60  # seven further ones share the rest
