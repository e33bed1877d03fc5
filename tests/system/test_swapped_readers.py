"""Two tables whose readers' cables were exchanged: no card is accepted, both say why, and it heals."""

from __future__ import annotations

from pathlib import Path

from support.two_tables import SERIALS, TABLES, TwoTables, two_tables

from hardware_sim.faults import Fault

_OTHER = {"t1": "t2", "t2": "t1"}


async def see_both_refuse(studio: TwoTables) -> None:
    """See each table refuse the other's reader and say so, in ``/health`` and on its consoles."""
    for table in TABLES:
        reason = f"reader {SERIALS[_OTHER[table]]} answers where {SERIALS[table]} is expected"
        found = await studio.device(table, lambda device, said=reason: said in device["reason"])  # type: ignore[misc]
        assert found["link"] == "syncing"
        assert not (await studio.health(table))["can_deal"]
        view = await studio.view(table, lambda view: view["devices"][0]["link"] == "syncing")
        assert reason in view["devices"][0]["reason"]
        assert not view["reader_ready"]


async def see_cards_of_neither_shoe_accepted(studio: TwoTables) -> None:
    """Pull a card out of each shoe: its reader tells it to the other table, again and again, and is not heard."""
    dealt = [await studio.dealt(table) for table in TABLES]
    for table in TABLES:
        await studio.pull(table, "KD")
    for table in TABLES:
        await studio.device(table, lambda device: device["errors"].get("wrong_reader", 0) > 1)
    assert [await studio.dealt(table) for table in TABLES] == dealt


async def test_readers_exchanged_before_the_start_are_refused_until_they_are_plugged_in_right(
    tmp_path: Path,
) -> None:
    async with two_tables(tmp_path, is_crossed=True) as studio:
        await see_both_refuse(studio)
        await see_cards_of_neither_shoe_accepted(studio)
        assert [await studio.dealt(table) for table in TABLES] == [0, 0]

        # Plugged in right, each card is a matter of its own table: it came before there was a shoe.
        await studio.exchange(is_crossed=False)
        for table in TABLES:
            assert await studio.rule(table, "change-shoe") == "card-before-time"
            await studio.load_anew(table)
            await studio.prepare(table)
            for card in ("2C", "KD", "KH"):
                await studio.deal(table, card)
        assert [(await studio.view(table))["table"]["stopped"] for table in TABLES] == [False, False]


async def test_readers_exchanged_while_cards_are_dealt_give_no_card_to_the_other_table(tmp_path: Path) -> None:
    async with two_tables(tmp_path, is_crossed=False) as studio:
        for table in TABLES:
            await studio.prepare(table)
            await studio.deal(table, "2C")
        # A card on record here that its reader still tells when it comes up at the other table.
        await studio.fault("t1", Fault.LOST_ACKNOWLEDGEMENT)
        await studio.deal("t1", "KH")

        await studio.exchange(is_crossed=True)
        await see_both_refuse(studio)
        await studio.fault("t1", Fault.LOST_ACKNOWLEDGEMENT, is_on=False)
        await see_cards_of_neither_shoe_accepted(studio)
        for table in TABLES:
            assert (await studio.health(table))["stopped"] == ["scanner-down"]

        # Plugged in right, each reader tells its own table what went unheard, once.
        await studio.exchange(is_crossed=False)
        for table in TABLES:
            view = await studio.view(table, lambda view: any(one["ways_out"] for one in view["incidents"]))
            (down,) = view["incidents"]
            await studio.press(
                table, "resolve-incident", incident=down["number"], way_out="go-on", reason="reader-back"
            )
        await studio.deal("t2", "KH")
        assert [await studio.dealt(table) for table in TABLES] == [3, 3]
        assert [(await studio.view(table))["table"]["stopped"] for table in TABLES] == [False, False]
