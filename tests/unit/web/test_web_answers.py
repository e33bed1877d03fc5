"""From outcomes to answers."""

from __future__ import annotations

import json

import pytest

from studio.domain.answers import Rejected
from studio.runtime.inbox import Done, Outcome, Refused, Repeated
from studio.web.answers import answer

NO = Rejected("no", "Do not.")


@pytest.mark.parametrize(
    ("outcome", "status", "body"),
    [
        (Done(3), 200, {"sequence": 3}),
        (
            Done(3, (None, NO)),
            200,
            {"sequence": 3, "items": [{"accepted": True}, {"accepted": False, "code": "no", "text": "Do not."}]},
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
