"""A3: the hard player plays the calculated table of its own table's rules, and a bet behind its own optimum."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.studio_api import TOKEN, StudioStub, studio_stub

from studio.adapters.variants import load_variant, variant_names
from studio.domain.cards import DECK
from studio.domain.hands import total
from studio.odds.figures import figures_of
from studio.players.__main__ import SeatedPlayer, play
from studio.players.client import NotLetInError
from studio.players.exact import HARD, ExactPlay
from studio.players.place import Habits

FIRST = ("hit", "stand", "double", "split", "surrender")
LATER = ("hit", "stand")
FIGURES = {name: figures_of(load_variant(name)) for name in variant_names()}


def exact(variant: str) -> ExactPlay:
    return ExactPlay(FIGURES[variant].strategy, FIGURES[variant].follow_split)


@pytest.mark.parametrize(
    ("variant", "cards", "upcard", "legal", "action"),
    [
        ("deluxe", "TS 6H", "9D", FIRST, "surrender"),
        ("deluxe", "TS 6H", "9D", LATER, "hit"),
        ("continuous", "TS 6H", "9D", FIRST, "hit"),
        ("deluxe", "7S 4H", "KD", FIRST, "double"),
        ("european", "7S 4H", "KD", FIRST, "hit"),
        ("european", "8S 8H", "TD", FIRST, "hit"),
        ("deluxe", "8S 8H", "TD", FIRST, "split"),
        ("european", "AS AH", "AD", FIRST, "hit"),
        ("deluxe", "AS 7H", "4D", FIRST, "double"),
        ("deluxe", "AS 7H", "4D", LATER, "stand"),
        ("deluxe", "8S 8H", "6D", ("hit", "stand", "double"), "stand"),
        ("deluxe", "KS TH", "6D", FIRST, "stand"),
        ("deluxe", "5S 5H", "9D", FIRST, "double"),
        ("european", "2S 2H 2D 2C 3S", "7D", LATER, "hit"),
    ],
)
def test_a3_hard_plays_the_table_of_its_own_rules(
    variant: str, cards: str, upcard: str, legal: tuple[str, ...], action: str
) -> None:
    assert exact(variant)(cards.split(), upcard, legal) == action


@given(
    st.lists(st.sampled_from(DECK), min_size=2, max_size=7),
    st.sampled_from(DECK),
    st.sets(st.sampled_from(FIRST)),
    st.sampled_from(sorted(FIGURES)),
)
def test_a3_every_hand_gets_a_legal_action(cards: list[Any], upcard: Any, more: set[str], variant: str) -> None:
    legal = {*LATER, *more}
    codes = [card.code for card in cards]
    if total(cards).is_bust:
        with pytest.raises(ValueError, match="nothing to decide"):
            exact(variant)(codes, upcard.code, legal)
    else:
        assert exact(variant)(codes, upcard.code, legal) in legal


def test_an_answer_that_is_no_table_is_an_error_that_names_the_cell() -> None:
    data: dict[str, Any] = answer("deluxe")
    data["strategy"]["hard"]["16"]["T"] = "X"
    with pytest.raises(ValueError, match=r'hard\["16"\]\["T"\]'):
        ExactPlay.from_json(data)


def answer(variant: str) -> dict[str, Any]:
    figures = FIGURES[variant]
    follow = {pair: dict(cells) for pair, cells in figures.follow_split.items()}
    return {"table": "t1", "hash": "", "strategy": figures.strategy.as_json(), "follow_split": follow}


def public(cards: str, upcard: str) -> dict[str, Any]:
    return {
        "phase": "decisions",
        "round": 1,
        "stopped": False,
        "start": "countdown",
        "deadline_wall_ns": 1_000_000_000,
        "seats": [{"seat": 3, "holder": "ada", "hands": [{"number": 1, "cards": cards.split()}]}],
        "dealer_hand": {"cards": [upcard]},
    }


def private(kind: str, *actions: str) -> dict[str, Any]:
    question = {"kind": kind, "decision": 4, "seat": 3, "hand": 1, "actions": list(actions)}
    return {"balance": 10_000, "seats": [3], "questions": [question], "following": {"double": None, "split": None}}


@pytest.fixture
async def studio() -> AsyncIterator[StudioStub]:
    async with studio_stub() as stub:
        stub.strategies["t1"] = answer("european")
        yield stub


@contextlib.asynccontextmanager
async def playing(studio: StudioStub, player: SeatedPlayer) -> AsyncIterator[None]:
    task = asyncio.create_task(play(studio.url, "t1", [player], seed=1, pace=100.0))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


SEATED = SeatedPlayer(TOKEN, 3, HARD)


async def test_it_asks_the_studio_for_the_table_of_its_rules(studio: StudioStub) -> None:
    """The usual table splits eights against a ten; the European one, where both stakes can be lost, does not."""
    studio.show("tables/t1/player", private("decision", "hit", "stand", "split"))
    studio.show("tables/t1/public", public("8S 8H", "TD"))
    async with playing(studio, SEATED):
        (post,) = await studio.wait_for_posts(1)
    assert post.body == {"decision": 4, "action": "hit"}


@pytest.mark.parametrize(
    ("kind", "cards", "upcard", "follows"),
    [
        ("follow-split", "8S 8H", "TD", False),
        ("follow-split", "8S 8H", "6D", True),
        ("follow-split", "AS AH", "TD", True),
        ("follow-double", "6S 5H", "TD", True),
    ],
)
async def test_behind_a_seat_it_declines_a_split_whose_first_hand_alone_loses_less(
    studio: StudioStub, kind: str, cards: str, upcard: str, *, follows: bool
) -> None:
    studio.strategies["t1"] = answer("deluxe")
    studio.show("tables/t1/player", private(kind, "follow", "do-not-follow"))
    studio.show("tables/t1/public", public(cards, upcard))
    async with playing(studio, replace(SEATED, seat=0, habits=Habits(behind=(3,)))):
        (post,) = await studio.wait_for_posts(1)
    assert post.body == {"seat": 3, "hand": 1, "follow": follows}


async def test_a_table_that_there_is_not_is_said(studio: StudioStub) -> None:
    with pytest.raises(ExceptionGroup) as failed:
        await play(studio.url, "t9", [SEATED], seed=1, pace=1.0)
    (error,) = failed.value.exceptions
    assert isinstance(error, NotLetInError)
    assert "t9" in str(error)
