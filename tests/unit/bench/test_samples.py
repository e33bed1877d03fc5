from __future__ import annotations

import pytest
from support.tables import START, a_setup

from studio.bench.samples import Samples
from studio.domain.anomalies import AnomalyKind
from studio.domain.events import AnomalyDetected, BettingOpened, Event
from studio.domain.instants import Instant
from studio.domain.table import Table


class Heard:
    """An observer that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:
        self.told.append(("happened", before, event, after, at))

    def refused(self, table: str, code: str) -> None:
        self.told.append(("refused", table, code))

    def committed(self, table: str, since_byte_seconds: float) -> None:
        self.told.append(("committed", table, since_byte_seconds))

    def painted(self, table: str, since_byte_seconds: float) -> None:
        self.told.append(("painted", table, since_byte_seconds))


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def counts() -> list[int]:
    return []


@pytest.fixture
def samples(heard: Heard, counts: list[int]) -> Samples:
    return Samples(2, heard, counts.append)


def happen(samples: Samples, event: Event) -> None:
    table = Table(a_setup())
    samples.happened(table, event, table, START)


BETTING = BettingOpened(1, "hash", 0)
ANOMALY = AnomalyDetected(1, AnomalyKind.NO_READ, 1, "", 0)


def test_cards_of_the_burn_are_not_kept(samples: Samples) -> None:
    samples.committed("t1", 9.0)
    samples.painted("t1", 9.0)
    happen(samples, ANOMALY)
    assert (samples.commit_seconds, samples.paint_seconds, samples.anomalies) == ([], [], [])


def test_every_card_from_the_first_betting_on_is_kept_until_there_are_enough(
    samples: Samples, counts: list[int]
) -> None:
    happen(samples, BETTING)
    samples.committed("t1", 0.1)
    samples.painted("t1", 0.3)
    happen(samples, ANOMALY)
    assert not samples.enough.is_set()
    samples.committed("t1", 0.2)
    assert samples.enough.is_set()
    samples.committed("t1", 9.0)
    assert samples.commit_seconds == [0.1, 0.2]
    assert samples.paint_seconds == [0.3]
    assert samples.anomalies == ["no-read"]
    assert counts == [1, 2]


def test_the_last_card_is_painted_after_its_commit(samples: Samples) -> None:
    happen(samples, BETTING)
    for seconds in (0.1, 0.2):
        samples.committed("t1", seconds)
        samples.painted("t1", seconds + 0.1)
    assert samples.paint_seconds == [pytest.approx(0.2), pytest.approx(0.3)]


def test_everything_is_passed_on(samples: Samples, heard: Heard) -> None:
    happen(samples, BETTING)
    samples.refused("t1", "no-shoe")
    samples.committed("t1", 0.5)
    samples.painted("t1", 0.6)
    table = Table(a_setup())
    assert heard.told == [
        ("happened", table, BETTING, table, START),
        ("refused", "t1", "no-shoe"),
        ("committed", "t1", 0.5),
        ("painted", "t1", 0.6),
    ]
