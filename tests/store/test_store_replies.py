"""Replies are kept word for word, and every call is booked."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from store_samples import RECALL, case_run, header

from ragproof.core import Finished, Reply, Row, RunState, Scored
from ragproof.llm.model import Ask
from ragproof.store.open import RunStore, open_store

ASK = Ask(system="s", user="u", prompt="p" * 64)
REPLY = Reply('{"a": "\ud800\0"}', usd=0.25, input_tokens=7, output_tokens=3, model="m")


def test_a_reply_is_found_by_all_runs_once_it_was_received(store: RunStore) -> None:
    store.begin(header("one"))
    store.begin(header("two"))
    one, two = store.replies("one", "judge"), store.replies("two", "judge")

    async def asked() -> list[Reply | None]:
        before = await two.found("key")
        await one.sent("key", ASK, 0.5)
        await one.received("key", ASK, REPLY)
        return [before, await two.found("key"), await two.found("other")]

    assert asyncio.run(asked()) == [None, REPLY, None]
    assert (one.spent(), two.spent()) == (0.25, 0.0), "booked for the run that asked"
    assert store.judged("one") == (1, 0, 0.25)


def test_without_lookup_only_what_came_in_since_is_found(store: RunStore) -> None:
    store.begin(header("r"))
    first = store.replies("r", "judge")
    blind = store.replies("r", "judge", lookup=False)

    async def asked() -> list[Reply | None]:
        await first.sent("key", ASK, None)
        await first.received("key", ASK, Reply("old"))
        before = await blind.found("key")
        await blind.sent("key", ASK, None)
        await blind.received("key", ASK, Reply("new"))
        return [before, await blind.found("key"), await store.replies("r", "judge").found("key")]

    assert asyncio.run(asked()) == [None, Reply("new"), Reply("new")]
    assert store.judged("r") == (2, 0, None), "a price is unknown"


def test_replies_that_no_run_asks_for_are_kept_and_found_by_all(where: str) -> None:
    with open_store(where) as store:
        free = store.free_replies("judge", spent=0.5)

        async def asked() -> Reply | None:
            before = await free.found("key")
            await free.sent("key", ASK, 1.0)
            assert free.spent() == 1.5
            await free.received("key", ASK, REPLY)
            await free.sent("lost", ASK, 1.0)
            await free.failed("lost", 0.0)
            return before

        assert asyncio.run(asked()) is None
        assert free.spent() == 0.75
    with open_store(where) as again:
        again.begin(header("r"))
        ways = (again.replies("r", "judge"), again.free_replies("judge"))
        anew = again.free_replies("judge", lookup=False)
        assert [asyncio.run(one.found("key")) for one in ways] == [REPLY, REPLY]
        assert asyncio.run(anew.found("key")) is None


def test_only_what_runs_asked_for_tells_how_large_replies_are(store: RunStore) -> None:
    store.begin(header("one"))
    run = store.replies("one", "judge")

    async def asked() -> None:
        await store.free_replies("judge").received("short", ASK, Reply("a calibration's"))
        await run.sent("key", ASK, 0.5)
        await run.received("key", ASK, REPLY)

    asyncio.run(asked())
    assert store.sizes("judge", [ASK.prompt]) == [REPLY]
    assert store.sized_by("judge", [ASK.prompt]) == [("one", header("one").label)]
    assert store.sized_by("judge", ["another"]) == []


def test_what_was_sent_and_never_settled_stays_booked_as_possibly_paid(where: str) -> None:
    with open_store(where) as store:
        store.begin(header("r"))
        replies = store.replies("r", "judge")

        async def killed_after_sending() -> None:
            await replies.sent("lost", ASK, 0.5)
            await replies.sent("lost", ASK, 0.75)  # a second attempt: the first may be paid, too
            await replies.sent("answered", ASK, 0.5)
            await replies.received("answered", ASK, REPLY)
            await replies.sent("refused", ASK, 0.5)
            await replies.failed("refused", 0.0)

        asyncio.run(killed_after_sending())
        assert (replies.spent(), replies.unanswered()) == (1.0, 0.75)
    with open_store(where) as again:
        again.begin(header("r"))
        resumed = again.replies("r", "judge")
        assert (resumed.spent(), resumed.unanswered()) == (1.0, 0.75)

        async def asked_again() -> None:
            await resumed.sent("lost", ASK, 0.5)
            await resumed.received("lost", ASK, REPLY)

        asyncio.run(asked_again())
        assert resumed.spent() == 1.25
        again.finish("r", RunState.COMPLETED, {})
        assert again.judged("r") == (4, 0, 1.25)
        assert again.unanswered("r") == 0.75


def test_an_attempt_before_the_reply_is_no_call_of_its_own_but_may_have_been_paid(
    store: RunStore,
) -> None:
    store.begin(header("r"))
    replies = store.replies("r", "judge")

    async def asked() -> None:
        await replies.sent("key", ASK, 0.5)
        await replies.sent("key", ASK, 1.0)
        await replies.received("key", ASK, Reply("late", usd=0.75), lost=0.5)

    asyncio.run(asked())
    assert (replies.spent(), replies.unanswered()) == (0.75, 0.5)
    assert (store.judged("r"), store.unanswered("r")) == ((1, 0, 0.75), 0.5)


def test_a_reply_of_before_is_not_found_by_who_wants_one_that_came_since(store: RunStore) -> None:
    store.begin(header("r"))
    first, second = store.replies("r", "judge"), store.replies("r", "judge")

    async def asked() -> list[Reply | None]:
        await first.sent("key", ASK, None)
        await first.received("key", ASK, Reply("useless"))
        found = [await second.found("key"), await second.found("key", anew=True)]
        await second.sent("key", ASK, None)
        await second.received("key", ASK, Reply("better"))
        return [*found, await second.found("key", anew=True), await first.found("key")]

    better = Reply("better")
    assert asyncio.run(asked()) == [Reply("useless"), None, better, better]


@pytest.mark.parametrize("at_once", [64])
def test_many_are_kept_at_once(store: RunStore, at_once: int) -> None:
    store.begin(header("r"))
    replies = store.replies("r", "judge")

    async def one(number: int) -> None:
        await replies.sent(f"k{number}", ASK, 0.01)
        await replies.received(f"k{number}", ASK, Reply(str(number), usd=0.01))

    async def all_of_them() -> list[Reply | None]:
        await asyncio.gather(*(one(number) for number in range(at_once)))
        return [await replies.found(f"k{number}") for number in range(at_once)]

    found = asyncio.run(all_of_them())
    assert [reply and reply.text for reply in found] == [str(number) for number in range(at_once)]
    assert replies.spent() == pytest.approx(0.01 * at_once)


def test_the_replies_of_a_runs_judge_can_be_replayed(store: RunStore) -> None:
    store.begin(header("r"))
    fingerprint = header("r").judge or ""
    replies = store.replies("r", fingerprint)

    async def asked() -> None:
        await replies.sent("k", ASK, None)
        await replies.received("k", ASK, REPLY)
        await store.replies("r", "another judge").received("x", ASK, REPLY)

    asyncio.run(asked())
    assert store.recorded("r") == (fingerprint, {"k": REPLY}, frozenset({ASK.prompt}))


def test_a_reply_that_was_spared_is_counted_and_a_text_that_says_so_is_not(
    store: RunStore,
) -> None:
    store.begin(header("r"))
    text = '{"cached":true}\ud800'
    replies = (Reply(text, cached=True), Reply(text), Reply("x", cached=True))
    row = Row(RECALL, RECALL, Scored(1.0), replies)
    asyncio.run(store.append("r", [Finished("q", [row], run=case_run("q"), replies=replies[:2])]))
    assert store.judged("r") == (0, 3, 0.0)


def test_the_repairs_that_a_judge_needed_are_told_by_metric_and_reading(store: RunStore) -> None:
    judge = "a judge"
    store.begin(replace(header("r"), judge=judge))
    assert store.replies_a_score(judge, RECALL) == 1.0, "nothing is known of it yet"
    once, twice = (Reply("a"),), (Reply("a"), Reply("b", cached=True))
    batch = [
        Finished(name, [Row(RECALL, RECALL, Scored(1.0), told)], run=case_run(name), replies=once)
        for name, told in (("q1", once), ("q2", twice))
    ]
    asyncio.run(store.append("r", batch))
    assert store.replies_a_score(judge, RECALL) == 1.5
    assert store.replies_a_score(judge, "readings.refusal") == 1.0
    assert store.replies_a_score("another", RECALL) == 1.0
