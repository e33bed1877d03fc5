"""One round of any of the four games, from a round script to its settlement, as rules.md says and no cleverer.

Nothing of the product's engine is used here, the card vocabulary apart, and it must stay so: agreeing with a
part of itself would prove nothing.
"""

from __future__ import annotations

from typing import Any

from reference.naive_answers import Answers, Offer, ScriptedAnswers
from reference.naive_cards import ACE, TEN, is_ace_and_ten, is_bust, total
from reference.naive_script import Hand, Script, ScriptError, read_bets
from reference.naive_seats import play_seats
from reference.naive_settlement import half, settle
from reference.naive_shared_hand import play_shared_hand
from reference.naive_table import Table
from studio.domain.cards import Card


def play(script: Script) -> dict[str, Any]:
    """Play a round script; return the structure of ``expect`` with ``refused`` and ``cards_used``.

    ``refused`` holds the refused actions as they stand in the script, in its order; ``cards_used`` counts the
    cards that came out, burned ones included, the cut card not. In the shared hand a destination carries its
    ``line``, and with more than one main bet each entry of ``hands`` its ``player``. Amounts are minor units.
    Raises ``ScriptError`` for a script that cannot be and ``ShoeEmptyError`` when the shoe runs out.
    """
    answers = ScriptedAnswers(script)
    result = play_with(script, answers)
    result["refused"] = answers.refused()
    return result


def play_with(script: Script, answers: Answers) -> dict[str, Any]:
    """Play a round with answers from anywhere; the result is that of :func:`play` without ``refused``."""
    table = Table(script, read_bets(script), answers)
    if not table.positions and not table.side_bets:
        message = "nobody has bet: there is no round (R2)"
        raise ScriptError(message)
    if script.get("burn", False):
        _burn(table)
    first_cards = _deal(table)
    early_end = _ends_early(table)
    if not early_end:
        if table.rules.shared_hand:
            play_shared_hand(table)
        else:
            play_seats(table)
    hole = table.dealer[1]
    table.destinations.append({"card": hole.code, "to": "dealer_reveal_hole", "face": "up"})
    if not early_end and _dealer_must_draw(table):
        # To 16, standing on all 17, soft ones too: total() counts the ace as 11 there (R12).
        while total(table.dealer) < 17:
            table.dealer.append(table.draw("dealer", "up"))
    return _result(table, first_cards, early_end=early_end)


def _burn(table: Table) -> None:
    """Show the first card and burn as many as it counts, ace = 1 (S2)."""
    if not table.rules.real_shoe:
        message = "this game has no burn: its shoe is full before every round (S8)"
        raise ScriptError(message)
    shown = table.draw("burn", "up")
    for _ in range(shown.value):
        table.draw("burn", "down")


def _deal(table: Table) -> dict[int, list[Card]]:
    """Deal two cards to each occupied position and to the dealer (R2); return the positions' cards by seat."""
    line = "unsplit" if table.rules.shared_hand else None
    seats = [1] if table.rules.shared_hand else [position.seat for position in table.positions]
    cards: dict[int, list[Card]] = {seat: [] for seat in seats}
    for face in ("up", "down"):
        for seat in seats:
            cards[seat].append(table.draw(f"seat{seat}.hand1", "up", line))
        table.dealer.append(table.draw("dealer", face))
    for position in table.positions:
        position.hands = [Hand(1, list(cards[position.seat]), position.bet)]
        for behind in position.behind:
            behind.stakes = {1: behind.bet}
    return cards


def _ends_early(table: Table) -> bool:
    """Insurance, then the peek (R3 to R5); say whether the round is over."""
    if table.rules.insurance and table.upcard.value == ACE:
        _insure(table)
    if table.rules.dealer_peeks and table.upcard.value in {ACE, TEN} and is_ace_and_ten(table.dealer):
        return True
    hands = [hand for position in table.positions for hand in position.hands]
    return table.rules.all_naturals_end and all(is_ace_and_ten(hand.cards) for hand in hands)


def _insure(table: Table) -> None:
    """Take the insurance answers as they come: the first answer for a bet counts, half the bet exactly (R3)."""
    offers: list[Offer] = []
    for position in table.positions:
        offers.append(Offer(position.seat, position.player, half(position.bet), behind=False))
        offers += [Offer(position.seat, bet.player, half(bet.bet), behind=True) for bet in position.behind]
    offered = {(offer.seat, offer.player): offer for offer in offers}
    for action in table.answers.insurance(offers):
        offer = offered.get((action.seat, action.player))
        covered = offer is not None and table.covers(offer.player, offer.stake)
        if offer is None or (action.act == "insurance" and not covered):
            table.answers.refuse(action)
            continue
        if action.must_be_rejected:
            message = f"{action.raw} must be rejected, but it is legal"
            raise ScriptError(message)
        del offered[action.seat, action.player]
        if action.act == "insurance":
            table.debit(offer.player, offer.stake)
            kind = "behind_insurance" if offer.behind else "insurance"
            table.insurances.append((offer.player, offer.seat, kind, offer.stake))


def _dealer_must_draw(table: Table) -> bool:
    """Say whether the dealer plays: always, or when it can change a result (R12)."""
    if table.rules.dealer_always_draws or any(side.kind == "bust" for side in table.side_bets):
        return True
    hands = [hand for position in table.positions for hand in position.hands]
    return any(not _is_decided(hand) for hand in hands)


def _is_decided(hand: Hand) -> bool:
    natural = is_ace_and_ten(hand.cards) and not hand.from_split
    return hand.surrendered or is_bust(hand.cards) or natural


def _result(table: Table, first_cards: dict[int, list[Card]], *, early_end: bool) -> dict[str, Any]:
    bets = settle(table, first_cards)
    net_by_player: dict[str, int] = {}
    for bet in bets:
        net_by_player[bet["player"]] = net_by_player.get(bet["player"], 0) + bet["net"]
    return {
        "card_destinations": table.destinations,
        "hands": _hands(table, first_cards),
        "dealer": {
            "cards": [card.code for card in table.dealer],
            "score": total(table.dealer),
            "outcome": _dealer_outcome(table.dealer),
            "ncards": len(table.dealer),
        },
        "early_end": early_end,
        "bets": bets,
        "net_by_player": net_by_player,
        "reshuffle_after": table.cut_card_seen,
        "cards_used": table.cards_used,
    }


def _hands(table: Table, first_cards: dict[int, list[Card]]) -> dict[str, list[dict[str, Any]]]:
    """Return the hands by seat, in the order of their numbers; of the shared hand, player by player."""
    hands: dict[str, list[dict[str, Any]]] = {f"seat{seat}": [] for seat in first_cards}
    for position in table.positions:
        for hand in sorted(position.hands, key=lambda hand: hand.number):
            entry: dict[str, Any] = _hand(hand.number, hand.cards)
            if table.rules.shared_hand and len(table.positions) > 1:
                entry["player"] = position.player
            hands[f"seat{position.seat}"].append(entry)
    for seat, cards in first_cards.items():
        if not hands[f"seat{seat}"]:
            # Side bets only: the shared hand keeps its two cards (I5).
            hands[f"seat{seat}"] = [_hand(1, cards)]
    return hands


def _hand(number: int, cards: list[Card]) -> dict[str, Any]:
    return {"hand": number, "cards": [card.code for card in cards], "score": total(cards)}


def _dealer_outcome(dealer: list[Card]) -> str:
    """Name the dealer's final hand; one of 17 or more that needed no card stands all the same (reading)."""
    if is_ace_and_ten(dealer):
        return "blackjack"
    if is_bust(dealer):
        return "bust"
    return "stand" if total(dealer) >= 17 else "not_played_out"
