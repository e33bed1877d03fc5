"""A reader's warning holds its table until a person has acknowledged it, whatever the reader says after it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from support.hand_dealt import SLOW, HandDealtStudio
from support.processes import start_server, wait_until_healthy
from support.studio_folder import DEALER, SUPERVISOR, make_studio_folder

from hardware_sim.pty_line import PtyLine

_MODE = "[Manual Burn Cards]"


class Shoe:
    """The end of the line that is the device: it says what the test has it say, as a Bee-Tek shoe does."""

    def __init__(self, link: Path) -> None:
        self._line = PtyLine(link)
        self._line.plug()

    def say(self, *messages: str) -> None:
        for message in messages:
            self._line.write(f" {message} \r\n".encode("ascii"))

    def card(self, code: str) -> None:
        self.say(f"{_MODE}<Card:{code}>")

    def unplug(self) -> None:
        self._line.unplug()


@asynccontextmanager
async def studio_with_a_shoe(path: Path) -> AsyncIterator[tuple[HandDealtStudio, Shoe]]:
    """Run a studio whose reader is a Bee-Tek shoe that has been heard, with a shoe prepared."""
    folder = make_studio_folder(path / "studio", pace=SLOW, driver="bee_tek")
    async with AsyncExitStack() as stack:
        shoe = Shoe(folder.shoe_port)
        stack.callback(shoe.unplug)
        server = await start_server(folder)
        stack.push_async_callback(server.kill)
        await wait_until_healthy(folder, server)
        studio = HandDealtStudio(folder, server)
        stack.push_async_callback(studio.aclose)
        await studio.dealers_view(lambda view: view["devices"][0]["link"] == "syncing")
        shoe.card("9D")  # shown to prove the reader
        await studio.ready()
        yield studio, shoe
        assert await server.stop() == 0


def dealt(view: Mapping[str, Any]) -> int:
    return int(view["table"]["shoe"]["dealt"])


def open_kinds(view: Mapping[str, Any]) -> list[str]:
    return [one["kind"] for one in view["incidents"]]


async def test_a_warning_latches_holds_every_card_and_is_acknowledged_by_a_person(tmp_path: Path) -> None:
    async with studio_with_a_shoe(tmp_path) as (studio, shoe):
        shoe.card("2C")
        await studio.dealers_view(lambda view: dealt(view) == 1)

        shoe.say("<W0x01>")
        view = await studio.dealers_view(lambda view: open_kinds(view) == ["wrong-mode"])
        (warning,) = view["incidents"]
        assert view["table"]["stopped"]
        assert "warning 1" in warning["detail"]
        assert view["devices"][0]["link"] == "ready"

        # The shoe goes on as if nothing were: its card is held, not dealt, and the warning stays.
        shoe.card("KD")
        view = await studio.dealers_view(lambda view: len(view["incidents"]) > 1)
        assert open_kinds(view) == ["wrong-mode", "card-before-time"]
        assert [one["place"] for one in view["last_cards"]] == ["Held", "Burned"]

        await resolve(studio, SUPERVISOR, "card-before-time", "burn")
        view = await studio.dealers_view()
        assert open_kinds(view) == ["wrong-mode"]
        assert view["table"]["stopped"]
        await resolve(studio, DEALER, "wrong-mode", "go-on")
        assert not (await studio.dealers_view())["table"]["stopped"]

        shoe.card("KH")
        view = await studio.dealers_view(lambda view: dealt(view) == 3)
        assert open_kinds(view) == []
        assert [one["place"] for one in view["last_cards"]] == ["Burned"] * 3


async def resolve(studio: HandDealtStudio, person: str, kind: str, way: str) -> None:
    view = await studio.dealers_view()
    (number,) = [one["number"] for one in view["incidents"] if one["kind"] == kind]
    arguments = {"incident": number, "way_out": way, "reason": "procedure", "text": "As ruled"}
    await studio.press("resolve-incident", person, **arguments)
