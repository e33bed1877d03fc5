"""Events are a file format: names, versions, goldens, upcasters (system.md principle 8)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from event_samples import SAMPLES
from hypothesis import given
from hypothesis import strategies as st

from studio.adapters.codec import NAMES, Name, canonical, decode, encode, hidden_fields, name_of, public_hash
from studio.domain.bets import BetBatch, BetKind, ResultBatch, ResultGroup
from studio.domain.cards import parse_card
from studio.domain.events import (
    BetsPlaced,
    BettingOpened,
    CardBurned,
    CardCounted,
    CardDealt,
    CardHeld,
    CardUnread,
    CardWitnessed,
    Event,
    FeltCardScanned,
    ProposalMade,
    RoundCorrected,
    RoundSettled,
    ShuffleCommitted,
    hides_card,
)

GOLDENS = Path(__file__).parents[2] / "vectors" / "events.json"
PLAYERS = 100_000


def goldens() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(GOLDENS.read_text(encoding="utf-8"))["events"]
    return found


def test_every_event_has_a_name_of_its_own() -> None:
    assert set(NAMES) == set(get_args(Event))
    assert len({stored.name for stored in NAMES.values()}) == len(NAMES)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", stored.name) and stored.version >= 1 for stored in NAMES.values())


def test_every_event_has_an_example() -> None:
    assert {type(event) for event in SAMPLES} == set(get_args(Event))


def test_the_goldens_are_what_is_written_today() -> None:
    written = [
        {"name": name_of(one).name, "version": name_of(one).version, "fields": encode(one)} for one in SAMPLES
    ]

    present = {stored.name: stored.version for stored in NAMES.values()}
    assert written == [golden for golden in goldens() if golden["version"] == present[golden["name"]]]


def test_the_goldens_of_every_version_are_read_as_the_events_they_were() -> None:
    read = {decode(golden["name"], golden["version"], golden["fields"]) for golden in goldens()}

    assert read == set(SAMPLES)


def test_json_is_canonical() -> None:
    assert canonical({"b": [1, None, True], "a": "Zoë"}) == '{"a":"Zoë","b":[1,null,true]}'


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_written_by_columns_is_the_json_of_the_whole(value: object) -> None:
    whole = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert canonical(value) == whole


@pytest.mark.parametrize(
    ("name", "version", "fields", "sentence"),
    [
        ("card-flung", 1, {}, "'card-flung' is no event that this version of the studio knows"),
        ("round-closed", 2, {"round": 1}, "the newest version known here is 1"),
        ("round-closed", 0, {"round": 1}, "there is no way from version 0 to 1"),
        ("round-closed", 1, {}, "has the fields round, not "),
        ("round-closed", 1, {"round": 1, "more": 2}, "has the fields round, not more, round"),
        ("round-closed", 1, [1], r"has the fields round, not \[1\]"),
        ("round-closed", 1, {"round": "1"}, "round: '1' is no int"),
        ("round-closed", 1, {"round": True}, "round: True is no int"),
        ("hole-revealed", 1, {"card": "1H"}, "card: '1H' is no card"),
        ("hole-revealed", 1, {"card": 7}, "card: 7 is no str"),
        ("shoe-step-confirmed", 1, {"step": "shaken"}, "step: 'shaken' is not a valid ShoeStep"),
        (
            "bets-placed",
            1,
            {"bets": {"players": ["ann"], "seats": ["3"], "kinds": ["main"], "amounts": [1]}},
            "bets: seats: not every value of the column is int",
        ),
        (
            "bets-placed",
            1,
            {"bets": {"players": ["ann"], "seats": [3], "kinds": "main", "amounts": [1]}},
            "bets: kinds: 'main' is no list",
        ),
    ],
)
def test_what_cannot_be_read_is_named(name: str, version: int, fields: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        decode(name, version, fields)


def test_upcasters_bring_old_fields_to_the_present_step_by_step() -> None:
    upcasters = {
        Name("round-closed", -1): lambda fields: {"number": int(fields["nr"])},
        Name("round-closed", 0): lambda fields: {"round": fields["number"]},
    }

    old = decode("round-closed", -1, {"nr": "31"}, upcasters)

    assert old == decode("round-closed", 1, {"round": 31})


def test_an_upcaster_that_is_missing_in_between_is_named() -> None:
    with pytest.raises(ValueError, match="'round-closed' version -1: there is no way from version 0 to 1"):
        decode("round-closed", -1, {}, {Name("round-closed", -1): lambda fields: fields})


def test_a_shared_hand_of_a_hundred_thousand_bets_is_one_event() -> None:
    players = tuple(f"player-{number}" for number in range(PLAYERS))
    ones = (1,) * PLAYERS
    bets = BetsPlaced(BetBatch(players, ones, (BetKind.MAIN,) * PLAYERS, (500,) * PLAYERS))
    settled = RoundSettled(ResultBatch((ResultGroup(1, 1, BetKind.MAIN, players, (500,) * PLAYERS, ones),)))

    for event, name in ((bets, "bets-placed"), (settled, "round-settled")):
        assert name_of(event).name == name
        assert decode(*name_of(event), json.loads(canonical(encode(event)))) == event


def test_hidden_fields_are_those_of_the_events_that_hide() -> None:
    hidden = {(type(event), hidden_fields(event)) for event in SAMPLES if hides_card(event)}

    assert hidden == {
        (CardBurned, ("card",)),
        (CardDealt, ("card",)),
        (CardHeld, ("card",)),
        (CardCounted, ("card",)),
        (CardUnread, ("code",)),
        (ShuffleCommitted, ("seed",)),
        (RoundCorrected, ("changes",)),
        (FeltCardScanned, ("card",)),
        (ProposalMade, ("act",)),
        (CardWitnessed, ("card",)),
    }
    assert not any(hidden_fields(event) for event in SAMPLES if not hides_card(event))


def test_the_public_hash_leaves_times_and_hidden_cards_out() -> None:
    other_times = [
        replace(event, deadline_ns=event.deadline_ns + 1)
        if isinstance(event, BettingOpened) and event.deadline_ns is not None
        else event
        for event in SAMPLES
    ]
    other_hidden_card = [
        replace(event, card=parse_card("2C")) if isinstance(event, CardDealt) and hides_card(event) else event
        for event in SAMPLES
    ]

    assert public_hash(other_times) == public_hash(SAMPLES)
    assert public_hash(other_hidden_card) == public_hash(SAMPLES)


def test_the_public_hash_tells_names_fields_and_order_apart() -> None:
    other_card = [
        replace(event, card=parse_card("2C")) if isinstance(event, CardDealt) and not hides_card(event) else event
        for event in SAMPLES
    ]

    assert len({public_hash(played) for played in (SAMPLES, SAMPLES[::-1], SAMPLES[:-1], other_card)}) == 4
