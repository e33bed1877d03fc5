"""The control API: nothing without the token, a sentence for bad input, and the table's own conduct."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from hardware_sim.control import build_control
from hardware_sim.faults import FAULTS, OF_THE_SERVER, ONLY_OF_A_SHOE, Fault
from hardware_sim.pacing import Pace
from hardware_sim.pty_line import PtyLine
from hardware_sim.server_process import ServerProcess
from hardware_sim.shoe import Shoe
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.smartshoe.wire import Frame, HostType, encode_frame
from hardware_sim.table import SimulatedTable

TOKEN = "for-tests-only" * 2
ORIGIN = "http://127.0.0.1:8000"
ROUTES = [
    ("GET", "/state"),
    ("POST", "/pull"),
    ("POST", "/rescan"),
    ("POST", "/new-shoe"),
    ("POST", "/return-cards"),
    ("POST", "/faults/jam"),
    ("POST", "/pace"),
    ("POST", "/pause"),
    ("POST", "/resume"),
    ("POST", "/step"),
    ("POST", "/stack"),
]


@dataclass
class Control:
    """The API and what is behind it."""

    client: httpx.AsyncClient
    table: SimulatedTable

    async def post(self, path: str, **body: object) -> httpx.Response:
        return await self.client.post(path, json=body, headers={"Authorization": f"Bearer {TOKEN}"})

    async def state(self) -> dict[str, Any]:
        response = await self.client.get("/state", headers={"Authorization": f"Bearer {TOKEN}"})
        state: dict[str, Any] = response.raise_for_status().json()
        return state

    def acknowledge(self, seq: int) -> None:
        self.table.host_bytes(encode_frame(Frame(HostType.ACK, 0, self.table.device.boot, bytes((seq,)))))


@pytest.fixture
async def control(tmp_path: Path) -> AsyncIterator[Control]:
    line = PtyLine(tmp_path / "shoe")
    table = SimulatedTable(Shoe(1, 1), SmartshoeReader(DeviceConfig(decks=1, seed=1)), line, lambda: 0, Pace())
    table.start()
    app = build_control(table, line, token=TOKEN, allowed_origin=ORIGIN)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://sim") as client:
        yield Control(client, table)
    line.unplug()


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("header", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer t\u00f6k"])
async def test_nothing_is_answered_without_the_token(
    control: Control, method: str, path: str, header: str | None
) -> None:
    headers = httpx.Headers({} if header is None else {"Authorization": header}, encoding="utf-8")
    response = await control.client.request(method, path, headers=headers, json={"active": True})
    assert response.status_code == 401
    assert "Bearer" in response.json()["detail"]
    assert not control.table.faults.is_on(Fault.JAM)


def test_every_route_is_in_the_list_of_guarded_ones(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    table = SimulatedTable(Shoe(1, 1), SmartshoeReader(DeviceConfig()), line, lambda: 0, Pace())
    app = build_control(table, line, token=TOKEN, allowed_origin=None)
    spec = app.openapi()
    found = {(method.upper(), path) for path, methods in spec["paths"].items() for method in methods}
    assert found == {(method, path.replace("jam", "{name}")) for method, path in ROUTES}


async def test_only_the_given_origin_may_call_from_a_browser(control: Control) -> None:
    for origin, allowed in ((ORIGIN, ORIGIN), ("http://evil.example", None)):
        headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        response = await control.client.options("/pull", headers=headers)
        assert response.headers.get("access-control-allow-origin") == allowed


async def test_the_state_shows_shoe_link_faults_and_pace(control: Control) -> None:
    state = await control.state()
    assert state["shoe"] == {
        "seed": 1,
        "decks": 1,
        "load": 1,
        "dealt": 0,
        "left": 52,
        "cut_card_inside": True,
        "continuous": False,
        "waiting_for_rescan": [],
    }
    assert state["link"]["plugged"]
    assert state["link"]["refusal"] == "the host has not answered HELLO yet"
    assert {fault["name"]: fault["caption"] for fault in state["faults"]} == {
        str(fault): spec.caption for fault, spec in FAULTS.items() if fault not in OF_THE_SERVER
    }
    assert (state["seconds_per_card"], state["paused"]) == (1.0, False)


async def test_the_server_can_be_harmed_where_its_process_is_known(control: Control, tmp_path: Path) -> None:
    assert (await control.post("/faults/disk_full", active=True)).status_code == 409
    control.table.server = ServerProcess(tmp_path / "server.pid")
    names = {each["name"] for each in (await control.state())["faults"]}
    assert names & OF_THE_SERVER == {Fault.KILL_SERVER, Fault.DISK_FULL}
    control.table.server = ServerProcess(tmp_path / "server.pid", tmp_path / "clock")
    for active in (True, False):
        state = (await control.post("/faults/server_clock", active=active)).json()
        assert [each["name"] for each in state["faults"] if each["active"]] == ["server_clock"] * active


async def test_a_pull_is_refused_with_a_reason_until_the_shoe_is_ready(control: Control) -> None:
    response = await control.post("/pull")
    assert (response.status_code, response.json()["detail"]) == (
        409,
        "No card can be pulled: the host has not answered HELLO yet.",
    )
    control.acknowledge(0)
    response = await control.post("/pull")
    assert response.json() == {"ordinal": 1, "reading": "read", "cut_card": False}


async def test_a_chosen_card_is_dealt_next(control: Control) -> None:
    control.acknowledge(0)
    assert (await control.post("/stack", card="AH")).status_code == 200
    assert str(control.table.shoe.next_card()) == "AH"
    assert (await control.post("/pull")).json()["ordinal"] == 1
    response = await control.post("/stack", card="AH")
    assert response.status_code == 409
    assert "no copy of it is left" in response.json()["detail"]


async def test_a_no_read_is_rescanned(control: Control) -> None:
    control.acknowledge(0)
    state = (await control.post("/faults/no_read", active=True)).json()
    assert [fault["name"] for fault in state["faults"] if fault["active"]] == ["no_read"]
    await control.post("/pull")
    assert (await control.state())["shoe"]["waiting_for_rescan"] == [1]
    assert (await control.post("/rescan")).json() == {"ordinal": 1, "read": True}
    assert (await control.post("/rescan")).status_code == 409


async def test_a_new_shoe_waits_for_the_acknowledgement_and_brings_other_cards(control: Control) -> None:
    control.acknowledge(0)
    await control.post("/pull")
    assert (await control.post("/new-shoe")).status_code == 409
    control.acknowledge(1)
    state = (await control.post("/new-shoe")).json()
    assert (state["shoe"]["load"], state["shoe"]["left"], state["link"]["ordinal"]) == (2, 52, 0)


async def test_an_empty_shoe_gives_no_card(control: Control) -> None:
    control.acknowledge(0)
    pulls = [(await control.post("/pull")).json() for _ in range(53)]
    assert [pull["cut_card"] for pull in pulls].count(True) == 1
    assert pulls[-1]["ordinal"] is None


async def test_the_pace_is_set_and_paused_and_stepped(control: Control) -> None:
    assert (await control.post("/pace", seconds_per_card=0.25)).json()["seconds_per_card"] == 0.25
    assert (await control.post("/step")).json()["paused"]
    assert not (await control.post("/resume")).json()["paused"]
    assert (await control.post("/pause")).json()["paused"]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/faults/none", {"active": True}, 404, "no fault of that name"),
        ("/faults/jam", {"active": "yes"}, 422, "active"),
        ("/faults/jam", {}, 422, "active"),
        ("/faults/jam", {"active": True, "more": 1}, 422, "more"),
        ("/pace", {"seconds_per_card": -1}, 422, "seconds_per_card"),
        ("/pace", {"seconds_per_card": 1e9}, 422, "seconds_per_card"),
        ("/stack", {"card": "1X"}, 422, "write rank then suit"),
        ("/stack", {"card": "too long"}, 422, "card"),
    ],
)
async def test_bad_input_gets_a_sentence(
    control: Control, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    response = await control.post(path, **body)
    assert response.status_code == status
    assert words in response.json()["detail"]
    assert response.json()["detail"].endswith(".")


def test_a_short_token_is_refused_at_the_start(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    table = SimulatedTable(Shoe(1, 1), SmartshoeReader(DeviceConfig()), line, lambda: 0, Pace())
    with pytest.raises(ValueError, match="at least 16 characters"):
        build_control(table, line, token="", allowed_origin=None)


async def test_no_cards_are_returned_to_a_shoe(control: Control) -> None:
    response = await control.post("/return-cards")
    assert response.status_code == 409
    assert "loaded anew" in response.json()["detail"]


async def test_a_shuffler_offers_no_faults_that_only_a_shoe_can_have(tmp_path: Path) -> None:
    shuffler = Shoe(1, 1, is_continuous=True)
    line = PtyLine(tmp_path / "shoe")
    table = SimulatedTable(shuffler, SmartshoeReader(DeviceConfig(decks=1, seed=1)), line, lambda: 0, Pace())
    app = build_control(table, line, token=TOKEN, allowed_origin=None)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shoe") as client:
        control = Control(client, table)
        state = await control.state()
        names = {each["name"] for each in state["faults"]}
        assert names == {*Fault} - ONLY_OF_A_SHOE - OF_THE_SERVER
        assert (await control.post("/faults/early_cut_card", active=True)).status_code == 409
        table.shoe.pull()
        assert (await control.post("/return-cards")).json()["shoe"]["left"] == 52
        assert state["shoe"]["continuous"] is True
