"""The felt: true cards where the dealer really laid them. It knows the game, and nothing of the engine's state."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.domain.cards import Card
from studio.domain.hands import is_two_card_21, total
from studio.domain.rules import RuleSet
from studio.domain.slots import HandId
from studio.domain.witness import Place


@dataclass(slots=True, eq=False)
class Paper:
    """One physical card. ``draw`` is the number that the reader told it under, ``None`` while it told nothing."""

    card: Card
    draw: int | None = None
    seen: bool = True
    """Whether a camera could see it where it lies."""
    order: int = 0
    """Its place in the order in which cards came out."""


@dataclass(slots=True)
class Stake:
    """What was staked on one hand, as its player knows it."""

    player: str
    amount: int
    gave_up: bool = False


@dataclass(slots=True)
class Felt:
    """One round's cards and stakes. Hands by their place, the dealer's under ``None``; ``aside`` in no hand."""

    hands: dict[HandId | None, list[Paper]] = field(default_factory=dict)
    aside: list[Paper] = field(default_factory=list)
    stakes: dict[HandId, Stake] = field(default_factory=dict)
    insured: dict[tuple[int, str], int] = field(default_factory=dict)
    unread: list[Paper] = field(default_factory=list)
    """Cards in a hand that the system does not know of, as the dealer sees."""
    withheld: list[Paper] = field(default_factory=list)
    """Cards that are still in the dealer's hand though they were read."""

    def lay(self, paper: Paper, hand: HandId | None, position: int | None = None) -> None:
        """Lay a card at a hand: behind its others, or at a position counted from 1."""
        self.take(paper)
        cards = self.hands.setdefault(hand, [])
        cards.insert(len(cards) if position is None else position - 1, paper)

    def take(self, paper: Paper) -> None:
        """Take a card up from wherever it lies."""
        for cards in (*self.hands.values(), self.aside, self.withheld):
            if paper in cards:
                cards.remove(paper)

    def put_aside(self, paper: Paper) -> None:
        """Keep a card beside the hands."""
        self.take(paper)
        self.aside.append(paper)

    def split(self, hand: HandId, new: HandId) -> None:
        """Move a pair's second card to a new hand, and lay the same stake on it."""
        self.hands[new] = [self.hands[hand].pop(1)]
        self.stakes[new] = Stake(self.stakes[hand].player, self.stakes[hand].amount)

    def drop_seat(self, seat: int) -> None:
        """Clear a seat away with its bets."""
        for hand in [one for one in self.hands if one is not None and one.seat == seat]:
            gone = self.hands.pop(hand)
            self.unread = [paper for paper in self.unread if paper not in gone]
        self.stakes = {hand: stake for hand, stake in self.stakes.items() if hand.seat != seat}
        self.insured = {key: amount for key, amount in self.insured.items() if key[0] != seat}

    def find(self, draw: int) -> Paper | None:
        """Return the card that the reader told under a number."""
        return next((paper for paper in self.papers() if paper.draw == draw), None)

    def papers(self) -> list[Paper]:
        """Return every card of the round in the order in which they came out."""
        every = {id(paper): paper for cards in self.hands.values() for paper in cards}
        every |= {id(paper): paper for paper in (*self.aside, *self.withheld)}
        return sorted(every.values(), key=lambda paper: paper.order)

    def where(self, paper: Paper) -> Place | None:
        """Return where a card lies, ``None`` where it lies in no hand."""
        for hand, cards in self.hands.items():
            if paper in cards:
                return Place(hand, cards.index(paper) + 1)
        return None

    def cards(self, hand: HandId | None) -> tuple[Card, ...]:
        """Return the cards of a hand as they lie there."""
        return tuple(paper.card for paper in self.hands.get(hand, ()))

    def returned(self, rules: RuleSet) -> dict[str, int]:
        """Return what each player is owed by the plain rules (R3, R11 to R14), but for side bets."""
        owed: dict[str, int] = {}
        dealer = self.cards(None)
        for hand, stake in self.stakes.items():
            split = any(one.seat == hand.seat and one != hand for one in self.stakes)
            back = _back(rules, self.cards(hand), dealer, stake, split=split)
            owed[stake.player] = owed.get(stake.player, 0) + back
        for (_, player), amount in self.insured.items():
            owed[player] = owed.get(player, 0) + (3 * amount if is_two_card_21(dealer) else 0)
        return owed

    def is_dealer_short(self, rules: RuleSet) -> bool:
        """Tell whether the dealer stopped on less than the rules ask for while a bet depended on it (R12)."""
        points, soft = total(self.cards(None))
        drawn_out = points > 17 or (points == 17 and not (soft and rules.dealer_hits_soft_17))  # noqa: PLR2004 - R12
        return not drawn_out and any(self._depends(hand, stake) for hand, stake in self.stakes.items())

    def _depends(self, hand: HandId, stake: Stake) -> bool:
        cards = self.cards(hand)
        split = any(one.seat == hand.seat and one != hand for one in self.stakes)
        return not (stake.gave_up or total(cards).is_bust or (not split and is_two_card_21(cards)))


def _back(rules: RuleSet, mine: tuple[Card, ...], dealer: tuple[Card, ...], stake: Stake, *, split: bool) -> int:
    if stake.gave_up:
        return stake.amount // 2
    own, theirs = total(mine), total(dealer)
    if own.is_bust:
        return 0
    natural, against = not split and is_two_card_21(mine), is_two_card_21(dealer)
    if natural and not against:
        return stake.amount + rules.natural_pays.of(stake.amount)
    if against and not natural:
        return 0
    if natural or own.points == theirs.points:
        return stake.amount
    return 2 * stake.amount if theirs.is_bust or own.points > theirs.points else 0
