"""The one thing the dealer is to do now, in at most seven words, and the one button that goes with it (D1, D2)."""

from __future__ import annotations

from typing import Final

from studio.domain import counting
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.fusion import proposed_card
from studio.domain.incidents import ways_out
from studio.domain.people import Role
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.rules import Shuffling
from studio.domain.shoe import Shoe, ShoeStep, shoe_steps
from studio.domain.shoe_life import Life, Pack, tally
from studio.domain.slots import Face, Slot
from studio.domain.table import Incident, Round, Table
from studio.domain.views import Button, Instruction

_STEPS: Final[dict[ShoeStep, tuple[str, str]]] = {
    ShoeStep.LOADED: ("Load the decks", "Decks loaded"),
    ShoeStep.SHUFFLED: ("Shuffle the cards", "Cards shuffled"),
    ShoeStep.CUT: ("Cut the cards", "Cards cut"),
    ShoeStep.CUT_CARD_PLACED: ("Place the cut card, close shoe", "Cut card placed"),
}
_HELD: Final = {
    AnomalyKind.NO_READ: "rescan",
    AnomalyKind.UNKNOWN_CODE: "rescan",
    AnomalyKind.HOLE_UNREAD: "rescan",
    AnomalyKind.SCANNER_DOWN: "wait-reader",
    AnomalyKind.WRONG_MODE: "wait-reader",
    AnomalyKind.CRASH_RECOVERY: "confirm-felt",
    AnomalyKind.BOXED_CARD: "draw-boxed",
}
_INITIAL = 2
_SHARED_LINES: Final = {1: "Card to the hand", 2: "Card to split line 1", 3: "Card to split line 2"}


def worst_incident(table: Table) -> Incident | None:
    """Return what stops the table and the dealer reads about first: suspensions before holds, then the oldest."""
    stopping = (one for one in table.incidents if one.stops)
    ordered = sorted(stopping, key=lambda one: (one.level is not Level.SUSPEND, one.number))
    return ordered[0] if ordered else None


def instruction(table: Table) -> Instruction:
    """Return the instruction for the present state; there is always exactly one."""
    scan = table.scan
    if scan is not None and scan.differing is None:
        return Instruction("felt-scan", f"Pass card {len(scan.read) + 1} of {len(scan.draws)} over reader")
    incident = worst_incident(table)
    if incident is not None and incident.kind is AnomalyKind.DEALER_UNFIT and incident.draw is None:
        return _relief(table)
    if incident is not None:
        return _stopped(table, incident)
    if table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return Instruction("server-deals", "Wait, the server deals")
    if table.dealer is None:
        return Instruction("sign-on", "Sign on to this table")
    if not table.reader.ready and not table.witness.takes_over:
        return Instruction("wait-reader", "Wait for the card reader")
    return _by_phase(table)


def _relief(table: Table) -> Instruction:
    if table.dealer is None:
        return Instruction("sign-on", "Sign on to this table")
    return Instruction("relief", "Hand over to the next dealer")


def _by_phase(table: Table) -> Instruction:
    match phase(table):
        case Phase.IDLE:
            return _between_rounds(table)
        case Phase.BETTING:
            return Instruction("wait-bets", "Wait for bets")
        case Phase.INSURANCE:
            return Instruction("wait-insurance", "Wait for insurance answers")
        case Phase.COMMIT:
            return Instruction("commit", _commit_words(table.round))
        case Phase.SETTLEMENT | Phase.CLOSED:
            return Instruction("wait", "Wait for the settlement")
        case Phase.DEALING | Phase.DECISIONS | Phase.DEALER:
            return _in_play(table, table.round)


def _stopped(table: Table, incident: Incident) -> Instruction:
    if incident.level is Level.SUSPEND:
        return Instruction("suspended", "Stop. Wait for the supervisor")
    code = _HELD.get(incident.kind, "call-supervisor")
    if WayOut.GO_ON in ways_out(table, incident, Role.DEALER):
        if code == "confirm-felt":
            return Instruction("confirm-felt", "Compare the felt, then confirm")
        return Instruction("go-on", "Reader is back. Press Go on")
    match code:
        case "rescan":
            return Instruction("rescan", "Stop. Rescan the card")
        case "wait-reader":
            return Instruction("wait-reader", "Stop. Wait for the reader")
        case "draw-boxed":
            return Instruction("draw-boxed", "Stop. Draw the card, discard it")
        case "confirm-felt":
            return Instruction("wait-reader", "Wait for the card reader")
        case _:
            return Instruction("call-supervisor", "Stop. Call the supervisor")


def _between_rounds(table: Table) -> Instruction:
    shoe = table.shoe
    if shoe is None:
        return _without_shoe(table)
    if shoe.returning:
        return Instruction("return-cards", "Return all cards to the shuffler")
    if shoe.burn_owed is None:
        return Instruction("burn-show", "Show the first card")
    if shoe.burn_owed:
        return Instruction("burn", f"Burn {shoe.burn_owed} face down")
    if table.setup.opens_itself:
        return Instruction("wait-bets", "Wait for bets")
    return Instruction("open-betting", "Open the betting")


def _without_shoe(table: Table) -> Instruction:
    count, due = table.life.counting, counting.due_count(table)
    if count is not None and count.signed:
        return Instruction("wait-signature", "Wait for the second signature")
    if count is not None:
        return Instruction("count", f"Draw every card for the count: {count.cards}")
    if table.steps or not counting.needs_packs(table):
        return Instruction("prepare-shoe", _STEPS[shoe_steps(table.setup.rules.shuffling)[table.steps]][0])
    if due is not None:
        return _to_be_counted(due)
    pack = counting.due_pack(table)
    if pack is None:
        return Instruction("register-pack", "Wait: supervisor registers other cards")
    return Instruction("prepare-shoe", f"Load pack {pack.id}, {pack.back} back")


def _to_be_counted(pack: Pack) -> Instruction:
    if pack.life is Life.ENDED and not pack.whole_due:
        return Instruction("count-rest", f"Count what pack {pack.id} left")
    return Instruction("count-pack", f"Put pack {pack.id} in for counting")


def _in_play(table: Table, current: Round | None) -> Instruction:
    if table.shoe is not None and table.shoe.burn_owed:
        return Instruction("burn", f"Burn {table.shoe.burn_owed} face down")
    slot = expected_slot(table.setup.rules, current) if current else None
    if current is None or slot is None:
        return _waiting(current)
    if slot.hand is None:
        return _to_dealer(slot)
    seat, number = slot.hand.seat, slot.hand.number
    if current.shared is not None:
        return Instruction("card-to-seat", _SHARED_LINES[number], seat)
    several = sum(hand.id.seat == seat for hand in current.hands) > 1
    return Instruction("card-to-seat", f"Card to seat {seat}" + (f", hand {number}" if several else ""), seat)


def _waiting(current: Round | None) -> Instruction:
    if current is None or current.shared is not None:
        return Instruction("wait-decision", "Wait for the players")
    if current.follow is not None:
        return Instruction("wait-follow", "Wait for bets behind", current.follow.hand.seat)
    seat = current.question.hand.seat if current.question else None
    return Instruction("wait-decision", f"Wait for seat {seat}" if seat else "Wait for the players", seat)


def _to_dealer(slot: Slot) -> Instruction:
    if slot.face is Face.DOWN:
        return Instruction("hole-card", "Card to dealer, face down")
    if slot.position == _INITIAL + 1:
        return Instruction("turn-hole-and-draw", "Turn hole card, card to dealer")
    return Instruction("card-to-dealer", "Card to dealer")


def _commit_words(current: Round | None) -> str:
    turned = current is not None and len(current.dealer) == _INITIAL
    return "Turn hole card, confirm the result" if turned else "Confirm the result"


def primary_button(table: Table) -> Button | None:
    """Return the one primary button, ``None`` where the table waits for a card, a player or the supervisor."""
    incident = worst_incident(table)
    if incident is not None and incident.kind is AnomalyKind.DEALER_UNFIT and incident.draw is None:
        return Button("sign-off", "Sign off", {}) if table.dealer else Button("sign-on", "Sign on", {})
    if incident is not None:
        return _way_out_button(table, incident)
    if table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return None
    if table.dealer is None:
        return Button("sign-on", "Sign on", {})
    if (proposed := proposed_card(table)) is not None:
        claim, card = proposed
        device, load, ordinal = claim.sighting.device, claim.sighting.load, claim.sighting.ordinal
        sighting: dict[str, str | int] = {"device": device, "load": load, "ordinal": ordinal}
        return Button("confirm-card", f"Card is {card.code}", sighting)
    if not table.reader.ready and not table.witness.takes_over:
        return None
    match phase(table):
        case Phase.IDLE:
            return _button_between_rounds(table)
        case Phase.BETTING if table.round is not None and table.round.bets:
            return Button("close-betting", "Close betting", {})
        case Phase.COMMIT:
            return Button("commit-result", "Confirm", {})
        case _:
            return None


def _button_between_rounds(table: Table) -> Button | None:
    shoe = table.shoe
    if shoe is None:
        return _button_without_shoe(table)
    if shoe.returning:
        return Button("return-cards", "Cards returned", {})
    if table.setup.opens_itself or not shoe.is_burnt:
        return None
    return Button("open-betting", "Open betting", {})


def _button_without_shoe(table: Table) -> Button | None:
    count, due = table.life.counting, counting.due_count(table)
    if count is not None:
        pack = table.life.pack(count.pack)
        is_complete = pack is not None and tally(pack, count).is_complete
        # A complete count is what the dealer waits for; what falls short is signed by the smaller button.
        return Button("sign-count", "Sign the count", {}) if is_complete and not count.signed else None
    step = shoe_steps(table.setup.rules.shuffling)[table.steps]
    if not table.steps and counting.needs_packs(table):
        if due is not None:
            return Button("begin-count", f"Count pack {due.id}", {"pack": due.id})
        if counting.due_pack(table) is None:
            return None
    return Button("confirm-shoe-step", _STEPS[step][1], {"step": step.value})


def _way_out_button(table: Table, incident: Incident) -> Button | None:
    if WayOut.GO_ON not in ways_out(table, incident, Role.DEALER):
        return None
    felt = incident.kind is AnomalyKind.CRASH_RECOVERY
    label, reason = ("Felt is right", "felt-confirmed") if felt else ("Go on", "reader-back")
    arguments: dict[str, str | int] = {
        "incident": incident.number,
        "way_out": WayOut.GO_ON.value,
        "reason": reason,
    }
    return Button("resolve-incident", label, arguments)


def secondary_buttons(table: Table) -> tuple[Button, ...]:
    """Return the other buttons that make sense now."""
    restarted = table.find_incident(AnomalyKind.CRASH_RECOVERY)
    if restarted is not None and restarted.level is Level.HOLD:
        return (Button("disagree", "Felt differs", {}),)
    if phase(table) is Phase.COMMIT and not table.is_stopped:
        return (Button("disagree", "Disagree", {}),)
    count = table.life.counting
    if count is not None and not count.signed:
        return (Button("sign-count", "No card is left", {}), Button("abandon-count", "Count anew", {}))
    if table.dealer is not None and phase(table) is Phase.IDLE and not table.is_stopped:
        return (Button("sign-off", "Sign off", {}),)
    return ()


def next_step(incident: Incident) -> str:
    """Return what the band tells the dealer to do about an incident."""
    return "Wait for the supervisor" if incident.level is Level.SUSPEND else CATALOGUE[incident.kind].next_step


def shoe_state(shoe: Shoe) -> str:
    """Return the gauge's word for the shoe."""
    if not shoe.is_burnt:
        return "burning"
    return "in-play" if shoe.last_round is None else "last-round"
