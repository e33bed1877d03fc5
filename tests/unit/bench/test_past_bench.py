"""The benchmark of looking back: its journal is a sound one, and its rounds are those that were played."""

from __future__ import annotations

from pathlib import Path

from support.tables import a_setup

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.bench.past import PastFigures, measure_past
from studio.bench.report import past_lines
from studio.evidence.replay import replay
from studio.ports.evidence import Wanted
from studio.ports.history import Ended


def test_rounds_are_opened_and_found_in_a_sound_journal(tmp_path: Path) -> None:
    setup = a_setup()
    figures = measure_past(tmp_path, setup, 60)
    assert figures.rounds >= 60
    assert len(figures.opened_seconds) == 30
    evidence = SqliteEvidence(tmp_path / "past.sqlite", Sealer(bytes(range(32))), [setup.table])
    found = evidence.search(Wanted(limit=100)).rounds
    assert {one.ended for one in found} == {Ended.SETTLED}
    assert found[0].span.round == figures.rounds
    last = replay(evidence, setup, figures.rounds)
    assert last.steps[-1].players.shoe is None
    assert len(last.players) == 7
    # Every shoe had its stop, and each is an incident of its own.
    stopped = evidence.search(Wanted(kind="any")).rounds
    assert [one.noticed[0].number for one in stopped] == list(range(len(stopped), 0, -1))


def test_the_figures_are_said_with_the_target() -> None:
    text = "\n".join(past_lines(PastFigures(100, 4000, 2_000_000, (0.1, 0.2), {"a player and a card": 0.01})))
    for part in ("ninety days", "open a replay", "target: 2 s", "find a player and a card"):
        assert part in text
