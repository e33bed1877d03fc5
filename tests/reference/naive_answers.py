"""Who answers the questions of a round: here a script does. Judges nothing; the table says what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from reference.naive_script import Action, Script, read_actions


@dataclass(frozen=True, slots=True)
class Offer:
    """Insurance offered for one bet; ``behind`` is a bet behind the seat."""

    seat: int
    player: str
    stake: int
    behind: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A decision asked for one hand; ``waiting`` are the numbers of the player's hands that are not closed."""

    seat: int
    player: str
    hand: int
    total: int
    legal: tuple[str, ...]
    waiting: tuple[int, ...]


class Answers(Protocol):
    """Answers in the order in which they arrive. ``refuse`` is told of each that was not accepted."""

    def insurance(self, offers: list[Offer]) -> Iterator[Action]:
        """Give the insurance answers, in the order of their arrival."""
        ...

    def decision(self, question: Question) -> Action | None:
        """Give the next answer to a decision; none is a time-out."""
        ...

    def refuse(self, action: Action) -> None:
        """Take note that an action was refused and changed nothing."""
        ...


class ScriptedAnswers:
    """The answers of a script, each player's in the script's order."""

    def __init__(self, script: Script) -> None:
        self._all = read_actions(script)
        self._left = list(self._all)
        self._refused: list[Action] = []

    def insurance(self, offers: list[Offer]) -> Iterator[Action]:
        """Give every insurance answer of the script; the table knows the offers and refuses the rest."""
        del offers
        for action in self._all:
            if action.act in {"insurance", "no_insurance"}:
                self._left.remove(action)
                yield action

    def decision(self, question: Question) -> Action | None:
        """Give the next action of this player for this hand.

        An action without ``hand`` is for the hand that is asked. One for a hand played later leaves this hand
        without an answer; one for a hand that is closed, or is none, is refused.
        """
        for action in list(self._left):
            if (action.seat, action.player) != (question.seat, question.player):
                continue
            if action.hand in {None, question.hand}:
                self._left.remove(action)
                return action
            if action.hand in question.waiting and not action.must_be_rejected:
                return None
            self._left.remove(action)
            self.refuse(action)
        return None

    def refuse(self, action: Action) -> None:
        """Take note of a refusal."""
        self._refused.append(action)

    def refused(self) -> list[Script]:
        """Return the refused actions in the script's order, with those that no question was left for."""
        refused = [id(action) for action in self._refused + self._left]
        return [action.raw for action in self._all if id(action) in refused]
