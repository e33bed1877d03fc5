from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

from studio.app import table_setup
from studio.bench.folder import make_bench_folder
from studio.players.__main__ import read_players
from studio.settings import load_people

NOW = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def test_a_studio_can_be_run_from_it(tmp_path: Path) -> None:
    folder = make_bench_folder(tmp_path, NOW)
    setup = table_setup(folder.settings.tables[0], folder.settings.studio.mode)
    assert setup.rules.variant == "deluxe"
    assert setup.simulated
    people = {person.id: person for person in load_people(folder.settings.studio.people).people}
    assert people["dealer"].roles == ("dealer",)
    assert people["dealer"].token_sha256 == hashlib.sha256(folder.dealer_token.encode()).hexdigest()
    assert people["dealer"].licence_until is not None
    assert people["dealer"].licence_until > NOW.date()


def test_seven_players_can_sit_down(tmp_path: Path) -> None:
    players = read_players(make_bench_folder(tmp_path, NOW).players)
    assert [player.seat for player in players] == [1, 2, 3, 4, 5, 6, 7]


def test_nobody_else_can_read_the_tokens(tmp_path: Path) -> None:
    folder = make_bench_folder(tmp_path, NOW)
    for path in (folder.dealer, folder.watcher, folder.players):
        assert path.stat().st_mode & 0o077 == 0
    assert folder.dealer_token not in repr(folder)
