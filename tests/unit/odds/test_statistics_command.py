"""``studio statistics``: read from a table's journal beside a running studio."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.actors import live_actor
from support.tables import DEALER, player

from studio.__main__ import main
from studio.domain.actions import Action
from studio.domain.commands import CloseBetting, CommitResult, Decide, OpenBetting

SETTINGS = """
[studio]
mode = "simulation"
data = "data"

[[tables]]
id = "t1"
name = "Deluxe 1"
[tables.reader]
driver = "smartshoe"
device = "shoe-1"
settings = { port = "/dev/serial/by-id/x" }
"""
ANNA = player("anna")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "studio.toml"
    path.write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "data").mkdir()
    return path


async def test_what_the_journal_tells_is_compared(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with live_actor(config.parent / "data" / "journal.sqlite", balances={"anna": 100_000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 6C TS TH")
        await live.do(Decide("anna", 1, Action.STAND, False), ANNA)
        await live.cards("9H")
        await live.do(CommitResult(), DEALER)

        capsys.readouterr()  # the actor's log
        assert main(["statistics", "t1", "--config", str(config), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["table"], found["rounds"], found["first_round"]) == ("t1", 1, 1)
        (bust,) = [line for line in found["lines"] if line["what"] == "dealer-drew-and-bust"]
        assert (bust["trials"], bust["observed"]) == (1, 1)
        assert main(["statistics", "t1", "--config", str(config)]) == 0
        assert "dealer drew and bust" in capsys.readouterr().out


@pytest.mark.parametrize(("table", "sentence"), [("t2", "its tables are t1"), ("t1", "cannot be opened")])
def test_what_cannot_be_read_is_refused_with_a_sentence(
    config: Path, capsys: pytest.CaptureFixture[str], table: str, sentence: str
) -> None:
    assert main(["statistics", table, "--config", str(config)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("studio statistics: ")
    assert sentence in said.err
