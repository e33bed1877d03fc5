"""What the dealer's view asks of the simulated dealer, one act at a time."""

from __future__ import annotations

from typing import Any

import pytest

from hardware_sim.dealer_acts import Act, Press, Pull, Rescan, ShowCard, Trace, Wait, mistake_due, next_act
from hardware_sim.faults import Fault

ALL_MISTAKES = (Fault.EXTRA_CARD, Fault.CARD_BEFORE_TIME, Fault.WRONG_BURN, Fault.WRONG_SEAT)
SEAT = Fault.WRONG_SEAT
View = dict[str, Any]


def view(code: str, *, phase: str = "idle", stopped: bool = False, **more: Any) -> View:
    table = {
        "phase": phase,
        "stopped": stopped,
        "shoe": {"id": "s1", "dealt": more.pop("dealt", 0)},
        "seats": [{"hands": [{"cards": more.pop("at_a_seat", ())}]}],
    }
    base = {
        "table": table,
        "instruction": {"code": code},
        "primary": None,
        "last_cards": [],
        "incidents": [],
        "call": None,
    }
    return base | more


def without_a_shoe(seen: View) -> View:
    return seen | {"table": seen["table"] | {"shoe": None}}


def button(command: str, **arguments: str | int) -> View:
    return {"command": command, "label": "", "arguments": arguments}


def incident(kind: str, *ways_out: str, number: int = 1, cleared: bool = False) -> View:
    return {"number": number, "kind": kind, "cleared": cleared, "ways_out": list(ways_out)}


def lying(*places: str) -> list[View]:
    return [{"draw": draw, "place": place} for draw, place in enumerate(places, start=1)]


@pytest.mark.parametrize(
    ("seen", "act"),
    [
        (view("burn-show"), Pull(is_burn=True)),
        (view("burn"), Pull(is_burn=True)),
        (view("card-to-seat", phase="dealing"), Pull()),
        (view("card-to-dealer", phase="dealing"), Pull()),
        (view("hole-card", phase="dealing"), Pull()),
        (view("turn-hole-and-draw", phase="dealer"), Pull()),
        (view("card-to-seat", phase="dealing", stopped=True), Wait()),
        (view("rescan", stopped=True), Rescan()),
        (view("sign-on", primary=button("sign-on")), Press("sign-on", {})),
        (
            view("prepare-shoe", primary=button("confirm-shoe-step", step="cut")),
            Press("confirm-shoe-step", {"step": "cut"}),
        ),
        (view("open-betting", primary=button("open-betting")), Press("open-betting", {})),
        (view("commit", phase="commit", primary=button("commit-result")), Press("commit-result", {})),
        (view("return-cards", primary=button("return-cards")), Press("return-cards", {})),
        (view("server-deals", phase="dealing"), Wait()),
        (view("wait-follow", phase="decisions"), Wait()),
        (view("wait-bets", phase="betting", primary=button("close-betting")), Wait()),
        (view("wait-decision", phase="decisions"), Wait()),
        (view("suspended", stopped=True, incidents=[incident("supervisor-stop")]), Wait()),
        (view("wait-reader"), Wait()),
        (without_a_shoe(view("wait-reader")), ShowCard()),
        (view("wait-reader", stopped=True, incidents=[incident("scanner-down")]), Wait()),
        (view("wait-reader", stopped=True, incidents=[incident("scanner-down", "go-on")]), Wait()),
        (view("wait-reader", stopped=True, incidents=[incident("crash-recovery")]), Wait()),
        (view("draw-boxed", stopped=True, incidents=[incident("boxed-card")]), Pull()),
        (view("suspended", stopped=True, incidents=[incident("boxed-card")]), Wait()),
        (view("suspended", stopped=True, incidents=[incident("reverse-movement", "go-on", cleared=True)]), Wait()),
    ],
)
def test_the_view_says_what_to_do(seen: View, act: Act) -> None:
    assert next_act(seen) == act


@pytest.mark.parametrize(
    "open_one",
    [
        incident("crash-recovery", "go-on", number=7),
        incident("scanner-down", "go-on", number=7, cleared=True),
        incident("wrong-mode", "go-on", number=7, cleared=True),
    ],
)
def test_the_dealer_closes_what_is_the_dealers_to_close(open_one: View) -> None:
    act = next_act(view("go-on", stopped=True, incidents=[open_one]))
    assert isinstance(act, Press)
    assert act.command == "resolve-incident"
    assert (act.arguments["incident"], act.arguments["way_out"]) == (7, "go-on")
    assert act.arguments["reason"]


def test_only_the_first_shoe_step_needs_new_cards() -> None:
    assert Press("confirm-shoe-step", {"step": "loaded"}).needs_new_cards
    assert not Press("confirm-shoe-step", {"step": "shuffled"}).needs_new_cards
    assert not Press("open-betting", {}).needs_new_cards


def test_only_the_word_that_cards_are_back_needs_them_back() -> None:
    assert Press("return-cards", {}).says_cards_are_back
    assert not Press("commit-result", {}).says_cards_are_back


@pytest.mark.parametrize(
    ("seen", "has_just_burned", "mistake"),
    [
        (view("open-betting"), True, Fault.WRONG_BURN),
        (view("open-betting"), False, None),
        (view("burn"), True, None),
        (view("wait-bets", phase="betting"), False, Fault.CARD_BEFORE_TIME),
        (view("wait-decision", phase="decisions"), False, Fault.EXTRA_CARD),
        (view("wait-insurance", phase="insurance"), False, Fault.EXTRA_CARD),
        (view("commit", phase="commit"), False, Fault.EXTRA_CARD),
        (view("card-to-seat", phase="decisions"), False, None),
        (view("wait-decision", phase="decisions", stopped=True), False, None),
        (view("hole-card", phase="dealing", at_a_seat=("9S",), last_cards=lying("Dealer", "Seat 1")), False, SEAT),
        (view("hole-card", phase="dealing", at_a_seat=("9S",), last_cards=lying("Seat 1", "Dealer")), False, None),
        (view("card-to-seat", phase="dealing", last_cards=lying("Seat 1")), False, None),  # of the round before
    ],
)
def test_each_mistake_has_its_moment(seen: View, has_just_burned: bool, mistake: Fault | None) -> None:  # noqa: FBT001 - a table
    assert mistake_due(seen, ALL_MISTAKES, has_just_burned=has_just_burned) == mistake
    assert mistake_due(seen, (), has_just_burned=has_just_burned) is None


def test_a_boxed_card_is_one_that_is_due_in_the_deal() -> None:
    armed = (Fault.BOXED_CARD,)
    assert mistake_due(view("card-to-seat", phase="dealing"), armed, has_just_burned=False) is Fault.BOXED_CARD
    assert mistake_due(view("burn"), armed, has_just_burned=False) is None
    assert mistake_due(view("wait-decision", phase="decisions"), armed, has_just_burned=False) is None


@pytest.mark.parametrize(
    ("later", "is_noticed"),
    [
        (view("card-to-seat", dealt=4), False),
        (view("card-to-seat", dealt=5), True),
        (view("card-to-seat", dealt=4, last_cards=[{"draw": 5}, {"draw": 4}]), True),
        (view("rescan", dealt=4, incidents=[incident("no-read", number=2)]), True),
        (view("wait-reader", dealt=4, incidents=[incident("scanner-down", number=2)]), False),
        (view("confirm-felt", dealt=4, incidents=[incident("crash-recovery", number=2)]), False),
        (view("rescan", dealt=4, incidents=[incident("no-read", number=1)]), False),
    ],
)
def test_a_card_is_noticed_when_it_or_an_incident_about_it_is_shown(later: View, is_noticed: bool) -> None:  # noqa: FBT001 - a table
    before = Trace.of(
        view("card-to-seat", dealt=4, last_cards=[{"draw": 4}], incidents=[incident("no-read", number=1)])
    )
    assert before.shows_one_more(Trace.of(later)) is is_noticed


def test_another_shoe_ends_the_wait_for_a_card() -> None:
    before = Trace.of(view("card-to-seat", dealt=4))
    without = view("prepare-shoe")
    without["table"]["shoe"] = None
    assert before.shows_one_more(Trace.of(without))
