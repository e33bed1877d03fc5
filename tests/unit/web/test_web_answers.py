"""From outcomes to answers."""

from __future__ import annotations

import json

import pytest

from studio.domain.answers import Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.runtime.inbox import Done, Outcome, Refused, Repeated
from studio.web.answers import answer, answer_item, answer_items, answer_one

NO = Rejected("no", "Do not.")
RAISED = Placement((Bet("p", 1, BetKind.MAIN, 500),), note="raised-to-minimum")
SHARED = Placement(
    (Bet("p", 1, BetKind.MAIN, 300), Bet("p", 2, BetKind.MAIN, 300)), funded=True, note="shared-between-seats"
)


@pytest.mark.parametrize(
    ("outcome", "status", "body"),
    [
        (Done(3), 200, {"sequence": 3}),
        (
            Done(3, (None, NO)),
            200,
            {"sequence": 3, "items": [{"accepted": True}, {"accepted": False, "code": "no", "text": "Do not."}]},
        ),
        (
            Done(3, (NO, None), (RAISED, SHARED)),
            200,
            {
                "sequence": 3,
                "items": [
                    {"accepted": False, "code": "no", "text": "Do not."},
                    {
                        "accepted": True,
                        "bets": [{"seat": 1, "amount": 300}, {"seat": 2, "amount": 300}],
                        "note": "shared-between-seats",
                    },
                ],
            },
        ),
        (Refused(NO, 3, ("card-dealt",)), 409, {"code": "no", "text": "Do not."}),
        (Refused(Rejected("forbidden", "No."), 3), 403, {"code": "forbidden", "text": "No."}),
        (
            Refused(Rejected("stale-view", "Look."), 3, ("card-dealt",)),
            409,
            {"code": "stale-view", "text": "Look.", "sequence": 3, "changed": ["card-dealt"]},
        ),
        (Repeated(418, '{"kept": 1}'), 418, {"kept": 1}),
    ],
)
def test_each_outcome_has_its_answer(outcome: Outcome, status: int, body: object) -> None:
    found, text = answer(outcome)
    assert (found, json.loads(text)) == (status, body)


def test_a_repeat_is_the_first_answer_to_the_letter() -> None:
    status, text = answer(Done(3))
    assert answer(Repeated(status, text)) == (status, text)


@pytest.mark.parametrize(
    ("outcome", "status", "body"),
    [
        (Done(3, (None,)), 200, {"sequence": 3}),
        (Done(3, (NO,)), 409, {"code": "no", "text": "Do not."}),
        (Refused(NO, 3), 409, {"code": "no", "text": "Do not."}),
        (Repeated(418, '{"kept": 1}'), 418, {"kept": 1}),
    ],
)
def test_a_batch_of_one_is_answered_like_a_command(outcome: Outcome, status: int, body: object) -> None:
    found, text = answer_one(outcome)
    assert (found, json.loads(text)) == (status, body)


def test_several_commands_are_answered_like_a_batch() -> None:
    answers = [answer_item(outcome) for outcome in (Done(3), Refused(NO, 4), Done(5))]
    assert {status for status, _ in answers} == {200}
    assert json.loads(answer_items([text for _, text in answers])) == {
        "sequence": 5,
        "items": [{"accepted": True}, {"accepted": False, "code": "no", "text": "Do not."}, {"accepted": True}],
    }


@pytest.mark.parametrize(("code", "status"), [("key-reused", 409), ("forbidden", 403), ("stale-view", 409)])
def test_what_is_wrong_with_the_request_is_no_items_answer(code: str, status: int) -> None:
    assert answer_item(Refused(Rejected(code, "No."), 3))[0] == status
