"""One automated player at one table: it watches, bets on its seat and answers what it is asked (rules.md 8).

It sees what a player's client sees, the public view and its own private one, and decides nothing by itself: the
strategy does. It keeps no truth between views; a question that is still open in the next view is answered then.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from studio.players.client import Answer, ApiClient, UnreachableError, Update
from studio.players.strategies import Strategy

_LOG: Final = logging.getLogger(__name__)

_BETS_IN_MINIMA: Final = (1, 1, 1, 2, 2, 3, 5, 10)
"""How often which multiple of the table's minimum is bet: mostly little."""

_THINKING_SECONDS: Final = (0.5, 3.0, 1.1)
"""Shortest, longest and most usual time that a player takes to answer."""

_LATEST_SHARE: Final = 0.6
"""A player answers within this share of the time left, so that the deadline stays the exception."""

_NS_PER_SECOND: Final = 1_000_000_000

Question = tuple[str, int, int]
"""What is asked: kind (bet, insurance, decision), the decision's number, the seat."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where and how a player plays; ``pace`` divides the thinking times (10.0 is ten times as quick)."""

    table: str
    seat: int
    strategy: Strategy
    seed: int
    pace: float = 1.0


class AutomatedPlayer:
    """A player that plays until it is cancelled."""

    def __init__(self, api: ApiClient, place: Place) -> None:
        self._api = api
        self._place = place
        self._random = random.Random(f"{place.seed}/{place.table}/{place.seat}")  # noqa: S311 - reproducible play
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
                self._take_up(("bet", 0, self._place.seat), public, tasks, partial(self._bet, table))
            case "insurance" | "decisions":
                await self._look_for_questions(public, tasks)
            case _:
                pass

    async def _look_for_questions(self, public: Update, tasks: asyncio.TaskGroup) -> None:
        try:
            private = await self._api.view(self._place.table, "player")
        except UnreachableError:
            return
        for question in private.view["questions"]:
            key = (question["kind"], question["decision"], question["seat"])
            if question["kind"] == "insurance":
                self._take_up(key, public, tasks, partial(self._decline_insurance, question))
            else:
                self._take_up(key, public, tasks, partial(self._decide, question))

    def _take_up(
        self,
        key: Question,
        public: Update,
        tasks: asyncio.TaskGroup,
        answer: Callable[[], Coroutine[Any, Any, Answer | None]],
    ) -> None:
        if key not in self._taken_up:
            self._taken_up.add(key)
            tasks.create_task(self._think_and_answer(key, self._thinking_seconds(public), answer))

    async def _think_and_answer(
        self, key: Question, seconds: float, answer: Callable[[], Coroutine[Any, Any, Answer | None]]
    ) -> None:
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
        seconds = self._random.triangular(*_THINKING_SECONDS) / self._place.pace
        deadline_wall_ns: int | None = public.view["deadline_wall_ns"]
        if deadline_wall_ns is None:
            return seconds
        left_seconds = max(deadline_wall_ns - public.server_wall_ns, 0) / _NS_PER_SECOND
        return min(seconds, left_seconds * _LATEST_SHARE)

    async def _bet(self, table: Mapping[str, Any]) -> Answer | None:
        private = await self._api.view(self._place.table, "player")
        amount = int(table["minimum"]) * self._random.choice(_BETS_IN_MINIMA)
        if amount > min(table["maximum"], private.view["balance"]):
            amount = table["minimum"]
        if amount > private.view["balance"]:
            return None
        bet = {"seat": self._place.seat, "amount": amount, "kind": "main"}
        return await self._api.post(f"/tables/{self._place.table}/bets", {"bets": [bet]})

    async def _decline_insurance(self, question: Mapping[str, Any]) -> Answer:
        body = {"seat": question["seat"], "take": False}
        return await self._api.post(f"/tables/{self._place.table}/insurance", body)

    async def _decide(self, question: Mapping[str, Any]) -> Answer | None:
        # Read afresh: the view that brought the question may be older than the hand's newest card.
        public = await self._api.view(self._place.table, "public")
        cards = _cards_of(public.view, question["seat"], question["hand"])
        upcards = public.view["dealer_hand"]["cards"]
        if not cards or not upcards:
            return None
        action = self._place.strategy(cards, upcards[0], question["actions"])
        body = {"decision": question["decision"], "action": action}
        return await self._api.post(f"/tables/{self._place.table}/decisions", body)


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
