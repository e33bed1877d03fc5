"""The players' program: its file of tokens, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.studio_api import TOKEN, studio_stub

from studio.players.__main__ import PeopleFileError, SeatedPlayer, main, play, read_players
from studio.players.client import NotLetInError
from studio.players.place import Habits

ENTRY = '[[players]]\ntoken = "secret"\nseat = 2\nstrategy = "easy"\n'


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def test_the_file_names_each_players_token_seat_and_strategy(tmp_path: Path) -> None:
    assert read_players(write(tmp_path / "players.toml", ENTRY)) == (SeatedPlayer("secret", 2, "easy"),)


def test_the_file_may_name_a_table_and_habits(tmp_path: Path) -> None:
    more = 'table = "t2"\nside_bets = ["pair", "bust"]\nbehind = [1, 3]\nfollow_split = false\n'
    (player,) = read_players(write(tmp_path / "players.toml", ENTRY + more), has_table=False)
    assert player.table == "t2"
    assert player.habits == Habits(side_bets=("pair", "bust"), behind=(1, 3), follow_split=False)


def test_without_a_table_for_all_each_player_needs_one(tmp_path: Path) -> None:
    with pytest.raises(PeopleFileError, match="--table"):
        read_players(write(tmp_path / "players.toml", ENTRY), has_table=False)


@pytest.mark.parametrize(
    ("text", "mode", "says"),
    [
        (ENTRY, 0o644, "chmod 600"),
        ("[[players]]\nseat = 2\n", 0o600, "token"),
        ("people = 1\n", 0o600, "players"),
        (ENTRY + "whistles = true\n", 0o600, "whistles"),
        ("[[", 0o600, "players.toml"),
        (ENTRY.replace("easy", "lucky"), 0o600, "easy, normal, hard"),
    ],
)
def test_a_wrong_file_is_refused_with_a_reason(tmp_path: Path, text: str, mode: int, says: str) -> None:
    with pytest.raises(PeopleFileError, match=says):
        read_players(write(tmp_path / "players.toml", text, mode))


def test_the_program_ends_with_a_message_about_a_wrong_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    arguments = ["--url", "http://127.0.0.1:1", "--table", "t1", "--people", str(tmp_path / "none.toml")]
    assert main(arguments) == 2
    assert "none.toml" in caplog.text


async def test_players_that_are_not_let_in_end_the_program() -> None:
    async with studio_stub() as studio:
        studio.show("tables/t1/public", {})
        with pytest.RaisesGroup(NotLetInError, flatten_subgroups=True):
            await play(studio.url, "t1", [SeatedPlayer("not-" + TOKEN, 1, "easy")], seed=1, pace=1.0)
