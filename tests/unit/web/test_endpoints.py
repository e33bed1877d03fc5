"""The endpoints: who may send what by which way, keys, answers."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from web_fakes import BY_ROLE, RULES, SHARED, RecordingTable, Studio, token_of

from studio.domain import commands, shoe_commands
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.answers import Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import ALLOWED_ROLES, Command
from studio.domain.people import Actor, Role
from studio.domain.rules import RuleSet
from studio.domain.shoe import ShoeStep
from studio.domain.slots import HandId
from studio.domain.table import SignedOn
from studio.ports.journal import JournalError
from studio.runtime.inbox import Refused

ARGUMENTS: dict[str, dict[str, Any]] = {
    "confirm-shoe-step": {"step": "shuffled"},
    "register-pack": {"pack": "red-1", "batch": "B-7", "back": "red"},
    "begin-count": {"pack": "red-1"},
    "quarantine-pack": {"pack": "red-1", "reason": "a joker in it"},
    "report-foreign-card": {"text": "a joker"},
    "suspend": {"reason": "a stop"},
    "resolve-incident": {"incident": 1, "way_out": "burn", "reason": "exposed", "text": "seen"},
    "void-round": {"reason": "misdeal", "text": "on the floor"},
    "report-concern": {"concern": "at-risk", "seat": 2},
    "report-misdeal": {"tile": "wrong-seat", "seat": 2},
    "confirm-card": {"device": "cam-1", "load": 1, "ordinal": 7},
    "change-profile": {"reference": "R-17"},
    "claim-incident": {"incident": 1},
    "shelve-incident": {"incident": 1, "minutes": 10, "text": "the technician is on the way"},
    "hand-over-incident": {"incident": 1, "to": "man", "text": "end of shift"},
    "approve-proposal": {"proposal": 1},
    "decline-proposal": {"proposal": 1, "text": "look at the still first"},
    "open-hidden-card": {"draw": 4, "reason": "dispute", "text": "a player saw it"},
    "revise-round": {
        "round": 3,
        "changes": [{"change": "card-value", "draw": 4, "card": "8S"}],
        "reason": "misread",
        "text": "the still shows an eight",
    },
    "add-note": {"subject": "round", "number": 31, "text": "seen"},
    "open-dispute": {"round": 31, "player": "pam", "text": "in time"},
    "close-dispute": {"dispute": 1, "end": "declined", "text": "too late"},
}
OWN_PATHS: dict[str, tuple[str, dict[str, Any]]] = {
    "place-bets": ("bets", {"bets": [{"seat": 1, "amount": 500, "kind": "main"}]}),
    "decide": ("decisions", {"decision": 1, "action": "hit"}),
    "answer-insurance": ("insurance", {"seat": 1, "take": True}),
    "take-seat": ("seats", {"seat": 1, "action": "take"}),
    "leave-seat": ("seats", {"seat": 1, "action": "leave"}),
    "plan-action": ("plans", {"seat": 1, "hand": 1, "action": "stand"}),
    "set-following": ("following", {"double": True, "split": None}),
    "answer-follow": ("follow", {"seat": 1, "hand": 1, "follow": True}),
    "decide-all": ("decisions", {"decision": 1, "action": "hit"}),
    "insure-all": ("insurance", {"seat": 1, "take": True}),
}
ON_A_SHARED_HAND = {"decide-all", "insure-all"}
PATHS = sorted({path for path, _ in OWN_PATHS.values()})
BETS = OWN_PATHS["place-bets"][1]


def kebab(command: type[Command]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", command.__name__).lower()


def desk_body(name: str) -> dict[str, Any]:
    return {"command": name, "arguments": ARGUMENTS.get(name, {}), "seen_sequence": 7}


def studio_that_takes(name: str) -> Studio:
    return Studio(rules=SHARED) if name in ON_A_SHARED_HAND else Studio()


def for_role(role: str, body: dict[str, Any]) -> dict[str, Any]:
    """Name a player where an operator must."""
    if role != "operator":
        return body
    if "bets" in body:
        return {"bets": [bet | {"player": "p-17"} for bet in body["bets"]]}
    return body | {"player": "p-17"}


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("command", ALLOWED_ROLES, ids=kebab)
async def test_every_role_and_command_by_the_desk_path(command: type[Command], role: str) -> None:
    studio = Studio()
    name = kebab(command)
    answer = await studio.post(BY_ROLE[role], "t1/commands", desk_body(name))
    is_human = ALLOWED_ROLES[command] & {Role.DEALER, Role.SUPERVISOR}
    if not is_human:  # players' commands have their own paths; devices and the system have none
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    elif Role(role) in ALLOWED_ROLES[command]:
        assert (answer.status_code, answer.json()) == (200, {"sequence": 8})
        assert type(studio.table.submissions[0].command) is command
        assert studio.table.submissions[0].actor.role is Role(role)
        return
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert studio.table.submissions == []


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("command", ALLOWED_ROLES, ids=kebab)
async def test_every_role_and_command_by_the_players_paths(command: type[Command], role: str) -> None:
    name = kebab(command)
    studio = studio_that_takes(name)
    path, body = OWN_PATHS.get(name, (name, desk_body(name)))
    answer = await studio.post(BY_ROLE[role], f"t1/{path}", for_role(role, body))
    if name not in OWN_PATHS:
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    elif Role(role) in ALLOWED_ROLES[command]:
        assert answer.status_code == 200
        assert type(studio.table.submissions[0].command) is command
        return
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert studio.table.submissions == []


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("command", ALLOWED_ROLES, ids=kebab)
async def test_no_role_sends_any_command_by_the_feed(command: type[Command], role: str) -> None:
    studio = Studio()
    name = kebab(command)
    path, body = OWN_PATHS.get(name, ("commands", desk_body(name)))
    async with studio.feed(BY_ROLE[role]) as socket:
        socket.say(for_role(role, body))
        assert (await socket.hear())["code"] == "malformed"
        socket.say({path: body})
        assert (await socket.hear())["code"] == "malformed"
    assert studio.table.submissions == []


@pytest.mark.parametrize("path", ["commands", *PATHS])
async def test_nobody_sends_anything_without_a_token(path: str) -> None:
    studio = Studio()
    for authorization in (None, "", "Bearer", "Bearer wrong", "Basic " + token_of("dea"), token_of("dea")):
        headers = {"Idempotency-Key": "k1"} | (
            {"Authorization": authorization} if authorization is not None else {}
        )
        async with studio.client() as client:
            answer = await client.post(f"/v1/tables/t1/{path}", content=b"{", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unknown-token")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert studio.table.submissions == []


async def test_commands_arrive_with_their_arguments() -> None:
    studio = Studio()
    sent = [
        ("sup", "commands", desk_body("confirm-shoe-step"), shoe_commands.ConfirmShoeStep(ShoeStep.SHUFFLED)),
        ("sup", "commands", desk_body("suspend"), commands.Suspend("a stop")),
        (
            "sup",
            "commands",
            desk_body("resolve-incident"),
            commands.ResolveIncident(1, WayOut.BURN, "exposed", "seen"),
        ),
        ("sup", "commands", desk_body("void-round"), commands.VoidRound("misdeal", "on the floor")),
        (
            "pam",
            "decisions",
            {"decision": 4, "action": "split"},
            commands.Decide("pam", 4, Action.SPLIT, funded=False),
        ),
        (
            "ops",
            "insurance",
            {"player": "p-17", "seat": 2, "take": False},
            commands.AnswerInsurance("p-17", 2, take=False, funded=False),
        ),
        (
            "pam",
            "bets",
            {"bets": [{"seat": 2, "amount": 500}, {"player": "pam", "seat": 3, "amount": 700, "kind": "main"}]},
            commands.PlaceBets(
                (
                    Placement((Bet("pam", 2, BetKind.MAIN, 500),)),
                    Placement((Bet("pam", 3, BetKind.MAIN, 700),)),
                )
            ),
        ),
        (
            "ops",
            "bets",
            {"bets": [{"player": who, "seat": 2, "amount": 500, "kind": "behind"} for who in ("p-17", "tia")]},
            commands.PlaceBets(
                tuple(Placement((Bet(who, 2, BetKind.BEHIND, 500),)) for who in ("p-17", "tia")),
                frozenset({"tia"}),
            ),
        ),
        ("pam", "seats", {"seat": 4, "action": "take"}, commands.TakeSeat("pam", 4)),
        ("tia", "seats", {"seat": 4, "action": "take"}, commands.TakeSeat("tia", 4, is_trial=True)),
        (
            "ops",
            "seats",
            {"player": "tia", "seat": 4, "action": "take"},
            commands.TakeSeat("tia", 4, is_trial=True),
        ),
        ("pam", "seats", {"seat": 4, "action": "leave"}, commands.LeaveSeat("pam", 4)),
        (
            "pam",
            "plans",
            {"seat": 3, "hand": 2, "action": "double"},
            commands.PlanAction("pam", HandId(3, 2), Action.DOUBLE),
        ),
        (
            "ops",
            "plans",
            {"player": "p-17", "seat": 3, "hand": 1, "action": None},
            commands.PlanAction("p-17", HandId(3, 1), None),
        ),
        ("pam", "following", {"double": None, "split": False}, commands.SetFollowing("pam", None, split=False)),
        (
            "pam",
            "follow",
            {"seat": 3, "hand": 1, "follow": True},
            commands.AnswerFollow("pam", HandId(3, 1), follow=True, funded=False),
        ),
        ("dea", "commands", desk_body("return-cards"), shoe_commands.ReturnCards()),
    ]
    for number, (who, path, body, command) in enumerate(sent):
        assert (await studio.post(who, f"t1/{path}", body, key=f"k{number}")).status_code == 200
        assert studio.table.submissions[-1].command == command


async def test_the_submission_says_who_and_on_which_view() -> None:
    studio = Studio()
    await studio.post("sup", "t1/commands", desk_body("void-round"), key="void-1")
    (submission,) = studio.table.submissions
    assert submission.actor == Actor("sup", "Sup", Role.SUPERVISOR)
    assert submission.seen_sequence == 7
    assert submission.cause == "sup/void-1"


async def test_a_sign_on_carries_the_licence_of_the_people_file() -> None:
    studio = Studio()
    await studio.post("dea", "t1/commands", desk_body("sign-on"))
    assert studio.table.submissions[0].command == commands.SignOn("2023-11-14", licence_valid=True)


async def test_each_bet_is_answered_on_its_own() -> None:
    studio = Studio()
    bets = {"bets": [{"seat": 1, "amount": 500}, {"seat": 2, "amount": 200_000}]}
    answer = await studio.post("pam", "t1/bets", bets)
    assert answer.json() == {
        "sequence": 8,
        "items": [
            {"accepted": True, "bets": [{"seat": 1, "amount": 500}], "note": ""},
            {"accepted": False, "code": "over-maximum", "text": "Bet less."},
        ],
    }


OF_ANOTHER: list[tuple[str, dict[str, Any]]] = [
    ("bets", {"bets": [{"seat": 1, "amount": 500}, {"player": "pat", "seat": 2, "amount": 500}]}),
    ("decisions", {"decision": 1, "items": [{"player": who, "action": "hit"} for who in ("pam", "pat")]}),
    ("insurance", {"items": [{"player": who, "seat": 1, "take": True} for who in ("pam", "pat")]}),
    *((path, body | {"player": "pat"}) for path, body in OWN_PATHS.values() if path != "bets"),
]


@pytest.mark.parametrize("rules", [RULES, SHARED], ids=["seats", "shared hand"])
@pytest.mark.parametrize(("path", "body"), OF_ANOTHER)
async def test_a_player_cannot_play_for_another(path: str, body: dict[str, Any], rules: RuleSet) -> None:
    studio = Studio(rules=rules)
    answer = await studio.post("pam", f"t1/{path}", body)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert studio.table.submissions == []


@pytest.mark.parametrize("name", OWN_PATHS)
async def test_an_operator_names_the_player(name: str) -> None:
    studio = studio_that_takes(name)
    path, body = OWN_PATHS[name]
    answer = await studio.post("ops", f"t1/{path}", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert studio.table.submissions == []


@pytest.mark.parametrize("name", ["resolve-incident", "void-round"])
async def test_a_supervisor_says_what_they_saw(name: str) -> None:
    studio = Studio()
    body = desk_body(name)
    del body["seen_sequence"]
    answer = await studio.post("sup", "t1/commands", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert "seen_sequence" in answer.json()["text"]
    assert studio.table.submissions == []


async def test_a_dealer_resolves_without_saying_what_they_saw() -> None:
    studio = Studio()
    body = desk_body("resolve-incident")
    del body["seen_sequence"]
    assert (await studio.post("dea", "t1/commands", body)).status_code == 200
    assert studio.table.submissions[0].seen_sequence is None


async def test_a_person_with_many_roles_acts_in_the_first_that_may() -> None:
    studio = Studio()
    for number, (name, role) in enumerate([("open-betting", Role.DEALER), ("suspend", Role.SUPERVISOR)]):
        await studio.post("all", "t1/commands", desk_body(name), key=str(number))
        assert studio.table.submissions[-1].actor.role is role


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "key-missing"),
        (b"", "key-malformed"),
        (b"k" * 129, "key-malformed"),
        (b"two words", "key-malformed"),
        (b"k\xe4se", "key-malformed"),
    ],
)
async def test_the_idempotency_key_is_there_and_sound(key: bytes | None, code: str) -> None:
    studio = Studio()
    async with studio.client("pam") as client:
        headers = {b"Idempotency-Key": key} if key is not None else {}
        answer = await client.post("/v1/tables/t1/bets", json=BETS, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert studio.table.submissions == []


async def test_the_longest_key_is_taken() -> None:
    studio = Studio()
    assert (await studio.post("pam", "t1/bets", BETS, key="~" * 128)).status_code == 200


async def test_fifty_parallel_repeats_are_one_void_and_the_same_reply() -> None:
    studio = Studio()
    repeats = [studio.post("sup", "t1/commands", desk_body("void-round")) for _ in range(50)]
    answers = await asyncio.gather(*repeats)
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"sequence":8}')}
    assert len(studio.table.submissions) == 1


async def test_a_repeat_spelled_another_way_is_still_the_same() -> None:
    studio = Studio()
    first = await studio.post("pam", "t1/bets", {"bets": [{"seat": 1, "amount": 500}]})
    second = await studio.post("pam", "t1/bets", {"bets": [{"kind": "main", "amount": 500, "seat": 1}]})
    assert second.text == first.text
    assert len(studio.table.submissions) == 1


async def test_a_key_with_another_body_or_path_is_refused() -> None:
    studio = Studio()
    await studio.post("pam", "t1/bets", BETS)
    for path, body in (("bets", {"bets": [{"seat": 1, "amount": 600}]}), OWN_PATHS["decide"]):
        answer = await studio.post("pam", f"t1/{path}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "key-reused")
    assert len(studio.table.submissions) == 1


async def test_keys_are_each_persons_own() -> None:
    studio = Studio()
    for who in ("pam", "pat"):
        assert (await studio.post(who, "t1/bets", BETS)).status_code == 200
    assert len(studio.table.submissions) == 2


async def test_a_refusal_of_the_table_says_what_to_do() -> None:
    studio = Studio()
    studio.table.refusal = Refused(Rejected("not-betting", "Wait for the next round."), 7)
    answer = await studio.post("pam", "t1/bets", BETS)
    assert answer.status_code == 409
    assert answer.json() == {"code": "not-betting", "text": "Wait for the next round."}


async def test_a_stale_command_is_told_what_changed() -> None:
    studio = Studio()
    studio.table.refusal = Refused(Rejected("stale-view", "Look again."), 9, ("card-dealt", "peek-done"))
    answer = await studio.post("sup", "t1/commands", desk_body("void-round"))
    assert answer.status_code == 409
    assert answer.json() == {
        "code": "stale-view",
        "text": "Look again.",
        "sequence": 9,
        "changed": ["card-dealt", "peek-done"],
    }


async def test_a_command_that_was_not_recorded_is_said_to_be_so() -> None:
    studio = Studio()
    studio.table.failure = JournalError("disk full at /var/secret")
    answer = await studio.post("pam", "t1/bets", BETS)
    assert (answer.status_code, answer.json()["code"]) == (503, "not-recorded")
    assert "secret" not in answer.text


async def test_a_fault_is_answered_without_its_cause() -> None:
    studio = Studio()
    studio.table.failure = ZeroDivisionError("secret")
    answer = await studio.post("pam", "t1/bets", BETS)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["commands", *PATHS])
async def test_an_unknown_table_is_not_found(path: str) -> None:
    answer = await Studio().post("all", f"t9/{path}", {})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-table")


async def test_me_says_who_is_signed_in() -> None:
    studio = Studio()
    assert (await studio.get("dea", "/v1/me")).json() == {"id": "dea", "name": "Dea", "roles": ["dealer"]}
    assert (await studio.get(None, "/v1/me")).status_code == 401


async def test_tables_are_listed() -> None:
    studio = Studio()
    (line,) = (await studio.get("pam", "/v1/tables")).json()
    assert line == {"table": "t1", "name": "Table 1", "variant": "deluxe", "phase": "idle", "simulated": True}
    assert (await studio.get(None, "/v1/tables")).status_code == 401


async def test_a_view_is_told_at_the_time_of_the_request() -> None:
    studio = Studio()
    await studio.get("dea", "/v1/tables/t1/views/dealer")
    studio.clock.advance(3600)
    answer = (await studio.get("dea", "/v1/tables/t1/views/dealer")).json()
    assert (answer["topic"], answer["sequence"]) == ("tables/t1/dealer", 7)
    assert answer["server_wall_ns"] == studio.clock.now().wall_ns
    assert answer["view"]["table"]["table"] == "t1"


async def test_the_api_describes_itself_with_examples_and_loads_nothing() -> None:
    studio = Studio()
    described = (await studio.get(None, "/v1/openapi.json")).json()
    assert set(described["paths"]) == {
        "/v1/look-back",
        "/v1/me",
        "/v1/evidence/kinds",
        "/v1/evidence/rounds",
        "/v1/tables/{table}/rounds/{number}/replay",
        "/v1/tables/{table}/records/{sequence}",
        "/v1/tables/{table}/records/{sequence}/pdf",
        "/v1/tables",
        "/v1/tables/{table}/rules.json",
        "/v1/tables/{table}/strategy.json",
        "/v1/tables/{table}/views/{audience}",
        *(f"/v1/tables/{{table}}/{path}" for path in PATHS),
        "/v1/tables/{table}/history",
        "/v1/tables/{table}/camera",
        "/v1/tables/{table}/camera/calibration",
        "/v1/tables/{table}/camera/enrolment",
        "/v1/tables/{table}/camera/picture",
        "/v1/tables/{table}/stills/{frame}",
        "/v1/tables/{table}/statistics",
        "/v1/tables/{table}/commands",
        "/v1/holds",
        "/v1/tables/{table}/rounds/{number}/hold",
        "/v1/tables/{table}/rounds/{number}/release",
        "/v1/supervisors",
        "/v1/tables/{table}/previews",
        "/v1/tables/{table}/readings",
        "/v1/tables/{table}/rounds/{number}/draws",
        "/v1/hand-over",
    }
    for path, methods in described["paths"].items():
        if "post" in methods:
            content = methods["post"]["requestBody"]["content"]["application/json"]
            for example in content["examples"].values():
                studio = Studio()
                who = (
                    "all"
                    if path.endswith(("commands", "previews", "hold", "release"))
                    else "ops"
                    if "p-17" in str(example)
                    else "pam"
                )
                answer = await studio.post(
                    who, path.removeprefix("/v1/tables/").format(table="t1", number=1), example["value"]
                )
                # A player may not set up a camera.
                assert answer.status_code == (403 if "/camera/" in path else 200), (path, answer.text)
    for page in ("/docs", "/redoc"):
        assert (await studio.get(None, page)).status_code == 404


async def test_another_method_is_refused_in_the_same_form() -> None:
    studio = Studio()
    async with studio.client("dea") as client:
        answer = await client.delete("/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")


async def test_a_dealer_who_is_signed_on_at_another_table_says_so_with_the_sign_on() -> None:
    """C33, dealer-unfit: no two log-ins. The table refuses; where they are is the floor's to know."""
    studio = Studio()
    other = RecordingTable("t2")
    other.table = other.table._replace(dealer=SignedOn("dea", "Dea", "2099-12-31", 0))
    floor: Any = studio.app.state.floor
    floor.tables["t2"] = other

    await studio.post("dea", "t1/commands", desk_body("sign-on"))

    assert studio.table.submissions[0].command == commands.SignOn("2023-11-14", licence_valid=True, elsewhere="t2")
