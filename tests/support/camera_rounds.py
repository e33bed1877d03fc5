"""Rounds with both sources on one clock: the core, a reader, hands on a felt, and the table's eye over it.

No process, no network, no pause: a frame each tenth of a simulated second. A fault is a mistake of the hands, of
the light, of the camera or of the reader; incidents are resolved by voiding, or by the first lawful way.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hardware_sim.camera.faults import CAMERA_FAULTS, CameraFault, Kind
from hardware_sim.camera.felt import Place as FeltPlace
from hardware_sim.camera.hands import FeltHands
from hardware_sim.dealer_acts import CARD_CODES
from studio.domain.anomalies import WayOut
from studio.domain.cards import DECK, Card
from studio.domain.commands import PassDeadline
from studio.domain.decide import next_alarm_ns
from studio.domain.events import AnomalyDetected, RoundSettled, WitnessJudged
from studio.domain.hands import total
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.projections import dealer_view
from studio.domain.record_commands import RecordReader, RecordSighting
from studio.domain.setup import CameraMode
from studio.domain.sightings import (
    CardRead,
    FaceUpInShoe,
    Reading,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    Unreadable,
)
from studio.domain.slots import HandId, Slot
from studio.domain.witness import Verdict
from support.camera_rig import CameraRig
from support.camera_tables import CAMERA, CameraTable, a_camera_setup
from support.tables import SUPERVISOR
from vision.recogniser import Recogniser
from vision.table.frames import BadFrameError, Frame, decode
from vision.table.slots import SlotSeen

FRAME_SECONDS = 0.1
_MOST_TURNS = 400
_MOST_FRAMES = 40
_PATIENCE_NS = 1_500_000_000
_ROUNDS_A_SHOE = 20
_STAND = 17
NOTHING = "nothing"
MISREAD = "scanner_misread"
NO_READ = "scanner_no_read"
_DOWN = ("camera-absent", "camera-degraded")
EXPECTED: Mapping[str, tuple[str, ...]] = {
    NOTHING: (),
    "shadow": (),
    "dim": (),
    "noise": (),
    "glare": (),
    "arm": _DOWN,
    **dict.fromkeys(("frozen", "black", "grey", "torn", "wrong_size", "turned", "silent"), _DOWN),
    "wrong_seat": ("wrong-position", "skipped-draw", "read-not-dealt"),
    "boxed": ("boxed-card",),
    "not_laid": ("read-not-dealt", "source-disagreement"),
    "second_card": ("two-cards", "no-read", "misscan-late"),
    "early_collect": ("early-collect", "source-disagreement", "read-not-dealt"),
    "hole_shown": ("hole-exposed",),
    "other_card": ("source-disagreement", "result-mismatch"),
    MISREAD: ("source-disagreement", "result-mismatch"),
    NO_READ: ("no-read", "hole-unread"),
}
"""What each fault is to open; of those that open nothing the round must go on."""
WARNED = frozenset(_DOWN)
_PREFERRED = (WayOut.VOID, WayOut.ACCEPT, WayOut.LAID, WayOut.OUT_OF_PLAY, WayOut.GO_ON)
_SEEN: Mapping[str, Reading] = {
    "occupied": SlotOccupied(),
    "occluded": SlotOccluded(),
    "cleared": SlotCleared(),
    "two-cards": TwoCards(),
    "face-up-in-shoe": FaceUpInShoe(),
}


@dataclass
class Tally:
    """What came of the rounds, by fault."""

    rounds: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    """Rounds in which the fault found its occasion."""
    detected: Counter[str] = field(default_factory=Counter)
    false_alarms: Counter[tuple[str, str]] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    settled: int = 0
    wrong_reads: list[str] = field(default_factory=list)
    wrong_accepted: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the table that is printed."""
        rows = ["| fault | rounds | struck | detected | missed | false alarms |", "|---|---|---|---|---|---|"]
        for name, expected in EXPECTED.items():
            struck, detected = self.struck[name], self.detected[name]
            false = sum(count for (fault, _), count in self.false_alarms.items() if fault == name)
            shown = (str(detected), str(struck - detected)) if expected else ("-", "-")
            rows.append(f"| {name} | {self.rounds[name]} | {struck} | {shown[0]} | {shown[1]} | {false} |")
        judged = sum(self.verdicts.values())
        rows += [
            "",
            f"{sum(self.rounds.values())} rounds, {self.settled} settled; cards judged {judged}: "
            + ", ".join(f"{count} {name}" for name, count in sorted(self.verdicts.items())),
            f"Cards that the camera read wrongly: {len(self.wrong_reads)}",
            f"Wrong cards accepted: {len(self.wrong_accepted)}",
            *(f"false alarm {kind} under {fault}: {n}" for (fault, kind), n in sorted(self.false_alarms.items())),
        ]
        return rows


class CameraRounds:
    """Plays rounds of Deluxe on seats 1 and 3 (two cards a hand, one dealer), a new shoe every twenty."""

    def __init__(self, recogniser: Recogniser, seed: int = 1) -> None:
        self.tally = Tally()
        self._seed = seed
        self._recogniser = recogniser
        self._left = 0
        self._chance = random.Random(seed)  # noqa: S311 - a test that can be repeated
        self._played = 0

    def play(self, faults: list[str], rounds: int) -> Tally:
        """Play rounds, the faults in turn."""
        for number in range(rounds):
            self.play_one(faults[number % len(faults)])
        return self.tally

    def play_one(self, fault: str) -> None:
        """Play one round with one fault, at a new shoe where that is due."""
        # After a supervisor's word for one source the table would take no notice of the camera for a while.
        if not self._left or self._table.table.witness.single_source_until_ns is not None:
            self._new_shoe()
            self._left = _ROUNDS_A_SHOE
        self._left -= 1
        self._round(fault)

    def _new_shoe(self) -> None:
        self._seed += 1
        setup = a_camera_setup(CameraMode.WITNESS)
        self._table = CameraTable(setup).ready()
        self._rig = CameraRig(self._recogniser.reader, self._seed, self._recogniser.cut)
        self._rig.camera._now_ns = lambda: self._table.now.monotonic_ns
        self._hands = FeltHands(self._rig.camera, lambda: self._table.now.monotonic_ns)
        self._cards = [*DECK] * self._table.setup.rules.decks
        for burned in ("AS", "2C"):
            self._cards.remove(next(card for card in self._cards if card.code == burned))
        self._chance.shuffle(self._cards)
        self._ordinal, self._good_ns, self._is_ready = 0, self._table.now.monotonic_ns, True
        self._truth: dict[FeltPlace, Card] = {}

    def _round(self, fault: str) -> None:
        self._fault, self._kinds, self._is_ruled, self._misread = fault, set[str](), False, fault == MISREAD
        self._unread, self._laid = fault == NO_READ, 0
        camera, tally = self._rig.camera, self.tally
        known = CameraFault(fault) if fault in {*CameraFault} else None
        tally.rounds[fault] += 1
        begin = len(self._table.events)
        self._settle_idle()
        self._table.round(1, 3)
        if known is not None:
            camera.set_fault(known, is_on=True)
        for _ in range(_MOST_TURNS):
            if self._turn():
                break
        is_armed = known is not None and CAMERA_FAULTS[known].kind is Kind.DEALER and camera.is_on(known)
        if known is not None:
            camera.set_fault(known, is_on=False)
        struck = not is_armed and not (fault == MISREAD and self._misread)
        tally.struck[fault] += struck
        self._count(begin, struck=struck)
        self._run(1.5)

    def _count(self, begin: int, *, struck: bool) -> None:
        fault, tally = self._fault, self.tally
        tally.detected[fault] += struck and bool(self._kinds & {*EXPECTED[fault]})
        for kind in self._kinds - {*EXPECTED[fault]} - WARNED:
            tally.false_alarms[fault, kind] += 1
        for event in self._table.events[begin:]:
            if isinstance(event, WitnessJudged):
                tally.verdicts[event.verdict.value] += 1

    # One thing after another

    def _turn(self) -> bool:
        """Do the next thing; return whether the round is over."""
        played, view = self._table, self._view()
        if played.table.is_stopped:
            self._resolve()
            return False
        self._hands.looked(view)
        if self._rig.felt.at_mouth is not None:
            self._run(1.5)
            return False
        phase, code = view["table"]["phase"], view["instruction"]["code"]
        if phase in {"idle", "closed", "betting"}:
            return True
        if code in CARD_CODES:
            self._deal(view)
        elif phase == "insurance":
            played.time_out()
        elif phase == "decisions" and played.table.round is not None and played.table.round.question is not None:
            self._answer()
        elif code == "commit":
            self._run(1.2)
            if not played.table.is_stopped:
                self._compare()
                played.commit()
        else:
            self._run(0.3)
        return False

    def _deal(self, view: Mapping[str, Any]) -> None:
        played = self._table
        if view["instruction"]["code"] == "turn-hole-and-draw":
            # The hands turn the card first.
            self._run(1.0)
            if played.table.is_stopped:
                return
        card = self._cards.pop()
        told, is_read = card, True
        if self._misread and self._laid and view["instruction"]["code"] == "card-to-seat":
            told, self._misread = DECK[(card.index + 5) % len(DECK)], False
        if self._unread and self._laid:
            is_read, self._unread = False, False
        self._laid += 1
        if is_read:
            played.card(told.code)
            self._hands.pulled(card, view, is_read=True)
        else:
            played.sighting(Unreadable())
            self._hands.pulled(card, view, is_read=False)
            self._run(0.5)
            played.card(card.code, ordinal=played.ordinal)
            self._hands.rescanned()
        self._wait_for_the_witness()

    def _wait_for_the_witness(self) -> None:
        """Deal on once the camera has seen the card, as a dealer's own pace would have it."""
        for number in range(_MOST_FRAMES):
            self._run(FRAME_SECONDS)
            witness = self._table.table.witness
            is_done = all(one.verdict is not None for one in witness.watched)
            if self._table.table.is_stopped or (number > 10 and is_done):
                return

    def _answer(self) -> None:
        current = self._table.table.round
        assert current is not None
        assert current.question is not None
        cards = current.hand(current.question.hand).cards
        is_split = sum(one.id.seat == current.question.hand.seat for one in current.hands) > 1
        if len(cards) == 2 and cards[0].rank is cards[1].rank and not is_split:
            self._table.decide("split")
        else:
            self._table.decide("hit" if total(cards).points < _STAND else "stand")

    def _settle_idle(self) -> None:
        """Have the table free for a round: the camera up again, what holds it up resolved."""
        for _ in range(_MOST_FRAMES):
            self._hands.looked(self._view())
            self._run(0.5)
            if self._table.table.incidents:
                self._resolve()
            elif self._is_ready:
                return

    def _resolve(self) -> None:
        played = self._table
        incident = next((one for one in played.table.incidents if one.stops), played.table.incidents[0])
        offered = ways_out(played.table, incident, Role.SUPERVISOR)
        if not offered:
            self._run(0.5)
            return
        way = next((one for one in _PREFERRED if one in offered), offered[0])
        played.table = played.table._replace(
            incidents=(incident, *(one for one in played.table.incidents if one is not incident))
        )
        played.resolve(way, SUPERVISOR)
        self._is_ruled = self._is_ruled or incident.stops
        self._run(0.3)

    def _compare(self) -> None:
        """Compare, before the money follows, each card of the round with what lies on the felt."""
        current = self._table.table.round
        if current is None or self._is_ruled:
            return
        lies = {one.place: one.card for one in self._rig.felt.cards}
        told = {FeltPlace(0, 1, n): card for n, card in enumerate(current.dealer, 1)}
        for hand in current.hands:
            told |= {FeltPlace(hand.id.seat, hand.id.number, n): card for n, card in enumerate(hand.cards, 1)}
        for place, card in told.items():
            if lies.get(place) != card:
                self.tally.wrong_accepted.append(f"{self._fault}: {place} {card.code} {lies.get(place)}")
        self.tally.settled += 1

    # The clock, the camera, what it says

    def _run(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / FRAME_SECONDS))):
            self._table.wait(FRAME_SECONDS)
            self._look()
            self._ring()

    def _look(self) -> None:
        rig, now = self._rig, self._table.now
        rig.now_ns = now.monotonic_ns
        rig.number += 1
        reason = "no-frame"
        image = rig.camera.picture()
        if image is not None and rig.camera.is_on(CameraFault.TORN):
            data = rig.camera.jpeg()
            assert data is not None
            try:
                image = decode(data)
            except BadFrameError as error:
                image, reason = None, str(error)
        if image is not None:
            for seen in rig.eye.look(Frame(image, rig.number, now), now.monotonic_ns):
                self._tell(seen)
            reason = rig.eye.reason
        self._link(reason)

    def _link(self, reason: str) -> None:
        """A camera that gives nothing usable for a second and a half is down."""
        now_ns = self._table.now.monotonic_ns
        if not reason:
            self._good_ns = now_ns
        is_ready = now_ns - self._good_ns < _PATIENCE_NS
        if is_ready != self._is_ready:
            self._is_ready = is_ready
            self._table.do(RecordReader("cam-1", is_ready, 1, self._ordinal, reason), CAMERA)

    def _tell(self, seen: SlotSeen) -> None:
        self._ordinal += 1
        reading: Reading = CardRead(seen.card) if seen.seen == "read" and seen.card else _SEEN[seen.seen]
        slot = None
        if seen.seat is not None:
            slot = Slot(HandId(seen.seat, seen.hand) if seen.seat else None, seen.position)
        if seen.card is not None and seen.seat is not None:
            self._check(seen, seen.card)
        identity = SightingId("cam-1", 1, self._ordinal)
        sighting = Sighting(
            identity, reading, self._table.now.monotonic_ns, False, slot, 990, f"1-{self._ordinal}"
        )
        self._table.do(RecordSighting(sighting), CAMERA)
        self._note()

    def _check(self, seen: SlotSeen, card: Card) -> None:
        place = FeltPlace(seen.seat or 0, seen.hand, seen.position)
        lies = [one.card for one in self._rig.felt.cards if one.place == place]
        if card not in lies:
            self.tally.wrong_reads.append(f"{self._fault}: {place} {card.code} is {lies}")

    def _ring(self) -> None:
        now_ns = self._table.now.monotonic_ns
        while (due_ns := next_alarm_ns(self._table.table)) is not None and due_ns <= now_ns:
            before = self._table.table
            self._table.do(PassDeadline(), SYSTEM)
            if self._table.table == before:
                break
        self._note()

    def _note(self) -> None:
        for event in self._table.events[self._played :]:
            if isinstance(event, AnomalyDetected):
                self._kinds.add(event.kind.value)
            if isinstance(event, RoundSettled):
                pass
        self._played = len(self._table.events)

    def _view(self) -> dict[str, Any]:
        return asdict(dealer_view(self._table.table, self._table.now, "2026-01-01"))


ALL_FAULTS = list(EXPECTED)
VERDICTS = [one.value for one in Verdict]
