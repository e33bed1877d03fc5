"""The bodies of what players send, strict like :mod:`studio.web.bodies`.

Each knows which command of the domain it asks for on a table's layout; for whom somebody may play is asked of
``who``, whose errors pass through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from pydantic import Discriminator, FailFast, Field, StrictBool, Tag

from studio.domain import commands, shared_commands
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import Command
from studio.domain.slots import HandId
from studio.settings import Slug
from studio.web.body_forms import Amount, Body, Count

MOST_BETS: Final = 100_000
MOST_BETS_OF_ONE: Final = 64
"""A player for themselves; only an operator brings very many."""
"""Bets, decisions or answers in one batch: a shared hand's players, all at once."""

WhoPlays = Callable[[str | None], str]
"""Tells for which player somebody acts, given the one that was named."""

IsTrial = Callable[[str], bool]
"""Tells whether a player's account holds no real money (B5)."""


class BetItem(Body):
    """One bet; an operator names the player, a player may leave it out. ``seat`` is 1 where there are no seats."""

    player: Slug | None = None
    seat: Count
    amount: Amount
    kind: Literal["main", "behind", "pair", "bust", "lucky3", "poker3"] = "main"


class Bets(Body):
    """Bets, each answered on its own."""

    bets: Annotated[list[BetItem], FailFast(), Field(min_length=1, max_length=MOST_BETS)]

    def asked(self, who: WhoPlays, is_trial: IsTrial) -> commands.PlaceBets:
        """Return the domain's command."""
        bets = [Bet(who(item.player), item.seat, BetKind(item.kind), item.amount) for item in self.bets]
        trial = frozenset(player for player in {bet.player for bet in bets} if is_trial(player))
        return commands.PlaceBets(tuple(Placement((bet,)) for bet in bets), trial)


class Seat(Body):
    """Take a seat, or give it back."""

    player: Slug | None = None
    seat: Count
    action: Literal["take", "leave"]

    def asked(self, who: WhoPlays, is_trial: IsTrial) -> commands.TakeSeat | commands.LeaveSeat:
        """Return the domain's command."""
        player = who(self.player)
        if self.action == "leave":
            return commands.LeaveSeat(player, self.seat)
        return commands.TakeSeat(player, self.seat, is_trial(player))


class Decision(Body):
    """What to do with the hand that was asked by ``decision``."""

    player: Slug | None = None
    decision: Count
    action: Action

    def asked(self, who: WhoPlays) -> commands.Decide:
        """Return the domain's command where hands lie at seats."""
        return commands.Decide(who(self.player), self.decision, self.action, funded=False)

    def asked_together(self, who: WhoPlays) -> shared_commands.DecideAll:
        """Return the domain's command on a shared hand: a batch of one."""
        return shared_commands.DecideAll(self.decision, (shared_commands.Choosing(who(self.player), self.action),))


class DecisionItem(Body):
    """One player's decision in a batch."""

    player: Slug
    action: Action


class Decisions(Body):
    """What many players do with the hand that was asked by ``decision``, each answered on its own."""

    decision: Count
    items: Annotated[list[DecisionItem], FailFast(), Field(min_length=1, max_length=MOST_BETS)]

    def asked(self, who: WhoPlays) -> tuple[Command, ...]:
        """Return the domain's commands where hands lie at seats, in order."""
        return tuple(
            commands.Decide(who(item.player), self.decision, item.action, funded=False) for item in self.items
        )

    def asked_together(self, who: WhoPlays) -> shared_commands.DecideAll:
        """Return the domain's command on a shared hand."""
        choices = tuple(shared_commands.Choosing(who(item.player), item.action) for item in self.items)
        return shared_commands.DecideAll(self.decision, choices)


class Insurance(Body):
    """Whether to take insurance for the bet on a seat."""

    player: Slug | None = None
    seat: Count
    take: StrictBool

    def asked(self, who: WhoPlays) -> commands.AnswerInsurance:
        """Return the domain's command where hands lie at seats."""
        return commands.AnswerInsurance(who(self.player), self.seat, self.take, funded=False)

    def asked_together(self, who: WhoPlays) -> shared_commands.InsureAll:
        """Return the domain's command on a shared hand: a batch of one."""
        return shared_commands.InsureAll((shared_commands.Insuring(who(self.player), self.take),))


class InsuranceItem(Body):
    """One player's answer about insurance in a batch."""

    player: Slug
    seat: Count
    take: StrictBool


class Insurances(Body):
    """Answers of many players about insurance, each answered on its own."""

    items: Annotated[list[InsuranceItem], FailFast(), Field(min_length=1, max_length=MOST_BETS)]

    def asked(self, who: WhoPlays) -> tuple[Command, ...]:
        """Return the domain's commands where hands lie at seats, in order."""
        return tuple(
            commands.AnswerInsurance(who(item.player), item.seat, item.take, funded=False) for item in self.items
        )

    def asked_together(self, who: WhoPlays) -> shared_commands.InsureAll:
        """Return the domain's command on a shared hand."""
        return shared_commands.InsureAll(
            tuple(shared_commands.Insuring(who(item.player), item.take) for item in self.items)
        )


def _is_batch(body: Any) -> str:  # noqa: ANN401 - whatever was sent
    return (
        "batch"
        if isinstance(body, Insurances | Decisions) or (isinstance(body, dict) and "items" in body)
        else "one"
    )


AnyDecision = Annotated[
    Annotated[Decision, Tag("one")] | Annotated[Decisions, Tag("batch")], Discriminator(_is_batch)
]
AnyInsurance = Annotated[
    Annotated[Insurance, Tag("one")] | Annotated[Insurances, Tag("batch")], Discriminator(_is_batch)
]


class _OfHand(Body):
    """About one hand of a seat; on a shared hand ``seat`` is 1 and ``hand`` the line."""

    player: Slug | None = None
    seat: Count
    hand: Count

    @property
    def hand_id(self) -> HandId:
        """The hand that is meant."""
        return HandId(self.seat, self.hand)


class PlannedAction(_OfHand):
    """What to do with a hand when its turn comes; ``null`` takes it back."""

    action: Action | None

    def asked(self, who: WhoPlays) -> commands.PlanAction:
        """Return the domain's command."""
        return commands.PlanAction(who(self.player), self.hand_id, self.action)


class FollowAnswer(_OfHand):
    """Whether the bet behind a hand follows its double or split."""

    follow: StrictBool

    def asked(self, who: WhoPlays) -> commands.AnswerFollow:
        """Return the domain's command."""
        return commands.AnswerFollow(who(self.player), self.hand_id, self.follow, funded=False)


class Following(Body):
    """Standing answers: whether bets behind follow a double and a split; ``null`` asks each time."""

    player: Slug | None = None
    double: StrictBool | None
    split: StrictBool | None

    def asked(self, who: WhoPlays) -> commands.SetFollowing:
        """Return the domain's command."""
        return commands.SetFollowing(who(self.player), self.double, self.split)


Examples = dict[str, dict[str, object]]

BETS_EXAMPLES: Final[Examples] = {
    "player": {"value": {"bets": [{"seat": 3, "amount": 1000, "kind": "main"}]}},
    "side bet": {"value": {"bets": [{"seat": 3, "amount": 500, "kind": "pair"}]}},
    "bet behind": {"value": {"bets": [{"seat": 5, "amount": 1000, "kind": "behind"}]}},
    "operator": {"value": {"bets": [{"player": "p-17", "seat": 3, "amount": 1000, "kind": "main"}]}},
}
SEAT_EXAMPLES: Final[Examples] = {
    "take": {"value": {"seat": 3, "action": "take"}},
    "leave": {"value": {"seat": 3, "action": "leave"}},
}
DECISION_EXAMPLES: Final[Examples] = {
    "player": {"value": {"decision": 2, "action": "hit"}},
    "operator": {"value": {"decision": 2, "items": [{"player": "p-17", "action": "stand"}]}},
}
INSURANCE_EXAMPLES: Final[Examples] = {
    "player": {"value": {"seat": 3, "take": False}},
    "operator": {"value": {"items": [{"player": "p-17", "seat": 3, "take": True}]}},
}
# No example has a null: the description leaves those out.
PLAN_EXAMPLES: Final[Examples] = {"choose": {"value": {"seat": 3, "hand": 1, "action": "stand"}}}
FOLLOWING_EXAMPLES: Final[Examples] = {"player": {"value": {"double": True, "split": False}}}
FOLLOW_EXAMPLES: Final[Examples] = {"player": {"value": {"seat": 5, "hand": 1, "follow": True}}}
