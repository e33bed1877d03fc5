from __future__ import annotations

import argparse
from importlib.metadata import EntryPoint

import pytest

from drivers.virtual_shoe.command import VerifyShuffleCommand
from drivers.virtual_shoe.shuffle import commitment, order

SEED = bytes(range(32))
PROMISED = commitment(SEED, 6, "t3", 17)


def run(**changes: str) -> int:
    given = {"decks": "6", "table": "t3", "round": "17", "commitment": PROMISED, "seed": SEED.hex()} | changes
    command = VerifyShuffleCommand()
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([part for name, value in given.items() for part in (f"--{name}", value)]))


def printed_cards(output: str) -> list[str]:
    """Return the cards of the numbered lines, checking the numbers."""
    cards: list[str] = []
    for line in output.splitlines():
        number, *codes = line.split() or [""]
        if number.isdecimal():
            assert int(number) == len(cards) + 1
            cards += codes
    return cards


def test_the_entry_point_makes_the_command() -> None:
    point = EntryPoint("verify-shuffle", "drivers.virtual_shoe.command:VerifyShuffleCommand", "studio.commands")
    assert point.load()().name == "verify-shuffle"


def test_a_kept_promise_ends_with_0_and_prints_the_cards_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    output = capsys.readouterr().out
    assert printed_cards(output) == [card.code for card in order(SEED, 6)]
    assert output.splitlines()[-1].startswith("MATCH: ")
    assert "NO MATCH" not in output


def test_hex_digits_may_be_upper_case() -> None:
    assert run(commitment=PROMISED.upper(), seed=SEED.hex().upper()) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"table": "t4"},
        {"round": "18"},
        {"decks": "8"},
        {"seed": "ff" * 32},
        {"commitment": "00" * 32},
    ],
)
def test_a_broken_promise_ends_with_1_and_says_so(
    capsys: pytest.CaptureFixture[str], changes: dict[str, str]
) -> None:
    assert run(**changes) == 1
    output = capsys.readouterr().out
    assert output.splitlines()[-1].startswith("NO MATCH: ")
    assert "\nMATCH" not in output
    assert len(printed_cards(output)) == 52 * int(changes.get("decks", "6"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"decks": "0"}, "--decks: '0' must be a whole number from 1 to 16"),
        ({"decks": "six"}, "--decks: 'six' must be a whole number from 1 to 16"),
        ({"seed": "00" * 31}, "must be 64 hex digits, copied whole"),
        ({"seed": "xy" * 32}, "--seed: 'xyxy"),
        ({"commitment": PROMISED[:-1]}, "--commitment: '5ba1"),
        ({"round": "seventeen"}, "--round: invalid int value: 'seventeen'"),
    ],
)
def test_a_malformed_value_ends_with_2_and_names_the_option(
    capsys: pytest.CaptureFixture[str], changes: dict[str, str], says: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(**changes)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "says"), [({"round": "0"}, "rounds are numbered from 1"), ({"table": ""}, "a table's name")]
)
def test_what_no_commitment_can_name_ends_with_2(
    capsys: pytest.CaptureFixture[str], changes: dict[str, str], says: str
) -> None:
    assert run(**changes) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert says in shown.err
