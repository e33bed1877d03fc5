"""Corrections replay the round: what it would have been with the right card (anomalies.md, misdeal decisions)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.tables import COLLEAGUE, DEALER, SUPERVISOR, PlayedTable, RefusedError, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.bets import BetKind
from studio.domain.cards import DECK, Card, parse_card
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import (
    PassDeadline,
    ResolveIncident,
    Suspend,
)
from studio.domain.correction_commands import ApproveProposal
from studio.domain.events import CardBurned, HandsDied, RoundCorrected
from studio.domain.incidents import ways_out
from studio.domain.instructions import instruction
from studio.domain.money import transfers
from studio.domain.people import SYSTEM, Role
from studio.domain.phases import Phase, expected_slot, is_insurance_open, legal_actions, phase
from studio.domain.projections import table_view
from studio.domain.refunds import refunds
from studio.domain.rules import Shuffling
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shoe_commands import LoadShuffle
from studio.domain.sightings import CardRead, Unreadable
from studio.domain.slots import HandId
from studio.domain.table import Round, Table
from studio.domain.views import BACK

VARIANTS = ("deluxe", "infinite", "european", "continuous")


def suspended(played: PlayedTable) -> PlayedTable:
    played.do(Suspend("looks wrong"), SUPERVISOR)
    return played


def correct(played: PlayedTable, *changes: Change, way: WayOut = WayOut.CORRECT) -> PlayedTable:
    """Stop the table and correct the round."""
    suspended(played)
    stop = played.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    assert stop is not None
    played.do(ResolveIncident(stop.number, way, "misread", "as the still shows", changes), SUPERVISOR)
    return played


def refused(played: PlayedTable, *changes: Change, way: WayOut = WayOut.CORRECT) -> str:
    with pytest.raises(RefusedError) as caught:
        correct(played, *changes, way=way)
    return str(caught.value).partition(":")[0]


def draw(played: PlayedTable, back: int = 1) -> int:
    """The draw of the newest card, or of one ``back`` cards before."""
    return played.ordinal - back + 1


def hands(played: PlayedTable) -> dict[str, str]:
    current = played.table.round
    assert current is not None
    found = {str(hand.id): " ".join(card.code for card in hand.cards) for hand in current.hands}
    return found | {"dealer": " ".join(card.code for card in current.dealer)}


# The oracle: the same script with the right card


class Script:
    """Plays a table of any variant by a list of cards and a list of wishes, as far as it goes."""

    def __init__(self, variant: str, seats: list[int], wishes: list[Action]) -> None:
        rules = load_variant(variant)
        self.played = PlayedTable(a_setup(rules))
        self.wishes = iter(wishes)
        if rules.shuffling is Shuffling.VIRTUAL:
            self.played.open().do(LoadShuffle(1, "c0ffee", "5eed"), SYSTEM)
        elif rules.shuffling is Shuffling.CONTINUOUS:
            self.played.open().load_shoe()
        else:
            self.played.ready()
        self.played.betting()
        for seat in seats if rules.seats > 1 else [1]:
            self.played.bet(seat, name=f"P{seat}")
        if phase(self.played.table) is Phase.BETTING:
            self.played.close()

    def deal(self, card: Card) -> None:
        self.played.wait(1).sighting(CardRead(card))
        held = self.played.table.find_incident(AnomalyKind.EXTRA_CARD)
        if held is not None:
            ways = ways_out(self.played.table, held, Role.SUPERVISOR)
            self.played.resolve(WayOut.USE_NEXT if WayOut.USE_NEXT in ways else WayOut.BURN)

    @property
    def is_asking(self) -> bool:
        current = self.played.table.round
        return current is not None and (current.question is not None or is_insurance_open(current))

    @property
    def is_over(self) -> bool:
        table = self.played.table
        return not self.is_asking and (
            table.round is None or expected_slot(table.setup.rules, table.round) is None
        )

    def answer(self) -> None:
        current = self.played.table.round
        assert current is not None
        if is_insurance_open(current):
            self._decline(current)
            return
        assert current.question is not None
        hand = current.hand(current.question.hand)
        wish = next(self.wishes, Action.STAND)
        legal = legal_actions(self.played.setup.rules, current, hand)
        action = wish if wish in legal else Action.STAND
        if current.shared is None:
            self.played.decide(action)
            return
        for who in current.shared.players:
            self.played.do(DecideAll(current.question.number, (Choosing(who, action, funded=True),)), player(who))

    def _decline(self, current: Round) -> None:
        if current.shared is not None:
            self.played.do(InsureAll(tuple(Insuring(who, False) for who in current.shared.players)), SYSTEM_PLAYER)
            return
        for seat, who in current.insurable():
            self.played.insure(seat, who, take=False)


SYSTEM_PLAYER = player("P1")


def timeless(table: Table) -> tuple[object, ...]:
    """Everything that a correction is about, deadlines and the mark that it leaves on its cards aside."""
    current = table.round
    assert current is not None
    question = replace(current.question, deadline_ns=0) if current.question else None
    insurance = replace(current.insurance, deadline_ns=0) if current.insurance else None
    loose = tuple((one.number, one.card, one.released) for one in table.loose)
    return current._replace(question=question, insurance=insurance, corrected=()), table.shoe, loose, phase(table)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_corrected_card_gives_the_round_that_the_right_card_would_have_given(
    variant: str, data: st.DataObject
) -> None:
    seats = data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=3, unique=True))
    wishes = data.draw(st.lists(st.sampled_from(Action), max_size=6))
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=14, max_size=14, unique=True))
    misread = data.draw(st.integers(0, 9))
    shown = data.draw(st.sampled_from(DECK))
    more = data.draw(st.integers(0, 3))
    wrong, right = Script(variant, seats, wishes), Script(variant, seats, wishes)

    for place, card in enumerate(cards[: misread + 1 + more]):
        while wrong.is_asking and place <= misread:
            wrong.answer()
            right.answer()
        if wrong.is_over or wrong.is_asking:
            break
        wrong.deal(shown if place == misread else card)
        right.deal(card)

    if wrong.played.ordinal != right.played.ordinal or phase(right.played.table) in {Phase.IDLE, Phase.CLOSED}:
        return
    first = wrong.played.table.round.draws[0].draw if wrong.played.table.round.draws else 1  # type: ignore[union-attr]
    if wrong.played.ordinal < first + misread:
        return
    correct(wrong.played, CardValue(first + misread, cards[misread]))
    assert timeless(wrong.played.table) == timeless(right.played.table)


# What rests on a wrong value


def a_misread_hand() -> PlayedTable:
    """Seat 1 was shown T9 against a 9 and has stood; the second card was in truth a 2."""
    return PlayedTable().ready().round(1, 2).cards("TC 5C 9D 9S 5H 7H").decide("stand")


def test_a_decision_after_a_wrong_value_leaves_only_the_void() -> None:
    played = a_misread_hand()
    assert refused(played, CardValue(draw(played, 3), parse_card("2S"))) == "rests-on-wrong-value"
    assert hands(played)["seat1.hand1"] == "TC 9S"
    played.resolve(WayOut.VOID)
    assert phase(played.table) is Phase.IDLE


def test_another_players_decision_rests_on_the_dealers_upcard_too() -> None:
    played = a_misread_hand()
    assert refused(played, CardValue(draw(played, 4), parse_card("7D"))) == "rests-on-wrong-value"


def test_silence_is_an_answer() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C 9D TH").time_out()
    assert refused(played, CardValue(draw(played, 2), parse_card("8D"))) == "rests-on-wrong-value"


def test_a_card_before_which_everybody_had_decided_is_corrected() -> None:
    played = a_misread_hand().decide("stand").cards("2H")
    assert hands(played)["dealer"] == "9D 7H 2H"
    correct(played, CardValue(draw(played), parse_card("5D")))
    assert hands(played)["dealer"] == "9D 7H 5D"
    assert phase(played.table) is Phase.COMMIT
    played.commit()
    assert played.net() == {"P1": -1000, "P2": -1000}


def test_a_hole_card_that_would_have_ended_the_round_makes_the_decisions_illegal() -> None:
    played = PlayedTable().ready().round(1).cards("TC KC 9D 5H").decide("stand")
    assert refused(played, CardValue(draw(played), parse_card("AH"))) == "decision-illegal"


def test_a_correction_stays_in_force_in_the_next_one() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D 9S")
    correct(played, CardValue(draw(played), parse_card("2S")))
    played.cards("5H 7H").decide("stand")
    correct(played, CardValue(draw(played), parse_card("8H")))
    assert hands(played) == {"seat1.hand1": "TC 2S", "seat2.hand1": "5C 5H", "dealer": "9D 8H"}


def test_a_card_cannot_be_corrected_into_one_copy_too_many() -> None:
    setup = replace(a_setup(), cut_position=20)
    setup = replace(setup, rules=replace(setup.rules, decks=2))
    played = PlayedTable(setup).ready().round(1, 2).cards("TC TC 9C")
    assert refused(played, CardValue(draw(played), parse_card("TC"))) == "too-many-copies"


def test_a_draw_of_another_round_is_no_card_to_correct() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C")
    assert refused(played, CardValue(draw(played, 3), parse_card("8C"))) == "unknown-draw"


def test_a_supervisor_says_code_and_words() -> None:
    played = suspended(PlayedTable().ready().round(1).cards("TC 9C"))
    change = (CardValue(draw(played), parse_card("8C")),)
    blank = ResolveIncident(played.table.incidents[0].number, WayOut.CORRECT, " ", "words", change)
    assert played.refused(blank, SUPERVISOR) == "reason-missing"
    assert played.refused(replace(blank, reason="code", text="\n"), SUPERVISOR) == "reason-missing"


@pytest.mark.parametrize(
    ("way", "changes"),
    [
        (WayOut.CORRECT, ()),
        (WayOut.MOVE, (OutOfPlay(3),)),
        (WayOut.OUT_OF_PLAY, (CardValue(3, DECK[0]),)),
        (WayOut.DRAW_NOW, (OutOfPlay(3),)),
        (WayOut.DEAD_HAND, (DeadHand(1), DeadHand(2))),
        (WayOut.DEAD_HAND, ()),
    ],
)
def test_a_way_out_takes_its_own_changes_only(way: WayOut, changes: tuple[Change, ...]) -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 9C")
    assert refused(played, *changes, way=way) == "wrong-changes"


def test_a_dealer_corrects_nothing_d13() -> None:
    played = suspended(PlayedTable().ready().round(1).cards("TC 9C"))
    command = ResolveIncident(1, WayOut.CORRECT, "x", "y", (CardValue(draw(played), parse_card("8C")),))
    assert played.refused(command, DEALER) == "not-a-way-out"


# Places: C01, C03 and C05


def test_c01_the_dealer_who_left_himself_out_takes_his_card_after_the_pass() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D")
    correct(played, Placed(draw(played), HandId(1, 1)), way=WayOut.MOVE)
    assert hands(played) == {"seat1.hand1": "TC 9D", "seat2.hand1": "5C", "dealer": ""}
    played.cards("6H 7H 8H")
    assert hands(played) == {"seat1.hand1": "TC 9D", "seat2.hand1": "5C 6H", "dealer": "7H 8H"}


def test_c01_later_draws_follow_to_the_places_that_are_due() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D 6H")
    correct(played, Placed(draw(played, 2), HandId(1, 1)), way=WayOut.MOVE)
    assert hands(played) == {"seat1.hand1": "TC 9D", "seat2.hand1": "5C 6H", "dealer": ""}


def test_c03_a_skipped_hand_gets_its_card_after_the_others() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D 6H")
    correct(played, Placed(draw(played), HandId(2, 1)), way=WayOut.MOVE)
    played.cards("7H")
    assert instruction(played.table).words == "Card to seat 1"
    played.cards("8H")
    assert hands(played) == {"seat1.hand1": "TC 8H", "seat2.hand1": "5C 6H", "dealer": "9D 7H"}
    assert phase(played.table) is Phase.DECISIONS


def test_c03_the_missing_card_can_be_drawn_now() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C")
    correct(played, way=WayOut.DRAW_NOW)
    assert instruction(played.table).words == "Card to dealer"


def test_c05_cards_that_were_laid_where_they_belong_change_nothing_but_players_are_told() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D")
    before = played.table.round
    correct(played, way=WayOut.MOVE)
    assert played.table.round == before
    assert [one.key for one in played.table.notices] == ["cards-moved"]


def test_a_card_cannot_be_placed_at_a_hand_that_was_owed_none() -> None:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C 9D 6H 7H 8H").decide("hit").cards("2S")
    assert refused(played, Placed(draw(played), HandId(2, 1)), way=WayOut.MOVE) == "no-card-owed"
    assert refused(played, Placed(draw(played), HandId(5, 1)), way=WayOut.MOVE) == "no-such-hand"


# Out of play (C09, C13)


def test_c09_a_boxed_card_is_put_out_of_play_and_the_next_one_replaces_it() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C")
    assert played.table.shoe is not None
    left = played.table.shoe.left
    correct(played, OutOfPlay(draw(played)), way=WayOut.OUT_OF_PLAY)
    assert played.table.shoe.left == left
    played.cards("8D")
    assert hands(played) == {"seat1.hand1": "TC", "dealer": "8D"}


def test_c13_a_card_that_the_dealer_no_longer_needs_is_burned_and_the_result_stands() -> None:
    played = PlayedTable().ready().round(1).cards("TC 6C 9D TH").decide("stand").cards("2H")
    correct(played, CardValue(draw(played, 2), parse_card("AH")))
    burned = [event for event in played.events if isinstance(event, RoundCorrected | CardBurned)]
    assert isinstance(burned[-1], RoundCorrected)
    assert hands(played)["dealer"] == "6C AH"
    assert phase(played.table) is Phase.COMMIT
    assert not played.table.loose


# Dead hand (C02, C04)


def test_c04_a_dead_hand_gets_every_bet_on_its_seat_back_and_the_round_goes_on() -> None:
    played = PlayedTable().ready().betting().bet(1).bet(2).bet(2, 500, "P1", BetKind.BEHIND)
    played.bet(2, 500, "P2", BetKind.PAIR).close().cards("TC 5C 9D 6H")
    before = played.table
    correct(played, DeadHand(2), way=WayOut.DEAD_HAND)
    (event,) = [one for one in played.events if isinstance(one, HandsDied)]
    moved = {(one.target, one.amount) for one in transfers(before, event)}
    assert moved == {("player:P2", 1000), ("player:P1", 500), ("player:P2", 500)}
    assert sum(bet.amount for bet in refunds(played.table)) == 1000
    assert instruction(played.table).words == "Card to dealer, face down"
    played.cards("7H").decide("stand").cards("8D").commit()
    assert played.net() == {"P1": 1000}


def test_a_round_of_which_the_last_hand_is_dead_is_over() -> None:
    played = PlayedTable().ready().round(1).cards("TC 5C")
    correct(played, DeadHand(1), way=WayOut.DEAD_HAND)
    assert phase(played.table) is Phase.IDLE
    assert played.refused(Suspend("x"), DEALER) == "forbidden"


def test_a_seat_without_a_hand_cannot_be_dead() -> None:
    played = PlayedTable().ready().round(1).cards("TC 5C")
    assert refused(played, DeadHand(3), way=WayOut.DEAD_HAND) == "no-such-hand"


# Re-scan (C07) and manual entry (D20)


def pass_over(played: PlayedTable, codes: str) -> None:
    for code in codes.split():
        played.wait(1).card(code)


def unread_then_another() -> PlayedTable:
    played = PlayedTable().ready().round(1, 2).cards("TC 5C")
    played.wait(1).no_read()
    played.cards("6H")
    assert played.kinds() == [AnomalyKind.NO_READ, AnomalyKind.CARD_BEFORE_TIME]
    return played


def test_c07_a_re_scan_fills_the_one_unread_card_and_the_next_takes_its_place() -> None:
    played = unread_then_another()
    shoe = played.table.shoe
    played.resolve(WayOut.REBUILD)
    assert instruction(played.table).words == "Pass card 1 of 4 over reader"
    pass_over(played, "TC 5C 9D 6H")
    assert not played.kinds()
    assert hands(played) == {"seat1.hand1": "TC 6H", "seat2.hand1": "5C", "dealer": "9D"}
    assert shoe is not None
    assert played.table.shoe is not None
    assert played.table.shoe.left == shoe.left
    played.cards("7D 8D")
    assert hands(played)["dealer"] == "9D 8D"


def test_c07_a_card_that_fails_in_the_re_scan_is_passed_again() -> None:
    played = unread_then_another()
    played.resolve(WayOut.REBUILD)
    pass_over(played, "TC")
    played.wait(1).sighting(Unreadable())
    pass_over(played, "5C 9D 6H")
    assert not played.kinds()


def test_c07_a_re_scan_that_differs_resumes_nothing_and_says_where() -> None:
    played = unread_then_another()
    played.resolve(WayOut.REBUILD)
    pass_over(played, "TC 4C 9D 6H")
    assert played.kinds() == [AnomalyKind.NO_READ, AnomalyKind.CARD_BEFORE_TIME]
    assert played.table.scan is not None
    assert played.table.scan.differing == (draw(played, 7),)
    played.resolve(WayOut.VOID)
    assert played.table.scan is None


def test_the_whole_table_is_scanned_and_compared_without_an_unread_card() -> None:
    played = suspended(PlayedTable().ready().round(1, 2).cards("TC 5C 9D"))
    played.resolve(WayOut.REBUILD)
    pass_over(played, "TC 5C 9D")
    assert not played.kinds()
    assert hands(played) == {"seat1.hand1": "TC", "seat2.hand1": "5C", "dealer": "9D"}


def test_d20_a_card_entered_by_the_dealer_counts_once_a_supervisor_co_signs() -> None:
    played = PlayedTable().ready().round(1).cards("TC")
    played.wait(1).no_read()
    enter = ResolveIncident(1, WayOut.ENTER, "unread", "torn", (CardValue(draw(played), parse_card("9C")),))
    played.do(enter, DEALER)
    assert hands(played)["dealer"] == ""
    played.do(ApproveProposal(1), SUPERVISOR)
    assert hands(played)["dealer"] == "9C"
    assert not played.kinds()
    assert played.table.round is not None
    assert played.table.round.entered == (draw(played),)


def test_d20_the_hands_say_which_card_was_entered_and_which_was_corrected() -> None:
    played = PlayedTable().ready().round(1).cards("TC KH 8D")
    played.wait(1).no_read()
    played.resolve(WayOut.ENTER, SUPERVISOR, CardValue(draw(played), parse_card("9C")))
    played.do(ApproveProposal(1), COLLEAGUE)
    view = table_view(played.table, played.now)
    assert view.dealer_hand.cards == ("KH", BACK)
    assert view.dealer_hand.marks == ("", "manual")
    assert view.seats[0].hands[0].marks == ()
    correct(played, CardValue(draw(played, 2), parse_card("TD")))
    view = table_view(played.table, played.now)
    assert view.seats[0].hands[0].cards == ("TC", "TD")
    assert view.seats[0].hands[0].marks == ("", "ruled")
    assert view.dealer_hand.marks == ("", "manual")


def test_d20_the_mark_of_a_card_goes_with_it_to_its_split_hand() -> None:
    played = PlayedTable().ready().round(1).cards("8C KH")
    played.wait(1).no_read()
    played.resolve(WayOut.ENTER, SUPERVISOR, CardValue(draw(played), parse_card("8D")))
    played.do(ApproveProposal(1), COLLEAGUE)
    played.cards("7C").decide("split").cards("3H")
    first, second = table_view(played.table, played.now).seats[0].hands
    assert (first.cards, first.marks) == (("8C", "3H"), ())
    assert (second.cards, second.marks) == (("8D",), ("manual",))


def test_d20_a_supervisors_entry_needs_another_supervisor() -> None:
    played = PlayedTable().ready().round(1).cards("TC")
    played.wait(1).no_read()
    played.resolve(WayOut.ENTER, SUPERVISOR, CardValue(draw(played), parse_card("9C")))
    assert played.refused(ApproveProposal(1), SUPERVISOR) == "same-person"
    assert played.refused(ApproveProposal(1), DEALER) == "forbidden"
    played.do(ApproveProposal(1), COLLEAGUE)
    assert hands(played)["dealer"] == "9C"


def test_a_deadline_that_stood_still_is_whole_for_a_question_that_only_the_correction_asks() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C 6D TH").decide("hit").cards("9H")
    assert phase(played.table) is Phase.COMMIT
    correct(played, CardValue(draw(played), parse_card("2H")))
    question = played.table.round.question if played.table.round else None
    assert question is not None
    allowance_ns = played.setup.allowances.decision_ms * 1_000_000
    assert question.deadline_ns == played.now.monotonic_ns + allowance_ns
    played.do(PassDeadline(), SYSTEM)
    assert played.table.round is not None
    assert played.table.round.question == question
