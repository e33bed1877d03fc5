"""From a table's outcome to the HTTP answer; pure functions, because the first answer is kept and repeated.

It knows the API's statuses and nothing of requests.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from itertools import zip_longest
from typing import Any, assert_never

from studio.domain.answers import Rejected
from studio.domain.bets import Placement
from studio.runtime.inbox import Done, Outcome, Refused, Repeated


def answer(outcome: Outcome) -> tuple[int, str]:
    """Return the status and the JSON text that answer an outcome."""
    match outcome:
        case Done(sequence, items, placed, proposal):
            body: dict[str, Any] = {"sequence": sequence}
            if proposal is not None:
                body["proposal"] = proposal
            if items:
                body["items"] = [_item(*row) for row in zip_longest(items, placed[: len(items)])]
            return HTTPStatus.OK.value, _text(body)
        case Refused(rejected=rejected):
            return _refusal(outcome, rejected)
        case Repeated(status=status, body=kept):
            return status, kept
        case _:
            assert_never(outcome)


def answer_with_card(outcome: Outcome) -> tuple[int, str]:
    """Answer with the hidden card that was opened: for its opener, now, and in no answer that is kept."""
    status, text = answer(outcome)
    if isinstance(outcome, Done) and outcome.opened is not None:
        text = _text({**json.loads(text), "card": outcome.opened.code})
    return status, text


def answer_one(outcome: Outcome) -> tuple[int, str]:
    """Answer a batch of one as a command of its own: a refused item is a refused command."""
    match outcome:
        case Done(sequence, (Rejected() as rejected,)):
            return answer(Refused(rejected, sequence))
        case Done(sequence):
            return answer(Done(sequence))
        case _:
            return answer(outcome)


def answer_item(outcome: Outcome) -> tuple[int, str]:
    """Answer one of several commands of a request: as ``{"sequence", "item"}``, refused or not.

    A key that was used for another request, and a stale view, are refusals of the whole request.
    """
    match outcome:
        case Done(sequence):
            return HTTPStatus.OK.value, _text({"sequence": sequence, "item": _item(None, None)})
        case Refused(rejected=rejected, sequence=sequence) if rejected.code not in _OF_THE_REQUEST:
            return HTTPStatus.OK.value, _text({"sequence": sequence, "item": _item(rejected, None)})
        case _:
            return answer(outcome)


_OF_THE_REQUEST = frozenset({"key-reused", "forbidden", "stale-view"})


def answer_items(answers: Sequence[str]) -> str:
    """Put the answers of :func:`answer_item` together: what a batch is answered."""
    each = [json.loads(one) for one in answers]
    return _text({"sequence": max(one["sequence"] for one in each), "items": [one["item"] for one in each]})


def _refusal(refused: Refused, rejected: Rejected) -> tuple[int, str]:
    body: dict[str, Any] = {"code": rejected.code, "text": rejected.text}
    if rejected.code == "forbidden":
        return HTTPStatus.FORBIDDEN.value, _text(body)
    if rejected.code == "stale-view":
        body |= {"sequence": refused.sequence, "changed": refused.changed}
    return HTTPStatus.CONFLICT.value, _text(body)


def _item(rejected: Rejected | None, placement: Placement | None) -> dict[str, Any]:
    if rejected is not None:
        return {"accepted": False, "code": rejected.code, "text": rejected.text}
    if placement is None:
        return {"accepted": True}
    bets = [{"seat": bet.seat, "amount": bet.amount} for bet in placement.bets]
    return {"accepted": True, "bets": bets, "note": placement.note}


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"))
