"""From a table's outcome to the HTTP answer; a pure function, because the first answer is kept and repeated.

It knows the API's statuses and nothing of requests.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, assert_never

from studio.domain.answers import Rejected
from studio.runtime.inbox import Done, Outcome, Refused, Repeated


def answer(outcome: Outcome) -> tuple[int, str]:
    """Return the status and the JSON text that answer an outcome."""
    match outcome:
        case Done(sequence=sequence, items=items):
            body: dict[str, Any] = {"sequence": sequence}
            if items:
                body["items"] = [_item(item) for item in items]
            return HTTPStatus.OK.value, _text(body)
        case Refused(rejected=rejected):
            return _refusal(outcome, rejected)
        case Repeated(status=status, body=kept):
            return status, kept
        case _:
            assert_never(outcome)


def _refusal(refused: Refused, rejected: Rejected) -> tuple[int, str]:
    body: dict[str, Any] = {"code": rejected.code, "text": rejected.text}
    if rejected.code == "forbidden":
        return HTTPStatus.FORBIDDEN.value, _text(body)
    if rejected.code == "stale-view":
        body |= {"sequence": refused.sequence, "changed": refused.changed}
    return HTTPStatus.CONFLICT.value, _text(body)


def _item(item: Rejected | None) -> dict[str, Any]:
    if item is None:
        return {"accepted": True}
    return {"accepted": False, "code": item.code, "text": item.text}


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"))
