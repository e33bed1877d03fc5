"""The demo's folder: files that the studio can read, tokens that nobody else can."""

from __future__ import annotations

import datetime as dt
import hashlib
import stat
import tomllib
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hardware_sim.demo_files import DemoFolder, DemoFolderError, make_demo_folder, taken
from hardware_sim.demo_tables import demo_tables, training_table
from hardware_sim.protocols import PROTOCOLS
from studio.app import table_setup
from studio.domain.rules import Shuffling
from studio.players.__main__ import read_players
from studio.ports.devices import DecodingPlugin
from studio.settings import Person, load_people, load_settings

TODAY = dt.date(2026, 1, 31)
PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENTRY_POINTS = PROJECT["entry-points"]["studio.card_sources"]


def make(path: Path, pace: float = 1.0) -> DemoFolder:
    return make_demo_folder(path, demo_tables(), port=8701, today=TODAY, pace=pace)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_settings_are_the_four_games_simulated_on_the_port(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    settings = load_settings(folder.settings)
    assert (settings.studio.mode, settings.studio.port) == ("simulation", 8701)
    assert settings.studio.people == folder.path / "people.toml"
    setups = {table.id: table_setup(table, settings.studio.mode) for table in settings.tables}
    assert {name: (setup.rules.variant, setup.rules.shuffling) for name, setup in setups.items()} == {
        "t1": ("deluxe", Shuffling.SHOE),
        "t2": ("infinite", Shuffling.SHOE),
        "t3": ("european", Shuffling.VIRTUAL),
        "t4": ("continuous", Shuffling.CONTINUOUS),
    }
    for table, files in zip(settings.tables, folder.tables, strict=True):
        if files.table.is_dealt_by_hand:
            assert table.reader.driver == "smartshoe"
            assert table.reader.settings["port"] == str(files.shoe_port)
            assert table.reader.settings["serial"] == files.table.serial
            assert table.reader.settings["simulated"] is True
        else:
            assert (table.reader.driver, table.reader.settings) == ("virtual_shoe", {})
    serials = [each.table.serial for each in folder.tables if each.table.is_dealt_by_hand]
    assert len(set(serials)) == 3


def test_a_virtual_shoe_deals_at_the_demos_pace(tmp_path: Path) -> None:
    usual, quick = (load_settings(make(tmp_path / "demo", pace).settings).tables[2] for pace in (1.0, 10.0))
    assert usual.card_ms == 10 * quick.card_ms


def test_the_people_file_has_hashes_of_the_tokens_and_no_token(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    text = (folder.path / "people.toml").read_text(encoding="utf-8")
    people = {person.token_sha256: person for person in load_people(folder.path / "people.toml").people}

    def of_token(token: str) -> Person:
        assert token not in text
        return people[hashlib.sha256(token.encode()).hexdigest()]

    assert of_token(folder.supervisor_token).roles == ("supervisor",)
    for files in folder.tables:
        dealer, guest = of_token(files.dealer_token), of_token(files.guest_token)
        assert (dealer.roles, dealer.licence_until) == (("dealer",), dt.date(2027, 1, 31))
        assert guest.roles == ("player",)
        assert guest.opening_balance > 0
    for player in read_players(folder.players, has_table=False):
        assert of_token(player.token).roles == ("player",)
        assert of_token(player.token).opening_balance > 0
    assert len({person.id for person in people.values()}) == len(people)


def test_at_every_table_automated_players_leave_a_person_room(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    players = read_players(folder.players, has_table=False)
    assert {player.table for player in players} == {"t1", "t2", "t3", "t4"}
    for table in ("t1", "t3"):
        seats = [
            seat
            for player in players
            if player.table == table
            for seat in (player.seat, player.habits.second_seat)
            if seat
        ]
        assert len(seats) == len(set(seats)) <= 5
    deluxe = [player.habits for player in players if player.table == "t1"]
    assert any(habits.second_seat for habits in deluxe)
    assert any(habits.behind and habits.follow_double is not None for habits in deluxe)
    assert all(player.seat == 1 for player in players if player.table in {"t2", "t4"})


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("variant", [table.variant for table in demo_tables()])
def test_a4_a_training_table_has_players_of_one_level_and_room(tmp_path: Path, variant: str, level: str) -> None:
    folder = make_demo_folder(tmp_path / "training", [training_table(variant, level)], port=8701, today=TODAY)
    (table,) = load_settings(folder.settings).tables
    assert (table.id, table.variant) == ("t1", variant)
    players = read_players(folder.players, has_table=False)
    assert {player.strategy for player in players} <= {level}
    assert bool(players) is (variant != "continuous")


def test_tokens_are_for_their_owner_alone_and_new_each_time(tmp_path: Path) -> None:
    folder = make(tmp_path / "demo")
    assert mode(folder.path) == 0o700
    private = [folder.path / "tokens.toml", folder.players, *(each.dealer for each in folder.tables)]
    assert {mode(path) for path in private} == {0o600}
    for files in folder.tables:
        assert files.dealer.read_text(encoding="ascii") == files.dealer_token
        assert not {files.dealer_token, files.guest_token} & set(repr(folder).split("'"))
    again = make(tmp_path / "demo")
    old, new = ({each.dealer_token for each in one.tables} | {one.supervisor_token} for one in (folder, again))
    assert not old & new


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_shoes_readers_may_speak_any_protocol_and_their_drivers_take_the_settings(
    tmp_path: Path, protocol: str
) -> None:
    tables = [replace(table, protocol=protocol) for table in demo_tables()]
    folder = make_demo_folder(tmp_path / "demo", tables, port=8701, today=TODAY)
    readers = [table.reader for table in load_settings(folder.settings).tables]
    assert [reader.driver for reader in readers] == [protocol, protocol, "virtual_shoe", protocol]
    point = EntryPoint(protocol, ENTRY_POINTS[protocol], "studio.card_sources")
    plugin: DecodingPlugin = point.load()()
    assert plugin.decoder(readers[0].device, readers[0].settings).errors == {}
