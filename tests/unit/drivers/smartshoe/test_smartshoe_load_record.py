from __future__ import annotations

from drivers.smartshoe.load_record import LoadRecord, Verdict, spans_of

EIGHT, KING, NO_CARD = 0x38, 0x4D, 0x5F


def test_the_first_word_on_an_ordinal_is_new_and_the_same_word_again_a_repeat() -> None:
    record = LoadRecord(7, next_ordinal=1)
    assert record.judge(1, EIGHT) is Verdict.NEW
    assert record.judge(1, EIGHT) is Verdict.REPEAT
    assert record.next_ordinal == 2


def test_the_card_of_an_unread_or_unknown_ordinal_is_new() -> None:
    for first in (None, NO_CARD):
        record = LoadRecord(7, next_ordinal=1)
        record.judge(1, first)
        assert record.judge(1, KING) is Verdict.NEW
        assert record.judge(1, first) is Verdict.REPEAT
        assert record.judge(1, KING) is Verdict.REPEAT


def test_another_card_under_the_same_ordinal_is_a_conflict_told_once() -> None:
    record = LoadRecord(7, next_ordinal=1)
    record.judge(1, EIGHT)
    assert record.judge(1, KING) is Verdict.CONFLICT
    assert record.judge(1, KING) is Verdict.REPEAT
    assert record.judge(1, EIGHT) is Verdict.REPEAT


def test_what_the_journal_held_before_is_said_to_be_so() -> None:
    record = LoadRecord(7, journalled=5, next_ordinal=6)
    assert record.judge(5, EIGHT) is Verdict.JOURNALLED
    assert record.judge(5, EIGHT) is Verdict.REPEAT
    assert record.next_ordinal == 6


def test_a_gap_is_missing_until_it_comes_or_is_abandoned() -> None:
    record = LoadRecord(7, journalled=1, next_ordinal=2)
    assert record.skip_to(5) == range(2, 5)
    record.judge(5, EIGHT)
    record.judge(3, EIGHT)
    assert record.missing == {2, 4}
    assert record.abandon() == (range(2, 3), range(4, 5))
    assert record.reach(5) == ()
    assert record.judge(4, KING) is Verdict.NEW


def test_the_first_ordinal_of_an_unknown_load_is_no_gap() -> None:
    record = LoadRecord()
    assert not record.skip_to(312)
    assert record.next_ordinal == 312


def test_reaching_a_count_tells_all_that_is_lacking() -> None:
    record = LoadRecord(7, journalled=2, next_ordinal=3)
    record.judge(5, EIGHT)
    assert record.reach(7) == (range(3, 5), range(6, 8))
    assert record.missing == {3, 4, 6, 7}
    assert record.next_ordinal == 8
    assert record.reach(1) == ()


def test_spans_are_the_fewest() -> None:
    assert spans_of({9, 1, 2, 3, 5}) == (range(1, 4), range(5, 6), range(9, 10))
    assert spans_of(()) == ()
