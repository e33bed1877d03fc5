"""Hidden means hidden: no byte sent, logged or stored gives a face-down card away (system.md principle 7).

A whole studio of real processes, with a stacked shoe: the hidden codes appear nowhere else. Everything that
anybody is sent, the server's log at its most talkative, and every file that it writes are searched.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from support.hand_dealt import PLAYERS, HandDealtStudio, hand_dealt_studio
from support.noting_table import read_notes
from support.studio_folder import DEALER, SUPERVISOR, TABLE
from support.tables import PlayedTable

from hardware_sim.smartshoe.payloads import card_code
from studio.adapters.capture import read_capture
from studio.adapters.sealing import load_key
from studio.adapters.sqlite_store import open_read_only
from studio.domain.cards import parse_card
from studio.domain.player_projection import player_view
from studio.domain.projections import dealer_view, supervisor_view, table_view

HOLE = "QH"
BURNED = ("KD", "KH")
HELD = "JD"
UPCARD = "7S"
_NOTES = ("notes.jsonl", "second-notes.jsonl")
"""What the devices have said, the table's reader and the second one."""
_ANY_CARD = re.compile(rb'"(?:[A2-9TJQK][DCSH])"|Rank\.|Suit\.')


@pytest.mark.parametrize("second_reader", [False, True])
async def test_no_byte_gives_a_hidden_card_away_before_its_reveal(tmp_path: Path, *, second_reader: bool) -> None:
    """With a second reader the same holds for what that reader says of the card."""
    async with hand_dealt_studio(tmp_path, second_reader=second_reader) as studio:
        await studio.ready()
        await studio.deal("2C", *BURNED)
        await _hold_a_card(studio)
        await studio.post("anna", "bets", {"bets": [{"seat": 1, "amount": 1000}]})
        await studio.press("close-betting")
        await studio.deal("9S", UPCARD, "9C", HOLE)
        await studio.dealers_view(lambda view: view["table"]["phase"] == "decisions")
        await _look_everywhere(studio)

        assert _leaks(studio, tmp_path, HOLE, *BURNED, HELD) == []
        # What is searched is what there is: an open card is in all of it that may have it.
        assert {f"{person}'s feed" for person in (DEALER, SUPERVISOR, *PLAYERS)} <= _places_of(studio, UPCARD)
        assert _is_stored(studio, tmp_path, UPCARD)

        await studio.post("anna", "decisions", {"decision": 1, "action": "stand"})
        await studio.dealers_view(lambda view: view["table"]["phase"] == "commit")
        await studio.press("commit-result")
        await studio.dealers_view(lambda view: view["table"]["phase"] == "idle")
        await _look_everywhere(studio)

        assert _leaks(studio, tmp_path, *BURNED, HELD) == []
        assert f"{DEALER}'s feed" in _places_of(studio, HOLE)
    log = studio.server.log.read_bytes()
    assert b"card-dealt" in log
    assert _ANY_CARD.findall(log) == [], "cards never reach a log, open ones neither"
    assert _is_captured(studio, tmp_path, HOLE), "the capture has what the reader said, for those with the key"


async def _hold_a_card(studio: HandDealtStudio) -> None:
    """Let a card come out while bets are open: it is held, and the supervisor has it burned."""
    await studio.press("open-betting")
    await studio.deal(HELD)
    view = await studio.dealers_view(lambda view: bool(view["incidents"]))
    number = view["incidents"][0]["number"]
    arguments = {"incident": number, "way_out": "burn", "reason": "procedure", "text": "As ruled"}
    await studio.press("resolve-incident", SUPERVISOR, **arguments)


async def _look_everywhere(studio: HandDealtStudio) -> None:
    for person, audiences in (
        (DEALER, ("dealer", "public")),
        (SUPERVISOR, ("supervisor", "dealer", "public")),
        *((player, ("player", "public")) for player in PLAYERS),
    ):
        for audience in audiences:
            await studio.get(person, f"/v1/tables/{TABLE}/views/{audience}")
        await studio.get(person, "/v1/tables")
        await studio.get(person, "/v1/me")
    await studio.get(DEALER, "/metrics")
    await studio.get(DEALER, "/health")


def _leaks(studio: HandDealtStudio, path: Path, *codes: str) -> list[str]:
    """Return where any of the cards is found: as its code in any text, as its bytes on the wire anywhere."""
    found = []
    tellers = [one for one in _NOTES if (path / one).exists()]
    for code, teller in itertools.product(codes, tellers):
        wire = _on_the_wire(path, code, teller)
        core = _core(path, code, teller)
        for place, text in (*studio.heard, ("the log", studio.server.log.read_bytes())):
            if any(form in text for form in (code.encode(), wire.hex().encode(), core.hex().encode())):
                found.append(f"{code}: {place}")
        for file, data in _files(studio):
            if any(form in data for form in (f'"{code}"'.encode(), wire, wire.hex().encode())):
                found.append(f"{code}: {file.name}")
        found += [f"{code}: a raw column" for raw in _raw_columns(studio) if core in raw]
    return found


def _on_the_wire(path: Path, code: str, teller: str = "notes.jsonl") -> bytes:
    """Return the frame in which a device told of the card, without its delimiter."""
    sent = [note for note in read_notes(path / teller) if note.what == "sent"]
    byte = card_code(parse_card(code))
    frames = [bytes.fromhex(note.payload) for note in sent]
    (first, *_) = [frame for frame in frames if len(frame) > _CARD_FRAME and frame[_CODE_AT] == byte]
    return first.removesuffix(b"\0")


_CODE_AT = 8
"""Where a CARD frame has the card's byte on the wire: behind COBS code, first, type, SEQ, BOOT, LEN, ordinal."""
_CARD_FRAME = 12


def _core(path: Path, code: str, teller: str = "notes.jsonl") -> bytes:
    """Return ordinal, card and quality as they lie together on the wire."""
    return _on_the_wire(path, code, teller)[_CODE_AT - 1 : _CODE_AT + 2]


def _files(studio: HandDealtStudio) -> Iterator[tuple[Path, bytes]]:
    folder = studio.folder.journal.parent
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert {"journal.sqlite", "journal.sqlite-wal", "shoe-1.0.capture"} <= {file.name for file in files}
    for file in files:
        yield file, file.read_bytes()


def _raw_columns(studio: HandDealtStudio) -> list[bytes]:
    with closing(open_read_only(studio.folder.journal)) as connection:
        return [raw for (raw,) in connection.execute("SELECT raw FROM events")]


def _places_of(studio: HandDealtStudio, code: str) -> set[str]:
    return {place for place, text in studio.heard if f'"{code}"'.encode() in text}


def _is_stored(studio: HandDealtStudio, path: Path, code: str) -> bool:
    in_files = any(f'"{code}"'.encode() in data for _, data in _files(studio))
    return in_files and any(_core(path, code) in raw for raw in _raw_columns(studio))


def _is_captured(studio: HandDealtStudio, path: Path, code: str) -> bool:
    capture = studio.folder.journal.parent / "capture" / "shoe-1.0.capture"
    read = b"".join(record.data for record in read_capture(capture, load_key(studio.folder.key_file)))
    return _on_the_wire(path, code) in read


def test_every_view_is_the_same_whatever_the_hole_card_is() -> None:
    def views(hole: str) -> list[object]:
        played = PlayedTable().ready().round(1, 3).cards(f"9S 8S {UPCARD} 9C 8C {hole}")
        table, now = played.table, played.now
        return [
            asdict(table_view(table, now)),
            asdict(dealer_view(table, now, "2024-01-01")),
            asdict(supervisor_view(table, now, "2024-01-01")),
            asdict(player_view(table, "P1", 10_000, now)),
        ]

    first, *others = [views(hole) for hole in ("QH", "2D", "AC", "7D", "TS")]
    assert all(other == first for other in others)
