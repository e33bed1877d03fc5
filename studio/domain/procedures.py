"""The procedures around the cards: opening, the shoe's steps, betting, the result, the supervisor's call."""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import (
    OpenBetting,
    Suspend,
)
from studio.domain.counting import load_pack, needs_packs, worn_in_shoe
from studio.domain.duty import Occasion, burn_due, is_dead, is_hand_dealt, unfit
from studio.domain.events import (
    BettingClosed,
    BettingOpened,
    CallAnswered,
    CardsReturned,
    Event,
    PackRetired,
    ResultCommitted,
    SeatEnd,
    SeatLeft,
    ShoeClosed,
    ShoeEnd,
    ShoeLoaded,
    ShoeStepConfirmed,
    ShuffleCommitted,
    SupervisorCalled,
)
from studio.domain.incidents import open_incident
from studio.domain.instants import Instant
from studio.domain.loads import fresh_load
from studio.domain.people import Actor
from studio.domain.phases import Phase, is_betting, phase
from studio.domain.record_commands import RecordFault
from studio.domain.rules import Shuffling, Start
from studio.domain.shoe import Shoe, shoe_steps
from studio.domain.shoe_commands import (
    ConfirmShoeStep,
    LoadShuffle,
    ReturnCards,
)
from studio.domain.table import Table

_MS = 1_000_000


def confirm_shoe_step(table: Table, command: ConfirmShoeStep, at: Instant) -> Answer:
    """Confirm the next step of the shoe's preparation; after the last one the shoe is ready to burn (S1)."""
    refused = _not_next_step(table, command)
    if refused is not None:
        return refused
    steps = shoe_steps(table.setup.rules.shuffling)
    reader = table.reader
    if not reader.ready:
        return Rejected("reader-not-ready", "The card reader is not ready; wait for it or call the technician")
    if table.life.counting is not None:
        return Rejected("count-in-progress", f"Pack {table.life.counting.pack} is counted; finish that first")
    load = fresh_load(table)
    if load is None:
        return Rejected("shoe-not-reloaded", "The reader still counts the last shoe; load the new one first")
    packs = load_pack(table, at) if command.step is steps[0] and needs_packs(table) else ()
    if isinstance(packs, Rejected):
        return packs
    if any(isinstance(event, PackRetired) for event in packs):
        return Accepted(packs)
    confirmed = (*packs, ShoeStepConfirmed(command.step))
    if command.step is not steps[-1]:
        return Accepted(confirmed)
    setup = table.setup
    name = f"{setup.table}-shoe-{table.shoes + 1}"
    return Accepted((*confirmed, ShoeLoaded(name, load, setup.rules.decks, setup.cut_position)))


def _not_next_step(table: Table, command: ConfirmShoeStep) -> Rejected | None:
    if table.shoe is not None:
        return Rejected("shoe-in-play", f"Shoe {table.shoe.id} is in play; it is prepared when it has ended")
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    steps = shoe_steps(table.setup.rules.shuffling)
    if not steps:
        return Rejected("wrong-step", "The server shuffles this table's shoe; there is nothing to prepare")
    wanted = steps[table.steps]
    if command.step is not wanted:
        return Rejected("wrong-step", f"The next step is {wanted}, not {command.step}")
    return None


def open_betting(table: Table, command: OpenBetting, at: Instant) -> Answer:
    """Open the next round (R1); who sits idle or short leaves the seats first (B2, B3)."""
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    if phase(table) is not Phase.IDLE:
        return Rejected("round-open", "The round in progress must end first")
    if table.shoe is None:
        return Rejected("no-shoe", "Prepare the next shoe first")
    if table.shoe.returning:
        return Rejected("cards-not-returned", "Return all cards to the shuffler and confirm it first")
    if not table.shoe.is_burnt:
        return Rejected("burn-owed", "Finish the burn first: show the first card, then burn as many as it says")
    if not table.reader.ready:
        return Rejected("reader-not-ready", "The card reader is not ready; wait for it or call the technician")
    if table.dealer is None and is_hand_dealt(table):
        return Rejected("no-dealer", "A dealer must be signed on before a round opens")
    instead = _before_betting(table, table.shoe, at)
    if instead:
        return Accepted(instead)
    setup = table.setup
    closes_with_bet = setup.rules.start is Start.CONFIRMED_BET
    deadline_ns = None if closes_with_bet else at.monotonic_ns + setup.allowances.betting_ms * _MS
    return Accepted(
        (
            *_leaving(table, command.short),
            BettingOpened(table.rounds + 1, setup.rules.hash, deadline_ns, setup.profile.hash),
        )
    )


def _before_betting(table: Table, shoe: Shoe, at: Instant) -> tuple[Event, ...]:
    """Return what happens instead of the next round: this is the boundary at which a shift or a shoe ends.

    A dealer who may deal no more holds the table; a worn pack, and a shuffler due for its count, leave the box; a
    table that lay still burns a card first (C22).
    """
    now_ns = at.monotonic_ns
    if reason := unfit(table, at):
        return (open_incident(table, AnomalyKind.DEALER_UNFIT, None, reason, now_ns),)
    if worn_in_shoe(table, at.wall_ns):
        return (ShoeClosed(shoe.id, ShoeEnd.WORN),)
    if needs_packs(table) and table.setup.rules.shuffling is Shuffling.CONTINUOUS:
        due = table.life.rounds_since_count >= table.setup.full_count_rounds
        return (ShoeClosed(shoe.id, ShoeEnd.COUNT_DUE),) if due else ()
    return burn_due(table, Occasion.DEAD_TABLE) if is_dead(table, now_ns) else ()


def _leaving(table: Table, short: frozenset[str]) -> Iterator[SeatLeft]:
    for sitting in table.seats:
        if sitting.idle:
            yield SeatLeft(sitting.seat, sitting.player, SeatEnd.NO_BET)
        elif sitting.player in short:
            yield SeatLeft(sitting.seat, sitting.player, SeatEnd.SHORT)


def return_cards(table: Table, command: ReturnCards, now_ns: int) -> Answer:
    """Confirm that every card is back in the shuffler (S8); where the device counted them, that all are."""
    if table.shoe is None or not table.shoe.returning:
        return Rejected("nothing-to-return", "No cards wait to be returned")
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    if command.counted is not None and command.counted != table.shoe.out:
        detail = f"{command.counted} cards came back into the shuffler, {table.shoe.out} were out"
        opened = open_incident(table, AnomalyKind.SHOE_COUNT, None, detail, now_ns)
        return Accepted((ShoeClosed(table.shoe.id, ShoeEnd.QUARANTINED), opened))
    return Accepted((CardsReturned(),))


def load_shuffle(table: Table, command: LoadShuffle) -> Answer:
    """Take the virtual shoe's next shuffle: committed before the round, sealed until after it."""
    rules = table.setup.rules
    if rules.shuffling is not Shuffling.VIRTUAL or table.shoe is not None or phase(table) is not Phase.IDLE:
        return Rejected("shoe-in-play", "The next shuffle is loaded between rounds, once the last one is opened")
    name = f"{table.setup.table}-shuffle-{table.shoes + 1}"
    return Accepted((ShuffleCommitted(name, command.load, rules.decks, command.commitment, command.seed),))


def close_betting(table: Table) -> Answer:
    """Close the betting before its deadline."""
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    current = table.round
    if phase(table) is not Phase.BETTING or current is None or not is_betting(current):
        return Rejected("betting-closed", "Betting is not open")
    return Accepted((BettingClosed(),))


def commit_result(table: Table, now_ns: int) -> Answer:
    """Confirm the result; only then is the round settled. While the dealer is owed a card, that is an incident."""
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    if phase(table) is Phase.DEALER:
        detail = "The result was confirmed too soon"
        return Accepted((open_incident(table, AnomalyKind.DEALER_SHORT, None, detail, now_ns),))
    if phase(table) is not Phase.COMMIT:
        return Rejected("no-result", "The round has no result yet; follow the instruction")
    return Accepted((ResultCommitted(),))


def call_supervisor(table: Table, at: Instant) -> Answer:
    """Call the supervisor; a second call changes nothing."""
    return Accepted(() if table.call else (SupervisorCalled(at.wall_ns),))


def answer_call(table: Table, actor: Actor) -> Answer:
    """The supervisor has seen the call."""
    events: tuple[Event, ...] = (CallAnswered(actor.name),) if table.call and not table.call.seen_by else ()
    return Accepted(events)


def suspend(table: Table, command: Suspend, actor: Actor, at: Instant) -> Answer:
    """Stop the table at once; a second press changes nothing."""
    if table.find_incident(AnomalyKind.SUPERVISOR_STOP):
        return Accepted()
    detail = f"{actor.name}: {command.reason}"
    return Accepted((open_incident(table, AnomalyKind.SUPERVISOR_STOP, None, detail, at.monotonic_ns),))


def record_fault(table: Table, command: RecordFault, at: Instant) -> Answer:
    """An unexpected exception is a fact of the table: it is suspended, never left running."""
    if table.find_incident(AnomalyKind.INTERNAL_FAULT):
        return Accepted()
    return Accepted((open_incident(table, AnomalyKind.INTERNAL_FAULT, None, command.text, at.monotonic_ns),))
