"""The simulated dealer: reads the dealer's console and does what it says, with hands on the simulated shoe.

It never knows a rule of the game: :mod:`hardware_sim.dealer_acts` reads the view, this module moves. One card in
the hand at a time: after a pull no second one follows until the view shows the card, or an incident about it,
however often the view moves for other reasons, the console goes off line or the server is restarted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final, Protocol, assert_never

from hardware_sim.dealer_acts import (
    COUNT_CODE,
    REPORTS,
    Act,
    CountCards,
    Press,
    Pull,
    Rescan,
    ShowCard,
    Trace,
    Wait,
    is_card_unread,
    mistake_due,
    next_act,
)
from hardware_sim.dealer_console import DealerConsole, Glance
from hardware_sim.faults import Fault
from hardware_sim.table import Empty, Pulled, Reading, Refused, Rescanned, SimulatedTable
from studio.domain.cards import Card

_LOG: Final = logging.getLogger(__name__)

PULL_GAP_SECONDS: Final = 0.5
"""Least time between two cards: the studio takes two equal readings within 250 ms for the same card.

Twice as much, because a busy machine may bring the first one late.
"""

PATIENCE_SECONDS: Final = 8.0
"""How long a pulled card may stay unnoticed before the dealer calls the supervisor."""

_READING_SHARE: Final = 0.4
"""How much of the time per card goes by between reading an instruction and moving."""

FELT_SECONDS: Final = 2.0
"""How long the dealer looks at the felt before an incident is closed."""

_GLANCE_SECONDS: Final = 0.25
_RETRY_SECONDS: Final = 1.0
_SEE_SECONDS: Final = 2.0
_RESCAN_TRIES: Final = 2
_CALL: Final = Press("call-supervisor", {})
_NO_CARD_LEFT: Final = Press("sign-count", {})
_GATE_SECONDS: Final = 0.05


class Hands(Protocol):
    """What the dealer's hands do before a camera, where there is one."""

    def pulled(self, card: Card, view: Mapping[str, Any], *, is_read: bool) -> None:
        """Lay a card that came out of the shoe by this view; one that was not read stays in the hand."""
        ...

    def rescanned(self) -> None:
        """Lay the card that waited."""
        ...

    def gave_up(self) -> None:
        """Put the card that waited away."""
        ...

    def looked(self, view: Mapping[str, Any]) -> None:
        """Do what a view asks of cards that lie on the felt."""
        ...


class SimulatedDealer:
    """A dealer at ``table`` who works by ``console``; :meth:`run` until cancelled, in the table's event loop.

    ``relief`` is the console of a second dealer: the two hand over to each other when the table asks for it.
    """

    def __init__(  # noqa: PLR0913 - what a test gives it
        self,
        console: DealerConsole,
        table: SimulatedTable,
        *,
        relief: DealerConsole | None = None,
        pull_gap_seconds: float = PULL_GAP_SECONDS,
        felt_seconds: float = FELT_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
        hands: Hands | None = None,
    ) -> None:
        self._console = console
        self._hands = hands
        self._off_duty = relief
        self._table = table
        self._pull_gap_seconds = pull_gap_seconds
        self._felt_seconds = felt_seconds
        self._patience_seconds = patience_seconds
        self._in_hand: Trace | None = None
        self._unnoticed_since = 0.0
        self._next_pull_at = 0.0
        self._has_unread = False
        self._has_just_burned = False
        self._has_loaded = False
        self._failed_rescans = 0
        self._has_called = False
        self._counted_out: str | None = None

    async def run(self) -> None:
        """Deal for ever; raise a group of ``ConsoleRefusedError`` when the studio does not let the dealer in."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._console.follow())
            if self._off_duty is not None:
                tasks.create_task(self._off_duty.follow())
            tasks.create_task(self._deal())

    async def _deal(self) -> None:
        while True:
            glance = self._console.newest
            if glance is not None:
                self._lay_unread_aside(glance.view)
                if self._hands is not None:
                    self._hands.looked(glance.view)
            if glance is None or isinstance(self._intention(glance.view), Wait):
                if glance is None:
                    self._be_patient()
                await self._console.wait_moved(glance, _GLANCE_SECONDS)
                continue
            await asyncio.sleep(self._reading_seconds(glance))
            await self._table.wait_turn()
            # The view may have moved while the hand did: act by the newest one.
            glance = self._console.newest
            if glance is not None:
                await self._do(self._intention(glance.view), glance)

    def _lay_unread_aside(self, view: Mapping[str, Any]) -> None:
        """Take the unread card from the reader when the supervisor has closed the case about it."""
        is_unnoticed = self._in_hand is not None and not self._in_hand.shows_one_more(Trace.of(view))
        if self._has_unread and not is_unnoticed and not is_card_unread(view):
            self._table.give_up_rescan()
            self._has_unread = False
            if self._hands is not None:
                self._hands.gave_up()

    def _reading_seconds(self, glance: Glance) -> float:
        gap_seconds = self._next_pull_at - asyncio.get_running_loop().time()
        reading_seconds = _READING_SHARE * self._table.pace.seconds_per_card
        act = next_act(glance.view)
        felt_seconds = self._felt_seconds if isinstance(act, Press) and act.closes_an_incident else 0.0
        return max(gap_seconds, reading_seconds, felt_seconds)

    def _intention(self, view: Mapping[str, Any]) -> Act | Fault:
        if self._in_hand is not None:
            is_given_up = self._has_called and _is_call_seen(view)
            if is_given_up or self._in_hand.shows_one_more(Trace.of(view)):
                self._in_hand = None
            else:
                return self._wait_for_notice(view)
        mistake = mistake_due(view, self._table.faults.armed_for_dealer(), has_just_burned=self._has_just_burned)
        if mistake is not None:
            return mistake
        act = next_act(view)
        if not isinstance(act, Rescan):
            self._failed_rescans = 0
        elif self._failed_rescans >= _RESCAN_TRIES:
            return _CALL if view["call"] is None else Wait()
        return act

    def _wait_for_notice(self, view: Mapping[str, Any]) -> Act:
        act = next_act(view)
        if isinstance(act, Press) and view["table"]["stopped"]:
            return act
        if view["table"]["stopped"]:
            self._be_patient()
        elif asyncio.get_running_loop().time() > self._unnoticed_since + self._patience_seconds:
            return Wait() if self._has_called else _CALL
        return Wait()

    def _be_patient(self) -> None:
        self._unnoticed_since = asyncio.get_running_loop().time()

    async def _do(self, act: Act | Fault, glance: Glance) -> None:
        match act:
            case Fault():
                await self._err(act, glance)
            case Pull():
                await self._pull(glance, is_burn=act.is_burn)
            case CountCards():
                await self._count(glance)
            case Rescan():
                await self._rescan(glance)
            case ShowCard():
                self._table.show_card()
                await self._console.wait_moved(glance, _SEE_SECONDS)
            case Press():
                self._has_just_burned = False
                await self._press(act, glance)
            case Wait():
                pass
            case _:
                assert_never(act)

    async def _err(self, mistake: Fault, glance: Glance) -> None:
        if not self._table.take_dealer_fault(mistake):
            return
        if mistake in REPORTS:
            await self._press(REPORTS[mistake], glance)
        else:
            await self._pull(glance, is_burn=False)

    async def _pull(self, glance: Glance, *, is_burn: bool) -> None:
        result = self._table.pull()
        match result:
            case Pulled():
                self._has_unread = result.reading in {Reading.UNREAD, Reading.UNKNOWN_CODE}
                self._has_just_burned = is_burn
                self._take_in_hand(glance)
                if self._hands is not None:
                    self._hands.pulled(result.card, glance.view, is_read=not self._has_unread)
            case Empty():
                self._take_in_hand(glance)
            case Refused():
                _LOG.info("%s", result.reason)
                await self._console.wait_moved(glance, _RETRY_SECONDS)
            case _:
                assert_never(result)

    async def _count(self, glance: Glance) -> None:
        """Draw all that is left; what the count then lacks is the studio's to find, once it has stood still."""
        counting = glance.view["counting"] or {"pack": "", "cards": 0}
        if self._counted_out != counting["pack"]:
            self._counted_out = counting["pack"] if await self._draw_all() else None
            self._be_patient()
        newest = self._console.newest
        await self._console.wait_moved(newest, _SEE_SECONDS)
        if self._console.newest is not newest:
            self._be_patient()
        elif asyncio.get_running_loop().time() > self._unnoticed_since + self._patience_seconds:
            await self._press(_NO_CARD_LEFT, glance)

    async def _draw_all(self) -> bool:
        """Draw until the shoe is empty, as quickly as it gives cards; return False when no more are asked for."""
        while (newest := self._console.newest) is None or newest.view["instruction"]["code"] == COUNT_CODE:
            match self._table.pull():
                case Pulled(reading=reading) if reading in {Reading.UNREAD, Reading.UNKNOWN_CODE}:
                    self._table.rescan()
                case Pulled():
                    # Others in this loop are to have their turn between two cards.
                    await asyncio.sleep(0)
                case Empty():
                    return True
                case Refused():
                    await self._wait_gate()
        return False

    async def _wait_gate(self) -> None:
        try:
            async with asyncio.timeout(_GATE_SECONDS):
                await self._table.wait_change()
        except TimeoutError:
            pass

    def _take_in_hand(self, glance: Glance) -> None:
        self._in_hand = Trace.of(glance.view)
        self._has_called = False
        self._next_pull_at = asyncio.get_running_loop().time() + self._pull_gap_seconds
        self._be_patient()

    async def _rescan(self, glance: Glance) -> None:
        result = self._table.rescan()
        if isinstance(result, Rescanned) and result.is_read:
            self._has_unread = False
            if self._hands is not None:
                self._hands.rescanned()
            await self._console.wait_moved(glance, _SEE_SECONDS)
        else:
            self._failed_rescans += 1
            await self._console.wait_moved(glance, _RETRY_SECONDS)

    async def _press(self, button: Press, glance: Glance) -> None:
        if button.needs_new_cards and not await self._load():
            await self._console.wait_moved(glance, _RETRY_SECONDS)
            return
        if button.says_cards_are_back and (refused := self._table.return_cards()) is not None:
            _LOG.warning("%s", refused.reason)
        pressed = await self._console.press(button.command, button.arguments)
        if not pressed.is_done:
            _LOG.info("%s was refused: %s", button.command, pressed.code)
            await self._console.wait_moved(glance, _RETRY_SECONDS)
            return
        if button.needs_new_cards:
            self._has_loaded = False
        if button.command in {"begin-count", "sign-count"}:
            self._counted_out = None
        if button.hands_over and self._off_duty is not None:
            self._console, self._off_duty = self._off_duty, self._console
        self._has_called = self._has_called or button is _CALL
        await self._see(pressed.sequence)

    async def _load(self) -> bool:
        """Load new cards, once for each time that it is asked; return whether they are in and can come out."""
        if not self._has_loaded:
            refused = self._table.new_shoe()
            if refused is not None:
                _LOG.info("%s", refused.reason)
                return False
            self._has_loaded = True
        try:
            async with asyncio.timeout(_SEE_SECONDS):
                await self._table.wait_open()
        except TimeoutError:
            return False
        return True

    async def _see(self, sequence: int) -> None:
        try:
            async with asyncio.timeout(_SEE_SECONDS):
                while (newest := self._console.newest) is None or newest.sequence < sequence:
                    await self._console.wait_moved(newest, _SEE_SECONDS)
        except TimeoutError:
            await self._console.look_again()


def _is_call_seen(view: Mapping[str, Any]) -> bool:
    return bool(view["call"] and view["call"]["seen_by"])
