"""The simulated dealer with a real simulated shoe in hand and a console that a test writes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from hardware_sim.dealer import SimulatedDealer
from hardware_sim.dealer_console import DealerConsole, Pressed
from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.shoe import Shoe
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.smartshoe.wire import Frame, FrameDecoder, HostType, encode_frame
from hardware_sim.table import SimulatedTable

View = dict[str, Any]
SHORT_SECONDS = 0.1
"""Long enough for a dealer at full speed to do what must not happen."""


class AnsweringPort:
    """A host that acknowledges everything, so that the gate stays open; :attr:`is_answering` stops it."""

    def __init__(self) -> None:
        self.table: SimulatedTable | None = None
        self.is_answering = True
        self._decoder = FrameDecoder()

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def write(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            if frame.wants_acknowledgement and self.is_answering:
                asyncio.get_running_loop().call_soon(self._acknowledge, frame)

    def _acknowledge(self, frame: Frame) -> None:
        assert self.table is not None
        answer = Frame(HostType.ACK, 0, self.table.device.boot, bytes((frame.seq,)))
        self.table.host_bytes(encode_frame(answer))


class ScriptedConsole(DealerConsole):
    """A console without a network: :meth:`show` sets its view, presses are kept."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1", "t1", "token")
        self.pressed: list[tuple[str, Mapping[str, Any]]] = []
        self.refusals: list[str] = []
        self.sequence = 0
        self.was_pressed = asyncio.Event()

    def show(self, view: View) -> None:
        self.sequence += 1
        self._on_message({"sequence": self.sequence, "view": view})

    def go_off_line(self) -> None:
        self._show(None)

    async def follow(self) -> None:
        await asyncio.Event().wait()

    async def look_again(self) -> None: ...

    async def press(
        self, command: str, arguments: Mapping[str, Any], *, seen_sequence: int | None = None
    ) -> Pressed:
        assert seen_sequence is None  # a dealer's button is of the moment
        self.pressed.append((command, arguments))
        self.was_pressed.set()
        self.was_pressed.clear()
        if self.refusals:
            return Pressed(is_done=False, code=self.refusals.pop(0))
        return Pressed(is_done=True, sequence=self.sequence + 1)


class Scene:
    """A table, its dealer, and the words of the views."""

    def __init__(self, *, is_continuous: bool = False) -> None:
        port = AnsweringPort()
        self.port = port
        shoe = Shoe(1, 1, is_continuous=is_continuous)
        self.table = SimulatedTable(shoe, SmartshoeReader(DeviceConfig(decks=1)), port, time.monotonic_ns, Pace(0))
        port.table = self.table
        self.console = ScriptedConsole()
        self.dealer = SimulatedDealer(
            self.console, self.table, pull_gap_seconds=0, felt_seconds=0, patience_seconds=0.05
        )

    @property
    def pulled(self) -> int:
        return self.table.shoe.dealt

    def view(self, code: str, *, phase: str = "dealing", dealt: int | None = None, **more: Any) -> View:
        shoe = {"id": "s1", "dealt": self.pulled if dealt is None else dealt}
        base: View = {
            "table": {"phase": phase, "stopped": bool(more.get("incidents")), "shoe": shoe},
            "instruction": {"code": code},
            "primary": None,
            "last_cards": [],
            "incidents": [],
            "call": None,
        }
        return base | more

    async def until_pulled(self, cards: int) -> None:
        async with asyncio.timeout(10):
            while self.pulled < cards:
                await self.table.wait_change()

    async def until_pressed(self, presses: int) -> None:
        async with asyncio.timeout(10):
            while len(self.console.pressed) < presses:
                await self.console.was_pressed.wait()


@contextlib.asynccontextmanager
async def dealt(scene: Scene) -> AsyncIterator[Scene]:
    scene.table.start()
    running = asyncio.create_task(scene.table.run())
    await scene.table.wait_open()
    dealing = asyncio.create_task(scene.dealer.run())
    yield scene
    for task in (dealing, running):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    await scene.console.aclose()


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with dealt(Scene()) as scene:
        yield scene


def press_button(command: str, **arguments: str | int) -> View:
    return {"command": command, "label": "", "arguments": arguments}


async def test_one_card_for_one_instruction_however_often_the_view_moves(scene: Scene) -> None:
    for _ in range(3):
        scene.console.show(scene.view("card-to-seat", dealt=0))
        await asyncio.sleep(0.01)
    assert scene.pulled == 1
    scene.console.show(scene.view("card-to-seat", dealt=1))
    await scene.until_pulled(2)


async def test_it_pulls_no_second_card_across_a_restart_that_has_not_seen_the_first(scene: Scene) -> None:
    scene.console.show(scene.view("card-to-seat", dealt=0))
    await scene.until_pulled(1)
    scene.console.go_off_line()
    restarted = {"number": 1, "kind": "crash-recovery", "cleared": False, "ways_out": ["go-on"]}
    go_on = press_button("resolve-incident", incident=1, way_out="go-on", reason="felt-confirmed")
    scene.console.show(scene.view("confirm-felt", dealt=0, incidents=[restarted], primary=go_on))
    await scene.until_pressed(1)
    scene.console.show(scene.view("card-to-seat", dealt=0))
    await asyncio.sleep(0.02)
    assert scene.pulled == 1
    scene.console.show(scene.view("card-to-seat", dealt=1))
    await scene.until_pulled(2)


async def test_nobody_deals_by_an_old_screen(scene: Scene) -> None:
    scene.table.pace.pause()
    scene.console.show(scene.view("card-to-seat"))
    scene.console.go_off_line()
    scene.table.pace.resume()
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 0


async def test_while_paused_nothing_moves_and_a_step_is_one_card(scene: Scene) -> None:
    scene.table.pace.pause()
    scene.console.show(scene.view("card-to-seat"))
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 0
    scene.table.pace.step()
    await scene.until_pulled(1)


async def test_it_presses_the_primary_button_and_again_when_refused(scene: Scene) -> None:
    scene.console.refusals = ["reader-not-ready"]
    scene.console.show(scene.view("open-betting", phase="idle", primary=press_button("open-betting")))
    await scene.until_pressed(2)
    assert scene.console.pressed[:2] == [("open-betting", {})] * 2


async def test_new_cards_are_loaded_once_before_they_are_confirmed(scene: Scene) -> None:
    scene.console.refusals = ["shoe-not-reloaded"]
    loads = scene.table.device.load
    scene.console.show(
        scene.view("prepare-shoe", phase="idle", primary=press_button("confirm-shoe-step", step="loaded"))
    )
    await scene.until_pressed(2)
    assert scene.table.device.load == loads + 1
    assert scene.pulled == 0


async def test_a_closed_gate_is_no_card_and_the_dealer_tries_again(scene: Scene) -> None:
    scene.table.set_fault(Fault.JAM, is_on=True)
    scene.console.show(scene.view("card-to-seat"))
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 0
    scene.table.set_fault(Fault.JAM, is_on=False)
    scene.console.show(scene.view("card-to-seat"))
    await scene.until_pulled(1)


async def test_a_card_that_was_not_read_is_passed_over_the_reader_again(scene: Scene) -> None:
    scene.table.set_fault(Fault.NO_READ, is_on=True)
    scene.console.show(scene.view("card-to-seat", dealt=0))
    await scene.until_pulled(1)
    assert scene.table.unread
    unread = {"number": 1, "kind": "no-read", "cleared": False, "ways_out": []}
    scene.console.show(scene.view("rescan", dealt=0, incidents=[unread]))
    async with asyncio.timeout(10):
        while scene.table.unread:
            await scene.table.wait_change()
    assert scene.pulled == 1


async def test_after_two_failed_rescans_it_calls_the_supervisor_and_lays_the_card_aside_when_told(
    scene: Scene,
) -> None:
    scene.table.set_fault(Fault.UNREADABLE, is_on=True)
    scene.console.show(scene.view("card-to-seat", dealt=0))
    await scene.until_pulled(1)
    unread = {"number": 1, "kind": "no-read", "cleared": False, "ways_out": []}
    for _ in range(2):
        scene.console.show(scene.view("rescan", dealt=0, incidents=[unread]))
        await asyncio.sleep(0.02)
    scene.console.show(scene.view("rescan", dealt=0, incidents=[unread]))
    await scene.until_pressed(1)
    assert scene.console.pressed[0][0] == "call-supervisor"
    fault = {"number": 2, "kind": "wrong-mode", "cleared": False, "ways_out": []}
    scene.console.show(scene.view("wait-reader", dealt=1, incidents=[fault]))
    async with asyncio.timeout(10):
        while scene.table.unread:
            await scene.table.wait_change()
    assert scene.pulled == 1
    scene.console.show(scene.view("card-to-seat", dealt=1))
    await scene.until_pulled(2)


async def test_a_card_that_the_screen_never_takes_brings_the_supervisor(scene: Scene) -> None:
    scene.console.show(scene.view("card-to-seat", dealt=0))
    await scene.until_pressed(1)
    assert scene.console.pressed == [("call-supervisor", {})]
    call = {"since_wall_ns": 0, "seen_by": ""}
    scene.console.show(scene.view("card-to-seat", dealt=0, call=call))
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 1
    scene.console.show(scene.view("card-to-seat", dealt=0, call=call | {"seen_by": "Supervisor 1"}))
    await scene.until_pulled(2)


@pytest.mark.parametrize(
    ("fault", "code", "phase"),
    [
        (Fault.EXTRA_CARD, "wait-decision", "decisions"),
        (Fault.CARD_BEFORE_TIME, "wait-bets", "betting"),
    ],
)
async def test_an_armed_mistake_is_made_once_in_its_moment(
    scene: Scene, fault: Fault, code: str, phase: str
) -> None:
    scene.console.show(scene.view(code, phase=phase))
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 0
    scene.table.set_fault(fault, is_on=True)
    await scene.until_pulled(1)
    scene.console.show(scene.view(code, phase=phase))
    await asyncio.sleep(SHORT_SECONDS)
    assert scene.pulled == 1
    assert not scene.table.faults.is_on(fault)


@pytest.mark.parametrize(
    ("fault", "button"),
    [
        (Fault.WRONG_SEAT, ("report-misdeal", {"tile": "wrong-seat"})),
        (Fault.BOXED_CARD, ("report-boxed-card", {})),
    ],
)
async def test_what_the_dealer_sees_go_wrong_in_the_deal_is_reported_once(
    scene: Scene, fault: Fault, button: tuple[str, dict[str, str]]
) -> None:
    scene.table.set_fault(fault, is_on=True)
    laid = [{"draw": 7, "place": "Seat 1"}]
    dealing = scene.view("card-to-seat", phase="dealing", last_cards=laid)
    dealing["table"]["seats"] = [{"hands": [{"cards": ["9S"]}]}]
    scene.console.show(dealing)
    await scene.until_pressed(1)
    assert scene.console.pressed == [button]
    assert scene.pulled == 0
    assert not scene.table.faults.is_on(fault)
    scene.console.show(dealing)
    await scene.until_pulled(1)
    assert scene.console.pressed == [button]


async def test_a_boxed_card_is_drawn_though_the_table_stands_still(scene: Scene) -> None:
    boxed = {"number": 1, "kind": "boxed-card", "cleared": False, "ways_out": []}
    scene.console.show(scene.view("draw-boxed", phase="dealing", incidents=[boxed]))
    await scene.until_pulled(1)
    assert scene.console.pressed == []


async def test_one_card_too_many_is_burned_right_after_the_burn(scene: Scene) -> None:
    scene.table.set_fault(Fault.WRONG_BURN, is_on=True)
    scene.console.show(scene.view("burn", phase="idle"))
    await scene.until_pulled(1)
    scene.console.show(scene.view("open-betting", phase="idle", primary=press_button("open-betting")))
    await scene.until_pulled(2)
    assert scene.console.pressed == []


async def test_the_cards_go_back_before_it_is_said_and_the_next_round_is_dealt_from_a_full_shuffler() -> None:
    async with dealt(Scene(is_continuous=True)) as scene:
        scene.console.show(scene.view("card-to-seat"))
        await scene.until_pulled(1)
        load = scene.table.device.load
        button = press_button("return-cards")
        scene.console.show(scene.view("return-cards", phase="idle", primary=button, last_cards=[{"draw": 1}]))
        await scene.until_pressed(1)
        assert scene.console.pressed == [("return-cards", {})]
        assert (scene.pulled, scene.table.shoe.left, scene.table.device.load) == (0, 52, load)
        scene.console.show(scene.view("card-to-seat", last_cards=[{"draw": 1}]))
        await scene.until_pulled(1)
        assert scene.table.device.ordinal == 2


# Counts and relief


async def test_it_draws_the_whole_shoe_for_a_count_and_signs_when_the_count_is_complete(scene: Scene) -> None:
    scene.table.set_fault(Fault.NO_READ, is_on=True)
    counting = {"pack": "red-1", "cards": 0}
    scene.console.show(scene.view("count", phase="idle", counting=counting))
    await scene.until_pulled(52)
    assert not scene.table.unread  # one was not read, and was passed over the reader again

    scene.console.show(scene.view("count", phase="idle", counting=counting, primary=press_button("sign-count")))
    await scene.until_pressed(1)
    assert scene.console.pressed == [("sign-count", {})]


async def test_a_count_that_stands_still_short_is_signed_as_it_is(scene: Scene) -> None:
    """The studio finds what is missing; the dealer only knows that no card is left."""
    scene.table.set_fault(Fault.SHORT_SHOE, is_on=True)
    scene.console.show(scene.view("count", phase="idle", counting={"pack": "red-1", "cards": 51}))

    await scene.until_pressed(1)

    assert scene.pulled == 51
    assert scene.console.pressed[0] == ("sign-count", {})


async def test_a_whole_pack_is_a_load_of_its_own_and_a_rest_is_not(scene: Scene) -> None:
    loads = scene.table.device.load
    rest = scene.view("count-rest", phase="idle", primary=press_button("begin-count", pack="red-1"))
    scene.console.show(rest)
    await scene.until_pressed(1)
    assert scene.table.device.load == loads

    scene.console.show(scene.view("count-pack", phase="idle", primary=press_button("begin-count", pack="red-1")))
    await scene.until_pressed(2)
    assert scene.table.device.load == loads + 1


async def test_two_dealers_relieve_each_other() -> None:
    scene, relief = Scene(), ScriptedConsole()
    scene.dealer = SimulatedDealer(
        scene.console, scene.table, relief=relief, pull_gap_seconds=0, felt_seconds=0, patience_seconds=0.05
    )
    async with dealt(scene):
        scene.console.show(scene.view("relief", phase="idle", primary=press_button("sign-off")))
        await scene.until_pressed(1)
        relief.show(scene.view("sign-on", phase="idle", primary=press_button("sign-on")))
        async with asyncio.timeout(10):
            while not relief.pressed:
                await relief.was_pressed.wait()

    assert scene.console.pressed == [("sign-off", {})]
    assert relief.pressed[0] == ("sign-on", {})
