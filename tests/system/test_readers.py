"""A whole studio whose shoe speaks another protocol: dealt, misread, rescanned and settled.

Server, real driver on a pseudo-terminal, simulated shoe, dealer, players; no fixed pauses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.fault_ledger import Closed
from support.fault_studio import PLAYERS, FaultStudio, run_fault_studio
from support.journal_audit import check_money, read_book
from support.studio_folder import DEALER, Pace, StudioFolder, make_studio_folder

from hardware_sim.faults import Fault
from hardware_sim.shoe import Marker, Shoe
from studio.domain.cards import Card
from studio.domain.events import CardBurned, CardDealt

_SEED = 1
_DECKS = 8
_CUT_POSITION = 330
_PACE = Pace(
    betting_ms=700,
    insurance_ms=600,
    decision_ms=3_000,
    resume_grace_ms=500,
    minimum_draw_interval_ms=150,
    quiet_after_burn_ms=1_000,
)


@asynccontextmanager
async def running(path: Path, driver: str) -> AsyncIterator[FaultStudio]:
    """Give a studio of ``driver`` in its first betting time, and check its money and its cards afterwards."""
    folder = make_studio_folder(path, *PLAYERS, cut_position=_CUT_POSITION, pace=_PACE, driver=driver)
    async with run_fault_studio(folder, _SEED) as studio:
        yield studio
        studio.ledger.check_money()
    assert check_money(read_book(folder)).settled > 0
    assert_cards_are_those_of_the_shoe(folder)


def assert_cards_are_those_of_the_shoe(folder: StudioFolder) -> None:
    """Compare what is on record, card by card, with the stack that the simulated dealer pulled from."""
    recorded = read_book(folder).recorded
    events = [each.event for each in recorded if isinstance(each.event, CardBurned | CardDealt)]
    shoe = Shoe(_SEED, _DECKS, _CUT_POSITION)
    shoe.reshuffle()  # the dealer loads the shoe before the first burn
    pulled = [card for card in iter(shoe.pull, Marker.EMPTY) if isinstance(card, Card)][: len(events)]
    assert [event.card for event in events] == pulled


async def see_round_settled(studio: FaultStudio, since: int) -> None:
    await studio.wait("a round settled", lambda: "settled" in studio.ledger.rounds(since))
    await studio.wait("the next betting", lambda: studio.table["phase"] == "betting")


@pytest.mark.parametrize("driver", ["angel_eye", "barcode_line", "bee_tek", "evdev", "ssi"])
async def test_a_shoe_is_burned_dealt_misread_rescanned_and_settled(tmp_path: Path, driver: str) -> None:
    async with running(tmp_path / driver, driver) as studio:
        await see_round_settled(studio, 0)
        assert studio.ledger.incidents(0) == []
        for fault in (Fault.NO_READ, Fault.UNKNOWN_CODE):
            since = studio.ledger.sequence()
            kinds = ("no-read", "unknown-code", "hole-unread")
            kind = await studio.provoke(fault, kinds)
            await see_round_settled(studio, since)
            assert studio.ledger.incidents(since) == [Closed(kind, "rescan", "shoe-1")]


async def test_a_shoe_that_was_unplugged_says_that_it_is_back_and_the_dealer_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path / "studio", "angel_eye") as studio:
        await see_round_settled(studio, 0)
        since = studio.ledger.sequence()
        await studio.hold_still()
        await studio.press(Fault.UNPLUG)
        await studio.wait_incident("scanner-down")
        await studio.press(Fault.UNPLUG, is_on=False)
        await studio.control("POST", "/resume")
        await studio.wait_closed()
        await see_round_settled(studio, since)
        assert studio.ledger.incidents(since) == [Closed("scanner-down", "go-on", DEALER)]


async def test_copies_repair_a_noisy_line(tmp_path: Path) -> None:
    async with running(tmp_path / "studio", "angel_eye") as studio:
        since = studio.ledger.sequence()
        for fault in (Fault.BIT_FLIP, Fault.SPLIT):
            await studio.press(fault)
        await see_round_settled(studio, since)
        assert studio.ledger.incidents(since) == []
        assert sum((await studio.errors()).values()) > 0
