"""The decisions of a table with seats, hand by hand (rules.md R6 to R11, B8 to B10)."""

from __future__ import annotations

from reference.naive_cards import ACE, is_ace_and_ten, total
from reference.naive_script import Hand, Position
from reference.naive_table import Table


def play_seats(table: Table) -> None:
    """Play every open hand, lowest seat first; a split hand right after the one it came from (R6)."""
    for position in table.positions:
        index = 0
        while index < len(position.hands):
            hand = position.hands[index]
            if is_ace_and_ten(hand.cards) and not hand.from_split:
                hand.closed = True
            while not hand.closed:
                _do(table, position, hand, table.ask(position, hand))
            index += 1


def _do(table: Table, position: Position, hand: Hand, act: str) -> None:
    if act == "double" and not table.covers(position.player, hand.stake):
        act = table.without_balance(act, hand)
    if act == "split" and not table.covers(position.player, position.bet):
        act = table.without_balance(act, hand)
    if act == "hit":
        table.draw_for(position, hand)
    elif act == "stand":
        hand.closed = True
    elif act == "surrender":
        hand.surrendered = True
        hand.closed = True
    elif act == "double":
        _double(table, position, hand)
    elif act == "split":
        _split(table, position, hand)
    else:
        # No answer, or disconnected: draw while 11 or less, then stand (R9).
        # Reading: this ends the hand that was asked; another hand of the player is asked again in its turn.
        while total(hand.cards) <= 11:
            table.draw_for(position, hand)
        hand.closed = True


def _double(table: Table, position: Position, hand: Hand) -> None:
    table.debit(position.player, hand.stake)
    hand.stake += hand.stake
    for behind in position.behind:
        # A bet behind that did not follow the split has nothing on the second hand (B9).
        stake = behind.stakes.get(hand.number, 0)
        if stake and behind.follow_double and table.covers(behind.player, stake):
            table.debit(behind.player, stake)
            behind.stakes[hand.number] = stake + stake
    table.draw_for(position, hand)
    hand.closed = True


def _split(table: Table, position: Position, hand: Hand) -> None:
    # A split adds a hand with exactly the original main bet (M6). The new hand takes the second card.
    table.debit(position.player, position.bet)
    second = Hand(len(position.hands) + 1, [hand.cards.pop()], position.bet, from_split=True)
    hand.from_split = True
    position.hands.insert(position.hands.index(hand) + 1, second)
    for behind in position.behind:
        if behind.follow_split and table.covers(behind.player, behind.bet):
            table.debit(behind.player, behind.bet)
            behind.stakes[second.number] = behind.bet
    for half in (hand, second):
        table.draw_for(position, half)
        if half.cards[0].value == ACE:
            half.closed = True
