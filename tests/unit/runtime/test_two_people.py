"""What two people do together, and what a supervisor who does not come leads to, on a real journal (S8, C08)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.actors import LiveActor, live_actor, until
from support.tables import COLLEAGUE, DEALER, MANAGER, SUPERVISOR, a_setup, player

from studio.adapters.sqlite_history import SqliteHistory
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, DeadHand
from studio.domain.commands import (
    CloseBetting,
    CommitResult,
    Decide,
    OpenBetting,
    ResolveIncident,
    Suspend,
    VoidRound,
)
from studio.domain.correction_commands import (
    ApproveProposal,
    ClaimIncident,
    DeclineProposal,
    HandOverIncident,
    OpenHiddenCard,
    ReviseRound,
)
from studio.domain.events import HiddenCardOpened, RoundRevised
from studio.domain.money import player_account
from studio.domain.people import Actor
from studio.domain.phases import Phase, phase
from studio.domain.player_projection import player_view
from studio.domain.projections import table_view
from studio.ports.history import PlayedRound
from studio.runtime.inbox import Done, Outcome, Refused, Submission

ANNA = player("anna")
HOUR = 3600


async def send(live: LiveActor, command: object, actor: Actor) -> Outcome:
    return await live.actor.submit(Submission(command, actor, "test"))  # type: ignore[arg-type]


async def refusal(live: LiveActor, command: object, actor: Actor) -> str:
    outcome = await send(live, command, actor)
    assert isinstance(outcome, Refused)
    return outcome.rejected.code


async def a_settled_round(live: LiveActor, cards: str = "TC 9C 9D TH") -> int:
    """Anna stands on nineteen against nineteen; return the first draw of the round."""
    await live.ready()
    first = live.ordinal + 1
    await live.do(OpenBetting(), DEALER)
    await live.bet(ANNA, 1, 1000)
    await live.do(CloseBetting(), DEALER)
    await live.cards(cards)
    await live.do(Decide("anna", 1, Action.STAND, False), ANNA)
    await live.do(CommitResult(), DEALER)
    assert phase(live.actor.table) is Phase.IDLE
    return first


async def a_dealt_round(live: LiveActor, stake: int = 1000) -> None:
    await live.ready()
    await live.do(OpenBetting(), DEALER)
    await live.bet(ANNA, 1, stake)
    await live.do(CloseBetting(), DEALER)
    await live.cards("TC 9C 9D TH")


def on_disk(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


def balance(live: LiveActor, who: str = "anna") -> int:
    return live.wallet.available(player_account(who))


# Revision after settlement


async def test_c08_a_revision_pays_by_the_real_result_with_entries_of_its_own(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        first = await a_settled_round(live)
        assert balance(live) == 5000
        await live.do(OpenBetting(), DEALER)
        revise = ReviseRound(1, (CardValue(first + 2, parse_card("TD")),), "misread", "the still shows a ten")
        proposed = await send(live, revise, SUPERVISOR)
        assert isinstance(proposed, Done)
        assert proposed.proposal == 1
        assert balance(live) == 5000
        assert await refusal(live, ApproveProposal(1), SUPERVISOR) == "same-person"
        await live.do(ApproveProposal(1), COLLEAGUE)
        assert balance(live) == 6000
        assert live.wallet.totals() == {"EUR": 0}
        (notice,) = player_view(live.actor.table, "anna", 0, live.clock.now()).notices
        assert (notice.message.key, notice.round, notice.amount) == ("round-revised", 1, 1000)
        assert not table_view(live.actor.table, live.clock.now()).notices


async def test_a_second_revision_starts_from_the_first_ones_results(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        first = await a_settled_round(live)
        for number, (card, expected) in enumerate((("TD", 6000), ("8D", 4000), ("9D", 5000)), start=1):
            revise = ReviseRound(1, (CardValue(first + 2, parse_card(card)),), "misread", "looked again")
            await live.do(revise, SUPERVISOR)
            await live.do(ApproveProposal(number), COLLEAGUE)
            assert balance(live) == expected


async def test_what_a_player_cannot_give_back_is_borne_by_the_house(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 1000}) as live:
        first = await a_settled_round(live, "TC 9C TD TH")
        assert balance(live) == 2000
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1500)
        await live.do(ReviseRound(1, (CardValue(first + 2, parse_card("8D")),), "misread", "an eight"), SUPERVISOR)
        await live.do(ApproveProposal(1), COLLEAGUE)
        (revised,) = [event for event in live.observer.events if isinstance(event, RoundRevised)]
        assert (revised.amounts, revised.moved) == ((-2000,), (-500,))
        assert balance(live) == 0
        assert live.wallet.totals() == {"EUR": 0}


async def test_a_revision_is_refused_after_its_window_or_where_a_card_would_be_missing(
    tmp_path: Path,
) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        first = await a_settled_round(live)
        other = (CardValue(first + 3, parse_card("2H")),)
        assert await refusal(live, ReviseRound(1, other, "x", "y"), SUPERVISOR) == "cards-missing"
        assert await refusal(live, ReviseRound(7, other, "x", "y"), SUPERVISOR) == "no-such-round"
        assert await refusal(live, ReviseRound(1, (), "x", "y"), SUPERVISOR) == "wrong-changes"
        good = ReviseRound(1, (CardValue(first + 2, parse_card("TD")),), "misread", "late")
        await live.wait(24 * HOUR)
        assert await refusal(live, good, SUPERVISOR) == "too-late"
        assert await refusal(live, good, DEALER) == "forbidden"


async def test_a_revision_is_previewed_beside_the_settled_round(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        first = await a_settled_round(live)
        revise = ReviseRound(1, (CardValue(first + 2, parse_card("TD")),), "misread", "the still shows a ten")
        seen = await live.actor.preview(revise, SUPERVISOR)
        assert seen.lawful
        assert seen.needs_second
        (money,) = seen.money
        assert (money.player, money.back_before, money.back_after) == ("anna", 1000, 2000)
        assert {one.seat: one.after and one.after.cards for one in seen.hands} == {
            0: ("9C", "TH"),
            1: ("TC", "TD"),
        }
        assert live.actor.table.proposals == ()
        assert balance(live) == 5000


# Voids above the threshold


async def test_s8_a_void_of_much_needs_a_second_person(tmp_path: Path) -> None:
    setup = a_setup()
    setup = replace(setup, profile=replace(setup.profile, two_person_threshold=999))
    async with live_actor(tmp_path / "j", setup=setup, balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(VoidRound("misdeal", "card on the floor"), SUPERVISOR)
        assert balance(live) == 4000
        assert await refusal(live, VoidRound("misdeal", "card on the floor"), SUPERVISOR) == "proposal-open"
        await live.do(DeclineProposal(1, "look at the still first"), COLLEAGUE)
        assert await refusal(live, ApproveProposal(1), COLLEAGUE) == "no-such-proposal"
        await live.do(VoidRound("misdeal", "card on the floor"), SUPERVISOR)
        await live.do(ApproveProposal(2), MANAGER)
        assert balance(live) == 5000


async def test_a_proposal_expires_by_the_clock_alone(tmp_path: Path) -> None:
    setup = a_setup()
    setup = replace(setup, profile=replace(setup.profile, two_person_threshold=0))
    async with live_actor(tmp_path / "j", setup=setup, balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        await live.do(VoidRound("misdeal", "card on the floor"), SUPERVISOR)
        assert len(live.actor.table.proposals) == 1
        await live.do(ClaimIncident(1), SUPERVISOR)
        await live.wait(300)
        await until(lambda: not live.actor.table.proposals)
        assert balance(live) == 4000


# A hidden card


async def test_a_hidden_card_is_shown_once_to_its_opener_and_the_opening_is_logged(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        hole = live.ordinal
        look = OpenHiddenCard(hole, "dispute", "a player says it was flashed")
        assert await refusal(live, OpenHiddenCard(hole - 1, "x", "y"), SUPERVISOR) == "not-hidden"
        proposed = await send(live, look, SUPERVISOR)
        assert isinstance(proposed, Done)
        assert (proposed.proposal, proposed.opened) == (1, None)
        assert await refusal(live, look, SUPERVISOR) == "proposal-open"
        approved = await send(live, ApproveProposal(1), COLLEAGUE)
        assert isinstance(approved, Done)
        assert approved.opened is None
        shown = await send(live, look, SUPERVISOR)
        assert isinstance(shown, Done)
        assert shown.opened == parse_card("TH")
        (event,) = [one for one in live.observer.events if isinstance(one, HiddenCardOpened)]
        assert (event.by, event.approved_by, event.reason) == (SUPERVISOR.id, COLLEAGUE.id, "dispute")
        again = await send(live, look, SUPERVISOR)
        assert isinstance(again, Done)
        assert again.opened is None


# Claims and absence


async def test_an_unclaimed_suspension_calls_the_next_supervisor_and_then_the_manager(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        await live.wait(60)
        await until(lambda: live.actor.table.incidents[0].absent_stage == 1)
        notices = table_view(live.actor.table, live.clock.now()).notices
        assert [one.message.key for one in notices] == ["supervisor-called"]
        assert live.actor.table.find_incident(AnomalyKind.SUPERVISOR_ABSENT) is not None
        await live.wait(120)
        await until(lambda: live.actor.table.incidents[0].absent_stage == 2)
        await live.do(ClaimIncident(1), COLLEAGUE)
        assert [one.kind for one in live.actor.table.incidents] == [AnomalyKind.SUPERVISOR_STOP]


async def test_who_claimed_an_incident_resolves_it_until_it_is_handed_over(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        await live.do(ClaimIncident(1), SUPERVISOR)
        await live.wait(600)
        assert live.actor.table.incidents[0].absent_stage == 0
        go_on = ResolveIncident(1, WayOut.GO_ON, "checked", "nothing wrong")
        assert await refusal(live, go_on, COLLEAGUE) == "claimed"
        assert await refusal(live, VoidRound("x", "y"), COLLEAGUE) == "claimed"
        assert await refusal(live, ClaimIncident(1), COLLEAGUE) == "claimed"
        assert await refusal(live, HandOverIncident(1, "sam", "mine"), COLLEAGUE) == "not-yours"
        await live.do(HandOverIncident(1, COLLEAGUE.id, "end of shift"), SUPERVISOR)
        assert await refusal(live, go_on, COLLEAGUE) == "claimed"
        await live.do(ClaimIncident(1), COLLEAGUE)
        assert await refusal(live, go_on, SUPERVISOR) == "claimed"
        await live.do(go_on, COLLEAGUE)
        assert live.actor.table.incidents == ()


async def test_a_manager_takes_an_incident_over(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        await live.do(ClaimIncident(1), SUPERVISOR)
        await live.do(ClaimIncident(1), MANAGER)
        assert live.actor.table.incidents[0].owner == MANAGER.id


async def test_a_table_that_was_corrected_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        change = (CardValue(live.ordinal, parse_card("7H")),)
        await live.do(ResolveIncident(1, WayOut.CORRECT, "misread", "a seven", change), SUPERVISOR)
        before = live.actor.table
        live.actor._load()
        assert live.actor.table == before
        assert before.round is not None
        assert before.round.dealer[1] == parse_card("7H")
    assert b'"card":"7H"' not in on_disk(tmp_path)
    assert b'"way_out":"correct"' in on_disk(tmp_path)


# The player's history


def history_of(live: LiveActor, who: str = "anna") -> PlayedRound:
    (played,) = SqliteHistory(live.store.path, {"t1": live.actor.setup}).rounds("t1", who, before=None, limit=1)
    return played


async def test_a_revision_is_in_the_players_history_as_an_entry_of_its_own(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        first = await a_settled_round(live)
        await live.do(OpenBetting(), DEALER)
        await live.do(ReviseRound(1, (CardValue(first + 2, parse_card("TD")),), "misread", "a ten"), SUPERVISOR)
        await live.do(ApproveProposal(1), COLLEAGUE)
        played = history_of(live)
        assert played.revised
        assert [(bet.stake, bet.returned) for bet in played.bets] == [(1000, 2000)]
        assert [(line.amount, line.cause) for line in played.entries] == [
            (-1000, "main bet"),
            (1000, "main returned"),
            (1000, "revision paid"),
        ]


async def test_a_corrected_card_is_in_the_players_history_and_a_hole_card_that_was_never_turned_is_not(
    tmp_path: Path,
) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        change = (CardValue(live.ordinal - 1, parse_card("8D")),)
        await live.do(ResolveIncident(1, WayOut.CORRECT, "misread", "an eight", change), SUPERVISOR)
        played = history_of(live)
        assert played.corrected
        assert played.dealer == ("9C",)
        assert [bet.cards for bet in played.bets] == [("TC", "8D")]


async def test_a_dead_hand_is_refunded_in_the_players_history(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_dealt_round(live)
        await live.do(Suspend("looks wrong"), SUPERVISOR)
        await live.do(ResolveIncident(1, WayOut.DEAD_HAND, "no-card", "left out", (DeadHand(1),)), SUPERVISOR)
        assert balance(live) == 5000
        assert [(bet.result, bet.returned) for bet in history_of(live).bets] == [("refunded", 1000)]
