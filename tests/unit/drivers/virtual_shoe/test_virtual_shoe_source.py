from __future__ import annotations

import asyncio
from itertools import count

import pytest

from drivers.virtual_shoe.shuffle import commitment, order
from drivers.virtual_shoe.source import VirtualShoeSource
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, DeviceEvent, DrawnSource, EventKind, LinkState, Resume, Shuffle

SEED = bytes(range(32))


async def heard(source: CardSource) -> list[DeviceEvent]:
    """Return the events that wait, by reading until the source has no more."""
    events: list[DeviceEvent] = []

    async def read() -> None:
        async for event in source.events():
            events.append(event)
            await source.acknowledge(event)

    reading = asyncio.create_task(read())
    for _ in range(3):
        await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait([reading])
    return events


def places(events: list[DeviceEvent]) -> list[tuple[EventKind, int | None, int | None]]:
    return [(event.kind, event.load, event.ordinal) for event in events]


async def drawn(source: VirtualShoeSource, number: int) -> list[DeviceEvent]:
    for _ in range(number):
        await source.draw()
    return await heard(source)


async def test_it_is_ready_at_once() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    hello, link = await heard(source)
    assert (hello.kind, hello.load, hello.ordinal, hello.details) == (EventKind.HELLO, 0, 0, {"decks": 6})
    assert (link.kind, link.details["state"]) == (EventKind.LINK, "ready")
    assert hello.device == link.device == source.device == "virtual-1"
    assert source.health().link is LinkState.READY
    assert source.health().reason == ""


async def test_it_is_a_drawn_source_and_no_simulator() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    assert isinstance(source, DrawnSource)
    assert not source.simulated


async def test_a_load_is_told_and_its_cards_come_in_the_order_of_the_seed() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    await heard(source)
    shuffle = await source.load("t3", 17)
    assert shuffle.load == 1
    assert shuffle.commitment == commitment(shuffle.seed, 6, "t3", 17)
    assert places(await heard(source)) == [(EventKind.HELLO, 1, 0)]
    cards = await drawn(source, 312)
    assert places(cards) == [(EventKind.CARD, 1, ordinal) for ordinal in range(1, 313)]
    assert tuple(event.card for event in cards) == order(shuffle.seed, 6)
    assert {(event.quality, event.suspect, event.raw) for event in cards} == {(100, False, b"")}


async def test_nothing_is_dealt_unasked() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    await source.load("t3", 1)
    assert [event.kind for event in await heard(source)] == [EventKind.HELLO, EventKind.LINK, EventKind.HELLO]


async def test_every_load_is_higher_and_has_a_seed_of_its_own() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    shuffles = []
    for round_number in range(1, 21):
        shuffles.append(await source.load("t3", round_number))
        await source.draw()
    assert [shuffle.load for shuffle in shuffles] == list(range(1, 21))
    assert len({shuffle.seed for shuffle in shuffles}) == 20
    assert {len(shuffle.seed) for shuffle in shuffles} == {32}
    hello, _, *rest = places(await heard(source))
    assert hello == (EventKind.HELLO, 0, 0)
    assert rest == [
        one for load in range(1, 21) for one in ((EventKind.HELLO, load, 0), (EventKind.CARD, load, 1))
    ]


async def test_after_a_restart_it_says_where_the_journal_stands_and_loads_count_on() -> None:
    source = VirtualShoeSource("virtual-1", 6, resume=Resume(7, 23))
    assert places(await heard(source))[0] == (EventKind.HELLO, 7, 23)
    assert (await source.load("t3", 9)).load == 8


@pytest.mark.parametrize("ordinal", [0, 1, 23, 311])
async def test_a_restored_shoe_goes_on_exactly(ordinal: int) -> None:
    before = VirtualShoeSource("virtual-1", 6)
    shuffle = await before.load("t3", 17)
    await before.close()
    after = VirtualShoeSource("virtual-1", 6, resume=Resume(shuffle.load, ordinal))
    await heard(after)
    after.restore(shuffle.seed, shuffle.load, ordinal)
    assert places(await heard(after)) == [(EventKind.HELLO, 1, ordinal)]
    cards = await drawn(after, 312 - ordinal)
    assert places(cards) == [(EventKind.CARD, 1, number) for number in range(ordinal + 1, 313)]
    assert tuple(event.card for event in cards) == order(shuffle.seed, 6)[ordinal:]
    assert (await after.load("t3", 18)).load == 2


async def test_a_shoe_journalled_before_its_first_card_can_be_restored() -> None:
    source = VirtualShoeSource("virtual-1", 6, resume=Resume(4, 17))
    source.restore(SEED, 5, 0)
    (*_, card) = await drawn(source, 1)
    assert (card.load, card.ordinal, card.card) == (5, 1, order(SEED, 6)[0])


@pytest.mark.parametrize(
    ("seed", "load", "ordinal", "says"),
    [
        (SEED, 7, 22, "card 22 of load 7 comes before card 23 of load 7"),
        (SEED, 6, 300, "card 300 of load 6 comes before card 23 of load 7"),
        (SEED, 0, 0, "loads are numbered from 1"),
        (SEED, 7, 313, "a shoe of 312 cards has no place 313"),
        (SEED, 8, -1, "a shoe of 312 cards has no place -1"),
        (SEED[1:], 7, 23, "a seed has 32 bytes, not 31"),
    ],
)
async def test_a_wrong_restoration_is_refused_and_changes_nothing(
    seed: bytes, load: int, ordinal: int, says: str
) -> None:
    source = VirtualShoeSource("virtual-1", 6, resume=Resume(7, 23))
    await heard(source)
    with pytest.raises(ValueError, match=says):
        source.restore(seed, load, ordinal)
    assert await heard(source) == []
    with pytest.raises(RuntimeError, match="load or restore one"):
        await source.draw()


async def test_a_load_without_a_commitment_is_refused_and_changes_nothing() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    first = await source.load("t3", 1)
    with pytest.raises(ValueError, match="rounds are numbered"):
        await source.load("t3", 0)
    *_, card = await drawn(source, 1)
    assert (card.load, card.card) == (first.load, order(first.seed, 6)[0])


async def test_an_empty_shoe_says_so_under_the_last_ordinal() -> None:
    source = VirtualShoeSource("virtual-1", 1)
    source.restore(SEED, 1, 51)
    events = await drawn(source, 3)
    assert places(events)[-3:] == [(EventKind.CARD, 1, 52), (EventKind.EMPTY, 1, 52), (EventKind.EMPTY, 1, 52)]
    assert events[-1].card is None


async def test_a_reader_that_waits_hears_of_a_card() -> None:
    source = VirtualShoeSource("virtual-1", 6, resume=Resume(1, 0))
    await heard(source)
    source.restore(SEED, 1, 0)
    await heard(source)
    waiting = asyncio.ensure_future(anext(aiter(source.events())))
    await asyncio.sleep(0)
    assert not waiting.done()
    await source.draw()
    assert (await waiting).card == order(SEED, 6)[0]


async def test_closing_ends_the_events_and_the_dealing() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    source.restore(SEED, 1, 0)
    await heard(source)

    async def read() -> list[DeviceEvent]:
        return [event async for event in source.events()]

    reading = asyncio.create_task(read())
    await asyncio.sleep(0)
    await source.close()
    await source.close()
    await source.draw()
    assert await reading == []
    assert await heard(source) == []


async def test_events_are_stamped_when_they_happen() -> None:
    clock = count(1)
    source = VirtualShoeSource("virtual-1", 6, now=lambda: Instant(next(clock), 0), new_seed=lambda: SEED)
    shuffle = await source.load("t3", 17)
    assert shuffle == Shuffle(commitment(SEED, 6, "t3", 17), SEED, 1)
    events = await drawn(source, 2)
    assert [event.received.monotonic_ns for event in events] == [1, 2, 3, 4, 5]
    assert source.health().last_frame == Instant(5, 0)


async def test_the_seed_and_the_cards_to_come_show_in_no_text() -> None:
    source = VirtualShoeSource("virtual-1", 6)
    shuffle = await source.load("t3", 17)
    shown = repr(shuffle) + repr(source) + repr(source.health()) + repr(await heard(source))
    assert shuffle.commitment in shown
    assert repr(shuffle.seed) not in shown
    assert shuffle.seed.hex() not in shown
    assert "Card(" not in shown
