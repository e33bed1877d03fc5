"""The kernel against the engine: random rounds played by both, card by card and unit by unit.

The kernel plays from random parts of a shoe by random tables, so that rare hands are common; what it drew and did
is then a round script for :mod:`studio.adjudication`, which plays it through the engine. Where the two differ the
script is returned: ``studio adjudicate`` plays it again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from studio.adjudication.command import adjudicate
from studio.adjudication.script import ScriptError, parse_script
from studio.domain.cards import DECK
from studio.domain.rules import RuleSet
from studio.odds.encoding import full_shoe, kernel_rules, kernel_strategy
from studio.odds.kernel import felt, play_round
from studio.odds.kernel_shoe import Bytes, Ints, Trace, new_shoe, new_trace
from studio.odds.kernel_values import Move, Sum
from studio.odds.strategy import HARD, PAIRS, SOFT, TOTAL_CODES, UPCARDS, StrategyTable

ROUNDS_OF_A_TABLE: Final = 100
"""Rounds by one random table and from one part of a shoe."""
_SPARE_CARDS: Final = 4
"""An engine that draws more than the kernel must show a difference, not an empty shoe."""
_MOVES: Final = {0: "timeout"} | {int(move): move.name.lower() for move in Move}
_SPLITS_OFTEN: Final = ("P", "P", "P", "Rp", "-")


@dataclass(frozen=True, slots=True)
class Difference:
    """A round that the kernel and the engine play differently, as a script for ``studio adjudicate``."""

    text: str
    script: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check has seen: how often each thing happened, and where the two differed.

    ``sums`` are by :class:`studio.odds.kernel_values.Sum`; those over shoes are 0.
    """

    rounds: int = 0
    cards: int = 0
    sums: tuple[int, ...] = (0,) * len(Sum)
    differences: tuple[Difference, ...] = ()

    def plus(self, other: Checked) -> Checked:
        """Return both together."""
        return Checked(
            self.rounds + other.rounds,
            self.cards + other.cards,
            tuple(map(sum, zip(self.sums, other.sums, strict=True))),
            self.differences + other.differences,
        )


@dataclass(frozen=True, slots=True)
class _Round:
    """One round as the kernel played it: codes of cards, (hand, act), and money in the kernel's units."""

    places: tuple[str, ...]
    codes: tuple[str, ...]
    acts: tuple[tuple[int, str], ...]
    net: int
    wagered: int


def check_engine(rules: RuleSet, rounds: int, seed: int, processes: int = 1) -> Iterator[Checked]:
    """Play ``rounds`` random rounds with both; yield what was seen so far, the last is all.

    The same seed plays the same rounds, whatever the number of ``processes``.
    """
    whole, left = divmod(rounds, ROUNDS_OF_A_TABLE)
    sizes = [ROUNDS_OF_A_TABLE] * whole + [left] * (left > 0)
    checked = Checked()
    with ExitStack() as stack:
        every: Iterable[Checked]
        arguments = ([rules] * len(sizes), [seed] * len(sizes), range(len(sizes)), sizes)
        if processes == 1:
            every = map(check_part, *arguments)
        else:
            pool = stack.enter_context(ProcessPoolExecutor(processes, mp_context=get_context("spawn")))
            every = pool.map(check_part, *arguments)
        for part in every:
            checked = checked.plus(part)
            yield checked


def check_part(rules: RuleSet, seed: int, part: int, rounds: int) -> Checked:
    """Play the rounds of one random table with both."""
    sums = np.zeros(len(Sum), np.int64)
    differences: list[Difference] = []
    cards = 0
    rng = random.Random(f"{rules.hash} {seed}.{part}")  # noqa: S311 - the same seed plays the same rounds
    for played in _rounds(rules, rng, rounds, sums):
        script = _script(rules, rng, played)
        cards += len(played.places)
        text = _difference(rules, script, played)
        if text:
            differences.append(Difference(text, script))
    return Checked(rounds, cards, tuple(int(one) for one in sums), tuple(differences))


def _rounds(rules: RuleSet, rng: random.Random, count: int, sums: Ints) -> Iterator[_Round]:
    """Play some rounds by one random table from one random part of a shoe."""
    strategy = kernel_strategy(random_table(rng), rng.choice((0.0, 0.0, 0.1, 0.5)))
    inner, hands, trace = kernel_rules(rules), felt(), new_trace()
    shoe = new_shoe(_part_of_a_shoe(rules, rng), rng.getrandbits(64))
    for _ in range(count):
        shoe.at[:] = 0
        net, wagered = play_round(inner, strategy, shoe, hands, sums, trace)
        places, values = _cards(trace)
        yield _Round(places, _codes(rules, rng, values), _acts(trace), net, wagered)


def random_table(rng: random.Random) -> StrategyTable:
    """Return a table with any code in any cell; it splits often and hits low totals."""

    def total_row(total: int) -> dict[str, str]:
        codes = ("H", "D", "R") if total <= rng.choice((8, 11, 21)) else TOTAL_CODES
        return {upcard: rng.choice(codes) for upcard in UPCARDS}

    return StrategyTable(
        {key: total_row(int(key)) for key in HARD},
        {key: total_row(int(key)) for key in SOFT},
        {key: {upcard: rng.choice(_SPLITS_OFTEN) for upcard in UPCARDS} for key in PAIRS},
    )


def _part_of_a_shoe(rules: RuleSet, rng: random.Random) -> Bytes:
    """Return all of a shoe, or only some values of it with a few of the others."""
    cards = full_shoe(rules.decks)
    if rng.random() < 0.3:  # noqa: PLR2004 - often enough
        return cards
    likely = rng.sample(range(1, 11), rng.choice((1, 2, 3)))
    kept = [card for card in cards.tolist() if card in likely or rng.random() < 0.2]  # noqa: PLR2004 - a few
    return np.array(kept, np.uint8) if len(kept) > len(DECK) else cards


def _cards(trace: Trace) -> tuple[tuple[str, ...], list[int]]:
    dealt = trace.cards[: trace.sizes[0]].tolist()
    places = tuple("dealer" if place == 0 else f"seat1.hand{place}" for place, _ in dealt)
    return places, [value for _, value in dealt]


def _acts(trace: Trace) -> tuple[tuple[int, str], ...]:
    return tuple((hand, _MOVES[move]) for hand, move in trace.actions[: trace.sizes[1]].tolist())


def _codes(rules: RuleSet, rng: random.Random, values: list[int]) -> tuple[str, ...]:
    """Give each value a rank and suit, and add some cards that should stay in the shoe; S6 is kept."""
    left = {card.code: rules.decks for card in DECK}
    codes: list[str] = []
    for value in [*values, *(rng.choice(DECK).value for _ in range(_SPARE_CARDS))]:
        fits = [card.code for card in DECK if card.value == value and left[card.code]]
        if not fits:
            continue  # a spare card of a value that is used up
        code = rng.choice(fits)
        left[code] -= 1
        codes.append(code)
    return tuple(codes)


def _script(rules: RuleSet, rng: random.Random, played: _Round) -> dict[str, Any]:
    seat = rng.randint(1, rules.seats)
    return {
        "variant": rules.variant,
        "seats": [{"seat": seat, "player": "P", "bet": kernel_rules(rules).unit}],
        "shoe": list(played.codes),
        "actions": [{"seat": seat, "hand": hand, "act": act} for hand, act in played.acts],
    }


def _difference(rules: RuleSet, script: dict[str, Any], played: _Round) -> str:
    """Return what the engine does otherwise, empty where it does the same."""
    try:
        answer = adjudicate(parse_script(script), rules)
    except ScriptError as error:
        return f"the engine cannot play it: {error}"
    seat = f"seat{script['seats'][0]['seat']}."
    dealt = [one for one in answer["card_destinations"] if one["to"] != "dealer_reveal_hole"]
    places = [one["to"].replace(seat, "seat1.") for one in dealt]
    codes = [one["card"] for one in dealt]
    bets = answer["bets"]
    for what, engine, kernel in (
        ("places of the cards", places, list(played.places)),
        ("cards", codes, list(played.codes[: len(codes)])),
        ("refused actions", [one["text"] for one in answer["refused"]], []),
        ("wagered", sum(one["stake"] for one in bets), played.wagered),
        ("net", sum(one["net"] for one in bets), played.net),
    ):
        if engine != kernel:
            return f"{what}: engine {engine}, kernel {kernel}"
    return ""
