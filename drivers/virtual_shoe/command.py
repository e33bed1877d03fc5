"""``studio verify-shuffle``: a player's own check that the cards were fixed before the round.

It computes from what the table published and asks no server anything.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

from drivers.virtual_shoe.shuffle import MOST_DECKS, SEED_BYTES, commitment, order

_COMMITMENT_BYTES: Final = 32
_CARDS_IN_A_LINE: Final = 13


class VerifyShuffleCommand:
    """The sub-command ``verify-shuffle`` of ``studio`` (entry-point group ``studio.commands``)."""

    name = "verify-shuffle"
    help = "check a round's virtual shoe: does its opened seed match the commitment published before it?"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options; argparse refuses malformed ones with status 2."""
        parser.add_argument("--decks", type=_decks, required=True, help=f"decks in the shoe, 1 to {MOST_DECKS}")
        parser.add_argument("--table", required=True, help="the table's id, such as t3")
        parser.add_argument("--round", type=int, required=True, help="the round's number")
        parser.add_argument(
            "--commitment", type=_commitment, required=True, metavar="HEX", help="as published before the round"
        )
        parser.add_argument(
            "--seed", type=_seed, required=True, metavar="HEX", help="as published after the round"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the cards in order and the verdict; return 0 for a match, 1 for none, 2 if nothing was checked."""
        given = arguments.commitment.hex()
        try:
            computed = commitment(arguments.seed, arguments.decks, arguments.table, arguments.round)
        except ValueError as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        codes = [card.code for card in order(arguments.seed, arguments.decks)]
        lines = [
            f"Table {arguments.table}, round {arguments.round}: the {len(codes)} cards of this seed, in order",
            "",
            *_numbered(codes),
            "",
            f"commitment given     {given}",
            f"commitment computed  {computed}",
            "",
            _verdict(is_match=given == computed),
        ]
        sys.stdout.write("\n".join(lines) + "\n")
        return 0 if given == computed else 1


def _numbered(codes: list[str]) -> list[str]:
    """Return lines of cards, each begun with the number of its first card."""
    return [
        f"{start + 1:>5}  {' '.join(codes[start : start + _CARDS_IN_A_LINE])}"
        for start in range(0, len(codes), _CARDS_IN_A_LINE)
    ]


def _verdict(*, is_match: bool) -> str:
    if is_match:
        return (
            "MATCH: these cards, in this order, were fixed when the commitment was published. "
            "Compare them with the cards that were dealt, the first card of the round first."
        )
    return (
        "NO MATCH: this seed is not the one that was promised for this table, round and number of decks. "
        "Check what you typed; if it is right, dispute the round."
    )


def _decks(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DECKS:
        message = f"{text!r} must be a whole number from 1 to {MOST_DECKS}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _commitment(text: str) -> bytes:
    return _from_hex(text, _COMMITMENT_BYTES)


def _seed(text: str) -> bytes:
    return _from_hex(text, SEED_BYTES)


def _from_hex(text: str, length: int) -> bytes:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) != length:
        message = f"{text!r} must be {2 * length} hex digits, copied whole"
        raise argparse.ArgumentTypeError(message)
    return data
