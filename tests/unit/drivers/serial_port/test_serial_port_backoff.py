from __future__ import annotations

from drivers.serial_port.backoff import Backoff, Timing


def test_waits_double_from_the_first_to_the_most_and_stay_there() -> None:
    backoff = Backoff(0.2, 5.0, jitter=lambda: 0.5)
    waits = [round(backoff.next_seconds(), 3) for _ in range(8)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]


def test_a_success_starts_again_at_the_first() -> None:
    backoff = Backoff(0.2, 5.0, jitter=lambda: 0.5)
    for _ in range(5):
        backoff.next_seconds()
    backoff.reset()
    assert backoff.next_seconds() == 0.2


def test_jitter_spreads_the_waits_within_their_bounds() -> None:
    low, high = Backoff(0.2, 5.0, jitter=lambda: 0.0), Backoff(0.2, 5.0, jitter=lambda: 1.0)
    pairs = [(low.next_seconds(), high.next_seconds()) for _ in range(10)]
    assert all(0.2 <= wait <= 5.0 for pair in pairs for wait in pair)
    assert pairs[2][0] < 0.8 < pairs[2][1]


def test_the_default_spans_are_those_of_the_specification() -> None:
    assert Timing() == Timing(look_every=0.25, backoff_first=0.2, backoff_most=5.0, write_timeout=1.0)
