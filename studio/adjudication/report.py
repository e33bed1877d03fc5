"""The answer to a round script: where each card belonged, totals, results, money, and the clause of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.adjudication.play import PlayedRound
from studio.domain.bets import SIDE_BETS, BetKind, Result
from studio.domain.events import CardBurned, CardDealt, CutCardSeen, Event, HoleRevealed
from studio.domain.hands import is_two_card_21, total
from studio.domain.money import player_account
from studio.domain.phases import is_natural
from studio.domain.shared_hand import NOT_ON_LINE
from studio.domain.slots import Face, HandId, Slot
from studio.domain.table import Hand, Play, Round

_LINES = {1: "unsplit", 2: "split1", 3: "split2"}
_DEALER_STANDS_ON = 17
_OWN_HAND = {1: 1, 2: 1, 3: 2}
"""A line's number in its players' own numbering."""


def report(played: PlayedRound) -> dict[str, Any]:
    """Return the structure of ``expect`` in the settlement vectors, with ``clauses`` and ``refused``."""
    current = played.table.round
    if current is None:
        return {}
    results = tuple(played.table.results or ())
    net: dict[str, int] = {}
    for result in results:
        net[result.player] = net.get(result.player, 0) + result.returned - result.stake
    return {
        "card_destinations": [one for event in played.events for one in _destination(current, event)],
        "hands": _hands(current),
        "dealer": _dealer(current),
        "early_end": _ended_early(played, current),
        "bets": [_bet(result) for result in results],
        "net_by_player": net,
        "reshuffle_after": any(isinstance(event, CutCardSeen) for event in played.events),
        "clauses": [_bet(result) | {"clause": _clause(current, result)} for result in results],
        "refused": [
            {"seat": one.seat, "act": one.act, "code": one.code, "text": one.text, "expected": one.expected}
            for one in played.refused
        ],
    }


def report_before(played: PlayedRound, player: str) -> dict[str, Any]:
    """Return what a bet placed before the deal led to: the bets by seat and the balance left."""
    current = played.table.round
    bets = {} if current is None else current.totals(BetKind.MAIN)
    found = {str(seat): amount for (seat, who), amount in bets.items() if who == player}
    return {"bets": found, "balance": played.balances[player], "account": player_account(player)}


def _destination(current: Round, event: Event) -> Iterator[dict[str, Any]]:
    match event:
        case CardDealt(card=card, slot=slot):
            face = "down" if slot.face is Face.DOWN else "up"
            yield {"card": card.code, "to": _place(current, slot), "face": face} | _line(current, slot.hand)
        case CardBurned(card=card, face=shown):
            yield {"card": card.code, "to": "burn", "face": str(shown)}
        case CutCardSeen():
            yield {"card": "CUT", "to": "cut", "face": "-"}
        case HoleRevealed(card=card):
            yield {"card": card.code, "to": "dealer_reveal_hole", "face": "up"}
        case _:
            pass


def _place(current: Round, slot: Slot) -> str:
    if slot.hand is None or current.shared is None:
        return str(slot)
    return str(HandId(slot.hand.seat, _OWN_HAND[slot.hand.number]))


def _line(current: Round, hand: HandId | None) -> dict[str, str]:
    return {"line": _LINES[hand.number]} if hand is not None and current.shared is not None else {}


def _hands(current: Round) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for hand in sorted(current.hands, key=lambda one: one.id):
        if current.shared is not None and len(current.hands) > 1:
            line = current.shared.line(hand.id.number)
            if set(line.kept) == {NOT_ON_LINE}:
                continue
        number = _OWN_HAND[hand.id.number] if current.shared is not None else hand.id.number
        shown = {"hand": number, "cards": [card.code for card in hand.cards], "score": total(hand.cards).points}
        found.setdefault(f"seat{hand.id.seat}", []).append(shown | _line(current, hand.id))
    return found


def _dealer(current: Round) -> dict[str, Any]:
    points = total(current.dealer).points
    if is_two_card_21(current.dealer):
        outcome = "blackjack"
    elif total(current.dealer).is_bust:
        outcome = "bust"
    else:
        outcome = "stand" if points >= _DEALER_STANDS_ON else "not_played_out"
    cards = [card.code for card in current.dealer]
    return {"cards": cards, "score": points, "outcome": outcome, "ncards": len(cards)}


def _ended_early(played: PlayedRound, current: Round) -> bool:
    naturals = played.table.setup.rules.ends_when_all_natural and all(is_natural(hand) for hand in current.hands)
    return bool(current.peeked_natural) or (naturals and bool(current.hands))


def _bet(result: Result) -> dict[str, Any]:
    return {
        "player": result.player,
        "kind": result.kind.value,
        "seat": result.seat,
        "hand": result.hand,
        "stake": result.stake,
        "net": result.returned - result.stake,
    }


def _clause(current: Round, result: Result) -> str:
    """Return the clause that decided a wager."""
    if result.kind in SIDE_BETS:
        dealer_natural = is_two_card_21(current.dealer)
        return "P5" if dealer_natural and result.kind is BetKind.BUST else f"section 6, {SIDE_BETS[result.kind]}"
    if result.kind in {BetKind.INSURANCE, BetKind.BEHIND_INSURANCE}:
        return "R14, insurance"
    if current.shared is not None:
        return "R14, R11" if result.returned == result.stake // 2 else "R14, I2"
    return _hand_clause(current, current.hand(HandId(result.seat, result.hand)))


def _hand_clause(current: Round, hand: Hand) -> str:
    if hand.play is Play.SURRENDERED:
        return "R11"
    if total(hand.cards).is_bust:
        return "C5"
    dealer_natural = is_two_card_21(current.dealer)
    if is_natural(hand) or dealer_natural:
        return "R13" if dealer_natural and current.peeked_natural is None else "C3, R14"
    return "C4, R14" if hand.from_split and is_two_card_21(hand.cards) else "R14"
