"""Modes, codes, alarms and broken messages of a Bee-Tek shoe (hardware.md, bee_tek)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bee_tek.messages import LIMIT_BYTES
from drivers.bee_tek.plugin import BeeTekPlugin
from drivers.bee_tek.protocol import BeeTekParser, card_of
from studio.domain.cards import DECK
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

GOOD = b" [Game]<Card:8S> \r\n"


class Bench:
    """A parser that has heard the shoe, and what it told since."""

    def __init__(self, **settings: Any) -> None:
        self.parser = BeeTekParser("shoe-1", **settings)
        self.now_ms = 0
        self.events: list[DeviceEvent] = []
        self.feed(b"<W0x01>")
        self.events.clear()

    def feed(self, *chunks: bytes) -> list[DeviceEvent]:
        for chunk in chunks:
            self.events += self.parser.feed(chunk, self._now())
        return self.events

    def wait(self, milliseconds: int) -> list[DeviceEvent]:
        self.now_ms += milliseconds
        self.events += self.parser.tick(self._now())
        return self.events

    def told(self) -> list[str]:
        return [
            f"{event.kind.value if event.card is None else event.card}{'?' if event.suspect else ''}"
            for event in self.events
        ]

    def _now(self) -> Instant:
        return Instant(self.now_ms * 1_000_000, 0)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_read_with_its_rank_or_its_suit_first(card: object) -> None:
    rank, suit = str(card)[0], str(card)[1]
    assert card_of(rank + suit) == card_of(suit + rank) == card
    if rank == "T":
        assert card_of("10" + suit) == card_of(suit + "10") == card


@pytest.mark.parametrize("code", ["", "8", "S", "SS", "88", "1S", "8s", "t S", "8SS", "108", "S8H", "\n8S"])
def test_anything_else_is_no_card(code: str) -> None:
    assert card_of(code) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b" [Manual Burn Cards]<Card:8S> ", ["8S"]),
        (b" [Game]<Card:8S> ", ["8S"]),
        (b" [Setup]<Card:8S> ", ["8S?"]),
        (b" <Card:8S> ", ["8S?"]),
        (b" [Game]<Game> ", ["no_read"]),
        (b" [Setup]<Setup> ", ["no_read?"]),
        (b" [Game]<Card:9X> ", ["unknown_code"]),
        (b" [Game]<Alarm:E3 Card Not Read> ", ["error", "no_read"]),
        (b" [Game]<Alarm:E7 Lid> ", ["error"]),
        (b"<W0x1F>", ["warning"]),
        (b" [Game]<Shoe loaded> ", ["unknown_code"]),
    ],
)
def test_a_message_is_what_it_says(bench: Bench, line: bytes, told: list[str]) -> None:
    bench.feed(line)
    assert bench.told() == told


def test_the_accepted_modes_are_a_setting() -> None:
    bench = Bench(modes=["Setup"])
    bench.feed(b"[Setup]<Card:8S>[Game]<Card:8S>")
    assert bench.told() == ["8S", "8S?"]


def test_a_message_that_is_about_no_card_can_be_named_in_the_settings() -> None:
    bench = Bench(notes=["Shoe"])
    bench.feed(b"[Game]<Shoe loaded>")
    assert bench.told() == ["info"]


def test_an_alarm_that_is_never_taken_back_is_passing(bench: Bench) -> None:
    (error,) = bench.feed(b"[Game]<Alarm:E7 Lid open>")
    assert error.details == {"mode": "Game", "code": "E7", "text": "Lid open", "passing": True}


def test_the_same_card_twice_is_two_cards(bench: Bench) -> None:
    bench.feed(GOOD, GOOD)
    assert bench.told() == ["8S", "8S"]


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (b" [Game]<Card:4S [Game]<Card:8S> ", ["unknown_code", "8S"]),
        (b" [Game]xCard:4S> [Game]<Card:8S> ", ["unknown_code", "8S"]),
        (b" xGame]<Card:8S> ", ["8S?"]),
        (b" [Gamex<Card:8S> ", ["8S?"]),
        (b" [Game]<Cbrd:8S> ", ["unknown_code"]),
        (b" [Game]<Ca>rd:4S> ", ["unknown_code"]),
        (b" x [Game]<Card:8S> ", ["8S"]),
    ],
)
def test_a_broken_message_may_have_been_a_card_and_breaks_no_other(
    bench: Bench, stream: bytes, told: list[str]
) -> None:
    bench.feed(stream)
    bench.wait(1000)
    assert bench.told() == told
    assert bench.parser.errors.total() > 0 or "?" in told[0]


def test_a_message_without_an_end_may_have_been_a_card(bench: Bench) -> None:
    bench.feed(b" [Game]<Card:4")
    bench.wait(499)
    assert bench.told() == []
    (event,) = bench.wait(1)
    assert (event.kind, event.details) == (EventKind.UNKNOWN_CODE, {"raw": "", "damaged": True})


def test_bytes_without_an_end_are_given_up_and_told_once(bench: Bench) -> None:
    bench.feed(b"x" * 1000)
    bench.wait(1000)
    bench.feed(GOOD)
    assert bench.told() == ["overflow", "8S"]
    assert len(bench.events[0].raw) == LIMIT_BYTES + 1


def test_a_message_at_the_end_of_too_many_bytes_is_read(bench: Bench) -> None:
    bench.feed(b"x" * 1000 + GOOD)
    assert bench.told() == ["overflow", "8S"]


def test_what_comes_before_the_first_message_of_a_line_may_be_its_noise(bench: Bench) -> None:
    bench.parser.connected(Instant(0, 0))
    bench.feed(b" [Game]<Cbrd:8S> ", b"x" * 300)
    bench.feed(GOOD)
    assert bench.told() == ["unknown_code", "overflow", "8S"]
    assert [event.details.get("proof", False) for event in bench.events] == [True, True, False]


def test_only_what_was_understood_proves_the_shoe() -> None:
    parser = BeeTekParser("shoe-1")
    parser.feed(b"[Game]<Hello>garbage", Instant(0, 0))
    assert parser.answers == 0
    parser.feed(b" [Game]<Card:8S>", Instant(1, 0))
    assert parser.answers == 1


@pytest.mark.parametrize("modes", [[], ["Ga[me"], [""]])
def test_modes_that_no_shoe_has_are_refused(modes: list[str]) -> None:
    with pytest.raises(ValueError, match="settings of the bee_tek source 'shoe-1': 'modes"):
        BeeTekPlugin().decoder("shoe-1", {"modes": modes})


@given(
    pieces=st.lists(
        st.sampled_from([GOOD, b"[", b"]", b"<", b">", b"<W0x02>", b"[Game]<Game>", b" ", b"Card:8S"])
        | st.binary(max_size=140),
        max_size=12,
    ),
    cuts=st.lists(st.integers(0, 400), max_size=20),
)
def test_no_bytes_raise_and_any_chunks_of_them_give_the_same_events(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces)
    places = [0, *sorted({min(cut, len(stream)) for cut in cuts}), len(stream)]
    whole, cut = Bench(), Bench()
    whole.feed(stream)
    cut.feed(*[stream[start:end] for start, end in pairwise(places)])
    whole.wait(1000)
    cut.wait(1000)
    assert whole.events == cut.events
    assert whole.parser.errors == cut.parser.errors
    if stream.strip(b" \r\n\t\0"):
        assert whole.events or whole.parser.errors.total()
