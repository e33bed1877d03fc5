"""Plays a round script through ``decide``: commands in, events and transfers out, the clock turned by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from studio.adjudication.ready_table import ready_table
from studio.adjudication.script import (
    ActionEntry,
    BehindEntry,
    RoundScript,
    ScriptError,
    SeatEntry,
    SideBets,
    SideOnlyEntry,
)
from studio.domain.actions import Action
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.betting import Planner
from studio.domain.cards import Card, parse_card
from studio.domain.commands import (
    AnswerFollow,
    AnswerInsurance,
    CloseBetting,
    Command,
    CommitResult,
    Decide,
    OpenBetting,
    PassDeadline,
    PlaceBets,
    TakeSeat,
)
from studio.domain.decide import decide
from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.money import player_account, transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import Phase, expected_slot, is_insurance_open, open_deadline_ns, phase
from studio.domain.playing import added_stake, follow_stake, insurance_amount
from studio.domain.record_commands import RecordSighting
from studio.domain.rules import RuleSet
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shared_play import shared_cost, shared_stake
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId
from studio.domain.table import Round, Table

_DEALER = Actor("dealer", "Dealer", Role.DEALER)
_OPERATOR = Actor("script", "script", Role.OPERATOR)
_READER = Actor("script", "script", Role.DEVICE)
_SECOND = 1_000_000_000
_AMPLE = 2**62
_STEPS_PER_ROUND = 10_000


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action that was refused, and why."""

    seat: int
    act: str
    code: str
    text: str
    expected: bool


@dataclass(slots=True)
class PlayedRound:
    """What came of a script: the table at the end, every event, the refused actions.

    ``balances`` are those that the script gives, ``ledger`` every account's sum of transfers; it sums to zero.
    """

    table: Table
    events: list[Event] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=dict)
    ledger: dict[str, int] = field(default_factory=dict)


def play_script(script: RoundScript, rules: RuleSet) -> PlayedRound:
    """Play a script to the settlement of its round; raise :class:`ScriptError` where it cannot go on."""
    return _Player(script, rules).play()


class _Player:
    def __init__(self, script: RoundScript, rules: RuleSet) -> None:
        self._script = script
        self._now = Instant(_SECOND, _SECOND)
        self._cards = list(script.shoe)
        self._ordinal = 0
        self._actions = list(script.actions)
        self._silent: set[tuple[int, str | None]] = set()
        self._played = PlayedRound(ready_table(rules, _DEALER, _READER.id, is_new=script.burn))
        self._played.balances.update(_balances(script))

    @property
    def _table(self) -> Table:
        return self._played.table

    @property
    def _round(self) -> Round:
        current = self._table.round
        if current is None:
            message = "no round is open"
            raise ScriptError(message)
        return current

    def play(self) -> PlayedRound:
        while self._table.shoe is not None and not self._table.shoe.is_burnt:
            self._draw()
        self._wait(60)
        self._must(OpenBetting(), _DEALER)
        if self._script.pre is not None:
            self._place_before(self._script.pre.player)
            if not self._script.seats:
                return self._played
        self._bet()
        if phase(self._table) is Phase.BETTING:
            self._must(CloseBetting(), _DEALER)
        for _ in range(_STEPS_PER_ROUND):
            if phase(self._table) in {Phase.COMMIT, Phase.IDLE}:
                break
            self._step()
        for action in self._actions:
            self._try_expected(action)
        if phase(self._table) is Phase.COMMIT:
            self._must(CommitResult(), _DEALER)
        return self._played

    # One step at a time

    def _step(self) -> None:
        current = self._round
        if expected_slot(self._table.setup.rules, current) is not None:
            self._draw()
        elif is_insurance_open(current):
            self._insure(current)
        elif current.follow is not None:
            self._follow(current)
        elif current.question is not None:
            self._decide(current)
        else:
            message = f"the round waits for something no script can give: {self._table.incidents}"
            raise ScriptError(message)

    def _draw(self) -> None:
        if not self._cards:
            message = "the shoe of the script is empty and a card is owed"
            raise ScriptError(message)
        code = self._cards.pop(0)
        self._wait(1)
        reading: Reading = CutCardRead()
        if code != "CUT":
            self._ordinal += 1
            reading = CardRead(_card(code))
        identity = SightingId("script", 1, self._ordinal)
        self._must(RecordSighting(Sighting(identity, reading, self._now.monotonic_ns)), _READER)
        if self._table.incidents:
            message = f"{code}: {self._table.incidents[0].kind}, {self._table.incidents[0].detail}"
            raise ScriptError(message)

    def _insure(self, current: Round) -> None:
        action = self._next({"insurance", "no_insurance"}, None, None)
        if action is None:
            self._pass_deadline()
            return
        self._actions.remove(action)
        self._submit(action, self._insurance(current, action))

    def _insurance(self, current: Round, action: ActionEntry) -> tuple[Command, Actor]:
        player, take = self._who(action), action.act == "insurance"
        if current.shared is not None:
            cost = shared_stake(current.shared, player) // 2
            return InsureAll((Insuring(player, take, self._covers(player, cost)),)), _player(player)
        cost = insurance_amount(self._table, action.seat, player)
        return AnswerInsurance(player, action.seat, take, self._covers(player, cost)), _player(player)

    def _follow(self, current: Round) -> None:
        follow = current.follow
        if follow is None:
            return
        for entry in self._script.seats:
            for behind in entry.behind:
                rides = entry.seat == follow.hand.seat and follow_stake(self._table, behind.player)
                if rides and behind.player not in follow.answered:
                    wanted = behind.follow_double if follow.action is Action.DOUBLE else behind.follow_split
                    funded = self._covers(behind.player, follow_stake(self._table, behind.player))
                    self._must(AnswerFollow(behind.player, follow.hand, wanted, funded), _player(behind.player))
                    return
        self._pass_deadline()

    def _decide(self, current: Round) -> None:
        question = current.question
        if question is None:
            return
        seat, number = question.hand.seat, question.hand.number
        if current.shared is not None:
            self._decide_shared(current)
            return
        action = self._next(None, seat, number)
        if action is None or (seat, None) in self._silent:
            self._pass_deadline()
            return
        self._actions.remove(action)
        if action.act in {"timeout", "disconnect"}:
            self._pass_deadline()
            return
        self._submit(action, self._decision(action))

    def _decision(self, action: ActionEntry) -> tuple[Command, Actor]:
        current = self._round
        question = current.question
        player = self._who(action)
        number = question.number if question else current.questions
        if action.act in {"insurance", "no_insurance"}:
            return self._insurance(current, action)
        wanted = Action(action.act)
        if current.shared is not None:
            cost = shared_cost(current.shared, player, wanted)
            choice = Choosing(player, wanted, self._covers(player, cost))
            return DecideAll(number, (choice,)), _player(player)
        cost = added_stake(self._table, wanted)
        return Decide(player, number, wanted, self._covers(player, cost)), _player(player)

    def _decide_shared(self, current: Round) -> None:
        """Every player's next action for the line being asked; a player's hand 2 is the second split line."""
        shared, question = current.shared, current.question
        if shared is None or question is None:
            return
        number = question.hand.number
        own_hand = 2 if number == 3 else 1  # noqa: PLR2004 - the second split line
        for place, player in enumerate(shared.players):
            if not shared.is_asked(place, number) or (1, player) in self._silent:
                continue
            action = self._next(None, 1, own_hand, player)
            if action is None:
                continue
            self._actions.remove(action)
            if action.act in {"timeout", "disconnect"}:
                self._silent.add((1, player))
            else:
                self._submit(action, self._decision(action))
            return
        self._silent = {one for one in self._silent if one[1] is None}
        self._pass_deadline()

    def _next(
        self, acts: set[str] | None, seat: int | None, hand: int | None, player: str | None = None
    ) -> ActionEntry | None:
        for action in self._actions:
            if acts is not None and action.act not in acts:
                continue
            if acts is None and action.act in {"insurance", "no_insurance"} and action.expect is None:
                continue
            fits = seat is None or (
                action.seat == seat and action.hand in {None, hand} and player in {None, self._who(action)}
            )
            if fits:
                return action
        return None

    # Money and people

    def _bet(self) -> None:
        bets: list[Bet] = []
        for entry in self._script.seats:
            bets.append(Bet(entry.player, entry.seat, BetKind.MAIN, entry.bet))
            bets += _sides(entry.player, entry.seat, entry.side)
        for entry in self._script.seats:
            for behind in entry.behind:
                if behind.bet:
                    bets.append(Bet(behind.player, entry.seat, BetKind.BEHIND, behind.bet))
                bets += _sides(behind.player, entry.seat, behind.side)
        for only in self._script.side_only:
            bets += _sides(only.player, only.seat, only.side)
        answer = self._try(PlaceBets(tuple(Placement((bet,), funded=True) for bet in bets)), _OPERATOR)
        if isinstance(answer, Rejected):
            raise ScriptError(answer.text)
        for bet, refusal in zip(bets, answer.items, strict=True):
            if refusal is not None:
                self._played.refused.append(
                    Refusal(bet.seat, f"{bet.kind} bet", refusal.code, refusal.text, False)
                )

    def _place_before(self, player: str) -> None:
        pre = self._script.pre
        if pre is None:
            return
        for seat in pre.seats:
            self._must(TakeSeat(player, seat), _player(player))
        bet = Bet(player, pre.request.seat, BetKind.MAIN, pre.request.amount)
        planned = Planner(self._table).plan(bet, pre.balance)
        cost = sum(one.amount for one in planned.bets)
        self._played.balances[player] = pre.balance
        self._must(PlaceBets((planned._replace(funded=cost <= pre.balance),)), _player(player))
        self._played.balances[player] = pre.balance - sum(
            one.amount for batch in self._round.bets for one in batch
        )

    def _covers(self, player: str, cost: int) -> bool:
        return cost <= self._played.balances.get(player, _AMPLE)

    def _who(self, action: ActionEntry) -> str:
        if action.by is not None:
            return action.by
        for entry in self._script.seats:
            if entry.seat == action.seat:
                return entry.player
        return ""

    # The core

    def _submit(self, action: ActionEntry, sent: tuple[Command, Actor]) -> None:
        answer = self._try(*sent)
        refusal = answer if isinstance(answer, Rejected) else next((one for one in answer.items if one), None)
        if refusal is not None:
            expected = action.expect == "rejected"
            self._played.refused.append(Refusal(action.seat, action.act, refusal.code, refusal.text, expected))
        elif action.expect == "rejected":
            message = f"seat {action.seat}: {action.act} was to be refused and was not"
            raise ScriptError(message)

    def _try_expected(self, action: ActionEntry) -> None:
        """What nobody was asked for is refused; only what the script expects to be refused may be left."""
        if action.act not in {"timeout", "disconnect"}:
            self._submit(action, self._decision(action))

    def _pass_deadline(self) -> None:
        deadline_ns = open_deadline_ns(self._table.round)
        if deadline_ns is not None:
            self._now = Instant(deadline_ns, deadline_ns)
        self._must(PassDeadline(), SYSTEM)

    def _wait(self, seconds: int) -> None:
        self._now = Instant(self._now.monotonic_ns + seconds * _SECOND, self._now.wall_ns + seconds * _SECOND)

    def _try(self, command: Command, actor: Actor) -> Decided | Rejected:
        answer = decide(self._table, command, actor, self._now)
        if isinstance(answer, Decided):
            for step in answer.steps:
                self._played.events.append(step.event)
                self._account(step.before, step.event)
                self._played.table = step.after
        return answer

    def _account(self, before: Table, event: Event) -> None:
        """Initial bets are debited already in a script's balances; what comes after them is not."""
        ledger, balances = self._played.ledger, self._played.balances
        owners = {} if phase(before) is Phase.BETTING else {player_account(name): name for name in balances}
        for move in transfers(before, event):
            for account, amount in ((move.source, -move.amount), (move.target, move.amount)):
                ledger[account] = ledger.get(account, 0) + amount
                if account in owners:
                    balances[owners[account]] += amount

    def _must(self, command: Command, actor: Actor) -> None:
        answer = self._try(command, actor)
        if isinstance(answer, Rejected):
            message = f"{type(command).__name__}: {answer.text}"
            raise ScriptError(message)


def _player(name: str) -> Actor:
    return Actor(name, name, Role.PLAYER)


def _card(code: str) -> Card:
    try:
        return parse_card(code)
    except ValueError as error:
        raise ScriptError(str(error)) from error


def _sides(player: str, seat: int, side: SideBets) -> Iterator[Bet]:
    for kind, amount in side.items():
        if amount:
            yield Bet(player, seat, BetKind(kind), amount)


def _balances(script: RoundScript) -> dict[str, int]:
    entries: list[SeatEntry | BehindEntry | SideOnlyEntry] = [*script.seats, *script.side_only]
    entries += [behind for seat in script.seats for behind in seat.behind]
    return {entry.player: entry.balance for entry in entries if entry.balance is not None}
