from __future__ import annotations

import asyncio
import threading

import pytest

from drivers.serial_port.mailbox import Mailbox
from studio.domain.instants import Instant

AT = Instant(1, 2)


class Listener:
    def __init__(self) -> None:
        self.calls: list[tuple[str, object]] = []

    def on_bytes(self, data: bytes, at: Instant) -> None:
        assert at is AT
        self.calls.append(("bytes", data))

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:
        assert at is AT
        self.calls.append(("overflow", dropped_bytes))


async def test_calls_of_a_thread_are_made_in_the_loop_and_in_order() -> None:
    listener = Listener()
    mailbox = Mailbox(asyncio.get_running_loop(), listener)
    done = asyncio.Event()
    made_in: list[int] = []

    def post() -> None:
        mailbox.post_bytes(b"a", AT)
        mailbox.post_call(lambda: made_in.append(threading.get_ident()))
        mailbox.post_bytes(b"b", AT)
        mailbox.post_call(done.set)

    thread = threading.Thread(target=post)
    thread.start()
    await done.wait()
    thread.join()
    assert listener.calls == [("bytes", b"a"), ("bytes", b"b")]
    assert made_in == [threading.get_ident()]


async def test_bytes_beyond_the_limit_are_dropped_counted_and_told_in_their_place() -> None:
    listener = Listener()
    mailbox = Mailbox(asyncio.get_running_loop(), listener, limit_bytes=4)
    for data in (b"abc", b"defg", b"hi", b"j"):
        mailbox.post_bytes(data, AT)
    await asyncio.sleep(0)
    assert listener.calls == [("bytes", b"abc"), ("overflow", 6), ("bytes", b"j")]
    mailbox.post_bytes(b"klmn", AT)
    await asyncio.sleep(0)
    assert listener.calls[-1] == ("bytes", b"klmn")


def test_a_loop_that_has_ended_is_no_error() -> None:
    loop = asyncio.new_event_loop()
    mailbox = Mailbox(loop, Listener())
    loop.close()
    mailbox.post_bytes(b"late", AT)


def test_an_error_of_a_living_loop_is_not_hidden() -> None:
    class Refusing:
        def call_soon_threadsafe(self, _call: object) -> None:
            message = "something else"
            raise RuntimeError(message)

        def is_closed(self) -> bool:
            return False

    mailbox = Mailbox(Refusing(), Listener())  # type: ignore[arg-type] # the part of a loop that it uses
    with pytest.raises(RuntimeError, match="something else"):
        mailbox.post_call(lambda: None)
