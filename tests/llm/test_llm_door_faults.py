from __future__ import annotations

import asyncio
import random

import pytest
from aiohttp import web
from door_runs import BUSY, COST, DOWN, Book, one_after_the_other, through
from fake_provider import DEAR, Provider, ask, door, error, half, never, reset, said, with_provider

from ragproof.core import JudgeError, Reply
from ragproof.llm.health import Patience

# --- trying again


@pytest.mark.parametrize("fault", [BUSY, DOWN, (529, "{}"), (408, ""), (409, "")])
def test_what_passes_is_tried_again_and_was_not_paid(fault: object) -> None:
    book, provider = Book(), Provider(fault, fault, said())
    [reply], one = through(provider, ask(), replies=book, prices=DEAR)
    assert reply.usd == COST
    assert len(provider.asked) == 3
    assert (one.used.calls, one.used.attempts) == (1, 3)
    assert [name for name, _ in book.lines] == ["sent", "received"]


@pytest.mark.parametrize("fault", [reset, half, (200, "<html>upstream")])
def test_an_attempt_that_may_have_been_paid_is_booked(fault: object) -> None:
    book = Book()
    [reply], one = through(Provider(fault, said()), ask(), replies=book, prices=DEAR)
    [first, second] = [usd or 0.0 for name, usd in book.lines if name == "sent"]
    assert second == 2 * first > 0
    assert reply.usd == pytest.approx(first + (COST or 0.0))
    assert book.spent() == pytest.approx(reply.usd)
    assert book.unanswered() == first, "what came after it was answered"
    assert one.used.cost_usd == pytest.approx(reply.usd)


def test_one_that_is_paid_for_nothing_again_and_again_is_given_up() -> None:
    book, provider = Book(), Provider(half)
    patience = Patience(backoff_seconds=0.001, first_outage_seconds=60.0)
    [got], _ = through(provider, ask(), replies=book, prices=DEAR, patience=patience)
    assert isinstance(got, JudgeError)
    assert len(provider.asked) == patience.paid_attempts
    assert book.lines[-1] == ("failed", book.lines[-2][1])
    assert book.unanswered() == book.spent() > 0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_will_not_pass_is_not_tried_again(status: int) -> None:
    book, provider = Book(), Provider((status, error("no")))
    [got], _ = through(provider, ask(), replies=book, prices=DEAR)
    assert isinstance(got, JudgeError)
    assert len(provider.asked) == 1
    assert book.spent() == 0.0
    assert book.lines[-1] == ("failed", 0.0)


def test_a_quota_that_is_used_up_is_not_waited_for() -> None:
    quota = (429, error("You exceeded your current quota", code="insufficient_quota"))
    provider = Provider(quota)
    [got], _ = through(provider, ask())
    assert "no credit left" in str(got)
    assert len(provider.asked) == 1


def test_a_server_that_asks_to_wait_a_day_is_not_waited_for() -> None:
    provider = Provider((429, error("slow down"), ("Retry-After", "86400")))
    [got], _ = through(provider, ask())
    assert isinstance(got, JudgeError)
    assert "asks to wait 86400 s" in str(got)
    assert len(provider.asked) == 1


def test_a_server_that_asks_to_wait_is_left_alone_so_long() -> None:
    times: list[float] = []

    async def busy(_: web.Request) -> web.StreamResponse:
        times.append(asyncio.get_running_loop().time())
        return web.Response(status=429, headers={"Retry-After": "0.3"})

    async def good(_: web.Request) -> web.StreamResponse:
        times.append(asyncio.get_running_loop().time())
        return web.json_response(said())

    [got], _ = through(Provider(busy, good), ask())
    assert got.text
    assert times[1] - times[0] >= 0.3


def test_a_question_that_is_never_answered_ends_at_its_deadline() -> None:
    patience = Patience(deadline_seconds=0.5)
    [got], _ = through(Provider(never), ask(), patience=patience)
    assert isinstance(got, JudgeError)
    assert "0.5 s" in str(got)


def test_a_question_that_alone_is_always_refused_is_given_up_while_others_are_answered() -> None:
    async def picky(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.002)
        if "poison" in await request.text():
            return web.Response(status=500)
        return web.json_response(said())

    async def act(url: str) -> tuple[JudgeError, int]:
        one = door(url, patience=Patience(backoff_seconds=0.01))

        async def others() -> None:
            for number in range(100_000):
                await one.reply(ask(str(number)))

        busy = asyncio.ensure_future(others())
        with pytest.raises(JudgeError) as error:
            await one.reply(ask("poison"))
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)
        await one.close()
        return error.value, sum("poison" in str(body) for body in provider.asked)

    provider = Provider(picky)
    got, asked = with_provider(provider, act)
    assert asked <= 7
    assert f"after {asked} attempts" in str(got)


@pytest.mark.parametrize("seed", range(3))
def test_faults_of_every_kind_at_random_lose_no_question(seed: int) -> None:
    chance = random.Random(seed)

    async def moody(request: web.Request) -> web.StreamResponse:
        roll = chance.random()
        if roll < 0.1:
            return web.Response(status=429, headers={"Retry-After": "0.01"})
        if roll < 0.2:
            return web.Response(status=500)
        if roll < 0.22:
            return await half(request)
        return web.json_response(said())

    book = Book()
    asks = [ask(str(one)) for one in range(200)]
    got, one = through(Provider(moody), *asks, replies=book, prices=DEAR, concurrency=8)
    assert all(isinstance(reply, Reply) for reply in got)
    assert one.used.cost_usd == pytest.approx(book.spent())
    assert book.spent() == pytest.approx(sum(reply.usd for reply in got))


# --- an endpoint that is not worth asking


def test_a_wrong_key_is_found_out_once_and_for_all() -> None:
    provider = Provider((401, error("Incorrect API key")))
    got, one = one_after_the_other(provider, *(ask(str(n)) for n in range(50)))
    assert len(provider.asked) == 3
    assert all(isinstance(error, JudgeError) for error in got)
    assert "earlier calls failed" in str(got[-1])
    assert "Incorrect API key" in str(got[-1])
    assert one.used.failures == 50


def test_a_success_in_between_shows_that_the_key_is_right() -> None:
    no = (404, error("no such model"))
    provider = Provider(*[no, no, said()] * 5, said())
    _, one = one_after_the_other(provider, *(ask(str(n)) for n in range(20)))
    assert len(provider.asked) == 20
    assert one.used.failures == 10


def test_a_prompt_that_is_too_long_says_nothing_about_the_others() -> None:
    provider = Provider((400, error("maximum context length")))
    one_after_the_other(provider, *(ask(str(n)) for n in range(10)))
    assert len(provider.asked) == 10


def test_a_provider_that_dies_fails_the_rest_soon() -> None:
    provider = Provider(*[said()] * 5, reset)
    patience = Patience(backoff_seconds=0.001, outage_seconds=0.05)
    questions = [ask(str(n)) for n in range(300)]
    got, _ = one_after_the_other(provider, *questions, patience=patience)
    assert [isinstance(one, Reply) for one in got] == [True] * 5 + [False] * 295
    assert "not asked, because earlier calls failed" in str(got[-1])
    assert len(provider.asked) < 300


def test_a_provider_that_comes_back_is_asked_again() -> None:
    patience = Patience(backoff_seconds=0.001, first_outage_seconds=0.0, rest_seconds=0.0)
    provider = Provider(DOWN, said())
    got, _ = one_after_the_other(provider, ask("a"), ask("b"), ask("c"), patience=patience)
    assert [isinstance(one, Reply) for one in got] == [False, True, True]
