from __future__ import annotations

from typing import Any

import pytest

from drivers.virtual_shoe.settings import parse_settings


def test_six_decks_are_the_default() -> None:
    assert parse_settings("virtual-1", {}).decks == 6


@pytest.mark.parametrize("decks", [1, 8, 16])
def test_decks_can_be_set(decks: int) -> None:
    assert parse_settings("virtual-1", {"decks": decks}).decks == decks


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"decks": 0}, "'decks' must be a whole number from 1 to 16, not 0"),
        ({"decks": 17}, "not 17"),
        ({"decks": "6"}, "not '6'"),
        ({"decks": 6.0}, "not 6.0"),
        ({"decks": True}, "not True"),
        ({"seed": "00"}, "'seed' is no setting, there is only decks"),
        ({"port": "x", "decks": 0}, "'port' is no setting, there is only decks; 'decks' must be"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match="settings of the virtual shoe 'virtual-1': ") as refusal:
        parse_settings("virtual-1", settings)
    assert says in str(refusal.value)
