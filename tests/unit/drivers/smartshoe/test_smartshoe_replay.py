from __future__ import annotations

import pytest

from drivers.smartshoe.messages import Result, ResultCode
from drivers.smartshoe.replay import GIVE_UP_NS, REPEAT_NS, Replay, Step


def step(replay: Replay, now_ns: int) -> Step:
    return replay.step(now_ns, reader_owes=False)


def test_an_unanswered_request_is_sent_again_and_an_answered_one_asked_anew() -> None:
    replay = Replay(1, 5, 0, 0)
    assert step(replay, REPEAT_NS - 1) is Step.WAIT
    assert step(replay, REPEAT_NS) is Step.RESEND
    replay.on_result(Result(1, ResultCode.DONE))
    assert step(replay, REPEAT_NS) is Step.ASK_AGAIN


def test_it_is_given_up_a_second_after_the_last_progress() -> None:
    replay = Replay(1, 5, 0, 0)
    assert step(replay, GIVE_UP_NS) is Step.GIVE_UP
    replay.progress_ns = GIVE_UP_NS
    replay.sent_ns = GIVE_UP_NS * 2 - 2
    assert step(replay, GIVE_UP_NS * 2 - 1) is Step.WAIT


def test_time_stands_still_while_the_reader_owes_an_acknowledgement() -> None:
    replay = Replay(1, 5, 0, 0)
    assert replay.step(GIVE_UP_NS * 9, reader_owes=True) is Step.WAIT
    assert step(replay, GIVE_UP_NS * 9 + 1) is Step.WAIT


@pytest.mark.parametrize(
    ("code", "due"),
    [
        (ResultCode.UNKNOWN, Step.GIVE_UP),
        (ResultCode.BAD_ARGUMENT, Step.GIVE_UP),
        (ResultCode.HARDWARE, Step.GIVE_UP),
        (ResultCode.NOT_NOW, Step.WAIT),
        (ResultCode.DONE, Step.WAIT),
    ],
)
def test_a_refusal_ends_it_unless_it_is_only_not_now(code: ResultCode, due: Step) -> None:
    replay = Replay(1, 5, 0, 0)
    replay.on_result(Result(2, ResultCode.HARDWARE))
    assert step(replay, 1) is Step.WAIT
    replay.on_result(Result(1, code))
    assert step(replay, 1) is due
