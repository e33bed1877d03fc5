"""One table in a campaign: a seeded dealer who follows the screen, lays true cards and errs as planned."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from studio.campaign import eye, following, injection, judge, players, rulings, waiting
from studio.campaign.box import Box
from studio.campaign.core import CAMERA, DEALER, READER, SUPERVISOR, Core
from studio.campaign.faults import HARMLESS, RULES, Fault, Moment, applicable
from studio.campaign.felt import Felt, Paper
from studio.campaign.tally import Injected, Tally
from studio.domain.answers import Decided, Rejected
from studio.domain.changes import Change, OutOfPlay
from studio.domain.commands import (
    CloseBetting,
    CommitResult,
    Disagree,
    OpenBetting,
    OpenTable,
    ReportMisdeal,
    SignOn,
    VoidRound,
)
from studio.domain.people import SYSTEM
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.record_commands import RecordReader, RecordSighting
from studio.domain.rules import Shuffling
from studio.domain.setup import TableSetup
from studio.domain.shoe import shoe_steps
from studio.domain.shoe_commands import ConfirmShoeStep, ReturnCards
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId
from studio.domain.slots import Slot
from studio.domain.table import Table
from studio.domain.tiles import Tile

_STEPS: Final = 600
_ATTENTION: Final = 0.9
"""How often a dealer sees that felt and screen differ."""


class StuckError(Exception):
    """A round that came to no end, or a refusal that must not be."""


class Game:
    """A table, its felt and its people."""

    def __init__(self, setup: TableSetup, seed: int, rate: float, tally: Tally, name: str = "") -> None:
        self.rng = Random(seed)  # noqa: S311 - a campaign can be repeated
        self.core = Core(setup, lambda step: following.follow(self, step))
        self.rules = setup.rules
        self.felt = Felt()
        self.tally = tally
        self.active: list[Injected] = []
        self.players: tuple[str, ...] = ()
        self.witnessed: set[Paper] = set()
        self.eye = eye.Eye(self)
        is_cut = self.rules.shuffling is Shuffling.SHOE
        self.box = Box(self.rng, self.rules.decks, setup.cut_position if is_cut else None)
        self._rate = rate
        self._kinds = applicable(self.rules, has_camera=setup.camera is not None)
        self._bag: list[Fault] = []
        self.due: list[Fault] = []
        self.countdown = 0
        self.before: dict[str, int] = {}
        """The ledger when the round began."""
        self.is_void = False
        self._name = f"{self.rules.variant} {name} seed {seed}"
        self.noticed = False
        self.untold: list[Paper] = []
        self._pulled = 0

    # The whole

    def open(self) -> None:
        """Open the table with reader, camera and dealer."""
        self.core.send(OpenTable(), SYSTEM)
        self.box.fill()
        self.core.send(RecordReader(READER.id, True, self.box.load, 0), READER)
        if self.core.table.setup.camera is not None:
            self.core.send(RecordReader(CAMERA.id, True, 1, 0), CAMERA)
        self.sign_on()

    def sign_on(self) -> None:
        """Put the dealer at the table."""
        self.must(self.core.send(SignOn("2099-12-31", licence_valid=True), DEALER))

    def play_round(self) -> None:
        """Play one round from betting to its end; a round that stands still, or raises, is a failure."""
        self._plan()
        number = self.core.table.rounds
        try:
            for _ in range(_STEPS):
                self.step()
                if self.core.table.rounds > number and phase(self.core.table) is Phase.IDLE:
                    return
            kinds = [one.kind.value for one in self.core.table.incidents]
            message = f"no end after {_STEPS} steps in {phase(self.core.table)}: {kinds}"
            raise StuckError(message)
        finally:
            self.tally.rounds += 1

    def _plan(self) -> None:
        """Choose what goes wrong in this round; what did not come to pass stays due."""
        fresh = sum(self.rng.random() < self._rate / 2 for _ in range(2))
        for _ in range(fresh):
            if not self._bag:
                self._bag = list(self._kinds)
                self.rng.shuffle(self._bag)
            self.due.append(self._bag.pop())
        self.countdown = self.rng.randrange(14)
        self.noticed = False
        if not fresh and not self.active:
            self.tally.quiet_rounds += 1

    def step(self) -> None:
        """Do the next thing that somebody at the table does."""
        self.eye.look()
        if rulings.put_right(self):
            return
        table = self.core.table
        match phase(table):
            case Phase.IDLE:
                self._between_rounds(table)
            case Phase.BETTING:
                self._bet()
            case Phase.COMMIT:
                self._commit()
            case Phase.SETTLEMENT | Phase.CLOSED:
                self.core.wait(1)
            case _:
                self._in_play(table)

    # Between rounds

    def _between_rounds(self, table: Table) -> None:
        shoe = table.shoe
        if table.dealer is None:
            self.sign_on()
        elif shoe is None:
            self._load_shoe()
        elif shoe.returning:
            self.box.return_all()
            self.must(self.core.send(ReturnCards(), DEALER))
        elif not shoe.is_burnt:
            self.core.wait(1)
            self.draw_aside()
            burnt = self.core.table.shoe
            if burnt is not None and burnt.is_burnt and self.take(Moment.SHOE, Fault.WRONG_BURN):
                self.core.wait(0.6)
                self.draw_aside()
        else:
            self.core.wait(10)
            answer = self.core.send(OpenBetting(), DEALER)
            if isinstance(answer, Rejected) and not self.core.table.is_stopped:
                raise StuckError(answer.code)

    def _load_shoe(self) -> None:
        if self.box.load == self.core.table.used_load or self.core.table.used_load is None:
            missing = self.rules.shuffling is Shuffling.SHOE and self.take(
                Moment.SHOE, Fault.CUT_MISSING, lasts=True
            )
            self.active = self.active if missing else [one for one in self.active if not one.lasts]
            self.box.fill(with_cut=not missing)
            self.core.send(RecordReader(READER.id, True, self.box.load, 0), READER)
        for step in shoe_steps(self.rules.shuffling)[self.core.table.steps :]:
            self.must(self.core.send(ConfirmShoeStep(step), DEALER))

    def _bet(self) -> None:
        if not players.place_bets(self):
            self.core.wait(1)
            if self.take(Moment.BETTING):
                self.draw_aside()
                return
            self.core.wait(1)
            self.must(self.core.send(CloseBetting(), DEALER))

    # In play

    def _in_play(self, table: Table) -> None:
        current = table.round
        slot = expected_slot(self.rules, current) if current is not None else None
        if slot is None:
            if waiting.in_waiting(self):
                return
            self.core.wait(1)
            players.answer(self)
        elif self._is_occupied(slot):
            self.core.send(ReportMisdeal(Tile.OTHER), DEALER)
        elif not injection.at_draw(self, slot):
            self.deal(slot)

    def _is_occupied(self, slot: Slot) -> bool:
        """Tell whether the dealer sees that a card lies already where the screen wants one, or none before it."""
        lies = [one for one in self.felt.hands.get(slot.hand, ()) if one not in self.felt.unread]
        return len(lies) != slot.position - 1 and self._notices()

    def sees(self) -> bool:
        """Tell whether the dealer, by chance, sees an error at once."""
        return self.rng.random() < _ATTENTION

    def take_out(self, change: Change) -> None:
        """Put a card of the round into the discard rack, as a ruling says."""
        if isinstance(change, OutOfPlay):
            self.gone(change.draw)

    def gone(self, draw: int) -> None:
        """A card leaves the felt for good."""
        paper = self.felt.find(draw)
        if paper is not None:
            self.felt.take(paper)
            if paper in self.felt.unread:
                self.felt.unread.remove(paper)

    def _notices(self) -> bool:
        if not self.noticed and self.rng.random() < _ATTENTION:
            self.noticed = True
        return self.noticed

    def deal(self, slot: Slot, told: Reading | None = None) -> Paper:
        """Draw a card, lay it where the screen says, and let the reader tell it, or something else."""
        self.core.wait(1)
        paper = self.pull()
        self.felt.lay(paper, slot.hand)
        if self.rng.random() < 0.5:  # noqa: PLR2004 - the camera is as often first as the reader
            self.eye.look()
        self.tell(paper, told)
        self.eye.look()
        return paper

    def draw_aside(self) -> Paper:
        """Draw a card that is not laid to any hand."""
        paper = self.pull()
        self.felt.put_aside(paper)
        self.tell(paper)
        return paper

    def pull(self) -> Paper:
        """Pull the next card out; the cut card comes before it where it lies."""
        if self.box.is_cut_next():
            self.tell_cut()
        self._pulled += 1
        return Paper(self.box.pull(), order=self._pulled)

    def tell_cut(self) -> None:
        """The reader sees the cut card."""
        self.box.cut_due = None
        reading = CutCardRead()
        self.sight(SightingId(READER.id, self.box.load, self.box.ordinal), reading)

    def tell(self, paper: Paper, told: Reading | None = None) -> None:
        """The reader tells a card that passed it, under a number of its own."""
        paper.draw = self.box.number()
        self.sight(SightingId(READER.id, self.box.load, paper.draw), told or CardRead(paper.card))

    def tell_again(self, paper: Paper, told: Reading | None = None) -> None:
        """The reader tells a card under the number that it has already."""
        number = paper.draw if paper.draw is not None else self.box.number()
        paper.draw = number
        self.sight(SightingId(READER.id, self.box.load, number), told or CardRead(paper.card))

    def sight(self, identity: SightingId, reading: Reading) -> None:
        """Give a reading to the core."""
        self.core.send(RecordSighting(Sighting(identity, reading, self.core.now.monotonic_ns)), READER)

    # The end

    def _commit(self) -> None:
        if waiting.in_waiting(self) or waiting.at_commit(self):
            return
        self.core.wait(2)
        self.eye.look()
        if self.core.table.is_stopped or phase(self.core.table) is not Phase.COMMIT:
            return
        if not judge.is_same(self) and self._notices():
            self.core.send(Disagree(), DEALER)
            return
        self.must(self.core.send(CommitResult(), DEALER))

    def void(self, text: str) -> None:
        """The supervisor gives every bet back."""
        answer = self.core.send(VoidRound("campaign", text), SUPERVISOR)
        if isinstance(answer, Rejected):
            message = f"void refused with {answer.code}: {text}"
            raise StuckError(message)
        self.tally.ways["void-round"] += 1

    # Faults

    def take(self, moment: Moment, *kinds: Fault, lasts: bool = False) -> Fault | None:
        """Return the first fault that is due now, of some kinds, and note that it is injected."""
        for fault in self.due:
            if RULES[fault].moment is moment and (not kinds or fault in kinds):
                self.inject(fault, lasts=lasts)
                return fault
        return None

    def first(self, moment: Moment, happens: Callable[[Fault], bool]) -> bool:
        """Let the first fault that is due and can happen now happen; return whether one did."""
        for fault in tuple(self.due):
            if RULES[fault].moment is moment and happens(fault):
                self.countdown = self.rng.randint(1, 8)
                return True
        return False

    def inject(self, fault: Fault, *, lasts: bool = False) -> None:
        """Note that a fault happens now."""
        self.due.remove(fault)
        self.active.append(Injected(fault, lasts=lasts))
        self.tally.rows[fault].injected += 1

    def found(self, fault: Fault) -> None:
        """Note that a fault was answered by a refusal."""
        for one in self.active:
            if one.fault is fault and not one.detected:
                one.detected = True
                self.tally.rows[fault].detected += 1

    def has_silent_fault(self) -> bool:
        """Tell whether a fault is active that nothing but an eye can find."""
        return any(RULES[one.fault].silent for one in self.active)

    def blame(self, *, wrong_cards: int = 0, money_errors: int = 0, unwitnessed: int = 0) -> None:
        """Count an error, and lay it to the fault of the round."""
        self.tally.wrong_cards += wrong_cards
        self.tally.money_errors += money_errors
        self.tally.unwitnessed += unwitnessed
        real = [one for one in self.active if one.fault not in HARMLESS]
        if real:
            silent = [one for one in real if RULES[one.fault].silent]
            row = self.tally.rows[(silent or real)[0].fault]
            row.wrong_cards += wrong_cards
            row.money_errors += money_errors
            row.unwitnessed += unwitnessed

    def report(self, text: str) -> None:
        """Keep what reproduces an error."""
        faults = ", ".join(one.fault.value for one in self.active)
        self.tally.fail(f"{self._name} round {self.core.table.rounds} ({faults or 'no fault'})", text)

    def paid_in(self, player: str) -> int:
        """Return what a player's account gave in this round."""
        account = judge.account(player)
        return self.before.get(account, 0) - self.core.ledger.get(account, 0)

    def must(self, answer: Decided | Rejected) -> None:
        """Raise where a command that the screen asked for was refused."""
        if isinstance(answer, Rejected):
            message = f"refused: {answer.code}"
            raise StuckError(message)
