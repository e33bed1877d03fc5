"""Shoes verified, dealt from, counted at their end and used again, by a simulated dealer and floor person."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from support.journal_audit import read_book
from support.processes import CONTROL_TOKEN
from support.studio_folder import DEALER, SHOE_SERIAL, SUPERVISOR, TABLE, Pace, StudioFolder, make_studio_folder

from hardware_sim.demo_processes import Children, Program
from hardware_sim.shoe_process import TOKEN_VARIABLE
from studio.adapters.sqlite_store import open_read_only
from studio.domain.events import AnomalyDetected, CountEnded, CountSigned, PackLoaded, PackRegistered
from studio.domain.shoe_life import CountResult

CARDS_BEHIND_CUT_CARD = 414
"""The cut card comes out with the burn: the next round is the shoe's last."""
SHOES = 3
_WAIT_SECONDS = 120.0


async def test_three_shoes_of_two_packs(tmp_path: Path) -> None:
    """The first pack is dealt from twice, its rest counted and signed by two people in between."""
    folder = make_studio_folder(
        tmp_path / "studio", cut_position=CARDS_BEHIND_CUT_CARD, pace=Pace(betting_ms=300), shoe_control=True
    )
    folder.write()
    children = Children(folder.path)
    try:
        await children.start(_table(folder))
        await children.start(Program("server", ("-m", "studio", "serve", "--config", str(folder.settings))))
        async with asyncio.timeout(_WAIT_SECONDS):
            while _shoes_loaded(folder) < SHOES:
                children.raise_if_ended()
                await asyncio.sleep(0.5)
    finally:
        await children.stop()

    first, second, *_ = (each.pack for each in _of(folder, PackRegistered))
    assert [each.pack for each in _of(folder, PackLoaded)] == [first, second, first]
    counts = _of(folder, CountEnded)
    assert [each.pack for each in counts] == [first, first, second, second]
    assert {(each.result, each.counted) for each in counts} == {(CountResult.COMPLETE, 416)}
    signatures = [each.person for each in _of(folder, CountSigned)]
    assert signatures == [DEALER, SUPERVISOR] * len(counts)
    assert _of(folder, AnomalyDetected) == []


T = TypeVar("T")


def _shoes_loaded(folder: StudioFolder) -> int:
    if not folder.journal.exists():
        return 0
    with closing(open_read_only(folder.journal)) as connection:
        laid_out = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'").fetchone()
        if laid_out is None:
            return 0
        (many,) = connection.execute("SELECT count(*) FROM events WHERE name = 'shoe-loaded'").fetchone()
        return int(many)


def _of(folder: StudioFolder, kind: type[T]) -> list[T]:
    return [each.event for each in read_book(folder).recorded if isinstance(each.event, kind)]


def _table(folder: StudioFolder) -> Program:
    files = {}
    for person in (DEALER, SUPERVISOR):
        files[person] = folder.path / f"{person}.token"
        files[person].write_text(folder.token(person), encoding="ascii")
    return Program(
        "table",
        (
            *("-m", "hardware_sim.dealt_table", "--studio", folder.url, "--table", TABLE),
            *("--dealer-token-file", str(files[DEALER])),
            *("--floor-token-file", str(files[SUPERVISOR]), "--floor-name", SUPERVISOR.title()),
            *("--link", str(folder.shoe_port), "--seed", "7", "--serial", SHOE_SERIAL),
            *("--cut-position", str(folder.cut_position), "--seconds-per-card", "0", "--pull-gap-seconds", "0.05"),
        ),
        {TOKEN_VARIABLE: CONTROL_TOKEN},
        announces=True,
    )
