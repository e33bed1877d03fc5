"""What players see of each game in the states that the terminal has to show; built from the real view classes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from studio.domain.views import (
    BACK,
    BetView,
    DealerHandView,
    FollowingView,
    HandView,
    OpenedShuffle,
    PlayerView,
    QuestionView,
    ResultView,
    SeatView,
    ShoeView,
    SideBetView,
    TableView,
)

SECOND_NS = 1_000_000_000
COMMITMENT = "3fa2" * 16
SEED = "91bc" * 16
PLAYER = "p-ada"

PAIR = SideBetView("pair", open=True, rounds_left=28, pays={"mixed": 5, "coloured": 10, "perfect": 30})
SIDES = (
    PAIR,
    SideBetView("bust", open=True, rounds_left=33, pays={"3": 1, "8": 250}),
    SideBetView("lucky3", open=True, rounds_left=1, pays={"total-19-or-20": 2, "suited-777": 200}),
    SideBetView("poker3", open=False, rounds_left=0, pays={"flush": 5, "suited-three": 100}),
)


@dataclass(frozen=True)
class Scene:
    """The public view and the player's own one at the same sequence."""

    table: TableView
    own: PlayerView

    def with_own(self, **changes: Any) -> Scene:
        return Scene(self.table, replace(self.own, **changes))

    def with_table(self, **changes: Any) -> Scene:
        return Scene(replace(self.table, **changes), self.own)


def soon(seconds: float = 12) -> int:
    return time.time_ns() + int(seconds * SECOND_NS)


def hand(cards: str, total: str, state: str = "open", *, number: int = 1, active: bool = False) -> HandView:
    return HandView(number, tuple(cards.split()), total, 2_500, state, active)


def seat(
    number: int,
    holder: str = "",
    *hands: HandView,
    bet: int = 0,
    behind: tuple[int, int] = (0, 0),
    insurance: int = 0,
) -> SeatView:
    player = holder if bet else ""
    return SeatView(number, holder, player, bet, behind[0], behind[1], insurance, target=False, hands=hands)


def seats(*some: SeatView, count: int = 7) -> tuple[SeatView, ...]:
    by_number = {one.seat: one for one in some}
    return tuple(by_number.get(number, seat(number)) for number in range(1, count + 1))


def _table(variant: str, layout: str, **changes: Any) -> TableView:
    plain = TableView(
        table="t1",
        name="Salon 1",
        variant=variant,
        simulated=True,
        rule_line="8 decks · S17 · 3:2 · rules 4f2a",
        rules_hash="4f2a" * 16,
        profile="studio-default",
        profile_hash="77aa" * 16,
        phase="betting",
        round=12,
        stopped=False,
        suspended=False,
        deadline_wall_ns=soon(),
        currency="EUR",
        minimum=500,
        maximum=500_000,
        increment=100,
        layout=layout,
        money="currency",
        start="countdown",
        seats_per_player=2,
        bet_behind=False,
        side_bets=(),
        players=0,
        staked=0,
        commitment="",
        opened_shuffle=None,
        shoe=ShoeView("shoe-7", "in-play", 123, 293, 416),
        seats=seats(count=7 if layout == "seats" else 1),
        dealer_hand=DealerHandView((), "", target=False),
        results=(),
    )
    return replace(plain, **changes)


OWN = PlayerView(
    player=PLAYER,
    balance=123_400,
    seats=(),
    bets=(),
    hands=(),
    questions=(),
    plans=(),
    following=FollowingView(None, None),
    results=(),
)


def question(
    actions: str, *costs: int, kind: str = "decision", seat: int = 3, hand: int = 1, default: str = "stand"
) -> QuestionView:
    words = tuple(actions.split())
    number = 7 if kind == "decision" else 0
    return QuestionView(kind, number, seat, hand, words, costs or (0,) * len(words), default, soon())


# Deluxe


def deluxe_betting() -> Scene:
    """Two own seats, two other players, three free seats."""
    places = seats(
        seat(2, PLAYER), seat(3, PLAYER), seat(5, "Boris", bet=5_000, behind=(2, 7_500)), seat(6, "Chloé")
    )
    table = _table("deluxe", "seats", bet_behind=True, side_bets=(PAIR,), seats=places)
    return Scene(table, replace(OWN, seats=(2, 3)))


def deluxe_standing() -> Scene:
    """The player has no seat yet."""
    scene = deluxe_betting()
    places = seats(seat(5, "Boris", bet=5_000), seat(6, "Chloé", bet=2_500))
    return Scene(replace(scene.table, seats=places), replace(OWN, balance=50_000))


def deluxe_decision() -> Scene:
    """The player's first hand is asked, the second waits; a bet lies behind seat 5, which has split."""
    places = seats(
        seat(1, "Dmitri", hand("9D 8S", "17", "stood"), bet=2_500),
        seat(2, PLAYER, hand("8C 3D", "11", active=True), bet=2_500, behind=(1, 1_000)),
        seat(3, PLAYER, hand("AH 6S", "soft 17 (7/17)"), bet=2_500),
        seat(
            5,
            "Boris",
            hand("8H 3S 7D", "18", "stood"),
            hand("8D TC 4S", "22", "bust", number=2),
            bet=5_000,
            behind=(2, 7_500),
        ),
        seat(6, "Chloé", hand("AS KD", "21", "natural"), bet=123_400),
        seat(7, "Elif", hand("2H 3D 2S AC 4D 5H", "17", "stood"), bet=500),
    )
    table = _table(
        "deluxe",
        "seats",
        phase="decisions",
        bet_behind=True,
        side_bets=(PAIR,),
        seats=places,
        dealer_hand=DealerHandView(("6C", BACK), "6", target=False),
    )
    bets = (
        BetView("main", 2, 2_500),
        BetView("main", 3, 2_500),
        BetView("behind", 5, 1_000),
        BetView("pair", 5, 500),
    )
    asked = replace(question("hit stand double surrender", 0, 0, 2_500, 0, seat=2, default="hit"))
    return Scene(table, replace(OWN, seats=(2, 3), bets=bets, questions=(asked,)))


def deluxe_waiting() -> Scene:
    """Another player decides; both own hands wait."""
    scene = deluxe_decision()
    places = tuple(
        replace(one, hands=tuple(replace(held, active=one.seat == 1) for held in one.hands))
        for one in scene.table.seats
    )
    return Scene(replace(scene.table, seats=places), replace(scene.own, questions=()))


def deluxe_follow() -> Scene:
    """Boris on seat 5 doubles."""
    scene = deluxe_waiting()
    asked = question("follow do-not-follow", 1_000, 0, kind="follow-double", seat=5, default="do-not-follow")
    return scene.with_own(questions=(asked,))


def deluxe_settled() -> Scene:
    """Seat 2 has won, seat 3 has lost, Pair behind paid."""
    scene = deluxe_waiting()
    results = (
        ResultView(PLAYER, 2, 1, "main", 2_500, 5_000),
        ResultView(PLAYER, 3, 1, "main", 2_500, 0),
        ResultView(PLAYER, 5, 1, "pair", 500, 3_000),
    )
    table = replace(
        scene.table,
        phase="settlement",
        deadline_wall_ns=None,
        dealer_hand=DealerHandView(("6C", "TH", "3D"), "19", target=False),
        results=results,
    )
    return Scene(table, replace(scene.own, results=results))


# Infinite


def infinite_betting() -> Scene:
    """The shared hand waits for bets."""
    table = _table("infinite", "shared-hand", side_bets=SIDES, players=1_204, staked=4_321_000)
    return Scene(table, OWN)


def infinite_decision() -> Scene:
    """First decisions on a pair; everybody is asked."""
    line = hand("8C 8D", "16", active=True)
    table = _table(
        "infinite",
        "shared-hand",
        phase="decisions",
        side_bets=SIDES,
        players=1_204,
        staked=4_321_000,
        seats=(seat(1, "", line, bet=4_321_000),),
        dealer_hand=DealerHandView(("6C", BACK), "6", target=False),
    )
    own = replace(
        OWN,
        bets=(BetView("main", 1, 2_500), BetView("bust", 1, 500)),
        hands=(hand("8C 8D", "16", active=True),),
        questions=(question("hit stand double split surrender", 0, 0, 2_500, 2_500, 0, seat=1),),
    )
    return Scene(table, own)


def infinite_split() -> Scene:
    """The player has split; the unsplit line went on without them."""
    scene = infinite_decision()
    lines = (
        hand("8C 8D 5S", "21", "stood"),
        hand("8C TH", "18", number=2, active=True),
        hand("8D 3C", "11", number=3),
    )
    own = replace(
        scene.own,
        hands=(hand("8C TH", "18", active=True), hand("8D 3C", "11", number=2)),
        questions=(question("hit stand double", 0, 0, 2_500, seat=1, hand=2),),
    )
    return Scene(replace(scene.table, seats=(seat(1, "", *lines, bet=4_321_000),)), own)


def infinite_stood() -> Scene:
    """The player stood on two cards; the line went on for the others."""
    scene = infinite_decision()
    line = hand("8C 8D 2H 3S", "21")
    own = replace(scene.own, hands=(hand("8C 8D", "16", "stood"),), questions=())
    return Scene(replace(scene.table, seats=(seat(1, "", line, bet=4_321_000),)), own)


def infinite_insurance() -> Scene:
    """The dealer shows an ace."""
    scene = infinite_decision()
    asked = question("insurance no-insurance", 1_250, 0, kind="insurance", seat=1, hand=0, default="no-insurance")
    table = replace(
        scene.table, phase="insurance", dealer_hand=DealerHandView(("AC", BACK), "soft 11 (1/11)", target=False)
    )
    return Scene(table, replace(scene.own, questions=(asked,)))


# European


def european_betting() -> Scene:
    """A committed virtual shoe, the last one opened."""
    table = _table(
        "european",
        "seats",
        money="virtual",
        currency="XXX",
        seats_per_player=1,
        rule_line="6 decks · S17 · 3:2 · rules 77aa",
        commitment=COMMITMENT,
        opened_shuffle=OpenedShuffle(11, "ab12" * 16, SEED),
        seats=seats(seat(4, PLAYER), seat(5, "easy-bot", bet=1_000)),
        shoe=None,
    )
    return Scene(table, replace(OWN, seats=(4,)))


def european_decision() -> Scene:
    """Three own hands after two splits; the second is asked."""
    scene = european_betting()
    hands = (
        hand("8C TH", "18", "stood"),
        hand("8D 3C", "11", number=2, active=True),
        hand("8S", "8", "waiting", number=3),
    )
    places = seats(
        seat(4, PLAYER, *hands, bet=2_500), seat(5, "easy-bot", hand("TS 9C", "19"), bet=1_000), seat(6, "Farid")
    )
    table = replace(
        scene.table,
        phase="decisions",
        seats=places,
        dealer_hand=DealerHandView(("TD", BACK), "10", target=False),
        opened_shuffle=None,
    )
    own = replace(
        scene.own,
        bets=(BetView("main", 4, 2_500), BetView("split", 4, 5_000)),
        questions=(question("hit stand double", 0, 0, 2_500, seat=4, hand=2, default="hit"),),
    )
    return Scene(table, own)


# Continuous


def continuous_betting() -> Scene:
    """One hand, one player; the confirmed bet starts it."""
    return Scene(_table("continuous", "single-hand", start="confirmed-bet", deadline_wall_ns=None), OWN)


def continuous_insurance() -> Scene:
    """The dealer shows an ace to the one hand."""
    scene = continuous_betting()
    asked = question("insurance no-insurance", 1_250, 0, kind="insurance", seat=1, hand=0, default="no-insurance")
    table = replace(
        scene.table,
        phase="insurance",
        deadline_wall_ns=soon(),
        seats=(seat(1, PLAYER, hand("TS 9C", "19"), bet=2_500),),
        dealer_hand=DealerHandView(("AC", BACK), "soft 11 (1/11)", target=False),
    )
    return Scene(table, replace(OWN, seats=(1,), bets=(BetView("main", 1, 2_500),), questions=(asked,)))


def continuous_decision() -> Scene:
    """A pair against a six."""
    scene = continuous_insurance()
    table = replace(
        scene.table,
        phase="decisions",
        seats=(seat(1, PLAYER, hand("TS KC", "20", active=True), bet=2_500),),
        dealer_hand=DealerHandView(("6C", BACK), "6", target=False),
    )
    asked = question("hit stand double split", 0, 0, 2_500, 2_500, seat=1)
    return Scene(table, replace(scene.own, questions=(asked,)))


def player_scenes() -> dict[str, Scene]:
    """Return every scene by name."""
    makers = (
        deluxe_betting,
        deluxe_standing,
        deluxe_decision,
        deluxe_waiting,
        deluxe_follow,
        deluxe_settled,
        infinite_betting,
        infinite_decision,
        infinite_split,
        infinite_stood,
        infinite_insurance,
        european_betting,
        european_decision,
        continuous_betting,
        continuous_insurance,
        continuous_decision,
    )
    return {make.__name__: make() for make in makers}
