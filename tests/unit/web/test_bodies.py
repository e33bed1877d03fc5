"""The bodies: exact types, bounds, no unknown keys; one name for each command of people at a desk."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from studio.domain.bets import PLACEABLE
from studio.domain.commands import ALLOWED_ROLES
from studio.domain.people import Role
from studio.web import bodies, player_bodies

DESK: TypeAdapter[Any] = TypeAdapter(bodies.AnyDeskCommand)
LARGEST = 2**53


def test_the_names_are_those_of_the_commands_of_dealers_and_supervisors() -> None:
    mapping = DESK.json_schema()["discriminator"]["mapping"]
    expected = {
        re.sub(r"(?<!^)(?=[A-Z])", "-", command.__name__).lower()
        for command, roles in ALLOWED_ROLES.items()
        if roles & {Role.DEALER, Role.SUPERVISOR}
    }
    assert set(mapping) == expected


@pytest.mark.parametrize(
    "wrong",
    [True, 1.0, "1", None, -1, LARGEST + 1, 10**400, math.nan, math.inf, [1], {"a": 1}],
    ids=lambda value: str(value)[:20],
)
def test_a_number_is_a_whole_number_within_bounds(wrong: object) -> None:
    with pytest.raises(ValidationError):
        player_bodies.BetItem.model_validate({"seat": wrong, "amount": 500})
    with pytest.raises(ValidationError):
        player_bodies.BetItem.model_validate({"seat": 1, "amount": wrong})
    with pytest.raises(ValidationError):
        player_bodies.Decision.model_validate({"decision": wrong, "action": "hit"})


def test_bounds_are_within() -> None:
    assert player_bodies.BetItem.model_validate({"seat": 0, "amount": LARGEST}).amount == LARGEST
    with pytest.raises(ValidationError):
        player_bodies.BetItem.model_validate({"seat": 1, "amount": 0})


@pytest.mark.parametrize("wrong", [1, 0, "true", None])
def test_a_yes_is_a_yes(wrong: object) -> None:
    with pytest.raises(ValidationError):
        player_bodies.Insurance.model_validate({"seat": 1, "take": wrong})


@pytest.mark.parametrize(
    "body",
    [
        {"command": "open-betting", "arguments": {}, "more": 1},
        {"command": "open-betting", "arguments": {"more": 1}},
        {"command": "OpenBetting", "arguments": {}},
        {"command": "confirm-shoe-step", "arguments": {}},
        {"command": "confirm-shoe-step", "arguments": {"step": "burned"}},
        {"command": "suspend", "arguments": {"reason": ""}},
        {"command": "suspend", "arguments": {"reason": "x" * 201}},
        {"command": "suspend", "arguments": {"reason": "nul\x00"}},
        {"command": "suspend", "arguments": {"reason": "half \ud800"}},
        {"command": "void-round", "arguments": {"reason": "misdeal"}},
        {"command": "void-round", "arguments": {"reason": "misdeal", "text": "x" * 1001}},
        {"command": "resolve-incident", "arguments": {"incident": 1, "way_out": "edit", "reason": "r"}},
        {"arguments": {}},
        {"command": ["open-betting"]},
    ],
)
def test_a_malformed_desk_command_is_refused(body: object) -> None:
    with pytest.raises(ValidationError):
        DESK.validate_python(body)


def test_words_may_have_lines() -> None:
    body = {"command": "void-round", "arguments": {"reason": "misdeal", "text": "two\nlines\tof é"}}
    assert DESK.validate_python(body).arguments.text == "two\nlines\tof é"


@pytest.mark.parametrize("count", [0, player_bodies.MOST_BETS + 1])
def test_a_batch_has_its_bounds(count: int) -> None:
    with pytest.raises(ValidationError):
        player_bodies.Bets.model_validate({"bets": [{"seat": 1, "amount": 500}] * count})


@pytest.mark.parametrize("wrong", [{"player": "UPPER"}, {"player": "x" * 33}, {"player": 7}, {"kind": "side"}])
def test_a_bet_names_a_player_and_a_kind_that_can_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        player_bodies.BetItem.model_validate({"seat": 1, "amount": 500} | wrong)


def test_every_kind_that_can_be_placed_has_its_name() -> None:
    for kind in PLACEABLE:
        assert player_bodies.BetItem.model_validate({"seat": 1, "amount": 500, "kind": kind.value}).kind == kind


@pytest.mark.parametrize("wrong", ["split", "insurance", "behind_split", "behind_insurance", "MAIN", "", None, 1])
def test_what_follows_from_play_cannot_be_placed(wrong: object) -> None:
    with pytest.raises(ValidationError):
        player_bodies.BetItem.model_validate({"seat": 1, "amount": 500, "kind": wrong})


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (player_bodies.Seat, {"seat": 1}),
        (player_bodies.Seat, {"seat": 1, "action": "stay"}),
        (player_bodies.PlannedAction, {"seat": 1, "hand": 1}),
        (player_bodies.PlannedAction, {"seat": 1, "hand": 1, "action": "fold"}),
        (player_bodies.FollowAnswer, {"seat": 1, "hand": 1, "follow": None}),
        (player_bodies.Following, {"double": True}),
        (player_bodies.Following, {"double": "yes", "split": None}),
        (player_bodies.Following, {"double": 1, "split": 0}),
        (player_bodies.Decisions, {"decision": 1, "items": []}),
        (player_bodies.Decisions, {"decision": 1, "items": [{"action": "hit"}]}),
        (player_bodies.Decisions, {"decision": 1, "items": [{"player": "p", "action": "hit"}], "action": "hit"}),
        (player_bodies.Insurances, {"items": [{"player": "p", "take": True}]}),
    ],
)
def test_a_malformed_body_of_a_player_is_refused(kind: type[BaseModel], wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind.model_validate(wrong)
