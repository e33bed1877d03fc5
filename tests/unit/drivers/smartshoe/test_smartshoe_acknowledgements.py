from __future__ import annotations

from drivers.smartshoe.acknowledgements import Acknowledgements


def test_a_copy_is_acknowledged_at_once_only_after_the_first_was() -> None:
    acks = Acknowledgements()
    acks.opened("card 1", 0x5A, 1, 1)
    assert acks.repeated("card 1", 0x5A, 1) is False
    assert acks.acknowledged(0x5A, 1) == (0x5A, 1)
    assert acks.repeated("card 1", 0x5A, 1) is True


def test_the_newest_copy_is_the_one_acknowledged() -> None:
    acks = Acknowledgements()
    acks.opened("card 1", 0x5A, 9, 1)
    acks.repeated("card 1", 0x77, 1)
    assert acks.acknowledged(0x5A, 9) == (0x77, 1)


def test_what_is_not_remembered_is_acknowledged_as_it_came() -> None:
    assert Acknowledgements().acknowledged(0x5A, 4) == (0x5A, 4)


def test_it_knows_whether_the_reader_owes_something_before_a_card() -> None:
    acks = Acknowledgements()
    acks.opened("card 5", 0x5A, 1, 5)
    assert not acks.owes_before(5)
    assert acks.owes_before(6)
    acks.acknowledged(0x5A, 1)
    assert not acks.owes_before(6)
    acks.opened("hello", 0x5A, 0, None)
    assert acks.owes_before(1)


def test_it_knows_which_copies_were_acknowledged() -> None:
    acks = Acknowledgements()
    acks.opened("card 1", 0x5A, 9, 1)
    acks.repeated("card 1", 0x77, 1)
    assert not acks.is_acknowledged(0x77, 1)
    acks.acknowledged(0x5A, 9)
    assert acks.is_acknowledged(0x77, 1)
    assert not acks.is_acknowledged(0x77, 2)


def test_a_new_load_has_new_identities_and_old_copies_can_still_be_acknowledged() -> None:
    acks = Acknowledgements()
    acks.opened("card 1", 0x5A, 1, 1)
    acks.begin_load()
    assert not acks.knows("card 1")
    assert acks.acknowledged(0x5A, 1) == (0x5A, 1)


def test_it_remembers_a_bounded_number_of_copies() -> None:
    acks = Acknowledgements()
    for number in range(5000):
        acks.opened(("event", number % 3), number % 256, number % 251, None)
    assert len(acks._by_copy) <= 512
