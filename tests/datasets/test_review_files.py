"""Queues that people filled in are read strictly; keys stay private; sheets are safe."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_keys import head
from sets import lines

from ragproof.core import UsageError
from ragproof.datasets.review_lines import Review, Verdict, reviews
from ragproof.datasets.review_merge import majority, together
from ragproof.datasets.review_queue import (
    BLANK,
    Filling,
    Key,
    KeyItem,
    combined,
    read_key,
    refuse_reviewed,
    write_key,
    write_queue,
    write_sheet,
)

HEAD = head(unanswered=1)


def shown(item: str, **more: Any) -> dict[str, Any]:
    """A line as it is given out."""
    passages = [{"number": 1, "id": "d1", "text": "Two years."}]
    line = {"item": item, "question": "How long?", "history": [], "answer": "A year."}
    return {**line, "passages": passages, **BLANK, **more}


def test_all_fields_of_a_line_are_read(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "q.jsonl",
        shown(
            "a",
            verdict="bad",
            reasons=["wrong", "off-topic"],
            unresolved_need=True,
            distrust=False,
            better_answer="Two years.",
            sources=[1, "d9"],
            reviewer="ada",
            notes="see page 4",
        ),
        shown("b"),
    )
    one, other = reviews([path])
    assert (one.verdict, one.reasons, one.unresolved_need, one.distrust) == (
        Verdict.BAD,
        ("wrong", "off-topic"),
        True,
        False,
    )
    assert (one.better_answer, one.sources, one.reviewer, one.notes) == (
        "Two years.",
        ("1", "d9"),
        "ada",
        "see page 4",
    )
    assert (one.place, other.verdict) == (f"{path}:1", None)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"verdict": "goood"}, r'verdict: got "goood"; allowed: good, .* Did you mean \'good\'\?'),
        ({"verdict": True}, "verdict: got true; allowed: a text"),
        (
            {"verdict": "bad", "reasons": ["ugly"]},
            'reasons: got "ugly"; allowed: wrong, incomplete',
        ),
        ({"verdict": "bad", "reasons": {"a": 1}}, "reasons: got a mapping"),
        ({"verdict": "good", "reasons": ["wrong"]}, "reasons: they go with the verdicts partly"),
        ({"verdict": "bad", "distrust": "maybe"}, 'distrust: got "maybe"; allowed: true, false'),
        ({"better_answer": "x"}, "verdict: missing, but better_answer is filled in"),
        ({"reasons": ["slow"]}, "verdict: missing, but reasons is filled in"),
        ({"verdcit": "bad"}, r"verdcit: unknown field. Did you mean 'verdict'\?"),
        ({"item": None}, "item: got null; allowed: the item of a queue"),
        ({"verdict": "bad", "better_answer": "\ud800"}, "better_answer: holds half of a character"),
        ({"verdict": "bad", "notes": [1]}, "notes: got a list of 1; allowed: a text"),
    ],
)
def test_what_is_wrong_names_line_and_field(
    more: Mapping[str, Any], told: str, tmp_path: Path
) -> None:
    path = lines(tmp_path / "q.jsonl", shown("ok"), {**shown("a"), **more})
    with pytest.raises(UsageError, match=f"q.jsonl:2: {told}"):
        reviews([path])


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", shown("a", verdict="x"), shown("b", verdict="y"))
    with pytest.raises(UsageError, match=r"q\.jsonl:1(.|\n)*q\.jsonl:2"):
        reviews([path])


def test_one_reviewer_may_not_say_two_things(tmp_path: Path) -> None:
    first = lines(tmp_path / "a.jsonl", shown("a", verdict="good", reviewer="ada"))
    second = lines(tmp_path / "b.jsonl", shown("a", verdict="bad", reviewer="ada"))
    with pytest.raises(UsageError, match=r'b\.jsonl:1: item "a": "ada" says bad, but said good'):
        reviews([first, second])
    assert len(reviews([first, first])) == 1


def test_a_line_that_waits_gives_way_to_one_that_does_not(tmp_path: Path) -> None:
    empty = lines(tmp_path / "a.jsonl", shown("a", reviewer="ada"))
    filled = lines(tmp_path / "b.jsonl", shown("a", verdict="good", reviewer="ada"))
    for paths in ([empty, filled], [filled, empty]):
        assert [one.verdict for one in reviews(paths)] == [Verdict.GOOD]


def test_reviewers_that_differ_are_named_and_offered_to_another(tmp_path: Path) -> None:
    ada = lines(
        tmp_path / "a.jsonl",
        shown("x", verdict="good", reviewer="ada"),
        shown("y", verdict="bad", reviewer="ada"),
        shown("z", verdict="cannot_say", reviewer="ada"),
        shown("w", reviewer="ada"),
    )
    ben = lines(
        tmp_path / "b.jsonl",
        shown("x", verdict="bad", reviewer="ben"),
        shown("y", verdict="bad", reviewer="ben"),
        shown("z", verdict="good", reviewer="ben"),
    )
    found = together([ada, ben])
    assert found.conflicts == {"x": {"ada": "good", "ben": "bad"}}
    assert (len(found.reviews), found.waiting) == (6, 1)
    assert found.unsettled() == [shown("x")]
    again = lines(tmp_path / "m.jsonl", *found.lines())
    assert [one.said for one in together([again]).reviews] == [one.said for one in found.reviews]


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        (["good", "good", "bad"], Verdict.GOOD),
        (["good", "bad"], None),
        (["good", "cannot_say"], Verdict.GOOD),
        ([], None),
    ],
)
def test_a_majority_is_more_than_half_of_those_who_could_say(
    verdicts: list[str], found: Verdict | None
) -> None:
    assert majority(verdicts) is found


NASTY = ["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "\t=1", "'=1", "plain", 'a,b\n"c"']


def test_no_cell_of_a_sheet_is_a_formula_and_the_filled_one_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    write_sheet(
        path,
        [
            shown(
                f"i{at}",
                question=text,
                answer=text,
                passages=[{"number": 1, "id": text, "text": text}],
                verdict="bad",
                reasons=["wrong", "slow"],
                better_answer=text,
                reviewer="ada",
            )
            for at, text in enumerate(NASTY)
        ],
    )
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))] == []
    assert [one.better_answer for one in reviews([path])] == [text.strip() for text in NASTY]
    assert {one.reasons for one in reviews([path])} == {("wrong", "slow")}


def test_a_sheet_as_a_spreadsheet_saves_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(
        "item,verdict,reasons,unresolved_need,distrust,sources,reviewer\n"
        'a,Bad,"wrong; incomplete",TRUE,no,"1, 3",ada\nb,,,,,,\n',
        encoding="utf-8-sig",
    )
    one, other = reviews([path])
    assert (one.verdict, one.reasons, one.sources) == (
        Verdict.BAD,
        ("wrong", "incomplete"),
        ("1", "3"),
    )
    assert (one.unresolved_need, one.distrust, other.verdict) == (True, False, None)


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_a_sheet_of_another_country_is_read(delimiter: str, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file, delimiter=delimiter)
        rows.writerow(["item", "verdict", "reasons", "better_answer", "", ""])
        rows.writerow(["a", " BAD ", "Off topic; slow", "one; two, three", "", ""])
        rows.writerow(["b", "Cannot say", "", "", "", ""])
        rows.writerow([""] * 6)
    one, other = reviews([path])
    assert (one.verdict, one.reasons) == (Verdict.BAD, ("off-topic", "slow"))
    assert (one.better_answer, other.verdict) == ("one; two, three", Verdict.CANNOT_SAY)


def test_a_cell_is_no_longer_than_a_spreadsheet_takes(tmp_path: Path) -> None:
    write_sheet(tmp_path / "q.csv", [shown("a", answer="x" * 100_000)])
    with (tmp_path / "q.csv").open(encoding="utf-8-sig", newline="") as file:
        answer = next(csv.DictReader(file))["answer"]
    assert len(answer) < 32_767
    assert answer.endswith("cut here; the .jsonl has all of it")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    line=st.dictionaries(
        st.sampled_from(["item", "verdict", "reasons", "sources", "distrust", "reviewer", "notes"]),
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.lists(st.integers()),
    )
)
def test_whatever_stands_in_a_line_is_read_or_refused(line: dict[str, Any], tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", line)
    told, found = "", tuple[Review, ...]()
    try:
        found = reviews([path])
    except UsageError as fault:
        told = str(fault)
    assert told.startswith(f"{path}:1: ") or (len(found) == 1 and found[0].item)


def item(name: str, **more: Any) -> KeyItem:
    given_ = {"strata": ("random",), "probability": 0.5, "answer": "", **more}
    return KeyItem(item=name, case_id=f"t-{name}", **given_)


def test_a_key_is_its_owners_alone_and_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    key = Key(HEAD, {"a": item("a", tags={"intent": "x"}, group="s", sources=("d1", "d2"))})
    write_key(path, key)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_key(path) == key
    write_key(path, key)  # the same draw again
    with pytest.raises(UsageError, match="is there already, and is of another draw"):
        write_key(path, Key(HEAD, {"a": item("a", probability=0.25)}))
    assert read_key(path) == key


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "k.jsonl: the file is empty"),
        ([shown("a")], "k.jsonl:1: .*This is not the key of a review queue"),
        ([{"run": 1}], "k.jsonl:1: .*This is not the key"),
    ],
)
def test_what_is_no_key_is_refused(rows: list[object], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        read_key(lines(tmp_path / "k.jsonl", *rows))


def test_a_chance_of_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    write_key(path, Key(HEAD, {"a": item("a")}))
    path.write_text(path.read_text().replace('"probability": 0.5', '"probability": 1e-320'))
    with pytest.raises(
        UsageError, match=r"k\.jsonl:2: probability: got 9.99989e-321; allowed: above 0"
    ):
        read_key(path)


def test_a_queue_that_somebody_filled_in_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    refuse_reviewed(path)
    write_queue(path, [shown("a")])
    refuse_reviewed(path)
    filling = Filling(path)
    filling.save(filling.lines[0], {"verdict": "good"})
    with pytest.raises(UsageError, match="is filled in already"):
        refuse_reviewed(path)
    path.write_text("notes of mine")
    with pytest.raises(UsageError, match="is no untouched review queue"):
        refuse_reviewed(path)


def test_what_another_program_fills_in_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    write_queue(path, [shown("a"), shown("b"), shown("c")])
    path.chmod(0o600)
    filling = Filling(path)
    first, second, third = filling.waiting
    filling.save(first, {"verdict": "good"})
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    lines(path, rows[2], {**rows[1], "verdict": "bad"}, rows[0])  # as an editor would
    filling.save(third, {"verdict": "partly"})
    with pytest.raises(UsageError, match='item "b" was changed meanwhile by another program'):
        filling.save(second, {"verdict": "good"})
    assert {one.item: one.verdict for one in reviews([path])} == {
        "a": Verdict.GOOD,
        "b": Verdict.BAD,
        "c": Verdict.PARTLY,
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    with pytest.raises(UsageError, match="there is no such file"):
        filling.save(second, {"verdict": "good"})


def test_only_what_is_written_as_jsonl_is_filled_in(tmp_path: Path) -> None:
    packed = tmp_path / "q.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(shown("a")).encode()))
    write_sheet(tmp_path / "q.csv", [shown("a")])
    for path in (packed, tmp_path / "q.csv"):
        before = path.read_bytes()
        with pytest.raises(UsageError, match=r"name the \.jsonl"):
            Filling(path)
        assert path.read_bytes() == before


def test_verdicts_and_keys_are_never_written_over(tmp_path: Path) -> None:
    key, queue, other = (tmp_path / name for name in ("k.jsonl", "q.jsonl", "o.jsonl"))
    write_key(key, Key(HEAD, {"a": item("a")}))
    write_queue(queue, [shown("a", verdict="good", reviewer="ada", notes="mine")])
    with pytest.raises(UsageError, match="is no untouched review queue"):
        refuse_reviewed(key)
    with pytest.raises(UsageError, match="is filled in already"):
        refuse_reviewed(queue)
    refuse_reviewed(other)
    write_queue(other, [shown("a")])
    refuse_reviewed(other)
    kept = reviews([queue])
    refuse_reviewed(queue, kept)  # the same again
    for more in ({"notes": "not mine"}, {"verdict": "bad"}, {"reviewer": "ben"}):
        write_queue(other, [shown("a", **{"verdict": "good", "reviewer": "ada", **more})])
        with pytest.raises(UsageError, match=r"1 verdict would be lost \(.*q.jsonl:1\)"):
            refuse_reviewed(queue, reviews([other]))


def test_a_draw_from_what_another_left_is_no_week_of_its_own() -> None:
    first = Key(HEAD, {"a": item("a")})
    rest = Key(dataclasses.replace(HEAD, run="r2", drawn_before=3), {"b": item("b")})
    other = Key(dataclasses.replace(HEAD, run="r2"), {"b": item("b")})
    assert combined([rest]) == rest
    assert combined([first, other]).head.traffic == 20
    with pytest.raises(UsageError, match="run r2 left out 3 answers of an earlier queue"):
        combined([first, rest])


def test_json_of_a_queue_is_ascii(tmp_path: Path) -> None:
    write_queue(tmp_path / "q.jsonl", [shown("a", question="größe \u202e")])
    raw = (tmp_path / "q.jsonl").read_bytes()
    assert raw.isascii()
    assert json.loads(raw)["question"] == "größe \u202e"
