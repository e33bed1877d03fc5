"""The vote over frames (vision.md, part 6)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import DECK, Card
from vision.table.vote import ALIKE, OF, Ballot, Vote


def a_vote(cards: list[Card | None]) -> Vote:
    vote = Vote()
    for number, card in enumerate(cards):
        vote = vote.cast(Ballot(card, 0.9 if card else 0.0, "" if card else "low-confidence", number))
    return vote


few = st.sampled_from([None, *DECK[:3]])


@given(st.lists(few, max_size=12))
def test_a_card_wins_only_where_no_reading_ever_said_another(cards: list[Card | None]) -> None:
    vote = a_vote(cards)
    read = {one for one in cards if one is not None}
    if vote.winner is not None:
        assert read == {vote.winner}
        assert sum(one is not None for one in cards[-OF:]) >= ALIKE
    elif len(read) == 1:
        assert sum(one is not None for one in cards[-OF:]) < ALIKE


@given(st.lists(few, min_size=1, max_size=12))
def test_without_a_winner_there_is_a_reason(cards: list[Card | None]) -> None:
    vote = a_vote(cards)
    assert (vote.winner is None) <= bool(vote.reason)


def test_confidence_is_that_of_the_least_sure_reading_and_the_frames_are_named() -> None:
    vote = Vote()
    for number, sure in enumerate((0.99, 0.91, 0.95), start=7):
        vote = vote.cast(Ballot(DECK[0], sure, "", number))
    assert (vote.winner, vote.confidence, vote.frames) == (DECK[0], 0.91, (7, 8, 9))
