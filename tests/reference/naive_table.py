"""The felt of one round: shoe, cards and where they went, balances, questions. Knows no order of play."""

from __future__ import annotations

from collections import Counter

from reference.naive_answers import Answers, Question
from reference.naive_cards import ACE, TEN, is_bust, total
from reference.naive_rules import Rules
from reference.naive_script import Bets, Hand, Position, Script, ScriptError, SideBet
from studio.domain.cards import Card, parse_card


class ShoeEmptyError(Exception):
    """The script's shoe has no card left for the next place (S7)."""


class Table:
    """Everything that a round changes, with the few moves that all games share."""

    def __init__(self, script: Script, bets: Bets, answers: Answers) -> None:
        self.rules: Rules = bets.rules
        self.positions: list[Position] = bets.positions
        self.side_bets: list[SideBet] = bets.side_bets
        self.answers = answers
        self.dealer: list[Card] = []
        self.destinations: list[dict[str, str]] = []
        self.insurances: list[tuple[str, int, str, int]] = []
        self.cut_card_seen = False
        self.cards_used = 0
        self._balances = dict(bets.balances)
        self._shoe = list(script["shoe"])
        self._seen: Counter[str] = Counter()

    # The shoe

    def draw(self, to: str, face: str, line: str | None = None) -> Card:
        """Take the next card to a place; a cut card on the way is noted and is no card (S4)."""
        while self._shoe and self._shoe[0] == "CUT":
            self._shoe.pop(0)
            if not self.rules.real_shoe:
                message = "this game has no cut card (S8)"
                raise ScriptError(message)
            self.cut_card_seen = True
            self.destinations.append({"card": "CUT", "to": "cut", "face": "-"})
        if not self._shoe:
            message = f"the shoe is empty: no card for {to} after {self.cards_used} cards; add cards to the script"
            raise ShoeEmptyError(message)
        card = parse_card(self._shoe.pop(0))
        self.cards_used += 1
        self._seen[card.code] += 1
        if self._seen[card.code] > self.rules.decks:
            message = f"{card.code} came out more than {self.rules.decks} times (S6)"
            raise ScriptError(message)
        destination = {"card": card.code, "to": to, "face": face}
        if line is not None:
            destination["line"] = line
        self.destinations.append(destination)
        return card

    def draw_for(self, position: Position, hand: Hand) -> None:
        """Give a hand of a seat one card; it closes when bust, and at 21 where the game says so (R7)."""
        hand.cards.append(self.draw(f"seat{position.seat}.hand{hand.number}", "up"))
        self.close_if_full(hand)

    def close_if_full(self, hand: Hand) -> None:
        """Close a hand that is bust, or at 21 where the game says so (R7)."""
        if is_bust(hand.cards) or (total(hand.cards) == 21 and self.rules.closes_at_21):
            hand.closed = True

    @property
    def upcard(self) -> Card:
        """The dealer's first card."""
        return self.dealer[0]

    # Balances, per player (R10). Nothing is credited before the settlement (reading of R14).

    def covers(self, player: str, amount: int) -> bool:
        """Say whether a balance covers an amount; a balance that is not given is ample."""
        return player not in self._balances or self._balances[player] >= amount

    def debit(self, player: str, amount: int) -> None:
        """Take an amount that :meth:`covers` has allowed."""
        if player in self._balances:
            self._balances[player] -= amount

    # Questions

    def ask(self, position: Position, hand: Hand) -> str:
        """Ask for one hand's decision until a legal answer comes; no answer is a time-out (R6, R9)."""
        legal = self.legal_acts(position, hand)
        waiting = tuple(other.number for other in position.hands if not other.closed)
        question = Question(position.seat, position.player, hand.number, total(hand.cards), legal, waiting)
        while True:
            action = self.answers.decision(question)
            if action is None:
                return "timeout"
            if action.act not in legal:
                self.answers.refuse(action)
            elif action.must_be_rejected:
                message = f"{action.raw} must be rejected, but it is legal: {', '.join(legal)}"
                raise ScriptError(message)
            else:
                return action.act

    def legal_acts(self, position: Position, hand: Hand) -> tuple[str, ...]:
        """Return what an open hand may do now.

        A double or split without balance is legal where the game turns it into something else (R10).
        """
        legal = ["timeout", "disconnect", "stand", "hit"]
        if len(hand.cards) == 2:
            if self.rules.shortage_double != "refuse" or self.covers(position.player, hand.stake):
                legal.append("double")
            may_split = hand.cards[0].value == hand.cards[1].value and len(position.hands) < self.rules.most_hands
            if may_split and (self.rules.shortage_split != "refuse" or self.covers(position.player, position.bet)):
                legal.append("split")
            # Two cards of a hand that was never split: nothing was done with it yet (R11).
            if self.rules.surrender and not hand.from_split and self.upcard.value not in {ACE, TEN}:
                legal.append("surrender")
        return tuple(legal)

    def without_balance(self, act: str, hand: Hand) -> str:
        """Return what a double or split becomes when the balance does not cover it (R10)."""
        shortage = self.rules.shortage_double if act == "double" else self.rules.shortage_split
        if shortage == "hit" or total(hand.cards) <= 11:
            return "hit"
        return "stand"
