"""The players' endpoints: batches on both layouts, repeats of them, and the history."""

from __future__ import annotations

from typing import Any

import pytest
from web_fakes import BY_ROLE, SHARED, Studio

from studio.domain import commands, shared_commands
from studio.domain.actions import Action
from studio.domain.answers import Rejected
from studio.domain.events import Cause
from studio.domain.shared_commands import (
    Choosing,
    Insuring,
)
from studio.ports.history import Ended, LedgerLine, Outcome, PlayedBet, PlayedDecision, PlayedRound
from studio.runtime.inbox import Refused

DECISIONS: dict[str, Any] = {
    "decision": 4,
    "items": [{"player": "p-1", "action": "hit"}, {"player": "late", "action": "stand"}],
}
INSURANCES: dict[str, Any] = {
    "items": [{"player": "p-1", "seat": 1, "take": True}, {"player": "late", "seat": 1, "take": False}]
}
ONE_LATE = [{"accepted": True}, {"accepted": False, "code": "already-answered", "text": "Answered."}]
PLAYED = PlayedRound(
    round=7,
    ended=Ended.SETTLED,
    at_wall_ns=1_700_000_000_000_000_000,
    dealer=("9C", "TH"),
    bets=(PlayedBet("main", 1, 1, ("TC", "9D"), 1000, 1000, 0, Outcome.PUSH),),
    decisions=(PlayedDecision("decision", "pam", 1, 1, "stand", "stand", Cause.PLAYER, 0),),
    entries=(LedgerLine("t1:12:0", -1000, "main bet"), LedgerLine("t1:24:0", 1000, "main returned")),
)


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        (
            "decisions",
            DECISIONS,
            shared_commands.DecideAll(4, (Choosing("p-1", Action.HIT), Choosing("late", Action.STAND))),
        ),
        (
            "insurance",
            INSURANCES,
            shared_commands.InsureAll((Insuring("p-1", take=True), Insuring("late", take=False))),
        ),
    ],
)
async def test_a_batch_on_a_shared_hand_is_one_command(
    path: str, body: dict[str, Any], command: commands.Command
) -> None:
    studio = Studio(rules=SHARED)
    answer = await studio.post("ops", f"t1/{path}", body)
    assert (answer.status_code, answer.json()) == (200, {"sequence": 8, "items": ONE_LATE})
    assert [one.command for one in studio.table.submissions] == [command]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("decisions", {"player": "late", "decision": 4, "action": "hit"}),
        ("insurance", {"player": "late", "seat": 1, "take": True}),
    ],
)
async def test_one_answer_on_a_shared_hand_is_refused_like_one_at_a_seat(path: str, body: dict[str, Any]) -> None:
    studio = Studio(rules=SHARED)
    for _ in range(2):
        answer = await studio.post("ops", f"t1/{path}", body)
        assert (answer.status_code, answer.json()) == (409, {"code": "already-answered", "text": "Answered."})
    taken = await studio.post("ops", f"t1/{path}", body | {"player": "p-1"}, key="k2")
    assert (taken.status_code, taken.json()) == (200, {"sequence": 9})


@pytest.mark.parametrize(
    ("path", "body", "asked"),
    [
        (
            "decisions",
            DECISIONS,
            [
                commands.Decide("p-1", 4, Action.HIT, funded=False),
                commands.Decide("late", 4, Action.STAND, funded=False),
            ],
        ),
        (
            "insurance",
            INSURANCES,
            [
                commands.AnswerInsurance("p-1", 1, take=True, funded=False),
                commands.AnswerInsurance("late", 1, take=False, funded=False),
            ],
        ),
    ],
)
async def test_a_batch_at_seats_is_sent_one_by_one(
    path: str, body: dict[str, Any], asked: list[commands.Command]
) -> None:
    studio = Studio()
    first = await studio.post("ops", f"t1/{path}", body)
    again = await studio.post("ops", f"t1/{path}", body)
    assert first.json() == {"sequence": 9, "items": [{"accepted": True}, {"accepted": True}]}
    assert again.text == first.text
    assert [one.command for one in studio.table.submissions] == asked
    assert len({one.cause for one in studio.table.submissions}) == 2


async def test_items_refused_at_seats_are_answered_on_their_own() -> None:
    studio = Studio()
    studio.table.refusal = Refused(Rejected("not-your-hand", "Wait."), 7)
    first = await studio.post("ops", "t1/decisions", DECISIONS)
    refused = {"accepted": False, "code": "not-your-hand", "text": "Wait."}
    assert (first.status_code, first.json()) == (200, {"sequence": 7, "items": [refused, refused]})
    studio.table.refusal = None
    assert (await studio.post("ops", "t1/decisions", DECISIONS)).text == first.text
    assert studio.table.submissions == []


async def test_a_batch_that_broke_off_goes_on_where_it_stopped() -> None:
    studio = Studio()
    studio.table.fails_after = 1
    broken = await studio.post("ops", "t1/decisions", DECISIONS)
    assert (broken.status_code, broken.json()["code"]) == (503, "not-recorded")
    assert len(studio.table.submissions) == 1
    studio.table.fails_after = None
    whole = await studio.post("ops", "t1/decisions", DECISIONS)
    assert whole.json() == {"sequence": 9, "items": [{"accepted": True}, {"accepted": True}]}
    assert [
        one.command.player for one in studio.table.submissions if isinstance(one.command, commands.Decide)
    ] == [
        "p-1",
        "late",
    ]


async def test_a_key_of_a_batch_is_used_up_like_any_other() -> None:
    studio = Studio()
    await studio.post("ops", "t1/decisions", DECISIONS)
    shorter = DECISIONS | {"items": DECISIONS["items"][:1]}
    one = {"player": "p-1", "decision": 4, "action": "hit"}
    for path, body in (("decisions", shorter), ("decisions", one), ("insurance", INSURANCES)):
        answer = await studio.post("ops", f"t1/{path}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "key-reused")
    assert len(studio.table.submissions) == 2


async def test_no_key_meets_the_later_items_of_a_batch() -> None:
    studio = Studio()
    await studio.post("ops", "t1/decisions", DECISIONS)
    for key in ("k1/1", "k1-1", "k11"):
        assert (await studio.post("ops", "t1/decisions", DECISIONS, key=key)).status_code == 200
    assert len(studio.table.submissions) == 8


@pytest.mark.parametrize("role", BY_ROLE)
async def test_only_players_and_their_operators_read_the_history(role: str) -> None:
    studio = Studio()
    answer = await studio.get(
        BY_ROLE[role], "/v1/tables/t1/history" + ("?player=p-17" if role == "operator" else "")
    )
    if role in {"player", "operator"}:
        assert (answer.status_code, answer.json()) == (200, {"rounds": []})
        assert studio.history.asked == [("t1", "p-17" if role == "operator" else "pam", None, 50)]
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert studio.history.asked == []


async def test_the_history_is_told_in_full() -> None:
    studio = Studio()
    studio.history.played = (PLAYED,)
    answer = await studio.get("pam", "/v1/tables/t1/history?player=pam&limit=2&before=8")
    assert studio.history.asked == [("t1", "pam", 8, 2)]
    assert answer.json() == {
        "rounds": [
            {
                "round": 7,
                "ended": "settled",
                "at_wall_ns": 1_700_000_000_000_000_000,
                "dealer": ["9C", "TH"],
                "bets": [
                    {
                        "kind": "main",
                        "seat": 1,
                        "hand": 1,
                        "cards": ["TC", "9D"],
                        "stake": 1000,
                        "returned": 1000,
                        "net": 0,
                        "result": "push",
                    }
                ],
                "decisions": [
                    {
                        "kind": "decision",
                        "player": "pam",
                        "seat": 1,
                        "hand": 1,
                        "asked": "stand",
                        "action": "stand",
                        "cause": "player",
                        "added_stake": 0,
                    }
                ],
                "entries": [
                    {"id": "t1:12:0", "amount": -1000, "cause": "main bet"},
                    {"id": "t1:24:0", "amount": 1000, "cause": "main returned"},
                ],
                "corrected": False,
                "revised": False,
            }
        ]
    }


@pytest.mark.parametrize(
    ("who", "query", "status", "code"),
    [
        (None, "", 401, "unknown-token"),
        ("pam", "?player=pat", 403, "forbidden"),
        ("ops", "", 422, "malformed"),
        ("ops", "?player=NOBODY", 422, "malformed"),
        ("ops", "?player=p%00", 422, "malformed"),
        ("pam", "?limit=0", 422, "malformed"),
        ("pam", "?limit=101", 422, "malformed"),
        ("pam", "?limit=many", 422, "malformed"),
        ("pam", "?before=0", 422, "malformed"),
        ("pam", f"?before={10**40}", 422, "malformed"),
        ("pam", "?befor=3", 422, "malformed"),
    ],
)
async def test_the_history_of_others_and_of_nonsense_is_refused(
    who: str | None, query: str, status: int, code: str
) -> None:
    studio = Studio()
    answer = await studio.get(who, f"/v1/tables/t1/history{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert studio.history.asked == []


async def test_the_history_of_an_unknown_table_is_not_found() -> None:
    answer = await Studio().get("pam", "/v1/tables/t9/history")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-table")
