"""The decisions of the shared hand of ``infinite`` (rules.md I1 to I5).

Every player holds hands of their own; a card drawn for a line is put into the hand of each player who needs it.
"""

from __future__ import annotations

from reference.naive_cards import ACE, is_ace_and_ten, total
from reference.naive_script import Hand, Position
from reference.naive_table import Table

_NUMBER = {"unsplit": 1, "split1": 1, "split2": 2}
Place = tuple[Position, Hand]


def play_shared_hand(table: Table) -> None:
    """Play the shared hand for everyone with a main bet; with side bets only nothing is asked (I5)."""
    everyone = [(position, position.hands[0]) for position in table.positions]
    if any(is_ace_and_ten(hand.cards) for _, hand in everyone):
        # All have the same two cards: a natural closes every hand (R6).
        for _, hand in everyone:
            hand.closed = True
        return
    wanting = [place for place in everyone if _wants_a_card(table, *place)]
    first_halves, second_halves = _split_lines(table, everyone)
    _play_line(table, "unsplit", wanting)
    for line, halves in (("split1", first_halves), ("split2", second_halves)):
        _play_line(
            table, line, [place for place in halves if not place[1].closed and _wants_a_card(table, *place)]
        )


def _split_lines(table: Table, everyone: list[Place]) -> tuple[list[Place], list[Place]]:
    """Give the two split lines their second cards, the first line first (I3)."""
    first_halves = [(position, hand) for position, hand in everyone if hand.from_split]
    second_halves = [(position, position.hands[1]) for position, _ in first_halves]
    if first_halves:
        _deal(table, "split1", first_halves)
        _deal(table, "split2", second_halves)
        for _, half in first_halves + second_halves:
            if half.cards[0].value == ACE:
                half.closed = True
    return first_halves, second_halves


def _play_line(table: Table, line: str, wanting: list[Place]) -> None:
    """A card for those who want one, a window for those still open, and so on until nobody wants a card (I2)."""
    while wanting:
        _deal(table, line, wanting)
        still_open = [place for place in wanting if not place[1].closed]
        wanting = [place for place in still_open if _wants_a_card(table, *place)]


def _deal(table: Table, line: str, places: list[Place]) -> None:
    card = table.draw(f"seat1.hand{_NUMBER[line]}", "up", line)
    for _, hand in places:
        hand.cards.append(card)
        table.close_if_full(hand)
        if hand.doubled:
            hand.closed = True


def _wants_a_card(table: Table, position: Position, hand: Hand) -> bool:
    """Take one player's decision for one hand; say whether the hand needs the next card of its line."""
    act = "timeout" if hand.automatic else table.ask(position, hand)
    if act == "double" and not table.covers(position.player, hand.stake):
        act = table.without_balance(act, hand)
    if act == "split" and not table.covers(position.player, position.bet):
        act = table.without_balance(act, hand)
    if act in {"timeout", "disconnect"}:
        # From here on the hand draws by itself while 11 or less, then stands (R9).
        hand.automatic = True
        act = "hit" if total(hand.cards) <= 11 else "stand"
    if act == "hit":
        return True
    if act == "double":
        table.debit(position.player, hand.stake)
        hand.stake += hand.stake
        hand.doubled = True
        return True
    if act == "split":
        # The two halves leave the unsplit line; their cards come when all first decisions are in (I3).
        table.debit(position.player, position.bet)
        hand.from_split = True
        position.hands.append(Hand(2, [hand.cards.pop()], position.bet, from_split=True))
        return False
    hand.surrendered = act == "surrender"
    hand.closed = True
    return False
