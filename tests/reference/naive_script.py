"""A round script read into plain things: positions, bets, balances, actions. Plays nothing and pays nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reference.naive_rules import RULES, Rules
from studio.domain.cards import Card

Script = dict[str, Any]
ACTS = ("hit", "stand", "double", "split", "surrender", "insurance", "no_insurance", "timeout", "disconnect")


class ScriptError(ValueError):
    """The script asks for something that cannot be; the text says what."""


@dataclass(slots=True)
class Hand:
    """One hand of one player; in the shared hand every player has hands of their own with the same cards."""

    number: int
    cards: list[Card]
    stake: int
    from_split: bool = False
    closed: bool = False
    surrendered: bool = False
    doubled: bool = False
    automatic: bool = False


@dataclass(slots=True)
class Behind:
    """A bet behind; ``stakes`` by the number of the hand that it is on."""

    player: str
    bet: int
    follow_double: bool
    follow_split: bool
    stakes: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Position:
    """One player's place in the round; ``hands`` are in the order in which they are played (R6)."""

    seat: int
    player: str
    bet: int
    hands: list[Hand] = field(default_factory=list)
    behind: list[Behind] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SideBet:
    """One side bet on one seat's first cards."""

    player: str
    seat: int
    kind: str
    stake: int


@dataclass(frozen=True, slots=True)
class Action:
    """One line of the script's actions, with the player that it belongs to."""

    seat: int
    player: str
    act: str
    hand: int | None
    must_be_rejected: bool
    raw: Script


@dataclass(frozen=True, slots=True)
class Bets:
    """Everything on the table when the dealing begins."""

    rules: Rules
    positions: list[Position]
    side_bets: list[SideBet]
    balances: dict[str, int]


def read_bets(script: Script) -> Bets:
    """Read the seats and side bets; raise :class:`ScriptError` for what the game does not have."""
    rules = RULES.get(script["variant"])
    if rules is None:
        message = f"variant {script['variant']!r} is unknown: use one of {', '.join(RULES)}"
        raise ScriptError(message)
    bets = Bets(rules, [], [], {})
    # The lowest seat first (R2); players of the shared hand keep the script's order.
    for entry in sorted(script.get("seats", []), key=lambda entry: entry["seat"]):
        _read_seat(bets, entry)
    for entry in script.get("side_only", []):
        _read_side_bets(bets, entry["player"], entry["seat"], entry["side"])
    return bets


def _read_seat(bets: Bets, entry: Script) -> None:
    seat, player = entry["seat"], entry["player"]
    if not 1 <= seat <= bets.rules.seats:
        message = f"seat {seat} does not exist: seats are 1 to {bets.rules.seats}"
        raise ScriptError(message)
    if any(other.seat == seat for other in bets.positions) and not bets.rules.shared_hand:
        message = f"seat {seat} is given twice"
        raise ScriptError(message)
    if sum(other.player == player for other in bets.positions) == bets.rules.seats_per_player:
        message = f"{player} has more than {bets.rules.seats_per_player} positions (B0, I5)"
        raise ScriptError(message)
    position = Position(seat, player, entry["bet"])
    bets.positions.append(position)
    _read_balance(bets, entry)
    _read_side_bets(bets, player, seat, entry.get("side", {}))
    for behind in entry.get("behind", []):
        if not bets.rules.bets_behind or behind["player"] == player:
            message = f"{behind['player']} may not bet behind seat {seat} (B6)"
            raise ScriptError(message)
        follow_double = behind.get("follow_double", False)
        follow_split = behind.get("follow_split", False)
        position.behind.append(Behind(behind["player"], behind["bet"], follow_double, follow_split))
        _read_balance(bets, behind)
        _read_side_bets(bets, behind["player"], seat, behind.get("side", {}))


def _read_balance(bets: Bets, entry: Script) -> None:
    """Balances are per player (R10): all entries of one player that give a balance give the same one."""
    if "balance" in entry:
        known = bets.balances.setdefault(entry["player"], entry["balance"])
        if known != entry["balance"]:
            message = f"{entry['player']} has two balances, {known} and {entry['balance']}: give one"
            raise ScriptError(message)


def _read_side_bets(bets: Bets, player: str, seat: int, sides: dict[str, int]) -> None:
    if sides and not bets.rules.shared_hand and all(position.seat != seat for position in bets.positions):
        message = f"{player} has a side bet on seat {seat}, which is not occupied (P4)"
        raise ScriptError(message)
    for kind, stake in sides.items():
        if kind not in bets.rules.side_bets:
            message = f"this game has no side bet {kind!r}"
            raise ScriptError(message)
        bets.side_bets.append(SideBet(player, seat, kind, stake))


def read_actions(script: Script) -> list[Action]:
    """Read the actions. Without ``by`` an action is of the seat's player, of the first one in the shared hand."""
    actions = []
    for raw in script.get("actions", []):
        if raw["act"] not in ACTS:
            message = f"action {raw['act']!r} is unknown: use one of {', '.join(ACTS)}"
            raise ScriptError(message)
        seated = [entry["player"] for entry in script.get("seats", []) if entry["seat"] == raw["seat"]]
        player = raw.get("by", seated[0] if seated else "")
        rejected = raw.get("expect") == "rejected"
        actions.append(Action(raw["seat"], player, raw["act"], raw.get("hand"), rejected, raw))
    return actions
