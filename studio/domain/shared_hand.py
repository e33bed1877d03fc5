"""The shared hand: one hand for any number of players, each deciding for their own bet (rules.md I1 to I5).

The cards lie in *lines*: the unsplit hand is line 1; a split makes lines 2 and 3 of its two cards, shared by
all who split. Who asks for a card gets the line's next one; who stopped keeps the first cards of it. Players
are columns; what each did is one byte a line, so that a hundred thousand of them are copied in microseconds and
settled by groups. Cards and windows are the round's (hands, question); here is only who is on which line with
how many cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from studio.domain.actions import Action
from studio.domain.bets import BetKind, Lying

_SEAT: Final = 1
"""Where the shared hand lies."""
NOT_ON_LINE: Final = 0
DRAWING: Final = 255
"""Still taking cards: keeps all that the line has in the end."""


class Choice(IntEnum):
    """An action as one byte in a window's column; 0 while there is no answer."""

    NONE = 0
    HIT = 1
    STAND = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5


_CHOICES: Final[Mapping[Action, Choice]] = MappingProxyType({action: Choice[action.name] for action in Action})


class Line(NamedTuple):
    """One line, a byte a player: ``kept`` says how many of its cards are theirs, ``doubled`` 1 where doubled.

    ``silent`` is 1 where a window passed without an answer: the line's next ones do not wait for them (R9).
    """

    kept: bytes
    doubled: bytes
    silent: bytes

    @property
    def is_drawing(self) -> bool:
        """Whether anybody still takes cards."""
        return DRAWING in self.kept

    def wants(self, cards: int) -> bool:
        """Tell whether somebody needs a card more than the ``cards`` there are (I2)."""
        return self.is_drawing or cards + 1 in self.kept


class SharedHand(NamedTuple):
    """Everybody with a main bet, in columns: ``stakes`` in minor units, ``answers`` of the open window.

    ``bets`` is what lies there in all, also of those without a main bet: added up once, when the betting closes.
    """

    players: tuple[str, ...]
    places: Mapping[str, int]
    stakes: tuple[int, ...]
    lines: tuple[Line, ...]
    answers: bytes
    insured: bytes
    insurance_answered: bytes
    surrendered: bytes
    bets: Mapping[BetKind, Lying]

    def line(self, number: int) -> Line:
        """Return a line by its number, from 1."""
        return self.lines[number - 1]

    def is_asked(self, place: int, number: int) -> bool:
        """Tell whether a player is asked by a window on a line and has not answered."""
        return self.line(number).kept[place] == DRAWING and self.answers[place] == Choice.NONE

    def is_answered(self, number: int) -> bool:
        """Tell whether everybody asked on a line has answered; who was silent before is not waited for (R9)."""
        line = self.line(number)
        columns = zip(line.kept, self.answers, line.silent, strict=True)
        return not any(kept == DRAWING and not answered and not silent for kept, answered, silent in columns)


def share(bets: Mapping[BetKind, Lying]) -> SharedHand:
    """Return the shared hand of those with a main bet, all on line 1 (I5)."""
    main = bets[BetKind.MAIN].get(_SEAT, {})
    players = tuple(main)
    size = len(players)
    nothing = bytes(size)
    return SharedHand(
        players,
        {player: place for place, player in enumerate(players)},
        tuple(main.values()),
        (Line(bytes([DRAWING]) * size, nothing, nothing),),
        nothing,
        nothing,
        nothing,
        nothing,
        bets,
    )


def answer(shared: SharedHand, players: Sequence[str], actions: Sequence[Action]) -> SharedHand:
    """Note answers to the open window; they take effect when it closes (I1)."""
    answers = bytearray(shared.answers)
    for player, action in zip(players, actions, strict=True):
        answers[shared.places[player]] = _CHOICES[action]
    return shared._replace(answers=bytes(answers))


def insure(shared: SharedHand, players: Sequence[str], amounts: Sequence[int]) -> SharedHand:
    """Note answers about insurance; an amount of 0 declines."""
    answered, insured = bytearray(shared.insurance_answered), bytearray(shared.insured)
    for player, amount in zip(players, amounts, strict=True):
        answered[shared.places[player]] = 1
        insured[shared.places[player]] = 1 if amount else 0
    return shared._replace(insurance_answered=bytes(answered), insured=bytes(insured))


def close_window(shared: SharedHand, number: int, cards: int, default: Action) -> SharedHand:
    """Let the answers on a line of ``cards`` cards take effect; no answer is ``default`` (R9)."""
    columns = _Columns(shared, number)
    for place, kept in enumerate(shared.line(number).kept):
        if kept == DRAWING:
            columns.apply(place, Choice(shared.answers[place]), cards, _CHOICES[default])
    return columns.result()


class _Columns:
    """The columns of one closing window while they are written."""

    def __init__(self, shared: SharedHand, number: int) -> None:
        self._shared = shared
        self._number = number
        line = shared.line(number)
        self._kept = bytearray(line.kept)
        self._doubled = bytearray(line.doubled)
        self._split = bytearray(len(shared.players))
        self._surrendered = bytearray(shared.surrendered)
        self._silent = bytearray(line.silent)

    def apply(self, place: int, choice: Choice, cards: int, default: Choice) -> None:
        if choice is Choice.NONE:
            self._silent[place] = 1
            choice = default
        match choice:
            case Choice.STAND:
                self._kept[place] = cards
            case Choice.DOUBLE:
                self._kept[place] = cards + 1
                self._doubled[place] = 1
            case Choice.SPLIT:
                self._kept[place] = NOT_ON_LINE
                self._split[place] = DRAWING
            case Choice.SURRENDER:
                self._kept[place] = NOT_ON_LINE
                self._surrendered[place] = 1
            case Choice.HIT | Choice.NONE:
                pass
            case _:
                assert_never(choice)

    def result(self) -> SharedHand:
        lines = list(self._shared.lines)
        lines[self._number - 1] = Line(bytes(self._kept), bytes(self._doubled), bytes(self._silent))
        nothing = bytes(len(self._kept))
        if any(self._split):
            lines += [Line(bytes(self._split), nothing, nothing)] * 2
        return self._shared._replace(lines=tuple(lines), answers=nothing, surrendered=bytes(self._surrendered))


def groups(line: Line, cards: int) -> frozenset[int]:
    """Return the different numbers of cards that players of a line keep of its ``cards``."""
    return frozenset(cards if kept == DRAWING else kept for kept in set(line.kept) if kept != NOT_ON_LINE)


def members(shared: SharedHand, number: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield (player, stake, kept, doubled) of everybody on a line; ``kept`` may be :data:`DRAWING`."""
    line = shared.line(number)
    for row in zip(shared.players, shared.stakes, line.kept, line.doubled, strict=True):
        if row[2] != NOT_ON_LINE:
            yield row
