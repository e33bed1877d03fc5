"""The judge: at each round's end the engine's cards and money are held against the felt's truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.domain.events import RoundSettled
from studio.domain.money import player_account
from studio.domain.rules import Layout
from studio.domain.settlement import settle
from studio.domain.slots import HandId
from studio.domain.table import Round, RoundEnd, Table

if TYPE_CHECKING:
    from studio.campaign.game import Game


def screen(current: Round) -> dict[HandId | None, tuple[str, ...]]:
    """Return the cards of each hand as the screen shows them."""
    shown: dict[HandId | None, tuple[str, ...]] = {hand.id: tuple(map(str, hand.cards)) for hand in current.hands}
    shown[None] = tuple(map(str, current.dealer))
    return shown


def lying(game: Game) -> dict[HandId | None, tuple[str, ...]]:
    """Return the cards of each hand as they lie, but for those of which the dealer knows that nobody read them."""
    unread = game.felt.unread
    return {
        hand: tuple(str(paper.card) for paper in cards if paper not in unread)
        for hand, cards in game.felt.hands.items()
    }


def is_same(game: Game) -> bool:
    """Tell whether felt and screen agree."""
    current = game.core.table.round
    if current is None or not current.hands or current.end is RoundEnd.CLOSED:
        return True
    lies, shown = lying(game), screen(current)
    return all(lies.get(hand, ()) == shown.get(hand, ()) for hand in {*lies, *shown})


def settled(game: Game, before: Table, event: RoundSettled) -> None:
    """Judge a settlement: wrong cards first, then each player's money by the plain rules."""
    current = before.open_round
    is_wrong_card = not is_same(game) or bool(game.felt.unread)
    is_wrong_money = _is_money_wrong(game, before, event)
    game.tally.settled += 1
    if not (is_wrong_card or is_wrong_money):
        return
    if is_wrong_card and not _is_witnessed(game):
        game.blame(unwitnessed=1)
        return
    game.blame(wrong_cards=int(is_wrong_card), money_errors=int(is_wrong_money))
    game.report(f"settled on {screen(current)}, there lies {lying(game)}; money wrong: {is_wrong_money}")


def _is_money_wrong(game: Game, before: Table, event: RoundSettled) -> bool:
    rules, felt = before.setup.rules, game.felt
    if rules.layout is Layout.SHARED_HAND:
        true = before.open_round._replace(
            hands=tuple(hand._replace(cards=felt.cards(hand.id)) for hand in before.open_round.hands),
            dealer=felt.cards(None),
        )
        return settle(rules, true) != event.results
    owed = felt.returned(rules)
    staked: dict[str, int] = {}
    for stake in felt.stakes.values():
        staked[stake.player] = staked.get(stake.player, 0) + stake.amount
    for (_, player), amount in felt.insured.items():
        staked[player] = staked.get(player, 0) + amount
    is_short = felt.is_dealer_short(rules) and not before.open_round.peeked_natural
    lost = {player: staked.get(player, 0) - owed.get(player, 0) for player in game.players}
    return is_short or any(game.paid_in(player) != amount for player, amount in lost.items())


def _is_witnessed(game: Game) -> bool:
    """Tell whether any device could have seen each card that is wrong: a camera that saw it where it lies."""
    current = game.core.table.round
    if game.core.table.setup.camera is None or current is None:
        return not game.has_silent_fault()
    shown = screen(current)
    for hand, cards in game.felt.hands.items():
        for place, paper in enumerate(cards):
            known = shown.get(hand, ())
            differs = paper in game.felt.unread or place >= len(known) or known[place] != str(paper.card)
            if differs and paper in game.witnessed:
                return True
    return not game.has_silent_fault()


def money_over(game: Game, *, void: bool) -> None:
    """Check, once a round is closed, that a void gave all back and that the ledger sums to zero."""
    if sum(game.core.ledger.values()):
        game.blame(money_errors=1)
        game.report(f"the ledger sums to {sum(game.core.ledger.values())}")
    lost = {player: game.paid_in(player) for player in game.players if game.paid_in(player)}
    if void and lost:
        game.blame(money_errors=1)
        game.report(f"the void kept {lost}")
    stakes = game.core.ledger.get(f"table:{game.core.table.setup.table}", 0)
    if stakes:
        game.blame(money_errors=1)
        game.report(f"{stakes} stayed on the table after the round")


def account(player: str) -> str:
    """Return a player's account."""
    return player_account(player)
