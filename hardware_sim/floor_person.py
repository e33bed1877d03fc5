"""The simulated floor person: registers packs of cards, and signs a count after the dealer.

A supervisor of the studio's public API ``/v1`` and nothing else; what stops a table is left to a person.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from hardware_sim.dealer_acts import Press
from hardware_sim.dealer_console import DealerConsole

_LOG: Final = logging.getLogger(__name__)
_BACKS: Final = ("red", "blue")
_LOOK_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 1.0


def next_signature(view: Mapping[str, Any], person: str) -> Press | None:
    """Return the button that ``person``, by name, should press now by a supervisor's view, if any.

    A pack is registered where none can be loaded or counted; its back is not that of the pack before it. A count
    is signed second: that the dealer has signed it says that no card is left.
    """
    page, instruction = view["shoe_page"], view["dealer"]["instruction"]["code"]
    signed = page["counting"]["signed"] if page["counting"] else ()
    if len(signed) == 1 and person not in signed:
        return Press("sign-count", {})
    if instruction == "register-pack":
        number = len(page["packs"])
        last = page["packs"][-1]["back"] if page["packs"] else _BACKS[1]
        back = next(each for each in _BACKS if each != last)
        return Press("register-pack", {"pack": f"{back}-{number + 1}", "batch": f"sim-{number + 1}", "back": back})
    return None


class SimulatedFloorPerson:
    """A floor person named ``person`` at one table's supervisor ``console``; :meth:`run` until cancelled."""

    def __init__(self, console: DealerConsole, person: str) -> None:
        self._console = console
        self._person = person

    async def run(self) -> None:
        """Work for ever; raise a group of ``ConsoleRefusedError`` when the studio does not let the person in."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._console.follow())
            tasks.create_task(self._work())

    async def _work(self) -> None:
        while True:
            glance = self._console.newest
            press = next_signature(glance.view, self._person) if glance else None
            if glance is None or press is None:
                await self._console.wait_moved(glance, _LOOK_SECONDS)
                continue
            pressed = await self._console.press(press.command, press.arguments, seen_sequence=glance.sequence)
            if not pressed.is_done:
                _LOG.info("%s was refused: %s", press.command, pressed.code)
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                await self._console.wait_moved(glance, _LOOK_SECONDS)
