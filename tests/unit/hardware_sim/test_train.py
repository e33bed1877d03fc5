"""The training command: its options, and the address that it says to open."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from hardware_sim.demo_files import make_demo_folder
from hardware_sim.demo_run import Running
from hardware_sim.demo_tables import training_table
from hardware_sim.train import TrainCommand, player_page


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    TrainCommand().add_arguments(parser)
    return parser.parse_args(arguments)


def test_a4_without_options_it_is_the_server_dealt_game_against_normal_players() -> None:
    given = parse()
    assert (given.variant, given.level, given.data) == ("european", "normal", Path("data/training"))
    assert not training_table(given.variant, given.level).is_dealt_by_hand


@pytest.mark.parametrize("option", [("--variant", "baccarat"), ("--level", "impossible")])
def test_an_unknown_game_or_level_is_refused(option: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(*option)
    assert option[1] in capsys.readouterr().err


def test_a4_the_page_is_the_player_terminal_with_the_guests_sign_in(tmp_path: Path) -> None:
    table = training_table("infinite", "easy")
    folder = make_demo_folder(tmp_path / "training", [table], port=8701, today=dt.date(2026, 1, 31))
    page = urlsplit(player_page(Running("http://127.0.0.1:8701", folder, {}, "control")))
    assert (page.path, page.query) == ("/player", "")
    assert parse_qs(page.fragment) == {"table": ["t1"], "token": [folder.tables[0].guest_token]}


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious.txt").touch()
    assert TrainCommand().run(parse("--data", str(tmp_path), "--port", "0")) == 1
    assert "studio train" in capsys.readouterr().err
