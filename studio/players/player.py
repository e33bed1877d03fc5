"""One automated player at one table: it watches, bets and answers what it is asked (rules.md 8).

It sees what a player's client sees, the public view and its own private one, and decides nothing by itself: the
strategy and the habits of its place do. It keeps no truth between views; a question that is still open in the next
view is answered then.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from studio.players.client import Answer, ApiClient, UnreachableError, Update
from studio.players.exact import ExactPlay
from studio.players.place import Place
from studio.players.wishes import bets_behind, own_bets, seats_to_bet_behind

__all__ = ["AutomatedPlayer", "Place"]

_LOG: Final = logging.getLogger(__name__)

_THINKING_SECONDS: Final = (0.5, 3.0, 1.1)
"""Shortest, longest and most usual time that a player takes to answer."""

_LATEST_SHARE: Final = 0.6
"""A player answers within this share of the time left, so that the deadline stays the exception."""

_NS_PER_SECOND: Final = 1_000_000_000

_FIRST_BET_BEGINS: Final = "confirmed-bet"

Question = tuple[str, int, int, int]
"""What is asked: kind (such as bet, insurance, decision), the decision's number, the seat, the hand."""

Answering = Callable[[], Coroutine[Any, Any, Answer | None]]


class AutomatedPlayer:
    """A player that plays until it is cancelled."""

    def __init__(self, api: ApiClient, place: Place) -> None:
        self._api = api
        self._place = place
        self._random = random.Random(f"{place.seed}/{place.table}/{place.seat}/{place.number}")  # noqa: S311 - reproducible play
        self._round: int | None = None
        self._taken_up: set[Question] = set()

    async def run(self) -> None:
        """Play for ever; raise :class:`~studio.players.client.NotLetInError` when not let in."""
        async with (
            asyncio.TaskGroup() as tasks,
            aclosing(self._api.updates(f"tables/{self._place.table}/public")) as updates,
        ):
            async for update in updates:
                await self._look(update, tasks)

    async def _look(self, public: Update, tasks: asyncio.TaskGroup) -> None:
        table = public.view
        if table["round"] != self._round:
            self._round = table["round"]
            self._taken_up.clear()
        if table["stopped"]:
            return
        match table["phase"]:
            case "betting":
                self._look_where_to_bet(public, tasks)
            case "insurance" | "decisions":
                await self._look_for_questions(public, tasks)
            case _:
                pass

    def _look_where_to_bet(self, public: Update, tasks: asyncio.TaskGroup) -> None:
        table, seat = public.view, self._place.seat
        if seat:
            self._take_up(("bet", 0, seat, 0), public, tasks, partial(self._bet, table))
        for other in seats_to_bet_behind(self._place, table):
            self._take_up(("behind", 0, other, 0), public, tasks, partial(self._bet_behind, table, other))

    async def _look_for_questions(self, public: Update, tasks: asyncio.TaskGroup) -> None:
        try:
            private = await self._api.view(self._place.table, "player")
        except UnreachableError:
            return
        for question in private.view["questions"]:
            key = (question["kind"], question["decision"], question["seat"], question["hand"])
            self._take_up(key, public, tasks, self._answering(question))

    def _take_up(self, key: Question, public: Update, tasks: asyncio.TaskGroup, answer: Answering) -> None:
        if key not in self._taken_up:
            self._taken_up.add(key)
            tasks.create_task(self._think_and_answer(key, self._thinking_seconds(public), answer))

    async def _think_and_answer(self, key: Question, seconds: float, answer: Answering) -> None:
        await asyncio.sleep(seconds)
        try:
            answered = await answer()
        except UnreachableError as error:
            _LOG.warning("seat %d: %s", self._place.seat, error)
            self._taken_up.discard(key)
            return
        if answered is not None and not answered.is_success:
            _LOG.info("seat %d: %s refused: %s", self._place.seat, key[0], answered.code)
            self._taken_up.discard(key)

    def _thinking_seconds(self, public: Update) -> float:
        table = public.view
        seconds = self._random.triangular(*_THINKING_SECONDS)
        if table["phase"] == "betting" and table["start"] == _FIRST_BET_BEGINS:
            seconds += self._place.habits.hesitates_seconds
        seconds /= self._place.pace
        deadline_wall_ns: int | None = table["deadline_wall_ns"]
        if deadline_wall_ns is None:
            return seconds
        left_seconds = max(deadline_wall_ns - public.server_wall_ns, 0) / _NS_PER_SECOND
        return min(seconds, left_seconds * _LATEST_SHARE)

    # Betting

    async def _bet(self, table: Mapping[str, Any]) -> Answer | None:
        private = (await self._api.view(self._place.table, "player")).view
        await self._get_ready(private)
        bets = own_bets(self._place, table, private["balance"], self._random)
        return await self._post("bets", {"bets": bets}) if bets else None

    async def _bet_behind(self, table: Mapping[str, Any], seat: int) -> Answer | None:
        private = (await self._api.view(self._place.table, "player")).view
        await self._get_ready(private)
        bets = bets_behind(self._place, table, seat, private["balance"], self._random)
        return await self._post("bets", {"bets": bets}) if bets else None

    async def _get_ready(self, private: Mapping[str, Any]) -> None:
        """Take the second seat, and set the standing answers, where they are not; a refusal is no matter."""
        habits = self._place.habits
        if habits.second_seat and habits.second_seat not in private["seats"]:
            await self._post("seats", {"seat": habits.second_seat, "action": "take"})
        wanted = {"double": habits.follow_double, "split": habits.follow_split}
        if set(wanted.values()) != {None} and private["following"] != wanted:
            await self._post("following", wanted)

    # Answering

    def _answering(self, question: Mapping[str, Any]) -> Answering:
        match question["kind"]:
            case "insurance":
                return partial(self._insure, question)
            case "decision":
                return partial(self._decide, question)
            case _:
                return partial(self._follow, question)

    async def _insure(self, question: Mapping[str, Any]) -> Answer:
        take = self._place.habits.insures and "insurance" in question["actions"]
        return await self._post("insurance", {"seat": question["seat"], "take": take})

    async def _follow(self, question: Mapping[str, Any]) -> Answer:
        follow = "follow" in question["actions"] and await self._wants_to_follow(question)
        return await self._post("follow", {"seat": question["seat"], "hand": question["hand"], "follow": follow})

    async def _wants_to_follow(self, question: Mapping[str, Any]) -> bool:
        """Follow whatever is asked, but for a split that the exact strategy declines (B9)."""
        strategy = self._place.strategy
        if not isinstance(strategy, ExactPlay) or question["kind"] != "follow-split":
            return True
        public = await self._api.view(self._place.table, "public")
        cards = _cards_of(public.view, question["seat"], question["hand"])
        upcards = public.view["dealer_hand"]["cards"]
        return bool(cards and upcards) and strategy.follows_split(cards, upcards[0])

    async def _decide(self, question: Mapping[str, Any]) -> Answer | None:
        # Read afresh: the view that brought the question may be older than the hand's newest card.
        public = await self._api.view(self._place.table, "public")
        # Who is asked on a shared hand's line holds all of its cards, so these are the player's own on any table.
        cards = _cards_of(public.view, question["seat"], question["hand"])
        upcards = public.view["dealer_hand"]["cards"]
        if not cards or not upcards:
            return None
        action = self._place.strategy(cards, upcards[0], question["actions"])
        return await self._post("decisions", {"decision": question["decision"], "action": action})

    async def _post(self, what: str, body: Mapping[str, Any]) -> Answer:
        return await self._api.post(f"/tables/{self._place.table}/{what}", body)


def _cards_of(table: Mapping[str, Any], seat: int, hand: int) -> tuple[str, ...]:
    return next(
        (
            tuple(each["cards"])
            for place in table["seats"]
            if place["seat"] == seat
            for each in place["hands"]
            if each["number"] == hand
        ),
        (),
    )
