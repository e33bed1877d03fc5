"""What every bet of a finished round wins or loses (rules.md R11, R13, R14, B7 to B10, P4, P5)."""

from __future__ import annotations

from typing import Any

from reference.naive_cards import is_ace_and_ten, is_bust, total
from reference.naive_script import Hand, Position, ScriptError, SideBet
from reference.naive_side_bets import bust_bonus_pays, lucky_three_pays, pair_pays, poker_three_pays
from reference.naive_table import Table
from studio.domain.cards import Card


def settle(table: Table, first_cards: dict[int, list[Card]]) -> list[dict[str, Any]]:
    """Return every bet with its final stake and its profit or loss; ``first_cards`` by seat (P5)."""
    bets = []
    for position in table.positions:
        bets += _settle_position(table, position)
    for player, seat, kind, stake in table.insurances:
        # 2:1 if the dealer has a natural, else lost, whatever else happens.
        net = 2 * stake if is_ace_and_ten(table.dealer) else -stake
        bets.append(_bet(player, kind, seat, 0, stake, net))
    for side in table.side_bets:
        pays = _side_bet_pays(side, first_cards[side.seat], table.dealer)
        net = side.stake * pays if pays else -side.stake
        bets.append(_bet(side.player, side.kind, side.seat, 0, side.stake, net))
    return bets


def _settle_position(table: Table, position: Position) -> list[dict[str, Any]]:
    bets = []
    for hand in sorted(position.hands, key=lambda hand: hand.number):
        kind = "main" if hand.number == 1 else "split"
        net = _hand_net(hand, hand.stake, table.dealer)
        bets.append(_bet(position.player, kind, position.seat, hand.number, hand.stake, net))
        for behind in position.behind:
            # A bet behind shares the seat's cards and result, its surrender too (B7, B10).
            if hand.number in behind.stakes:
                stake = behind.stakes[hand.number]
                kind = "behind" if hand.number == 1 else "behind_split"
                net = _hand_net(hand, stake, table.dealer)
                bets.append(_bet(behind.player, kind, position.seat, hand.number, stake, net))
    return bets


def _hand_net(hand: Hand, stake: int, dealer: list[Card]) -> int:
    if hand.surrendered:
        return -half(stake)
    if is_bust(hand.cards):
        return -stake
    natural = is_ace_and_ten(hand.cards) and not hand.from_split
    if is_ace_and_ten(dealer):
        # Only a natural stands against a natural: 21 of three cards and A-T of a split lose (C3, R13).
        return 0 if natural else -stake
    if natural:
        return stake + half(stake)
    if is_bust(dealer) or total(hand.cards) > total(dealer):
        return stake
    if total(hand.cards) < total(dealer):
        return -stake
    return 0


def half(amount: int) -> int:
    """Return half of an amount; no rounding ever happens (M1)."""
    if amount % 2:
        message = f"half of {amount} is not whole: bets must be even (M1)"
        raise ScriptError(message)
    return amount // 2


def _side_bet_pays(side: SideBet, first_two: list[Card], dealer: list[Card]) -> int:
    if side.kind == "pair":
        return pair_pays(*first_two)
    if side.kind == "bust":
        return bust_bonus_pays(dealer)
    if side.kind == "lucky3":
        return lucky_three_pays([*first_two, dealer[0]])
    return poker_three_pays([*first_two, dealer[0]])


def _bet(player: str, kind: str, seat: int, hand: int, stake: int, net: int) -> dict[str, Any]:  # noqa: PLR0913, PLR0917 - a row
    return {"player": player, "kind": kind, "seat": seat, "hand": hand, "stake": stake, "net": net}
