"""No view tells a card that nobody saw: not by its code, not by a total, a count or a word (principle 7, D19)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.hidden_pairs import Pair
from support.tables import SUPERVISOR, PlayedTable

from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import DECK, Card, Rank, parse_card
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import ResolveIncident, Suspend
from studio.domain.order_evidence import Runs, lengthened
from studio.domain.phases import Phase, is_insurance_open, phase
from studio.domain.projections import dealer_view

VARIANTS = ("deluxe", "infinite", "european", "continuous")
SAFE = [card for card in DECK if card.value < 10 and card.rank is not Rank.ACE]
"""Cards that make no natural of an ace or a ten: nothing is told by the peek."""
TELLING = {AnomalyKind.ORDER_NOT_RANDOM, AnomalyKind.IMPOSSIBLE_COPY, AnomalyKind.DUPLICATE_READ}
"""Alarms that must be raised at once although they tell something of a hidden card."""
STEPS = ("deal", "deal", "deal", "deal", "answer", "answer", "preview", "correct", "extra")

hidden = st.lists(st.sampled_from(SAFE), min_size=2, max_size=2, unique=True).map(lambda two: (two[0], two[1]))


def changes(data: st.DataObject, pair: Pair) -> tuple[tuple[WayOut, tuple[Change, ...]], ...]:
    current = pair.round
    draws = [one.draw for one in current.draws]
    draw = data.draw(st.sampled_from(draws), label="draw")
    hands = [None, *(hand.id for hand in current.hands)]
    hand = data.draw(st.sampled_from(hands), label="hand")
    card = data.draw(st.sampled_from(DECK), label="card")
    return (
        (WayOut.CORRECT, (CardValue(draw, card),)),
        (WayOut.MOVE, (Placed(draw, hand),)),
        (WayOut.OUT_OF_PLAY, (OutOfPlay(draw),)),
        (WayOut.DEAD_HAND, (DeadHand(current.hands[0].id.seat),)),
        (WayOut.DRAW_NOW, ()),
    )


def step(data: st.DataObject, pair: Pair) -> None:
    table = pair.one.table
    match data.draw(st.sampled_from(STEPS), label="step"):
        case "deal" if pair.is_due and not table.is_stopped:
            pair.deal((data.draw(st.sampled_from(DECK)), data.draw(st.sampled_from(SAFE))))
        case "extra" if not pair.is_due and not table.is_stopped:
            pair.deal(data.draw(hidden))
            held = pair.one.table.find_incident(AnomalyKind.EXTRA_CARD)
            if held is not None:
                pair.same()
                pair.do(ResolveIncident(held.number, WayOut.BURN, "x", "y"), SUPERVISOR)
        case "answer" if pair.is_asking and not table.is_stopped:
            pair.answer(data.draw(st.sampled_from(Action)))
        case "preview" | "correct" as kind if pair.round.draws and pair.round.hands:
            correct(data, pair, only_shown=kind == "preview")
        case _:
            pass


def correct(data: st.DataObject, pair: Pair, *, only_shown: bool) -> None:
    if not pair.one.table.is_stopped:
        pair.do(Suspend("looks wrong"), SUPERVISOR)
    stop = pair.one.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    if stop is None:
        return
    # Each way out is looked at, or one of them taken.
    for way, changed in data.draw(st.permutations(changes(data, pair)))[: 5 if only_shown else 1]:
        command = ResolveIncident(stop.number, way, "x", "as the still shows", changed)
        one, other = pair.previews(command)
        assert one == other
        if not only_shown:
            first, second = pair.do(command, SUPERVISOR)
            assert first == second
    if only_shown:
        pair.do(ResolveIncident(stop.number, WayOut.GO_ON, "x", "it was right"), SUPERVISOR)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_tables_that_differ_in_hidden_cards_alone_look_alike_also_after_corrections(
    variant: str, data: st.DataObject
) -> None:
    seats = data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=3, unique=True))
    pair = Pair(variant, seats, data.draw(hidden))
    for _ in range(data.draw(st.integers(4, 24))):
        step(data, pair)
        if pair.one.table.round is None or pair.is_open:
            return
        if {one.kind for played in pair.tables for one in played.table.incidents} & TELLING:
            return
        pair.same()


# By name: what the pairs above found, and what they cannot reach


def pair_of(one: str, other: str, cards: str, seats: list[int]) -> Pair:
    """Return a pair in mid-deal whose cards that come face down are ``one`` and ``other``."""
    pair = Pair("deluxe", seats, (parse_card("2C"), parse_card("3C")))
    for code in cards.split():
        pair.deal((parse_card(one if code == "??" else code), parse_card(other)))
    return pair


def stopped(pair: Pair) -> int:
    pair.do(Suspend("looks wrong"), SUPERVISOR)
    stop = pair.one.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    assert stop is not None
    return stop.number


def test_the_shuffles_evidence_counts_no_run_through_a_card_that_nobody_saw_until_it_is_turned() -> None:
    """C18, S13: a run that grows with the hole card would name it."""
    pair = pair_of("6D", "9S", "TC 9H 5D ??", [1])
    evidence = [played.views()["supervisor"]["shoe_page"]["evidence"] for played in pair.tables]
    assert evidence[0] == evidence[1]
    assert evidence[0]["sorted_run"] == 1
    pair.one.decide("stand")
    assert pair.one.table.open_round.hole_revealed
    assert pair.one.views()["supervisor"]["shoe_page"]["evidence"]["sorted_run"] == 2


@given(st.lists(st.sampled_from(DECK[:6]), min_size=4, max_size=24), st.data())
def test_the_runs_that_may_be_shown_are_those_of_the_cards_that_were_seen_whenever_they_were(
    cards: list[Card], data: st.DataObject
) -> None:
    played = PlayedTable().ready("AS 2C")
    earlier = bytes(card.index for card in data.draw(st.permutations(DECK[:6])))
    played.table = played.table._replace(life=played.table.life._replace(earlier=earlier))
    played.round(1)
    for card in cards:
        current = played.table.round
        if played.table.is_stopped or current is None or phase(played.table) is Phase.COMMIT:
            break
        if current.question is not None:
            played.decide("hit")
        elif not is_insurance_open(current):
            played.cards(card.code)
        else:
            played.time_out()
    life = played.table.life
    runs = Runs()
    for end in range(1, len(life.open_order) + 1):
        runs = lengthened(runs, life.open_order[:end], earlier)
    assert life.open_runs == runs


def test_a_burned_card_that_nobody_saw_is_in_no_figure_of_the_evidence() -> None:
    played = PlayedTable().ready("AS 2S")
    assert (played.table.life.runs.longest_sorted, played.table.life.open_runs.longest_sorted) == (2, 1)


@pytest.mark.parametrize("held", ["9D", "5H"])
def test_a_card_that_was_held_back_is_evidence_once_it_lies_open(held: str) -> None:
    played = PlayedTable().ready().betting()
    played.bet(1).card("4H")
    played.resolve(WayOut.USE_NEXT)
    before = played.table.life.open_order
    played.close()
    assert before[-1] != played.table.life.open_order[-1] == parse_card("4H").index
    played.wait(1).card(held)
    assert played.table.life.open_runs.longest_sorted == (2 if held == "5H" else 1)


def test_a_preview_does_not_say_by_a_backs_place_that_the_hidden_card_has_the_code_of_another_one() -> None:
    """S8: of two equal codes in a hand the hidden one cannot be told by where its back stands."""
    pair = pair_of("5D", "7D", "TC 9C 5D ??", [1])
    first = pair.round.draws[0].draw
    number = stopped(pair)
    one, other = pair.previews(
        ResolveIncident(number, WayOut.OUT_OF_PLAY, "x", "it lies aside", (OutOfPlay(first),))
    )
    assert one == other
    assert "??" in str(one["hands"])


@pytest.mark.parametrize("wish", [Action.HIT])
def test_a_preview_does_not_say_by_the_phase_what_a_hidden_card_would_make_of_a_hand(wish: Action) -> None:
    """S8: with a five the hand goes on, with a nine it is bust."""
    pair = pair_of("5D", "9D", "TC 9C 7D ??", [1])
    pair.answer(wish)
    hole, hand = pair.round.draws[3].draw, pair.round.hands[0].id
    number = stopped(pair)
    changed = (OutOfPlay(pair.round.draws[2].draw), Placed(hole, hand))
    one, other = pair.previews(ResolveIncident(number, WayOut.CORRECT, "x", "as the still shows", changed))
    assert one == other


def test_a_preview_does_not_say_by_a_turned_hole_card_that_a_hidden_card_makes_a_natural() -> None:
    """S8: the seat's ace lies at the dealer's, the hole card at the seat; with a queen the round is over."""
    pair = pair_of("QH", "4H", "AC 8D AD ??", [1])
    moved = (Placed(pair.round.draws[2].draw, None),)
    one, other = pair.previews(ResolveIncident(stopped(pair), WayOut.MOVE, "x", "as the still shows", moved))
    assert one["lawful"]
    assert one == other


def test_a_preview_does_not_say_whether_the_dealer_would_have_a_natural() -> None:
    """R4, S8: under a ten the peek would tell whether the hole card is an ace."""
    pair = pair_of("AD", "5D", "TC 9C 7D ??", [1])
    up = pair.round.draws[1].draw
    number = stopped(pair)
    ten = (CardValue(up, parse_card("TD")),)
    one, other = pair.previews(ResolveIncident(number, WayOut.CORRECT, "x", "as the still shows", ten))
    assert one == other
    assert (one["phase_after"], one["next_step"]) == ("", "It rests on a card that nobody sees")


def test_a_dead_hands_cards_stay_named_and_say_nothing_of_a_hole_card_with_the_code_of_one_of_them() -> None:
    pair = pair_of("TH", "4S", "TH 9C 5S 7D 3D ??", [1, 2])
    answers = pair.do(
        ResolveIncident(stopped(pair), WayOut.DEAD_HAND, "x", "mixed up", (DeadHand(1),)), SUPERVISOR
    )
    assert answers == ["accepted"] * 2
    pair.same()
    draws = pair.one.views()["supervisor"]["rulings"]["draws"]
    assert [one["card"] for one in draws] == ["TH", "9C", "5S", "7D", "3D", "??"]


def test_a_hole_card_that_only_the_scan_of_the_felt_read_is_burned_face_down() -> None:
    """Nobody saw it: out of play it is a back among the last cards, and no copy that everybody knows."""
    played = PlayedTable().ready().round(1).cards("TC 9C 7D")
    played.wait(1).no_read()
    played.do(Suspend("looks wrong"), SUPERVISOR)
    stop = played.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    assert stop is not None
    played.do(ResolveIncident(stop.number, WayOut.REBUILD, "x", "read them all"), SUPERVISOR)
    for code in ("TC", "9C", "7D", "5S"):
        played.wait(1).card(code)
    assert not played.table.is_stopped
    hole = played.table.open_round.draws[3]
    assert hole.card == parse_card("5S")
    played.do(Suspend("looks wrong"), SUPERVISOR)
    played.resolve(WayOut.OUT_OF_PLAY, SUPERVISOR, OutOfPlay(hole.draw))
    assert_unseen(played, "5S")


def test_a_hole_card_that_nobody_could_read_is_burned_face_down_with_the_value_that_a_supervisor_gives_it() -> (
    None
):
    played = PlayedTable().ready().round(1).cards("TC 9C 7D")
    played.wait(1).no_read()
    played.do(Suspend("looks wrong"), SUPERVISOR)
    stop = played.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    assert stop is not None
    unread = played.table.loose[0].number
    aside = (CardValue(unread, parse_card("5S")), OutOfPlay(unread))
    played.do(ResolveIncident(stop.number, WayOut.CORRECT, "x", "it fell", aside), SUPERVISOR)
    assert played.table.recent[-1].place == "Burned"
    assert_unseen(played, "5S")


def assert_unseen(played: PlayedTable, code: str) -> None:
    """Fail where a console shows the card, or counts it among those that everybody saw."""
    assert code not in str(dealer_view(played.table, played.now, "2026-01-01"))
    assert played.table.life.shown[parse_card(code).index] == 0
