"""One example of each event, and of each form a nullable field can take; the goldens are made of these."""

from __future__ import annotations

from typing import Final

from studio.domain import events
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.bets import Bet, BetKind, Result, batch_of, results_of
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, DeadHand, OutOfPlay, Placed
from studio.domain.events import Event
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_life import CountPurpose, CountResult
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId, Slot
from studio.domain.tiles import Tile
from studio.domain.witness import Seen, Verdict

SIGHTING: Final = SightingId("shoe-1", 2, 17)
HAND: Final = HandId(3, 1)
BETS: Final = batch_of(Bet("ann", 3, BetKind.MAIN, 10_000), Bet("bo", 5, BetKind.MAIN, 2_500))
RESULTS: Final = results_of(
    Result("ann", 3, 1, BetKind.MAIN, 10_000, 25_000), Result("bo", 5, 1, BetKind.INSURANCE, 1_250, 0)
)

SAMPLES: Final[tuple[Event, ...]] = (
    events.TableOpened("deluxe", "4f2a" * 16, "77aa" * 16, simulated=True),
    events.DealerSignedOn("d-7", "Zoë", "2027-03-31", 1_700_000_000_000_000_000),
    events.DealerSignedOff("d-7", 1_700_000_000_000_000_002),
    events.ReaderChanged("shoe-1", ready=True, load=2, ordinal=16, reason=""),
    events.ReaderChanged("shoe-1", ready=False, load=None, ordinal=None, reason="unplugged"),
    events.ShoeStepConfirmed(ShoeStep.CUT_CARD_PLACED),
    events.ShoeLoaded("shoe-1-2", 2, 8, 60),
    events.CardBurned(1, SIGHTING, parse_card("4C"), Face.UP, 123),
    events.CardBurned(2, SIGHTING, parse_card("KD"), Face.DOWN, 124),
    events.CutCardSeen(SIGHTING, 31),
    events.ShoeClosed("shoe-1-2", events.ShoeEnd.LAST_ROUND),
    events.CardsReturned(),
    events.DiscardsLoaded(9),
    events.ShuffleCommitted("shoe-1-3", 3, 8, "c0de" * 16, "5eed" * 16),
    events.ShuffleOpened("shoe-1-3", 31, "c0de" * 16, "5eed" * 16),
    events.SeatTaken(3, "ann"),
    events.SeatLeft(5, "bo", events.SeatEnd.NO_BET),
    events.FollowingSet("cy", double=True, split=None),
    events.ActionPlanned(HAND, Action.DOUBLE),
    events.ActionPlanned(HAND, None),
    events.BetsReturned(BETS),
    events.FollowAsked(HAND, Action.SPLIT, 45_000_000_000),
    events.FollowAnswered("cy", HAND, 2_500),
    events.FollowClosed(),
    events.BettingOpened(31, "4f2a" * 16, 15_000_000_000, "77aa" * 16),
    events.BettingOpened(31, "4f2a" * 16, 15_000_000_000),
    events.BettingOpened(32, "4f2a" * 16, None),
    events.BetsPlaced(BETS),
    events.BettingClosed(),
    events.CardDealt(17, SIGHTING, parse_card("8S"), Slot(HAND, 1), 200),
    events.CardDealt(20, SIGHTING, parse_card("TH"), Slot(None, 2, Face.DOWN), 201),
    events.CardUnread(18, SIGHTING, "5Z"),
    events.CardHeld(19, SIGHTING, parse_card("AD"), 202),
    events.HeldCardReleased(19),
    events.DuplicateMarked(19),
    events.CardDiscarded(18),
    events.CardDealt(17, SIGHTING, parse_card("8S"), Slot(HAND, 1), 200, "d-7"),
    events.BurnOrdered("relief"),
    events.PackRegistered("red-1", "B-2031", "red", 8),
    events.PackLoaded("red-1", 1_700_000_000_000_000_003),
    events.PackQuarantined("red-1", "jokers"),
    events.PackRetired("red-1"),
    events.RecountOrdered("red-1"),
    events.CountBegan("red-1", CountPurpose.REMAINDER, 2, 312),
    events.CardCounted(SIGHTING, parse_card("8S"), "d-7"),
    events.CardUncounted(SIGHTING, "d-7"),
    events.CountSigned("s-1", "Sam"),
    events.CountEnded("red-1", CountResult.MISMATCH, 415, 0, (parse_card("8S"),), (), 1_700_000_000_000_000_004),
    events.CountAbandoned("red-1"),
    events.InsuranceOffered(30_000_000_000),
    events.InsuranceAnswered("ann", 3, 5_000),
    events.InsuranceClosed(),
    events.PeekDone(natural=False),
    events.DecisionAsked(1, HAND, 40_000_000_000),
    events.DecisionTaken(HAND, Action.DOUBLE, Action.HIT, events.Cause.NO_FUNDS, 0),
    events.SharedInsuranceAnswered(("ann", "bo"), (5_000, 0)),
    events.SharedDecisionsTaken(
        2, ("ann", "bo"), (Action.DOUBLE, Action.SPLIT), (Action.DOUBLE, Action.HIT), (10_000, 0)
    ),
    events.SharedWindowClosed(2, Action.STAND),
    events.HoleRevealed(parse_card("TH"), 300),
    events.HoleRevealed(parse_card("TH")),
    events.ResultCommitted(),
    events.RoundSettled(RESULTS),
    events.RoundVoided(BETS, "misdeal", "two cards at once"),
    events.RoundClosed(31),
    events.AnomalyDetected(4, AnomalyKind.NO_READ, 18, "draw 18", 203),
    events.AnomalyDetected(5, AnomalyKind.SCANNER_DOWN, None, "unplugged", 204),
    events.AnomalyDetected(6, AnomalyKind.CAMERA_ABSENT, 19, "draw 19", 205, Level.HOLD),
    events.CauseCleared(5),
    events.CauseReturned(5),
    events.RoundsBlocked(7, "moved by 3 s"),
    events.IncidentEscalated(4, Level.SUSPEND, "third try"),
    events.RescanAsked(4, 1),
    events.IncidentResolved(4, WayOut.RESCAN, "read", "read at the second try", 41_000_000_000),
    events.IncidentResolved(5, WayOut.GO_ON, "cable", "cable was loose", None),
    events.SupervisorCalled(1_700_000_000_000_000_001),
    events.CallAnswered("s-1"),
    events.CardWitnessed(
        SightingId("cam-1", 3, 41), Seen.READ, Slot(HandId(3, 1), 2), parse_card("8S"), 973, "f-1041", 301
    ),
    events.CardWitnessed(SightingId("cam-1", 3, 42), Seen.FACE_UP_IN_SHOE, None, None, 1000, "", 302),
    events.WitnessJudged(19, Verdict.ABSENT),
    events.SingleSourceAccepted(99_000_000_000),
    events.SingleSourceEnded(10),
    events.CameraTakesOver(),
    events.MisdealReported(7, Tile.MISSED_SEAT, 3),
    events.MisdealReported(8, Tile.OTHER, None),
    events.ProfileAdopted("house", "77aa" * 16, '{"name":"house"}', "Ada", "2026-11-29", "R-17", "ab" * 32),
    events.CardExposed(18),
    events.CardSubstituted(9),
    events.NoteAdded(events.Subject.DISPUTE, 2, "asked the dealer, who agrees"),
    events.DisputeOpened(2, 31, "ann", "I pressed stand in time"),
    events.DisputeClosed(2, events.DisputeEnd.DECLINED, "the answer came after the deadline"),
    events.RoundCorrected((CardValue(17, parse_card("8H")), Placed(18, HAND), Placed(19, None)), hidden=False),
    events.RoundCorrected((CardValue(20, parse_card("9H")), OutOfPlay(21)), hidden=True),
    events.CardEntered(18),
    events.HandsDied(3, BETS),
    events.FeltScanStarted(4, (16, 17, 18)),
    events.FeltCardScanned(SIGHTING, parse_card("TH")),
    events.FeltReadFailed(SIGHTING),
    events.FeltScanEnded((17,)),
    events.ProposalMade(
        1,
        events.ActKind.ENTER_CARD,
        "s-1",
        "Sue",
        events.Act(
            events.ActKind.ENTER_CARD, "unread", "torn", incident=4, changes=(CardValue(18, parse_card("5D")),)
        ),
        204,
        304,
    ),
    events.ProposalApproved(1, "s-2", "Tom"),
    events.ProposalClosed(2, events.ProposalEnd.EXPIRED, "", "nobody answered"),
    events.HiddenCardOpened(20, "s-1", "s-2", "dispute", "seen by a player"),
    events.RoundRevised(
        30,
        (CardValue(400, parse_card("8H")), DeadHand(3)),
        RESULTS,
        ("ann", "bo"),
        (2_500, -1_250),
        (2_500, 0),
        "misread",
        "the still shows an eight",
    ),
    events.IncidentClaimed(4, "s-1", "Sue"),
    events.IncidentHandedOver(4, "s-2", "end of shift"),
    events.IncidentShelved(4, "s-1", "Sue", 1_700_000_600_000_000_000, "the technician is on the way"),
    events.SupervisorAbsent(4, 1),
)
