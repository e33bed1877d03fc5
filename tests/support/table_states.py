"""Tables in every state that play and counting have: seats, the shared hand, and the shoe's life around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import BetKind
from studio.domain.commands import Suspend
from studio.domain.people import SYSTEM
from studio.domain.shared_commands import Choosing, DecideAll
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep, LoadShuffle, RegisterPack
from support.camera_tables import CameraTable
from support.controlled_tables import controlled, ended, playing, rest_of
from support.tables import DEALER, SUPERVISOR, PlayedTable, a_setup, player, whole_pack

Start = Callable[[], PlayedTable]
OPERATOR: Final = player("operator")


def shared(cards: str = "", *answers: str) -> PlayedTable:
    """Return the shared hand of Anna and Ben after some cards, its first windows answered: ``hit split``."""
    played = PlayedTable(a_setup(load_variant("infinite"))).ready().betting()
    played.bet(1, 1000, "anna").bet(1, 600, "ben").bet(1, 100, "ben", BetKind.PAIR)
    played.close().cards(cards)
    for one in answers:
        words = one.split()
        answer(played, *words[:2])
        played.cards(" ".join(words[2:]))
    return played


def answer(played: PlayedTable, *actions: str) -> None:
    """Answer the open window of the shared hand for those of the two players whom it asks."""
    current = played.table.open_round
    assert current.question is not None
    assert current.shared is not None
    asked = [
        (name, Action(action))
        for name, action in zip(current.shared.players, actions, strict=False)
        if current.shared.is_asked(current.shared.places[name], current.question.hand.number)
    ]
    choices = tuple(Choosing(name, action, funded=True) for name, action in asked)
    played.do(DecideAll(current.question.number, choices), OPERATOR)


def betting_on_the_shared_hand() -> PlayedTable:
    return PlayedTable(a_setup(load_variant("infinite"))).ready().betting().bet(1, 1000, "anna")


def one_player_answered() -> PlayedTable:
    played = shared("TC 6H 6D TD")
    answer(played, "stand")
    return played


def after_the_shared_round() -> PlayedTable:
    return shared("TC 6H 6D TD", "stand stand 9C").commit()


def packs() -> PlayedTable:
    """Return a table of which two packs are verified."""
    return controlled().verified("red-1", "red").verified("blue-1", "blue")


def in_count(codes: int) -> PlayedTable:
    return controlled().register("red-1", "red").count(whole_pack(1)[:codes], pack="red-1")


def signed_once() -> PlayedTable:
    played = in_count(52)
    played.sign(DEALER)
    return played


def a_rest_in_count() -> PlayedTable:
    played = ended(playing(packs()))
    return played.count(rest_of(played, "red-1")[:10], pack="red-1")


def stopped(start: Start) -> Start:
    """Return the same state with the table stopped by a supervisor."""

    def play() -> PlayedTable:
        played = start()
        played.do(Suspend("looks wrong"), SUPERVISOR)
        return played

    return play


def virtual() -> PlayedTable:
    played = PlayedTable(a_setup(load_variant("european"))).open()
    played.do(LoadShuffle(1, "c0ffee", "5eed"), SYSTEM)
    return played


def shuffler() -> PlayedTable:
    return PlayedTable(a_setup(load_variant("continuous"))).open().load_shoe()


def a_step_of_the_shoe() -> PlayedTable:
    played = packs().reload()
    played.do(ConfirmShoeStep(ShoeStep.LOADED), DEALER)
    return played


def no_pack_left() -> PlayedTable:
    played = controlled()
    played.do(RegisterPack("red-1", "B-red", "red"), SUPERVISOR)
    return played


def seats(cards: str = "") -> PlayedTable:
    return PlayedTable().ready().round(1, 3).cards(cards)


def decided(start: PlayedTable, *actions: str) -> PlayedTable:
    for one in actions:
        start.decide(one)
    return start


SEATS: Final[dict[str, Start]] = {
    "idle": lambda: PlayedTable().ready(),
    "betting": lambda: PlayedTable().ready().betting().bet(1),
    "first cards": seats,
    "the hole card is due": lambda: seats("TC 8C 9C 9D 8D"),
    "insurance": lambda: seats("TC 8C AC 9D 8D 5H"),
    "decisions": lambda: seats("TC 8C 9C 9D 8D TH"),
    "a card after a double": lambda: decided(seats("6C 8C 9C 5D 8D TH"), "double"),
    "split hands": lambda: decided(seats("8H 8C 9C 8S 8D TH"), "split"),
    "the dealer draws": lambda: decided(seats("TC 8C 6C 9D 8D TH"), "stand", "stand"),
    "the result": lambda: decided(seats("TC 8C 9C 9D 8D TH"), "stand", "stand"),
    "settled": lambda: decided(seats("TC 8C 9C 9D 8D TH"), "stand", "stand").commit(),
    "a held card": lambda: seats("TC 8C 9C 9D 8D TH 2C"),
    "virtual": virtual,
    "shuffler": shuffler,
    "camera": lambda: CameraTable().a_round(),
}
SHARED: Final[dict[str, Start]] = {
    "shared: betting": betting_on_the_shared_hand,
    "shared: first cards": shared,
    "shared: the hole card is due": lambda: shared("TC 6H 6D"),
    "shared: insurance": lambda: shared("TC AH 9D 5D"),
    "shared: decisions": lambda: shared("TC 6H 6D TD"),
    "shared: one answered": one_player_answered,
    "shared: a card after doubles": lambda: shared("5C 6H 4D TD", "double hit"),
    "shared: a window after a hit": lambda: shared("5C 6H 4D TD", "stand hit 2C"),
    "shared: second cards of the split lines": lambda: shared("8C 6H 8D TD", "split hit"),
    "shared: the unsplit line": lambda: shared("8C 6H 8D TD", "split hit 2C 3C 2D"),
    "shared: the first split line": lambda: shared("8C 6H 8D TD", "split stand 2C 3C"),
    "shared: the second split line": lambda: shared("8C 6H 8D TD", "split stand 2C 3C", "stand"),
    "shared: all surrendered": lambda: shared("TC 6H 6D TD", "surrender surrender"),
    "shared: the dealer draws": lambda: shared("TC 6H 6D TD", "stand stand"),
    "shared: the result": lambda: shared("TC 6H 6D TD", "stand stand 9C"),
    "shared: settled": after_the_shared_round,
    "shared: a held card": lambda: shared("TC 6H 6D TD 2C"),
}
COUNTING: Final[dict[str, Start]] = {
    "count: no pack is counted": no_pack_left,
    "count: no card yet": lambda: in_count(0),
    "count: half of a pack": lambda: in_count(20),
    "count: a whole pack": lambda: in_count(52),
    "count: signed once": signed_once,
    "count: the rest of a shoe is due": lambda: ended(playing(packs())),
    "count: the rest of a shoe": a_rest_in_count,
    "count: a pack is ready": packs,
    "count: a step of the shoe": a_step_of_the_shoe,
    "count: a round of a counted pack": lambda: playing(packs()).round(1),
}
STATES: Final[dict[str, Start]] = {**SEATS, **SHARED, **COUNTING}
