"""The trials: what damaged bytes make drivers believe, whole shoes, many readers at once."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from drivers.kit.command import TrialCommand, corruption_table
from drivers.kit.corruption import Change, Outcome, one_byte_changes, one_byte_count, try_driver
from drivers.kit.installed import installed_case, peer_names
from drivers.kit.rig import Peer
from drivers.kit.shoes import try_shoes
from drivers.kit.soak import soak
from hardware_sim.barcode_line.reader import BARRIER_CODE, BarcodeLineReader
from hardware_sim.peer import ReaderPeer

SHOES = int(os.environ.get("STUDIO_SHOES", "1000"))

_ONE_BYTE = (Change.SUBSTITUTED, Change.DELETED, Change.INSERTED)
_TELL = ("angel_eye", "smartshoe", "ssi")
"""Protocols whose check, or whose copies, catch every damaged byte."""


def test_every_one_byte_change_is_tried() -> None:
    changes = list(one_byte_changes(b"\x01\x02"))
    assert len(changes) == 2 * 255 + 2 + 3 * 256 == one_byte_count(2)
    assert len([one for one in changes if one[0] is Change.DELETED]) == 2


@pytest.mark.parametrize("driver", sorted(set(peer_names()) & set(_TELL)))
def test_no_damaged_byte_makes_another_card(driver: str) -> None:
    found = try_driver(installed_case(driver), two_byte=2_000, seed=2, cards=3)
    assert found.wrong(*_ONE_BYTE) == 0
    if driver == "angel_eye":
        assert found.wrong() == 0, "its copies outvote two bytes as well, or the card is held"
        assert found.outcomes[Change.TWO_BYTES][Outcome.SILENT] == 0
    assert found.outcomes[Change.SUBSTITUTED].total() > 1_000
    assert "| one byte substituted |" in corruption_table(driver, found)


@pytest.mark.parametrize("driver", peer_names())
def test_of_a_thousand_shoes_no_card_is_lost_and_none_doubled(driver: str) -> None:
    found = try_shoes(installed_case(driver), shoes=SHOES, decks=2)
    assert found.cards == SHOES * 104
    assert found.repeats > SHOES / 2
    assert (found.lost, found.doubled_or_wrong, found.doubted) == (0, 0, 0)


_NUMBERED: Final = r"D(?P<deck>\d+)-(?P<card>\w\w)"
_TRANSIT: Final = {"duplicates": "transit"}
_BARRIER: Final = {"duplicates": "gate", "gate_codes": [BARRIER_CODE]}
_UNIQUE: Final = {"duplicates": "unique", "pattern": _NUMBERED}


@pytest.mark.parametrize(
    ("driver", "policy", "peer"),
    [
        ("barcode_line", _TRANSIT, None),
        ("barcode_line", _BARRIER, lambda seed: ReaderPeer(BarcodeLineReader(seed, barrier=True))),
        ("barcode_line", _UNIQUE, lambda seed: ReaderPeer(BarcodeLineReader(seed, numbered=True))),
        ("ssi", _TRANSIT, None),
        ("evdev", _TRANSIT, None),
    ],
    ids=["barcode_line-transit", "barcode_line-barrier", "barcode_line-unique", "ssi-transit", "evdev-transit"],
)
def test_no_policy_of_duplicates_loses_a_natural_repeat_or_doubles_a_card(
    driver: str, policy: Mapping[str, Any], peer: Callable[[int], Peer] | None
) -> None:
    case = installed_case(driver)
    case = replace(case, settings={**case.settings, **policy}, peer=peer or case.peer)
    found = try_shoes(case, shoes=SHOES, decks=2)
    assert found.repeats > SHOES / 2
    assert (found.lost, found.doubled_or_wrong, found.doubted) == (0, 0, 0)


@pytest.mark.parametrize("driver", ["angel_eye", "smartshoe"])
def test_many_readers_at_once_lose_nothing_and_keep_their_memory(driver: str) -> None:
    found = asyncio.run(soak(driver, installed_case(driver), readers=16, cards_a_second=4, seconds=15))
    assert found.dealt > 500
    assert (found.missing, found.surplus, found.lost_bytes) == (0, 0, 0)
    assert found.memory_peak_mib < found.memory_before_mib + 50


def test_64_readers_for_a_minute_at_ten_cards_a_second_lose_nothing() -> None:
    found = asyncio.run(soak("smartshoe", installed_case("smartshoe"), readers=64, cards_a_second=10, seconds=60))
    assert found.dealt > 30_000
    assert (found.missing, found.surplus, found.lost_bytes) == (0, 0, 0)
    assert found.memory_peak_mib < found.memory_before_mib + 100


def test_an_unknown_driver_is_said_with_those_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    command = TrialCommand()
    command.add_arguments(parser)
    assert command.run(parser.parse_args(["shoes", "--driver", "nobody"])) == 2
    assert "smartshoe" in capsys.readouterr().err
