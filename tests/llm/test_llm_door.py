from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from door_runs import BUSY, COST, DOWN, Book, runs, through
from fake_provider import DEAR, HASTY, Provider, ask, door, error, never, said, with_provider

from ragproof.core import JudgeError, OverBudget, Reply, StoreError, UsageError
from ragproof.llm.budget import Budget
from ragproof.llm.door import Door
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Ask
from ragproof.llm.prices import Prices
from ragproof.llm.replies import MemoryReplies

# --- what is known is not asked, what is asked is kept


def test_a_reply_is_kept_and_the_next_run_asks_nothing() -> None:
    replies, provider = MemoryReplies(), Provider()
    run = ([ask()], {"replies": replies, "prices": DEAR})
    [([first], _), ([second], again)] = runs(provider, run, run)
    assert len(provider.asked) == 1
    assert (first.cached, first.usd) == (False, COST)
    assert (second.text, second.cached, second.usd) == (first.text, True, 0.0)
    assert (again.used.calls, again.used.cache_hits, again.used.cost_usd) == (0, 1, 0.0)


def test_the_same_question_in_flight_is_asked_once_and_paid_once() -> None:
    provider = Provider()
    got, one = through(provider, *[ask()] * 20, prices=DEAR)
    assert len(provider.asked) == 1
    assert [reply.cached for reply in got] == [False] + [True] * 19
    assert sum(reply.usd for reply in got) == COST
    assert (one.used.calls, one.used.cache_hits) == (1, 19)


def test_who_wants_a_reply_anew_is_not_given_one_of_before_even_while_that_is_looked_up() -> None:
    class Before(MemoryReplies):
        """Holds a reply of an earlier sitting, and what came since."""

        def __init__(self) -> None:
            super().__init__()
            self.before: Reply | None = Reply("useless")

        async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:
            await asyncio.sleep(0.01)
            since = await super().found(key)
            return since if since or anew else self.before

    replies, provider = Before(), Provider(said("better"))
    questions = [ask(), ask(anew=True), ask(), ask(anew=True)]
    kept = {"replies": replies, "prices": DEAR}
    [(got, one), ([later], _)] = runs(provider, (questions, kept), ([ask(anew=True)], kept))
    assert [reply.text for reply in got] == ["useless", "better", "useless", "better"]
    assert (len(provider.asked), one.used.calls, one.used.cache_hits) == (1, 1, 3)
    assert (later.text, len(provider.asked)) == ("better", 1), "what came since will do"


@pytest.mark.parametrize("first", [False, True])
def test_a_question_is_out_once_whether_or_not_a_reply_of_before_would_do(*, first: bool) -> None:
    """A repair is asked for by one who has a reply of before, and by one who had it anew."""
    provider = Provider(said("good"))
    got, one = through(provider, ask(anew=first), ask(anew=not first), prices=DEAR)
    assert [reply.text for reply in got] == ["good", "good"]
    assert (len(provider.asked), one.used.calls, one.used.cost_usd) == (1, 1, COST)


def test_repeats_are_asked_each() -> None:
    provider = Provider()
    through(provider, *(ask(repeat=one) for one in range(3)))
    assert len(provider.asked) == 3


def test_another_model_does_not_get_the_replies_of_the_first() -> None:
    replies, provider = MemoryReplies(), Provider()
    warm = {"replies": replies, "temperature": 1.0}
    runs(provider, ([ask()], {"replies": replies}), ([ask()], warm))
    assert len(provider.asked) == 2


def test_all_who_wait_for_a_question_hear_that_it_failed_and_it_may_be_asked_again() -> None:
    provider = Provider((400, error("no")), said())
    got, one = through(provider, ask(), ask())
    assert all(isinstance(one, JudgeError) for one in got)
    assert one.used.failures == 1

    async def act(url: str) -> Reply:
        other = door(url)
        with pytest.raises(JudgeError):
            await other.reply(ask())
        reply = await other.reply(ask())
        await other.close()
        return reply

    assert with_provider(Provider((400, error("no")), said()), act).text


def test_a_call_is_booked_before_it_is_sent_and_kept_before_it_is_given() -> None:
    book = Book()
    seen: list[list[str]] = []

    async def look(_: web.Request) -> web.StreamResponse:
        seen.append([name for name, _ in book.lines])
        return web.json_response(said())

    [reply], _ = through(Provider(look), ask(), replies=book, prices=DEAR)
    assert seen == [["sent"]]
    assert [name for name, _ in book.lines] == ["sent", "received"]
    assert book.kept == reply
    assert book.spent() == COST


def test_a_reply_that_cannot_be_kept_is_not_given() -> None:
    class Full(MemoryReplies):
        async def received(self, *_: object, **_more: object) -> None:
            raise StoreError("disk full")

    [got], _ = through(Provider(), ask(), replies=Full())
    assert isinstance(got, StoreError)


def test_prices_that_are_not_known_make_costs_unknown_not_zero() -> None:
    book = Book()
    [reply], one = through(Provider(), ask(), replies=book)
    assert reply.usd is None
    assert one.used.cost_usd is None
    assert book.lines == [("sent", None), ("received", None)]


# --- the budget


@pytest.mark.parametrize("at_once", [4, 32, 100])
@pytest.mark.parametrize("factor", [1, 20])
def test_the_budget_is_not_passed_whatever_the_provider_counts(at_once: int, factor: int) -> None:
    usage = {"prompt_tokens": 100 * factor, "completion_tokens": 5}
    price = DEAR.cost(100 * factor, 5) or 0.0
    provider, limit = Provider(said(usage=usage)), 20.5 * price
    got, one = through(
        provider,
        *(ask(str(n)) for n in range(200)),
        prices=DEAR,
        limit=limit,
        concurrency=at_once,
        max_output_tokens=8,
    )
    assert 18 <= len(provider.asked) <= 20
    assert one.used.cost_usd == pytest.approx(len(provider.asked) * price)
    assert sum(isinstance(error, OverBudget) for error in got) == 200 - len(provider.asked)


def test_what_is_kept_is_given_though_nothing_is_left() -> None:
    replies, provider = MemoryReplies(), Provider()
    poor = {"replies": replies, "prices": DEAR, "limit": 0.0}
    [_, ([known, new], _)] = runs(
        provider, ([ask()], {"replies": replies}), ([ask(), ask("new")], poor)
    )
    assert known.cached
    assert isinstance(new, OverBudget)
    assert len(provider.asked) == 1


def test_a_budget_without_prices_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="RAGPROOF_JUDGE_INPUT_COST_PER_MTOK"):
        door("http://h", limit=1.0)
    with pytest.raises(UsageError):
        door("http://h", limit=1.0, prices=Prices(1.0, None))


def test_attempts_that_were_not_paid_do_not_use_the_budget_up() -> None:
    provider = Provider(*[BUSY, DOWN] * 3, said())
    [reply], _ = through(provider, ask(), prices=DEAR, limit=0.2, max_output_tokens=8)
    assert reply.usd == COST


# --- how many at once, and stopping


def test_no_more_calls_are_out_than_there_are_slots() -> None:
    async def slow(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.01)
        return web.json_response(said())

    provider = Provider(slow)
    through(provider, *(ask(str(n)) for n in range(50)), concurrency=5)
    assert provider.most_out == 5


def test_who_waits_to_try_again_holds_no_slot() -> None:
    async def busy(request: web.Request) -> web.StreamResponse:
        if "first" in await request.text():
            return web.Response(status=429, headers={"Retry-After": "0.5"})
        return web.json_response(said())

    async def act(url: str) -> None:
        one = door(url, concurrency=1)
        first = asyncio.ensure_future(one.reply(ask("first")))
        while not provider.asked:
            await asyncio.sleep(0.01)
        await one.reply(ask("second"))
        assert not first.done()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await one.close()

    provider = Provider(busy)
    with_provider(provider, act)


def test_a_caller_that_is_cancelled_leaves_the_call_to_the_others() -> None:
    async def slow(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.05)
        return web.json_response(said())

    async def act(url: str) -> Reply:
        one = door(url)
        first = asyncio.ensure_future(one.reply(ask()))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(one.reply(ask()))
        await asyncio.sleep(0)
        first.cancel()
        reply = await second
        await one.close()
        return reply

    provider = Provider(slow)
    assert with_provider(provider, act).text
    assert len(provider.asked) == 1


def test_a_reply_that_nobody_waits_for_any_more_is_kept() -> None:
    async def slow(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.05)
        return web.json_response(said())

    async def act(url: str) -> None:
        one = door(url, replies=book)
        first = asyncio.ensure_future(one.reply(ask()))
        while not provider.asked:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        while len(book.lines) < 2:
            await asyncio.sleep(0.01)
        await one.close()

    book, provider = Book(), Provider(slow)
    with_provider(provider, act)
    assert [name for name, _ in book.lines] == ["sent", "received"]


def test_a_call_that_is_let_go_of_stays_booked_as_possibly_paid() -> None:
    async def act(url: str) -> None:
        one = door(url, replies=book, prices=DEAR)
        first = asyncio.ensure_future(one.reply(ask()))
        while not provider.asked:
            await asyncio.sleep(0.01)
        await one.close()
        await asyncio.gather(first, return_exceptions=True)
        assert one.used.cost_usd == book.spent()

    book, provider = Book(), Provider(never)
    with_provider(provider, act)
    [(name, usd)] = book.lines
    assert name == "sent"
    assert book.spent() == usd


def test_any_model_can_stand_behind_the_door() -> None:
    class Scripted:
        fingerprint = "scripted"

        async def reply(self, one: Ask, /) -> Reply:
            return Reply(one.user.upper(), input_tokens=1, output_tokens=1)

        async def close(self) -> None:
            pass

    async def act() -> Reply:
        one = Door(
            Scripted(), MemoryReplies(), Budget(9.0), DEAR, limiter=Limiter(1), patience=HASTY
        )
        return await one.reply(ask("x"))

    assert asyncio.run(act()).text == "X"
