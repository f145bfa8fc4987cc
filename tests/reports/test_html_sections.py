"""The page of a run with everything that can stand beside it."""

from __future__ import annotations

import re

from hand_made import case, cases, column, declared, one_metric, record
from markupsafe import Markup
from shown_beside import AT_ONE, NASTY, RECALL, baseline, beside, judged, judged_record
from test_html import Reader

from ragproof.analysis.findings import find
from ragproof.core.header import RunState
from ragproof.core.outcome import Cause, Failed, Skipped
from ragproof.core.record import RunRecord
from ragproof.reports.beside import Beside, Section
from ragproof.reports.html import run_html
from ragproof.reports.verdict import lead

FULL = run_html(judged(), beside())
TEXT = Reader(FULL).text


def section(name: str, page: str = FULL) -> str:
    """What a reader sees of one section."""
    found = re.search(rf'<section aria-labelledby="{name}">.*?</section>', page, re.DOTALL)
    assert found, name
    return Reader(found[0]).text


def test_the_verdict_comes_first_and_says_what_blocks() -> None:
    assert TEXT.index("Gate did not pass: 1 pass, 1 fail") < TEXT.index("Figures Bold names")
    assert f"fail: {RECALL} (mean min 0.9): mean 0.59 is below 0.9" in TEXT
    assert "against the baseline: unchanged 1; exploratory: worse 5" in TEXT


def test_without_a_gate_the_state_comes_first_and_then_what_matters_most() -> None:
    told = lead(judged())
    assert (told.tone, told.title) == ("bad", "Completed: 39 of 40 cases ok, 1 failed")
    assert told.points[0] == "1 failure, in no mean; 1 x adapter: ConnectionError: refused"
    assert any(one.startswith("the lowest end-to-end figure: generation.") for one in told.points)
    fine = lead(find(one_metric([1.0] * 40, of=declared("generation.token_f1"))))
    assert fine.tone == "neutral"


def test_sections_come_in_the_order_in_which_a_reader_asks() -> None:
    order = re.findall(r'<section aria-labelledby="([\w-]+)"', FULL)
    assert order == [
        *("figures", "spread", "parts", "worst", "failures", "reasons", "gate", "comparison"),
        *("costs", "section-1", "cases", "record"),
    ]
    for name in order:
        assert f'href="#{name}"' in FULL or name == "reasons"


def test_slices_show_figure_interval_and_number_and_leave_out_what_names_a_case() -> None:
    told = section("parts")
    # of the 20 even cases 8 lose their source, of the 19 odd ones that were scored too
    assert "seal 0.60, 0.39 to 0.78 0.60 [0.39, 0.78] 20 " in told
    assert re.search(r" 0\.58 \[\S+ \S+\] 19few", told)
    assert "Not shown: the tag number, which has 40 values" in told
    many = [case(f"c{at}", tags={"number": str(at)}) for at in range(50)]
    page = run_html(find(one_metric([at / 50 for at in range(50)], many)))
    assert "Not shown: the tag number, which has 50 values" in section("parts", page)


def test_a_run_without_tags_has_no_slices() -> None:
    assert 'id="parts"' not in run_html(find(one_metric([0.5, 1.0])))


def test_distributions_say_in_words_what_is_drawn() -> None:
    assert "<desc>0.00: 16; 1.00: 23</desc>" in FULL
    seconds = section("spread")
    assert "p50 470 ms, p95 650 ms" in seconds


def test_a_worst_case_shows_claims_verdicts_quotes_and_reasons_not_json() -> None:
    told = section("worst")
    assert "It is replaced when it leaks. unsupported: fabrication" in told
    assert "No passage says so: It is replaced when it leaks." in told
    assert "Chapter 7 treats it. supported See chapter 7 not in the text" in told
    assert "false quotes: 1" in told
    assert "{" not in told
    assert '"id"' not in told


def test_passages_are_readable_and_marked() -> None:
    told = section("worst")
    assert "1 p1 given to the model Passage 1. It is replaced when it leaks." in told
    assert "2 p2 hit cited given to the model" in told
    assert "3 p3 not given to the model" in told
    assert "6 p6 not given to the model beyond k = 5" in told
    assert "2 more chunks not shown" in told


def test_the_gate_shows_roles_and_waivers_with_reason_and_expiry() -> None:
    told = section("gate", run_html(judged(), beside("being rebuilt")))
    assert "the rules are new" in told
    assert "generation.groundedness being rebuilt 2026-02-01 active" in told
    assert "system.latency_seconds over 2025-02-01 expired" in told
    assert "p95 max 9 guardrail" in told
    assert "exploratory" in told


def test_a_comparison_shows_the_gain_at_rank_one_beside_what_it_takes() -> None:
    told = section("comparison")
    assert f"{AT_ONE} 0.90 0.59 -0.31" in told
    assert told.index(AT_ONE) < told.index("System: what did it take?")
    assert re.search(r"system\.latency_seconds 410 ms 470 ms \+60 ms", told)
    assert "Beforeno Afteryes" in told
    assert "worse" in told
    assert '<rect class="won"' in FULL


def test_time_is_shown_by_stage() -> None:
    told = section("costs")
    assert "generate p50 353 ms, p95 488 ms 353 ms" in told
    assert "retrieve p50 118 ms" in told
    assert "whole p50 470 ms" in told
    assert "Judge: 39 calls, 3 from the cache, $0.12" in told


def test_the_judges_card_stands_in_the_record_and_beside_its_figures() -> None:
    assert "agrees with people 0.82 of 120" in section("figures")
    told = section("record")
    assert "generation.groundedness shipped fixtures 120 0.82 [0.74, 0.88] 0.97" in told
    assert "7 5 yes 2026-01-02" in told


def test_figures_of_a_stand_in_are_marked_wherever_they_stand() -> None:
    for judge, word in (("recorded: scripted", "scripted"), ("recorded: openai j", "recorded")):
        page = run_html(judged(judge=judge), beside(judge=judge))
        for name in ("figures", "worst", "gate", "record"):
            assert f"{word} replies" in section(name, page) or name == "record"
        assert "judged figures rest on" in Reader(page).text
    assert "scripted" not in TEXT
    assert "recorded replies" not in TEXT


def test_an_added_section_is_shown_with_its_bars() -> None:
    assert "Where the evidence was lost first stage stage cases" in section("section-1")
    assert '<rect class="fill" x="0" y="4" width="160.0"' in FULL


def test_a_section_may_bring_its_own_part_of_the_page() -> None:
    own = Markup('<section aria-labelledby="gold"><h2 id="gold">Gold</h2></section>')
    one = Section(title="Gold", head=("stage",), rows=[("kept",)], page=own, anchor="gold")
    page = run_html(judged(), Beside(sections=(one,)))
    assert section("gold", page) == "Gold"
    assert '<a href="#gold">Gold</a>' in page


def test_a_layer_that_nothing_measures_is_named() -> None:
    assert "Not measured: Ingestion: were the documents read right?" in section("figures")


def test_hostile_text_is_text_in_every_section() -> None:
    page = run_html(judged(NASTY, label=NASTY), beside(NASTY, label=NASTY))
    read = Reader(page)
    assert read.open == []
    assert "script" not in {tag for tag, _ in read.tags}
    assert not {"\x1b", "\u202e", "\ud800"} & set(page)
    assert page.count("</style>") == 1
    page.encode("utf-8")
    for name in ("worst", "gate", "comparison", "section-1"):
        assert "alert(1)" in section(name, page)


def test_an_id_of_ten_thousand_characters_does_not_blow_up_the_page() -> None:
    rows = [case("x" * 10_000 + str(at)) for at in range(60)]
    page = run_html(find(one_metric([0.0] * 60, rows)))
    assert len(page) < 150_000


def broken_runs() -> dict[str, RunRecord]:
    failed = Failed(Cause.TIMEOUT, "no answer within 60 s")
    lost = [case(f"c{at}", failure=failed) for at in range(3)]
    return {
        "no case": record((), {}, expected=0, state=RunState.PARTIAL),
        "not begun": record((), {RECALL: column(declared(RECALL), [])}, expected=5),
        "one case": one_metric([0.5]),
        "nothing scored": one_metric([Skipped("case has no expected_source_ids")] * 3),
        "all failed": record(lost, {RECALL: column(declared(RECALL), [failed] * 3)}),
        "over budget": record(
            cases(2), {RECALL: column(declared(RECALL), [1.0, 0.0])},
            expected=9, state=RunState.OVER_BUDGET,
        ),
    }  # fmt: skip


def test_a_broken_run_has_a_page_that_says_so_and_no_made_up_figure() -> None:
    for name, run in broken_runs().items():
        read = Reader(run_html(find(run)))
        assert read.open == [], name
        assert "nan" not in read.text.casefold().replace("not a", "")
    titles = {name: lead(find(run)) for name, run in broken_runs().items()}
    assert "no metric scored any case; why stands below" in titles["nothing scored"].points
    assert titles["over budget"].title.startswith("Aborted:budget: 2 of 9 cases ok, 7 not tried")
    assert titles["all failed"].tone == "bad"
    assert titles["no case"].points[0] == "no case was tried, so there is no figure"


def test_warnings_beside_the_run_are_shown() -> None:
    page = run_html(judged(), Beside(warnings=("the gate is not shown: no such metric",)))
    assert "the gate is not shown: no such metric" in Reader(page).text
    assert baseline().header.id not in page


def test_repeats_and_an_unjudged_run_are_no_trouble() -> None:
    found = judged_record(judge=None, judge_model=None, prompt_hashes={})
    text = Reader(run_html(find(found))).text
    assert "judged" not in text
    assert "The judge against people" not in text
