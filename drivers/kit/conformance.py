"""What any driver must pass (hardware.md).

A driver's tests inherit the class and name its case::

    class TestMyReader(DriverConformance):
        case = DriverCase(MyPlugin(), MyPeer)

The peer is written from the protocol's description and shares no code with the driver.
"""

from __future__ import annotations

import asyncio
import gc
import random
import threading
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import pytest

from drivers.kit.rig import Cut, sure_cards, told
from drivers.kit.running import Running, running
from studio.domain.cards import DECK
from studio.ports.devices import EventKind, LinkState

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase
    from studio.domain.cards import Card

_FLAPS: Final = 20
_BURST_CARDS: Final = 12
_LONG_BYTES: Final = 100_000
_LOSSES_TOLD: Final = frozenset({EventKind.OVERFLOW, EventKind.MISSED, EventKind.UNKNOWN_CODE})


def some_cards(seed: int, count: int = 30) -> list[Card]:
    """Return cards in which every fourth is the last one again: natural repeats are frequent in a shoe."""
    chance = random.Random(seed)  # noqa: S311 - a test that can be repeated
    cards: list[Card] = []
    for _ in range(count):
        cards.append(cards[-1] if cards and chance.random() < 0.25 else chance.choice(DECK))  # noqa: PLR2004 - above
    return cards


def _pieces(seed: int) -> Cut:
    chance = random.Random(seed)  # noqa: S311 - a test that can be repeated

    def cut(data: bytes) -> Iterable[bytes]:
        place = 0
        while place < len(data):
            length = chance.choice((1, 1, 2, 3, 7, 64))
            yield data[place : place + length]
            place += length

    return cut


def _has(run: Running, what: str, count: int) -> bool:
    return (len(run.cards()) if what == "card" else run.links().count(what)) >= count


def _held() -> tuple[int, int]:
    """Return how many descriptors and threads this process holds."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


class DriverConformance:
    """The suite. Each test says in its name what a studio relies on."""

    case: ClassVar[DriverCase]

    # The protocol, without a port

    def test_every_card_of_a_deck_is_read(self) -> None:
        assert sure_cards(self.case.rig().deal(DECK)) == list(DECK)

    @pytest.mark.parametrize("seed", range(3))
    def test_any_chunking_gives_the_same_events_in_the_same_order(self, seed: int) -> None:
        cards = some_cards(seed)
        at_once = self.case.rig(seed).deal(cards)
        in_bytes = self.case.rig(seed).deal(cards, cut=lambda data: [data[i : i + 1] for i in range(len(data))])
        in_pieces = self.case.rig(seed).deal(cards, cut=_pieces(seed))
        assert told(in_bytes) == told(at_once) == told(in_pieces)
        assert sure_cards(at_once) == cards

    def test_the_same_card_again_is_a_second_card(self) -> None:
        card = DECK[20]
        assert sure_cards(self.case.rig().deal([card, card, card])) == [card, card, card]

    @pytest.mark.parametrize("seed", range(20))
    def test_no_bytes_raise_and_the_next_cards_are_read(self, seed: int) -> None:
        rig = self.case.rig()
        rig.hear(random.Random(seed).randbytes(400))  # noqa: S311 - a test that can be repeated
        rig.settle()
        cards = [DECK[1], DECK[14], DECK[30], DECK[2]]
        assert sure_cards(rig.deal(cards))[-3:] == cards[-3:]

    @pytest.mark.parametrize("seed", range(20))
    def test_a_damaged_byte_never_makes_the_driver_deaf(self, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - a test that can be repeated
        rig = self.case.rig()

        def spoil(data: bytes) -> Iterable[bytes]:
            place = chance.randrange(len(data))
            return (data[:place] + bytes((data[place] ^ 1 << chance.randrange(8),)) + data[place + 1 :],)

        rig.deal([DECK[5]], cut=spoil)
        cards = [DECK[1], DECK[14], DECK[30]]
        assert sure_cards(rig.deal(cards))[-2:] == cards[-2:]

    def test_an_endless_frame_is_given_up_and_told(self) -> None:
        rig = self.case.rig()
        before = sum(rig.decoder.errors.values())
        events = rig.hear(*(b"A" * 1000 for _ in range(_LONG_BYTES // 1000)))
        events += rig.settle()
        assert sum(rig.decoder.errors.values()) > before or events
        cards = [DECK[1], DECK[14], DECK[30]]
        assert sure_cards(rig.deal(cards))[-2:] == cards[-2:]

    def test_unknown_settings_are_refused_in_a_sentence(self) -> None:
        with pytest.raises(ValueError, match="colour"):
            self.case.plugin.decoder("reader", {**self.case.settings, "colour": "red"})

    # The running source, on a real port

    def test_cards_come_from_a_real_port_in_order(self, tmp_path: Path) -> None:
        async def trial() -> None:
            cards = some_cards(4, 12)
            async with running(self.case, tmp_path) as run:
                run.line.plug()
                await run.until(lambda: "syncing" in run.links() or "ready" in run.links())
                for count, card in enumerate(cards, 1):
                    await run.deal(card)
                    await run.until(partial(_has, run, "card", count))
                assert run.cards() == cards
                assert run.links()[-1] == "ready"

        asyncio.run(trial())

    def test_each_loss_of_the_port_is_told_once_and_nothing_leaks(self, tmp_path: Path) -> None:
        async def trial() -> None:
            async with running(self.case, tmp_path) as run:
                before = _held()
                for count in range(1, _FLAPS + 1):
                    run.line.plug()
                    await run.until(lambda: run.links()[-1:] in (["syncing"], ["ready"]))
                    run.line.unplug()
                    await run.until(partial(_has, run, "lost", count))
                    await run.until(lambda: run.links()[-1] == "absent")
                    before = _held() if count == 1 else before
                assert _held() == before
                assert run.links().count("lost") == _FLAPS
                assert run.source.health().link is LinkState.ABSENT

        asyncio.run(trial())

    def test_a_slow_reader_of_the_events_loses_nothing_untold(self, tmp_path: Path) -> None:
        async def trial() -> None:
            cards = some_cards(9, _BURST_CARDS)
            async with running(self.case, tmp_path) as run:
                run.line.plug()
                await run.until(lambda: run.links()[-1:] in (["syncing"], ["ready"]))
                run.is_reading.clear()
                for card in cards:
                    await run.deal(card)
                await run.until(lambda: run.line.peer.is_free)
                run.is_reading.set()
                await run.until(
                    lambda: len(run.cards()) >= len(cards) or any(one.kind in _LOSSES_TOLD for one in run.events)
                )
                if not any(one.kind in _LOSSES_TOLD for one in run.events):
                    assert run.cards() == cards

        asyncio.run(trial())

    def test_closing_in_the_middle_of_a_card_ends_the_events(self, tmp_path: Path) -> None:
        async def trial() -> None:
            async with running(self.case, tmp_path) as run:
                run.line.plug()
                await run.until(lambda: run.links()[-1:] in (["syncing"], ["ready"]))
                await run.deal(DECK[0])
                await run.source.close()
                await run.source.close()  # twice is allowed

        asyncio.run(trial())

    def test_health_says_what_is_wrong_while_nothing_is_plugged_in(self, tmp_path: Path) -> None:
        async def trial() -> None:
            async with running(self.case, tmp_path) as run:
                await run.until(lambda: run.links() == ["absent"])
                health = run.source.health()
                assert health.link is LinkState.ABSENT
                assert str(tmp_path) in health.reason

        asyncio.run(trial())
