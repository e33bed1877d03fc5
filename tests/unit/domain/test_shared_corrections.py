"""Corrections, revisions and previews of the shared hand: everybody has cards of their own on the same line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.tables import COLLEAGUE, SUPERVISOR, PlayedTable, RefusedError, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import BetKind
from studio.domain.cards import DECK, parse_card
from studio.domain.changes import CardValue, Change, OutOfPlay, Placed
from studio.domain.commands import ResolveIncident, Suspend, VoidRound
from studio.domain.correction_commands import ApproveProposal, ReviseRound, Settled
from studio.domain.correction_views import Preview
from studio.domain.events import CardDealt, RoundRevised, RoundSettled
from studio.domain.phases import Phase, expected_slot, is_insurance_open, legal_actions, phase
from studio.domain.player_projection import player_view
from studio.domain.preview import preview
from studio.domain.projections import supervisor_view, table_view
from studio.domain.shared_commands import Choosing, DecideAll, InsureAll, Insuring
from studio.domain.slots import HandId
from studio.domain.table import Table
from studio.ports.journal import Recorded
from studio.runtime.settled_rounds import settled_round

OPERATOR = player("operator")
NAMES = ("anna", "ben", "cleo")
STAKES = {"anna": 1000, "ben": 600, "cleo": 2000}


class SharedTable(PlayedTable):
    """A table of the shared hand; each event is kept as the journal would."""

    def __init__(self) -> None:
        super().__init__(a_setup(load_variant("infinite")))
        self.journal: list[Recorded] = []

    def try_do(self, command: object, actor: object) -> Decided | Rejected:
        before = len(self.events)
        answer = super().try_do(command, actor)  # type: ignore[arg-type]
        for sequence, event in enumerate(self.events[before:], start=before + 1):
            self.journal.append(Recorded("t1", sequence, self.now, OPERATOR, "test", event, b""))
        return answer

    def choose(self, **actions: str) -> None:
        """Answer the open window."""
        question = self.table.open_round.question
        assert question is not None
        choices = tuple(Choosing(name, Action(action), funded=True) for name, action in actions.items())
        answer = self.try_do(DecideAll(question.number, choices), OPERATOR)
        assert isinstance(answer, Decided)
        assert not any(answer.items), answer.items

    def settled(self) -> Settled:
        """Return the round settled last, as the shell reads it back."""
        begin = max(at for at, one in enumerate(self.journal) if type(one.event).__name__ == "BettingOpened")
        found = settled_round(self.setup, self.journal[begin:], self.now)
        assert found is not None
        return found

    def revise(self, *changes: Change) -> RoundRevised:
        """Propose a revision of the round settled last and have a colleague approve it."""
        settled = self.settled()
        self.do(ReviseRound(self.table.rounds, changes, "misread", "as the still shows", settled), SUPERVISOR)
        (proposal,) = self.table.proposals
        events = self.do(ApproveProposal(proposal.number, settled), COLLEAGUE)
        (revised,) = (one for one in events if isinstance(one, RoundRevised))
        return revised

    def drawn(self, code: str) -> int:
        """Return the draw that was dealt as this card last."""
        return [one.draw for one in self.events if isinstance(one, CardDealt) and one.card.code == code][-1]


def a_shared_round(cards: str, kind: BetKind | None = None) -> SharedTable:
    """Deal the shared hand to three players; each has a side bet of 100 besides where ``kind`` is given."""
    played = SharedTable()
    played.ready().betting()
    for name, stake in STAKES.items():
        played.bet(1, stake, name)
        if kind is not None:
            played.bet(1, 100, name, kind)
    played.close().cards(cards)
    return played


def stop(played: SharedTable) -> int:
    played.do(Suspend("looks wrong"), SUPERVISOR)
    found = played.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    assert found is not None
    return found.number


def correcting(played: SharedTable, *changes: Change, way: WayOut = WayOut.CORRECT) -> ResolveIncident:
    return ResolveIncident(stop(played), way, "misread", "as the still shows", changes)


def moved(revised: RoundRevised) -> dict[str, int]:
    return dict(zip(revised.players, revised.amounts, strict=True))


def each_kept_their_own() -> SharedTable:
    """Anna stands on 9, Ben doubles into 11, Cleo draws to 19; the dealer has 17."""
    played = a_shared_round("5C 6H 4D TD")
    played.choose(anna="stand", ben="double", cleo="hit")
    played.cards("2C")
    played.choose(cleo="hit")
    played.cards("8S")
    played.choose(cleo="stand")
    played.cards("AS").commit()
    assert played.net() == {"anna": -1000, "ben": -1200, "cleo": 2000}
    return played


# Revisions


def test_c08_i2_a_card_that_one_player_kept_and_another_did_not_is_revised_for_those_who_kept_it() -> None:
    """The line's last card is Cleo's alone: with a five she has 16 and loses to the 17."""
    played = each_kept_their_own()
    assert moved(played.revise(CardValue(played.drawn("8S"), parse_card("5S")))) == {"cleo": -4000}


def test_c08_i2_a_card_that_two_players_kept_is_revised_for_both() -> None:
    """With a nine instead of the two Ben's double makes 18 and Cleo's hand 20, against 17."""
    played = a_shared_round("5C 6H 4D TD")
    played.choose(anna="stand", ben="double", cleo="hit")
    played.cards("2C")
    played.choose(cleo="hit")
    played.cards("2S")
    played.choose(cleo="stand")
    played.cards("AS").commit()
    assert played.net() == {"anna": -1000, "ben": -1200, "cleo": -2000}
    assert moved(played.revise(CardValue(played.drawn("2C"), parse_card("9C")))) == {"ben": 2400, "cleo": 4000}


def test_c08_the_dealers_card_is_everybodys() -> None:
    """A 19 instead of the 17 changes nothing for who lost; a bust pays all."""
    played = each_kept_their_own()
    assert moved(played.revise(CardValue(played.drawn("AS"), parse_card("TS")))) == {"anna": 2000, "ben": 2400}


def test_c08_a_revision_that_would_have_needed_another_card_has_no_result() -> None:
    """With a sixteen the dealer would have drawn."""
    played = each_kept_their_own()
    settled = played.settled()
    changed = (CardValue(played.drawn("TD"), parse_card("5D")),)
    with pytest.raises(RefusedError, match="cards-missing"):
        played.do(ReviseRound(1, changed, "x", "y", settled), SUPERVISOR)


def test_c08_i3_a_card_of_a_split_line_is_revised_for_who_split_and_only_on_that_line() -> None:
    played = a_shared_round("8C 6H 8D TD")
    played.choose(anna="split", ben="stand", cleo="surrender")
    # Second cards to both lines, nobody is on the unsplit one any more.
    played.cards("TC 9C")
    played.choose(anna="stand")
    played.choose(anna="stand")
    played.cards("AS").commit()
    # 18 and 17 against 17; sixteen lost; half of two thousand came back.
    assert played.net() == {"anna": 1000, "ben": -600, "cleo": -1000}
    revised = played.revise(CardValue(played.drawn("9C"), parse_card("TC")))
    assert moved(revised) == {"anna": 1000}
    kinds = {(one.player, one.kind): one.returned for one in revised.results}
    assert kinds["anna", BetKind.MAIN] == kinds["anna", BetKind.SPLIT] == 2000
    assert kinds["cleo", BetKind.MAIN] == 1000


def test_c08_r11_who_surrendered_before_has_given_up_whatever_the_cards_were() -> None:
    played = a_shared_round("TC 6H 6D TD")
    played.choose(anna="surrender", ben="stand", cleo="stand")
    played.cards("9C").commit()
    assert played.net() == {"anna": -500, "ben": 600, "cleo": 2000}
    revised = played.revise(CardValue(played.drawn("9C"), parse_card("AC")))
    assert moved(revised) == {"ben": -1200, "cleo": -4000}


def test_c08_side_bets_on_the_shared_hand_follow_the_right_card_too() -> None:
    played = a_shared_round("TC 6H 6D TD", BetKind.PAIR)
    played.choose(anna="stand", ben="stand", cleo="stand")
    played.cards("9C").commit()
    revised = played.revise(CardValue(played.drawn("6D"), parse_card("TC")))
    # A perfect pair pays 30 to 1; with twenty the hands win as before against a bust.
    assert moved(revised) == dict.fromkeys(NAMES, 31 * 100)


def test_c08_r3_insurance_that_was_taken_is_revised_with_the_hole_card() -> None:
    """The peek would have ended the round: what was decided after it cannot have been, and only a void is left."""
    played = a_shared_round("TC AH 9D 5D")
    answers = tuple(Insuring(name, take=name == "anna", funded=True) for name in NAMES)
    assert isinstance(played.try_do(InsureAll(answers), OPERATOR), Decided)
    played.choose(anna="stand", ben="stand", cleo="stand")
    played.cards("2C").commit()
    assert played.net()["anna"] == 1000 - 500
    settled = played.settled()
    natural = (CardValue(played.drawn("5D"), parse_card("KD")),)
    with pytest.raises(RefusedError, match="decision-illegal"):
        played.do(ReviseRound(1, natural, "x", "y", settled), SUPERVISOR)


def test_a_second_revision_of_the_shared_hand_starts_from_the_first_ones_results() -> None:
    played = each_kept_their_own()
    last = played.drawn("8S")
    assert moved(played.revise(CardValue(last, parse_card("5S")))) == {"cleo": -4000}
    assert moved(played.revise(CardValue(last, parse_card("6S")))) == {"cleo": 2000}
    assert moved(played.revise(CardValue(last, parse_card("8S")))) == {"cleo": 2000}


def test_each_player_is_told_what_a_revision_moved_for_them_alone() -> None:
    played = each_kept_their_own()
    played.revise(CardValue(played.drawn("AS"), parse_card("TS")))
    told = {name: [one.amount for one in player_view(played.table, name, 0, played.now).notices] for name in NAMES}
    assert told == {"anna": [2000], "ben": [2400], "cleo": []}
    assert table_view(played.table, played.now).notices == ()


# A second course of the same round as the oracle


def course(cards: Iterator[str], wishes: list[list[Action]]) -> SharedTable | None:
    """Play a round by cards and wishes, ``None`` where it does not come to its end with them."""
    played = a_shared_round("")
    windows = iter(wishes)
    while played.table.results is None:
        current = played.table.open_round
        if played.table.is_stopped:
            return None
        if is_insurance_open(current):
            played.do(InsureAll(tuple(Insuring(name, take=True, funded=True) for name in NAMES)), OPERATOR)
        elif current.question is not None:
            asked = next(windows, None)
            hand = current.hand(current.question.hand)
            legal = legal_actions(played.setup.rules, current, hand)
            choices = tuple(
                Choosing(name, wish if wish in legal else Action.STAND, funded=True)
                for name, wish in zip(NAMES, asked or [Action.STAND] * len(NAMES), strict=True)
            )
            played.do(DecideAll(current.question.number, choices), OPERATOR)
        elif expected_slot(played.setup.rules, current) is not None:
            code = next(cards, None)
            if code is None:
                return None
            played.cards(code)
        elif phase(played.table) is Phase.COMMIT:
            played.commit()
        else:
            return None
    return played


def path(played: SharedTable) -> list[str]:
    """Return what happened, cards' faces and money aside."""
    return [
        f"{type(one).__name__} {getattr(one, 'slot', '')} {getattr(one, 'actions', '')}" for one in played.events
    ]


codes = st.sampled_from([card.code for card in DECK])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    cards=st.lists(codes, min_size=5, max_size=16),
    wishes=st.lists(st.lists(st.sampled_from(Action), min_size=3, max_size=3), max_size=6),
    place=st.integers(0, 15),
    right=codes,
)
def test_a_revision_gives_the_results_that_the_right_card_would_have_given(
    cards: list[str], wishes: list[list[Action]], place: int, right: str
) -> None:
    """Where the round would have gone the same way; else there is a result by the cards as they lay, or none."""
    played = course(iter(cards), wishes)
    if played is None:
        return
    dealt = [one for one in played.events if isinstance(one, CardDealt)]
    wrong = dealt[place % len(dealt)]
    truth = [*cards]
    truth[place % len(dealt)] = right
    other = course(iter(truth), wishes)
    settled = played.settled()
    command = ReviseRound(1, (CardValue(wrong.draw, parse_card(right)),), "misread", "looked again", settled)
    answer = played.try_do(command, SUPERVISOR)
    if other is None or path(other) != path(played):
        return
    assert isinstance(answer, Decided), answer
    played.do(ApproveProposal(1, settled), COLLEAGUE)
    assert played.table.results == other.table.results
    (wanted,) = (one.results for one in other.events if isinstance(one, RoundSettled))
    (revised,) = (one for one in played.events if isinstance(one, RoundRevised))
    assert revised.results == wanted
    assert moved(revised) == {
        name: amount for name in NAMES if (amount := other.net().get(name, 0) - net(settled).get(name, 0))
    }


def net(settled: Settled) -> dict[str, int]:
    won: dict[str, int] = {}
    for one in settled.results:
        won[one.player] = won.get(one.player, 0) + one.returned - one.stake
    return won


# Previews


def shown(played: SharedTable, command: ResolveIncident | VoidRound | ReviseRound) -> Preview:
    before: Table = played.table
    found = preview(played.table, command, SUPERVISOR, played.now)
    assert played.table == before
    return found


def sums(seen: Preview) -> dict[str, tuple[int, int, int | None, int | None]]:
    assert {(one.player, one.seat) for one in seen.money} <= {("", 1)}
    return {one.kind: (one.staked_before, one.staked_after, one.back_before, one.back_after) for one in seen.money}


def test_s6_a_void_of_the_shared_hand_is_previewed_as_sums_by_kind_there_may_be_very_many_players() -> None:
    played = a_shared_round("8C 6H 8D TD", BetKind.PAIR)
    played.choose(anna="split", ben="double", cleo="stand")
    seen = shown(played, VoidRound("misdeal", "card on the floor"))
    assert sums(seen) == {
        "main": (1000 + 1200 + 2000, 0, None, 4200),
        "split": (1000, 0, None, 1000),
        "pair": (300, 0, None, 300),
    }
    assert (seen.staked_before, seen.staked_after, seen.refund_total) == (5500, 0, 5500)
    played.do(VoidRound("misdeal", "card on the floor"), SUPERVISOR)
    assert supervisor_view(played.table, played.now, "2026-01-01").refund_total == 0


def test_s5_a_correction_of_the_shared_hand_shows_every_line_before_and_after() -> None:
    played = a_shared_round("8C 6H 8D TD")
    played.choose(anna="split", ben="stand", cleo="stand")
    played.cards("TC 9C")
    seen = shown(played, correcting(played, CardValue(played.drawn("9C"), parse_card("KC"))))
    assert seen.lawful
    lines = {one.hand: one for one in seen.hands if one.seat == 1}
    assert {number: (one.before and one.before.cards, one.changed) for number, one in lines.items()} == {
        1: (("8C", "8D"), False),
        2: (("8C", "TC"), False),
        3: (("8D", "9C"), True),
    }
    after = lines[3].after
    assert after is not None
    assert (after.cards, after.total) == (("8D", "KC"), "18")
    assert seen.staked_before == seen.staked_after == 1000 * 2 + 600 + 2000


def test_s5_at_the_result_a_correction_shows_what_comes_back_by_kind_and_does_just_that() -> None:
    played = a_shared_round("TC 6H 6D TD")
    played.choose(anna="surrender", ben="stand", cleo="stand")
    played.cards("9C")
    assert phase(played.table) is Phase.COMMIT
    command = correcting(played, CardValue(played.drawn("9C"), parse_card("AC")))
    seen = shown(played, command)
    assert sums(seen) == {"main": (3600, 3600, 500 + 1200 + 4000, 500)}
    played.do(command, SUPERVISOR)
    played.commit()
    assert played.net() == {"anna": -500, "ben": -600, "cleo": -2000}


def test_s5_a_decision_that_rests_on_the_wrong_card_leaves_only_the_void_on_the_shared_hand_too() -> None:
    played = a_shared_round("TC 6H 6D TD")
    played.choose(anna="stand", ben="stand", cleo="stand")
    seen = shown(played, correcting(played, CardValue(played.drawn("6D"), parse_card("5D"))))
    assert (seen.lawful, seen.code) == (False, "rests-on-wrong-value")
    assert all(not one.changed for one in seen.hands)


@pytest.mark.parametrize(
    "change",
    [
        lambda played: OutOfPlay(played.drawn("2C")),
        lambda played: Placed(played.drawn("2C"), HandId(1, 2)),
    ],
    ids=["out of play", "no such line"],
)
def test_a_card_of_the_line_cannot_be_taken_from_under_those_who_decided_on_it(
    change: Callable[[SharedTable], Change],
) -> None:
    played = a_shared_round("5C 6H 4D TD")
    played.choose(anna="stand", ben="stand", cleo="hit")
    played.cards("2C")
    played.choose(cleo="stand")
    seen = shown(played, correcting(played, change(played)))
    assert not seen.lawful


def test_a_card_out_of_play_on_the_line_is_replaced_by_the_next_for_all_who_asked() -> None:
    played = a_shared_round("5C 6H 4D TD")
    played.choose(anna="double", ben="stand", cleo="double")
    played.cards("2C")
    command = correcting(played, OutOfPlay(played.drawn("2C")), way=WayOut.OUT_OF_PLAY)
    assert shown(played, command).lawful
    played.do(command, SUPERVISOR)
    played.cards("TS AS").commit()
    assert played.net() == {"anna": 2000, "ben": -600, "cleo": 4000}


def test_c08_a_revision_of_the_shared_hand_is_previewed_as_sums_by_kind_and_tells_what_moves() -> None:
    played = each_kept_their_own()
    command = ReviseRound(
        1, (CardValue(played.drawn("AS"), parse_card("TS")),), "misread", "as it was", played.settled()
    )
    seen = shown(played, command)
    assert seen.lawful
    assert seen.needs_second
    assert sums(seen) == {"main": (4200, 4200, 4000, 2000 + 2400 + 4000)}
    assert seen.refund_total == 4400
    dealer = next(one for one in seen.hands if one.seat == 0)
    assert dealer.after is not None
    assert dealer.after.cards == ("6H", "TD", "TS")
