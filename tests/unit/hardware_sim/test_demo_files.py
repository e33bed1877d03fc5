"""The demo's folder: files that the studio can read, tokens that nobody else can."""

from __future__ import annotations

import datetime as dt
import hashlib
import stat
from pathlib import Path

import pytest

from hardware_sim.demo_files import DemoFolder, DemoFolderError, make_demo_folder, taken
from studio.players.__main__ import read_players
from studio.settings import load_people, load_settings

TODAY = dt.date(2026, 1, 31)


def make(path: Path) -> DemoFolder:
    return make_demo_folder(path, port=8701, today=TODAY)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_settings_are_one_simulated_table_on_the_port(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    settings = load_settings(folder.settings)
    assert (settings.studio.mode, settings.studio.port) == ("simulation", 8701)
    (table,) = settings.tables
    assert (table.id, table.variant, table.reader.driver) == ("t1", "deluxe", "smartshoe")
    assert table.reader.settings["port"] == str(folder.shoe_port)
    assert table.reader.settings["simulated"] is True
    assert settings.studio.people == folder.path / "people.toml"


def test_the_people_file_has_hashes_of_the_tokens_and_no_token(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    text = (folder.path / "people.toml").read_text(encoding="utf-8")
    people = {person.id: person for person in load_people(folder.path / "people.toml").people}
    assert people["dealer-1"].token_sha256 == hashlib.sha256(folder.dealer_token.encode()).hexdigest()
    assert people["dealer-1"].licence_until == dt.date(2027, 1, 31)
    assert people["supervisor-1"].roles == ("supervisor",)
    assert people["technician-1"].roles == ("technician",)
    players = read_players(folder.players)
    assert [player.seat for player in players] == [1, 2, 3, 4, 5, 6, 7]
    for player in players:
        person = people[f"player-{player.seat}"]
        assert person.token_sha256 == hashlib.sha256(player.token.encode()).hexdigest()
        assert person.opening_balance > 0
        assert player.token not in text
    assert folder.dealer_token not in text


def test_tokens_are_for_their_owner_alone_and_new_each_time(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    assert mode(folder.path) == 0o700
    for name in ("tokens.toml", "players.toml", "dealer.token"):
        assert mode(folder.path / name) == 0o600
    assert folder.dealer.read_text(encoding="ascii") == folder.dealer_token
    assert make(tmp_path / "demo").dealer_token != folder.dealer_token
    assert folder.dealer_token not in repr(folder)


def test_a_demo_forgets_the_last_one(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    left = folder.path / "journal"
    left.mkdir()
    make(tmp_path / "demo")
    assert not left.exists()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.touch()
    with pytest.raises(DemoFolderError, match="--data"):
        make(tmp_path)
    assert precious.exists()


def test_two_demos_do_not_share_a_folder(tmp_path: Path) -> None:
    with taken(tmp_path / "demo"):
        make(tmp_path / "demo")
        with pytest.raises(DemoFolderError, match="another demo"), taken(tmp_path / "demo"):
            pass
    with taken(tmp_path / "demo"):
        assert (tmp_path / "demo").is_dir()
