"""The analyser against small shoes played out over every order of their cards, splits and peek included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from naive_game import FirstHandGame, Hand, NaiveGame, NaiveOptimum, Policy, Rules, Shoe, is_soft, points

from studio.odds.analysis import analyse
from studio.odds.composition import VALUES
from studio.odds.game import Game, SurrenderTo
from studio.odds.optimum import Choice
from studio.odds.splitting import first_hand_values
from studio.odds.strategy import StrategyTable

EXACT = 1e-12


@dataclass(frozen=True)
class Case:
    rules: Rules
    game: Game
    shoes: tuple[Shoe, ...]


NINES_AND_ACES = (4, 0, 0, 0, 0, 0, 0, 6, 4, 6)
SIXES_AND_EIGHTS = (1, 0, 0, 0, 0, 4, 0, 6, 0, 8)
FOURS = (0, 0, 0, 4, 0, 4, 0, 0, 4, 8)
SMALL = (2, 0, 0, 0, 2, 2, 0, 3, 0, 4)
LOW = (3, 2, 0, 0, 3, 0, 0, 2, 0, 6)
NOT_TENS_AND_ACES = frozenset(range(2, 10))

CASES = {
    "peek, one split": Case(Rules(), Game(), (SMALL, LOW, SIXES_AND_EIGHTS)),
    "no peek, four hands": Case(
        Rules(peek=False, split_hands=4),
        Game(natural_first=False, split_hands=4),
        (NINES_AND_ACES, SIXES_AND_EIGHTS, FOURS),
    ),
    "hits soft 17, aces again, three hands": Case(
        Rules(hits_soft_17=True, split_hands=3, split_aces_again=True),
        Game(hits_soft_17=True, split_hands=3, split_aces_again=True),
        (NINES_AND_ACES, SIXES_AND_EIGHTS),
    ),
    "surrender, no double after split, four hands, aces again": Case(
        Rules(split_hands=4, double_after_split=False, split_aces_again=True, surrender_upcards=NOT_TENS_AND_ACES),
        Game(split_hands=4, double_after_split=False, split_aces_again=True, surrender=SurrenderTo.TWO_TO_NINE),
        (NINES_AND_ACES, FOURS),
    ),
    "no peek, original bets only, two hands": Case(
        Rules(peek=False, original_bets_only=True), Game(natural_first=True), (NINES_AND_ACES,)
    ),
    "no split, 6:5": Case(
        Rules(split_hands=1, natural_pays=1.2), Game(split_hands=1, natural_pays=1.2), (SMALL, LOW)
    ),
}
EACH = [
    pytest.param(case, shoe, id=f"{name}: {'-'.join(map(str, shoe))}")
    for name, case in CASES.items()
    for shoe in case.shoes
]

FIRST_OF_EACH = [pytest.param(case, case.shoes[0], id=name) for name, case in CASES.items()]


def played_by(table: StrategyTable, rules: Rules) -> Policy:
    """Play a table as a person reads it."""

    def policy(hand: Hand, upcard: int, pair: int) -> str:
        column = VALUES[upcard - 1]
        if len(hand) == 2 and hand[0] == hand[1] and not pair:
            code = table.pairs[VALUES[hand[0] - 1]][column]
            if code == "P":
                return "split"
            if code == "Rp":
                return "surrender" if upcard in rules.surrender_upcards else "split"
        code = (table.soft if is_soft(hand) else table.hard)[str(points(hand))][column]
        if code in {"D", "d"} and len(hand) == 2 and (not pair or rules.double_after_split):
            return "double"
        if code in {"R", "Rs"} and len(hand) == 2 and not pair and upcard in rules.surrender_upcards:
            return "surrender"
        return {"H": "hit", "D": "hit", "R": "hit"}.get(code, "stand")

    return policy


@pytest.mark.parametrize(("case", "shoe"), EACH)
def test_the_optimum_is_worth_what_playing_every_order_says(case: Case, shoe: Shoe) -> None:
    naive = NaiveGame(case.rules, cache(NaiveOptimum(case.rules, shoe).policy))
    gain, stake = naive.whole(shoe)
    total = analyse(case.game, np.array(shoe)).optimum.total
    assert total.gain == pytest.approx(gain, abs=EXACT)
    if not case.rules.original_bets_only:  # there more is staked, and returned
        assert total.stake == pytest.approx(stake, abs=EXACT)


@pytest.mark.parametrize(("case", "shoe"), EACH)
def test_the_fixed_table_is_worth_what_playing_every_order_says(case: Case, shoe: Shoe) -> None:
    table, solution = analyse(case.game, np.array(shoe)).best_table()
    gain, stake = NaiveGame(case.rules, played_by(table, case.rules)).whole(shoe)
    assert solution.total.gain == pytest.approx(gain, abs=EXACT)
    if not case.rules.original_bets_only:
        assert solution.total.stake == pytest.approx(stake, abs=EXACT)


@pytest.mark.parametrize(("case", "shoe"), FIRST_OF_EACH)
def test_each_option_of_each_first_hand_is_worth_what_playing_every_order_says(case: Case, shoe: Shoe) -> None:
    analysis = analyse(case.game, np.array(shoe))
    naive = NaiveOptimum(case.rules, shoe)
    values = analysis.optimum.options.values
    for row, counts in enumerate(analysis.deal.counts):
        hand = tuple(int(value) + 1 for value in np.repeat(np.arange(10), counts))
        for upcard in range(1, 11):
            known = naive.left(hand, upcard, 0)
            if min(known) < 0 or analysis.deal.is_natural[row]:
                continue
            expected = naive.options(hand, upcard, 0)
            if hand[0] == hand[1] and case.rules.split_hands > 1:
                expected["split"] = naive.split(hand[0], upcard)
            for action, worth in expected.items():
                found = values[Choice[action.upper()], row, upcard - 1]
                assert found == pytest.approx(worth, abs=EXACT), (hand, upcard, action)


@pytest.mark.parametrize("name", ["peek, one split", "no peek, four hands"])
def test_a_bet_behind_that_never_follows_gets_what_playing_every_order_says(name: str) -> None:
    case = CASES[name]
    shoe = case.shoes[0]
    naive = NaiveOptimum(case.rules, shoe)
    first_hand = FirstHandGame(case.rules, naive.policy_of_split_hands)
    optimum = analyse(case.game, np.array(shoe)).optimum
    found = first_hand_values(optimum.played.states, optimum.played.values)
    for pair in range(10):
        for upcard in range(10):
            if min(naive.left((pair + 1, pair + 1), upcard + 1, 0)) >= 0:
                worth = naive.split(pair + 1, upcard + 1, first_hand)
                assert found[pair, upcard] == pytest.approx(worth, abs=EXACT), (pair, upcard)


def test_no_change_of_one_cell_improves_the_fixed_table() -> None:
    """The best table, by trying: each cell with each other code, every order played."""
    case, shoe = CASES["peek, one split"], SMALL
    table, solution = analyse(case.game, np.array(shoe)).best_table()
    data = table.as_json()
    for part, codes in (("hard", "SHDd"), ("soft", "SHDd"), ("pairs", "-P")):
        for cells in data[part].values():
            for upcard in ("6",):
                kept = cells[upcard]
                for code in set(codes) - {kept}:
                    cells[upcard] = code
                    changed = played_by(StrategyTable.from_json(data), case.rules)
                    gain, _ = NaiveGame(case.rules, changed).whole(shoe)
                    assert gain <= solution.total.gain + EXACT, (part, upcard, code)
                cells[upcard] = kept


def test_a_shoe_that_a_round_can_empty_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        analyse(Game(split_hands=4), np.array(SMALL))
