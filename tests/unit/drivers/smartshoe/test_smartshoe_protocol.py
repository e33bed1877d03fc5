from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartshoe_peer import (
    ACK,
    CARD_RETURN,
    CUT_CARD,
    LID,
    NAK,
    NOREAD,
    REPLAY_FROM,
    RESULT,
    STATUS,
    card,
    frame,
    heartbeat,
    hello,
    host_frames,
)

from drivers.smartshoe.facts import Fact, Missing, Received, Unrecovered
from drivers.smartshoe.frames import Cause
from drivers.smartshoe.load_record import Verdict
from drivers.smartshoe.messages import CardRead, CutCard, Hello, Lid, NoRead, Result
from drivers.smartshoe.protocol import Phase, Protocol
from studio.domain.instants import Instant
from studio.ports.devices import Resume

MS = 1_000_000


class Bench:
    """A connected protocol, its clock, and what it said."""

    def __init__(self, *, serial: str | None = None, resume: Resume | None = None) -> None:
        self.protocol = Protocol(serial=serial, resume=resume)
        self.now = Instant(0, 0)
        self.protocol.connected(self.now)

    def phase(self) -> Phase:
        return self.protocol.phase

    def after(self, milliseconds: int) -> list[Fact]:
        self.now = Instant(self.now.monotonic_ns + milliseconds * MS, 0)
        return self.protocol.tick(self.now)

    def feed(self, *wire: bytes) -> list[Fact]:
        return [fact for data in wire for fact in self.protocol.feed(data, self.now)]

    def sent(self) -> list[tuple[int, int, int, bytes]]:
        return host_frames(self.protocol.data_to_send())

    def sent_of(self, kind: int) -> list[bytes]:
        return [payload for sent, _, _, payload in self.sent() if sent == kind]

    def journal(self, *facts: Fact) -> None:
        for fact in facts:
            assert isinstance(fact, Received)
            self.protocol.acknowledge(fact.frame.boot, fact.frame.sequence)


def synced(ordinal: int = 0, *, serial: str | None = None, resume: Resume | None = None) -> Bench:
    bench = Bench(serial=serial, resume=resume)
    bench.journal(*bench.feed(hello(ordinal=ordinal))[:1])
    return bench


def messages(facts: list[Fact]) -> list[object]:
    return [fact.message for fact in facts if isinstance(fact, Received)]


def ordinals(facts: list[Fact]) -> list[int]:
    return [message.ordinal for message in messages(facts) if isinstance(message, CardRead | NoRead)]


def test_status_is_asked_on_connecting_and_every_half_second_until_hello() -> None:
    bench = Bench()
    assert bench.sent() == [(STATUS, 0, 0, b"")]
    bench.after(499)
    assert bench.sent() == []
    bench.after(1)
    assert bench.sent_of(STATUS) == [b""]
    bench.feed(hello())
    bench.after(5000)
    assert bench.sent_of(STATUS) == []
    assert bench.phase() is Phase.RUNNING


def test_nothing_is_taken_or_acknowledged_before_hello() -> None:
    bench = Bench()
    assert bench.feed(card("8S", 1, 1), heartbeat(1), frame(LID, b"\x01", seq=2, flags=2)) == []
    assert bench.sent_of(ACK) == []
    assert bench.protocol.errors == {Cause.NO_HELLO: 3}
    bench.feed(hello())
    assert ordinals(bench.feed(card("8S", 1, 1))) == [1]


def test_a_fresh_event_is_acknowledged_only_when_it_is_journalled() -> None:
    bench = synced()
    bench.sent()
    facts = bench.feed(card("8S", 1, 1))
    bench.after(100)
    assert bench.feed(card("8S", 1, 1, flags=3)) == []
    assert bench.sent_of(ACK) == []
    bench.journal(*facts)
    assert bench.sent() == [(ACK, 0, 0x5A, b"\x01")]
    assert bench.feed(card("8S", 1, 1, flags=3)) == []
    assert bench.sent_of(ACK) == [b"\x01"]


def test_hello_is_acknowledged_like_an_event_and_its_copy_is_not_delivered() -> None:
    bench = Bench()
    bench.sent()
    facts = bench.feed(hello(), hello(flags=3))
    assert len(facts) == 1
    assert bench.sent_of(ACK) == []
    bench.journal(*facts)
    bench.feed(hello(flags=3))
    assert bench.sent_of(ACK) == [b"\x00", b"\x00"]
    assert len(bench.feed(hello())) == 1  # an answer to STATUS is no copy


def test_a_retransmitted_lid_is_one_event_and_the_next_lid_another() -> None:
    bench = synced()
    lid = frame(LID, b"\x01", seq=4, flags=2)
    facts = bench.feed(lid, frame(LID, b"\x01", seq=4, flags=3))
    assert messages(facts) == [Lid(is_open=True)]
    bench.journal(*facts)
    bench.sent()
    assert bench.feed(lid) == []
    assert bench.sent_of(ACK) == [b"\x04"]
    assert messages(bench.feed(frame(LID, b"\x01", seq=5, flags=2))) == [Lid(is_open=True)]


def test_frames_that_want_no_acknowledgement_get_none() -> None:
    bench = synced()
    bench.sent()
    bench.feed(card("8S", 1, 0, flags=0), card("8S", 1, 0, flags=0), frame(LID, b"\x01"))
    assert bench.sent() == []


@pytest.mark.parametrize(
    ("wire", "why"), [(frame(0x77, b"", seq=9, flags=2), 3), (frame(LID, b"\x07", seq=9, flags=2), 2)]
)
def test_a_frame_that_says_nothing_is_refused_with_a_nak(wire: bytes, why: int) -> None:
    bench = synced()
    bench.sent()
    assert bench.feed(wire) == []
    assert bench.sent_of(NAK) == [bytes([9, why])]


def test_a_resumed_journal_asks_for_the_first_ordinal_that_it_lacks() -> None:
    bench = Bench(resume=Resume(load=7, ordinal=3))
    bench.sent()
    facts = bench.feed(hello(ordinal=5))
    assert facts[1:] == [Missing(7, (range(4, 6),), is_skipped=False, at=bench.now)]
    assert bench.sent() == [(REPLAY_FROM, 1, 0x5A, b"\x00\x04")]
    assert bench.phase() is Phase.REPLAYING
    assert ordinals(bench.feed(card("8S", 4, 1), card("KH", 5, 2))) == [4, 5]
    assert bench.phase() is Phase.RUNNING


def test_a_journal_of_another_load_asks_for_the_whole_of_this_one() -> None:
    bench = Bench(resume=Resume(load=6, ordinal=300))
    bench.sent()
    bench.feed(hello(load=7, ordinal=2))
    assert bench.sent_of(REPLAY_FROM) == [b"\x00\x01"]


def test_a_complete_journal_needs_no_replay() -> None:
    bench = synced(5, resume=Resume(load=7, ordinal=5))
    assert bench.sent_of(REPLAY_FROM) == []
    assert bench.phase() is Phase.RUNNING


def test_a_journalled_card_that_comes_again_is_told_apart() -> None:
    bench = synced(5, resume=Resume(load=7, ordinal=5))
    facts = bench.feed(card("8S", 5, 1), card("8S", 5, 1, flags=3))
    assert [fact.verdict for fact in facts if isinstance(fact, Received)] == [Verdict.JOURNALLED]
    bench.journal(*facts)
    assert ordinals(bench.feed(card("KH", 6, 2))) == [6]


def test_a_gap_asks_for_replay_and_late_cards_come_through() -> None:
    bench = synced()
    bench.sent()
    facts = bench.feed(card("8S", 1, 1), card("KH", 4, 2))
    assert facts[1] == Missing(7, (range(2, 4),), is_skipped=True, at=bench.now)
    assert bench.sent_of(REPLAY_FROM) == [b"\x00\x02"]
    assert bench.protocol.missing == [2, 3]
    assert ordinals(bench.feed(card("2C", 2, 3), card("3C", 3, 4), card("KH", 4, 5))) == [2, 3]
    assert bench.protocol.missing == []


def test_an_unanswered_replay_is_asked_again_with_the_same_sequence_then_given_up() -> None:
    bench = synced()
    bench.journal(*bench.feed(card("8S", 1, 1)))
    bench.feed(card("KH", 3, 2))
    bench.sent()
    bench.after(300)
    assert bench.sent() == [(REPLAY_FROM, 1, 0x5A, b"\x00\x02")]
    bench.feed(frame(RESULT, b"\x01\x00"))
    bench.after(300)
    assert bench.sent() == [(REPLAY_FROM, 2, 0x5A, b"\x00\x02")]
    assert bench.after(400) == [Unrecovered(7, (range(2, 3),), bench.now)]
    assert ordinals(bench.feed(card("2C", 2, 3))) == [2]  # late, but still a card


def test_a_slow_journal_does_not_end_a_replay() -> None:
    bench = Bench()
    hello_fact, _ = bench.feed(hello(ordinal=2))
    assert bench.after(5000) == []  # HELLO is not acknowledged yet: the device cannot go on
    bench.journal(hello_fact)
    assert bench.after(900) == []
    first = bench.feed(card("8S", 1, 1))
    assert bench.after(5000) == []
    bench.journal(*first)
    assert bench.after(1000) == [Unrecovered(7, (range(2, 3),), bench.now)]
    assert bench.phase() is Phase.RUNNING


def test_a_refused_replay_is_given_up_at_once() -> None:
    bench = synced(2)
    facts = bench.feed(frame(RESULT, b"\x01\x03"))
    assert messages(facts) == [Result(1, 3)]
    assert bench.after(1) == [Unrecovered(7, (range(1, 3),), bench.now)]


def test_a_device_without_replay_is_not_asked() -> None:
    bench = Bench()
    bench.sent()
    facts = bench.feed(hello(ordinal=2, caps=0x1B))
    assert facts[2] == Unrecovered(7, (range(1, 3),), bench.now)
    assert bench.sent_of(REPLAY_FROM) == []
    assert bench.phase() is Phase.RUNNING


def test_a_replayed_cut_card_is_the_same_and_a_later_one_another() -> None:
    bench = synced()
    cut = bench.feed(card("8S", 1, 1), frame(CUT_CARD, b"\x00\x01", seq=2, flags=2))[1:]
    assert messages(cut) == [CutCard(1)]
    bench.journal(*cut)
    bench.feed(card("KH", 3, 3))
    bench.sent()
    assert bench.feed(frame(CUT_CARD, b"\x00\x01", seq=4, flags=2)) == []
    assert bench.sent_of(ACK) == [b"\x04"]
    bench.feed(card("2C", 2, 5))
    returned = [frame(CARD_RETURN, b"\x00\x03", seq=seq, flags=2) for seq in (6, 7)]
    assert len(bench.feed(*returned)) == 2  # twice the same card pulled back: two events


def test_a_reboot_keeps_the_identity_and_acknowledges_the_new_copy() -> None:
    bench = synced()
    first = bench.feed(card("8S", 1, 9))
    assert len(bench.feed(hello(boot=0x77, ordinal=1))) == 1
    assert bench.feed(card("8S", 1, 1, boot=0x77)) == []
    bench.sent()
    bench.journal(*first)
    assert bench.sent() == [(ACK, 0, 0x77, b"\x01")]


def test_a_reboot_whose_hello_was_lost_is_asked_for_its_status_before_a_card_is_taken() -> None:
    bench = synced()
    bench.sent()
    assert bench.feed(card("8S", 1, 1, boot=0x77)) == []
    assert bench.protocol.errors == {Cause.BOOT: 1}
    assert bench.phase() is Phase.WAITING
    assert bench.sent_of(STATUS) == [b""]
    bench.feed(hello(boot=0x77, ordinal=1))
    assert ordinals(bench.feed(card("8S", 1, 1, boot=0x77, flags=3))) == [1]


def test_a_new_load_counts_from_one_and_ends_what_was_missing_of_the_old() -> None:
    bench = synced()
    bench.feed(card("8S", 2, 1))
    facts = bench.feed(hello(load=8))
    assert facts[0] == Unrecovered(7, (range(1, 2),), bench.now)
    assert isinstance(messages(facts)[0], Hello)
    (fact,) = bench.feed(card("8S", 1, 2))
    assert isinstance(fact, Received)
    assert fact.load == 8


def test_the_wrong_reader_is_refused_and_gets_no_acknowledgement() -> None:
    bench = Bench(serial="00A1B2C3")
    bench.sent()
    assert bench.feed(hello(serial=0xBEEF), card("8S", 1, 1), heartbeat(1)) == []
    assert bench.phase() is Phase.REFUSED
    assert "0000BEEF" in bench.protocol.refusal
    assert "00A1B2C3" in bench.protocol.refusal
    assert bench.sent() == []
    assert bench.protocol.errors == {Cause.WRONG_READER: 2}
    bench.after(500)
    assert bench.sent_of(STATUS) == [b""]
    assert len(bench.feed(hello())) == 1  # put right
    assert bench.phase() is Phase.RUNNING


def test_without_a_configured_serial_the_first_reader_is_kept_to() -> None:
    bench = synced()
    assert bench.feed(hello(serial=0xBEEF, boot=0x11)) == []
    assert bench.phase() is Phase.REFUSED


@pytest.mark.parametrize("resume", [None, Resume(load=7, ordinal=3)])
def test_a_reader_that_has_forgotten_its_count_is_refused_until_a_new_load(resume: Resume | None) -> None:
    bench = Bench(resume=resume)
    if resume is None:
        bench.feed(hello(ordinal=0), card("8S", 1, 1), card("8S", 2, 2), card("8S", 3, 3))
    assert bench.feed(hello(ordinal=1, boot=0x77)) == []
    assert "NEW_SHOE" in bench.protocol.refusal
    assert len(bench.feed(hello(load=8, boot=0x77))) == 1


def test_an_older_hello_of_the_same_boot_is_no_forgetting() -> None:
    bench = synced()
    bench.feed(card("8S", 1, 1), hello(ordinal=0))
    assert bench.phase() is Phase.RUNNING
    assert bench.protocol.missing == []


def test_two_heartbeats_that_count_further_ask_for_replay() -> None:
    bench = synced()
    bench.sent()
    assert len(bench.feed(heartbeat(2))) == 1
    assert bench.sent_of(REPLAY_FROM) == []
    facts = bench.feed(heartbeat(2))
    assert facts[1:] == [Missing(7, (range(1, 3),), is_skipped=False, at=bench.now)]
    assert bench.sent_of(REPLAY_FROM) == [b"\x00\x01"]
    assert len(bench.feed(heartbeat(2))) == 1  # the replay is on its way


def test_a_heartbeat_that_counts_less_asks_for_the_status() -> None:
    bench = synced()
    bench.feed(card("8S", 1, 1), card("8S", 2, 2))
    bench.sent()
    bench.after(600)
    bench.feed(heartbeat(0))
    assert bench.sent_of(STATUS) == [b""]


def test_after_a_reconnect_what_is_missing_is_asked_again() -> None:
    bench = synced()
    bench.feed(card("KH", 3, 1))
    bench.protocol.disconnected()
    assert not any(isinstance(fact, Unrecovered) for fact in bench.after(60_000))
    bench.protocol.connected(bench.now)
    bench.sent()
    bench.feed(hello(ordinal=3, boot=0x77))
    assert bench.sent_of(REPLAY_FROM) == [b"\x00\x01"]
    assert bench.phase() is Phase.REPLAYING


def test_a_no_read_replayed_after_its_rescan_is_an_old_word() -> None:
    bench = synced()
    no_read = frame(NOREAD, b"\x00\x01", seq=1, flags=2)
    assert len(bench.feed(no_read, card("8S", 1, 2))) == 2
    assert bench.feed(frame(NOREAD, b"\x00\x01", seq=3, flags=2), card("8S", 1, 4)) == []


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=80),
            st.builds(card, st.sampled_from(["8S", "KH"]), st.integers(1, 9), st.integers(0, 255)),
            st.builds(
                hello,
                load=st.integers(7, 8),
                ordinal=st.integers(0, 9),
                boot=st.sampled_from([0x5A, 0x77]),
                caps=st.sampled_from([0x1F, 0x1B]),
                serial=st.sampled_from([0x00A1B2C3, 1]),
                flags=st.integers(0, 3),
            ),
            st.builds(heartbeat, st.integers(0, 12)),
            st.builds(frame, st.integers(0, 255), st.binary(max_size=12), seq=st.integers(0, 255)),
            st.integers(1, 1200),
        ),
        max_size=40,
    )
)
def test_nothing_that_arrives_raises_and_no_card_is_new_twice(steps: list[bytes | int]) -> None:
    bench = Bench(resume=Resume(load=7, ordinal=2))
    seen: set[tuple[int | None, int, int]] = set()
    for action in steps:
        facts = bench.after(action) if isinstance(action, int) else bench.feed(action)
        bench.sent()
        for fact in facts:
            if isinstance(fact, Received) and isinstance(fact.message, CardRead):
                assert bench.phase() in (Phase.REPLAYING, Phase.RUNNING)
                identity = (fact.load, fact.message.ordinal, fact.message.code)
                assert fact.load == 8 or identity not in seen
                seen.add(identity)
