"""Scenarios over bytes: what the simulated shoe says, the real driver decodes and the studio translates."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from drivers.smartshoe.plugin import SmartshoePlugin
from hardware_sim.peer import SimulatedPeers
from hardware_sim.smartshoe.payloads import card_code
from hardware_sim.smartshoe.peer import ShoePeer
from hardware_sim.smartshoe.wire import DeviceType, Frame, FrameDecoder, HostType, decode_frame, encode_frame
from studio.adapters.profiles import read_profile
from studio.adapters.variants import load_variant
from studio.domain.cards import parse_card
from studio.scenario_readers import find_reader, wired
from studio.scenarios.command import ScenarioCommand
from studio.scenarios.reader import CONDITIONS, DirectReader, MakeReader
from studio.scenarios.script import ScenarioError, parse_scenario, shipped_cases
from studio.scenarios.stage import PlayedScenario
from studio.scenarios.wired import BESIDE_THE_BYTES

ROOT = Path(__file__).parents[3]
COMMAND = ScenarioCommand(load_variant, lambda name: read_profile(name).profile, find_reader)
WIRED = wired(SmartshoePlugin(), SimulatedPeers("smartshoe"))

HEAD = """
id = "X"
title = "A case for the reader"
variant = "deluxe"
bets = { 1 = 1000 }
play = '''
deal 9S
%s
'''
"""

PLAYS = {
    "rescanned": "unread\nanomaly no-read\nrescan KD\nnone\nlies dealer KD\ndeal 8D 9C",
    "rescan in vain": "unread\nrescan fails\nanomaly no-read hold\nrescan fails\nanomaly no-read suspend",
    "a second try succeeds": "unread\nrescan fails\nrescan KD\nnone\ndeal 8D 9C\nlies 1 9S 8D",
    "unknown code": "code 7\nanomaly unknown-code hold\nrescan KD\nnone\nlies dealer KD",
    "the same card twice": "deal KD\nagain KD\nanomaly duplicate-read",
    "cut card": "cut\nanomaly cut-card-position warn\nresolve acknowledge\ndeal KD 8D 9C",
    "unplugged": "reader down\nanomaly scanner-down hold\nwait 20\nreader up\nresolve go-on\nnone\ndeal KD 8D 9C",
    "rebooted": "reader restart\nnone\ndeal KD\nreader restart\ndeal 8D 9C\nlies 1 9S 8D",
    "lid": "warning lid\nanomaly wrong-mode\nwait 3\nwarning lid over\nwait 1\nresolve go-on\nnone\ndeal KD 8D",
    "jam": "warning jam\nanomaly wrong-mode\nwait 3\nwarning jam over\nwait 1\nresolve go-on\nnone\ndeal KD 8D",
    "gate": "warning gate\nanomaly wrong-mode\nwait 3\nwarning gate over\nwait 1\nresolve go-on\nnone\ndeal KD 8D",
    "moved back": "warning reverse-movement\nanomaly reverse-movement suspend\nresolve void",
    "empty": "warning shoe-empty\nanomaly shoe-empty\nwait 3\nresolve void",
}


def play(text: str, make_reader: MakeReader = WIRED) -> PlayedScenario:
    return COMMAND.play(parse_scenario(text, "x.toml"), make_reader)


@pytest.mark.parametrize("lines", PLAYS.values(), ids=PLAYS)
def test_each_thing_that_a_reader_tells_comes_by_bytes_as_told_to_the_core(lines: str) -> None:
    text = HEAD % lines
    assert play(text) == play(text, DirectReader)


def test_every_condition_is_tried() -> None:
    tried = " ".join(PLAYS.values())
    assert [one for one in CONDITIONS if f"warning {one}" not in tried] == []


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("warning lid\ncard KD", "line 3: card KD: no card can leave the shoe: the lid is open"),
        ("warning jam\ncard KD", "a card is jammed in the exit"),
        ("warning gate\ncard KD", "the gate is stuck closed"),
        ("reader down\ncard KD", "the shoe has no power"),
        ("reader down\nreader new-load", "takes no new load"),
        ("code ace", "'ace' is no byte"),
        ("code 56", "'56' is no byte"),
        ("warning shoe-empty over", "cannot say shoe-empty over"),
        ("warning rain", "conditions are reverse-movement"),
    ],
)
def test_what_no_shoe_can_do_is_refused_with_its_line(lines: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(says)):
        play(HEAD % lines)


class Tapped(ShoePeer):
    """A shoe whose line is listened to; with ``forged`` it says that byte for each king of diamonds."""

    def __init__(self, peer: ShoePeer, forged: int | None) -> None:
        self._shoe = peer._shoe
        self._forged = forged
        self.said: list[Frame] = []
        self.heard: list[Frame] = []
        self._decoder = FrameDecoder()

    def take(self, data: bytes, at_ns: int) -> None:
        self.heard += self._decoder.feed(data)
        super().take(data, at_ns)

    def give(self, at_ns: int) -> bytes:
        said = [decode_frame(block) for block in super().give(at_ns).split(b"\0")[:-1]]
        self.said += said
        return b"".join(encode_frame(self._forge(frame)) for frame in said)

    def _forge(self, frame: Frame) -> Frame:
        king = card_code(parse_card("KD"))
        if self._forged is None or frame.type != DeviceType.CARD or frame.payload[2] != king:
            return frame
        payload = frame.payload[:2] + bytes((self._forged,)) + frame.payload[3:]
        return Frame(frame.type, frame.seq, frame.boot, payload, frame.wants_acknowledgement)


class TappedSimulator(SimulatedPeers):
    def __init__(self, forged: int | None = None) -> None:
        super().__init__("smartshoe")
        self._forged = forged
        self.made: list[Tapped] = []

    def device_peer(self, *, decks: int, load: int, ordinal: int) -> ShoePeer:
        peer = super().device_peer(decks=decks, load=load, ordinal=ordinal)
        self.made.append(Tapped(peer, self._forged))
        return self.made[-1]


def test_the_bytes_alone_say_which_card_came() -> None:
    forging = wired(SmartshoePlugin(), TappedSimulator(forged=card_code(parse_card("2C"))))
    play(HEAD % "card KD\nlies dealer 2C", forging)


def test_each_event_of_the_shoe_is_a_frame_that_is_acknowledged_once_it_is_recorded() -> None:
    simulator = TappedSimulator()
    played = play(HEAD % "unread\nrescan KD\ndeal 8D 9C", wired(SmartshoePlugin(), simulator))
    (shoe,) = simulator.made
    events = [frame for frame in shoe.said if frame.wants_acknowledgement]
    cards = [frame for frame in events if frame.type in (DeviceType.CARD, DeviceType.NOREAD)]
    assert [frame.payload[1] for frame in cards] == [1, 2, 2, 3, 4]
    acknowledged = [frame.payload[0] for frame in shoe.heard if frame.type == HostType.ACK]
    assert acknowledged == [frame.seq for frame in events]
    assert {frame.type for frame in shoe.said} >= {DeviceType.HELLO, DeviceType.HEARTBEAT}
    assert sum(1 for event in played.events if type(event).__name__ == "CardDealt") == 4


def test_a_reading_that_is_refused_as_expected_does_not_stop_the_shoe() -> None:
    text = 'id = "X"\ntitle = "X"\nvariant = "deluxe"\nstart = "no-shoe"\nplay = "%s"\n'
    lines = "sign-on ada\\nregister red-1 B1 red\\nreader new-load\\nreader new-load\\nnone"
    assert play(text % lines) == play(text % lines, DirectReader)


def _verbs(text: str) -> Iterator[str]:
    return (line.verb for line in parse_scenario(text, "x.toml").lines)


def test_the_cases_with_something_beside_the_bytes_are_known() -> None:
    found = {
        (verb, file.name.removesuffix(".toml"))
        for file in shipped_cases()
        for verb in _verbs(file.read_text(encoding="utf-8"))
        if verb in BESIDE_THE_BYTES
    }
    assert sorted(found) == [
        ("camera", "c02-dead-hand"),
        ("camera", "c02-shift"),
        ("camera", "c02-withdraw"),
        ("camera", "c05"),
        ("camera", "c36"),
        ("return", "c17"),
        ("return", "c17-short"),
    ]


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug-ins as the project declares them, whatever is installed."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    points = [
        EntryPoint(name, value, group) for group, offered in groups.items() for name, value in offered.items()
    ]
    monkeypatch.setattr("studio.adapters.plugins.entry_points", EntryPoints(points).select)


@pytest.mark.usefixtures("declared")
def test_readers_are_found_by_the_name_of_their_driver() -> None:
    assert find_reader("direct") is DirectReader
    assert play(HEAD % "deal KD", find_reader("smartshoe")) == play(HEAD % "deal KD")
    with pytest.raises(ValueError, match=r"no simulated reader 'virtual_shoe'; installed: .*smartshoe"):
        find_reader("virtual_shoe")
    with pytest.raises(ValueError, match="counts no cards, so no scenario"):
        SimulatedPeers("angel_eye").device_peer(decks=8, load=1, ordinal=0)
    with pytest.raises(ValueError, match="'angel_eye' offers no half without a port"):
        find_reader("angel_eye")


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    COMMAND.add_arguments(parser)
    return COMMAND.run(parser.parse_args(words))


@pytest.mark.usefixtures("declared")
def test_the_command_plays_bytes_unless_it_is_told_otherwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def find(name: str) -> MakeReader:
        asked.append(name)
        return find_reader(name)

    monkeypatch.setattr(COMMAND, "_find_reader", find)
    assert _run("C07") == 0
    assert _run("C07", "--reader", "direct") == 0
    assert asked == ["smartshoe", "direct"]
    assert _run("C07", "--reader", "abacus") == 2
    printed = capsys.readouterr()
    assert printed.out.count("1 of 1 as they say") == 2
    assert "studio scenario: there is no simulated reader 'abacus'; installed: " in printed.err


def test_the_page_names_what_is_beside_the_bytes() -> None:
    page = " ".join((ROOT / "docs/reference/scenarios.md").read_text(encoding="utf-8").split())
    assert [verb for verb, why in BESIDE_THE_BYTES.items() if f"| `{verb}` | {why} |" not in page] == []
