"""The shared hand of the benchmark: a whole round through the actor to a file, in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.adapters.sealing import KEY_BYTES, Sealer
from studio.adapters.sqlite_ledger import BATCH_FROM, totals
from studio.adapters.sqlite_rows import replay_rows
from studio.adapters.sqlite_store import open_read_only
from studio.bench.shared import measure_shared
from studio.domain.actions import Action
from studio.domain.bets import SIDE_BETS, BetKind
from studio.domain.events import RoundSettled, SharedDecisionsTaken


@pytest.mark.parametrize("players", [40, BATCH_FROM])
def test_every_kind_of_wager_is_settled_and_the_ledger_sums_to_zero(tmp_path: Path, players: int) -> None:
    figures = measure_shared(tmp_path, players)

    connection = open_read_only(tmp_path / "shared.sqlite")
    events = [recorded.event for recorded in replay_rows(connection, "t1", Sealer(bytes(KEY_BYTES)))]
    sums = totals(connection)
    lying = connection.execute("SELECT amount FROM balances WHERE account = 'table:t1'").fetchone()
    connection.close()
    settled = next(event for event in events if isinstance(event, RoundSettled))
    actions = {action for event in events if isinstance(event, SharedDecisionsTaken) for action in event.actions}
    kinds = {group.kind for group in settled.results.groups}
    assert kinds == {BetKind.MAIN, BetKind.SPLIT, BetKind.INSURANCE, *SIDE_BETS}
    assert actions == {Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT}
    assert sums == {"EUR": 0}
    assert lying == (0,)
    assert (figures.players, figures.wagers) == (players, len(settled.results))
    assert figures.settlement_seconds > 0
    assert figures.peak_bytes > 0
