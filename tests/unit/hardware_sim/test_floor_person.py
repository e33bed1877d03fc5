"""The simulated floor person: what it registers and signs, by the supervisor's view alone."""

from __future__ import annotations

from typing import Any

import pytest

from hardware_sim.dealer_acts import CountCards, Press, Wait, next_act
from hardware_sim.floor_person import next_signature

NAME = "Floor 1"


def view(
    code: str = "open-betting", *, signed: list[str] | None = None, backs: tuple[str, ...] = ()
) -> dict[str, Any]:
    counting = None if signed is None else {"pack": "red-1", "signed": signed}
    packs = [{"id": f"{back}-{number}", "back": back} for number, back in enumerate(backs, start=1)]
    return {"dealer": {"instruction": {"code": code}}, "shoe_page": {"packs": packs, "counting": counting}}


@pytest.mark.parametrize(
    ("backs", "pack", "back"),
    [((), "red-1", "red"), (("red",), "blue-2", "blue"), (("red", "blue"), "red-3", "red")],
)
def test_it_registers_packs_of_alternate_backs(backs: tuple[str, ...], pack: str, back: str) -> None:
    press = next_signature(view("register-pack", backs=backs), NAME)

    assert press is not None
    assert press.command == "register-pack"
    assert (press.arguments["pack"], press.arguments["back"]) == (pack, back)


@pytest.mark.parametrize(
    ("signed", "signs"), [(None, False), ([], False), (["Dora"], True), ([NAME], False), (["Dora", NAME], False)]
)
def test_it_signs_second_and_once(signed: list[str] | None, signs: bool) -> None:  # noqa: FBT001 - a case
    assert (next_signature(view(signed=signed), NAME) == Press("sign-count", {})) is signs


def dealer_view(code: str, primary: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "instruction": {"code": code},
        "primary": primary,
        "incidents": [],
        "table": {"stopped": False},
    }


@pytest.mark.parametrize(("code", "puts_cards_in"), [("count-pack", True), ("count-rest", False)])
def test_a_whole_pack_is_put_in_and_a_rest_lies_there(code: str, puts_cards_in: bool) -> None:  # noqa: FBT001 - a case
    button = {"command": "begin-count", "arguments": {"pack": "red-1"}}

    act = next_act(dealer_view(code, button))

    assert isinstance(act, Press)
    assert act.needs_new_cards is puts_cards_in


def test_the_dealer_counts_signs_waits_and_hands_over() -> None:
    assert next_act(dealer_view("count")) == CountCards()
    signing = next_act(dealer_view("count", {"command": "sign-count", "arguments": {}}))
    assert signing == Press("sign-count", {})
    assert next_act(dealer_view("wait-signature")) == Wait()
    leaving = next_act(dealer_view("relief", {"command": "sign-off", "arguments": {}}))
    assert isinstance(leaving, Press)
    assert leaving.hands_over
