"""How a table and its devices are, for the consoles and for ``/health``. Asked at that moment, never kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from studio.domain.views import DeviceView
from studio.ports.attached import AttachedDevice, DeviceRole
from studio.ports.devices import LinkState
from studio.runtime.table_actor import TableActor


def device_views(devices: Iterable[AttachedDevice]) -> tuple[DeviceView, ...]:
    """Return what a console shows of a table's devices, in their order."""
    return tuple(_view(one) for one in devices)


def _view(attached: AttachedDevice) -> DeviceView:
    health = attached.source.health()
    return DeviceView(
        health.device,
        attached.role.value,
        health.link.value,
        health.reason,
        health.losses,
        dict(health.errors),
    )


def table_report(actor: TableActor, devices: Sequence[AttachedDevice]) -> dict[str, Any]:
    """Return what ``/health`` says of a table, its devices by role.

    ``can_deal`` says whether nothing holds it up; what a second witness that is away means is the table's to say.
    """
    healths = {one.role: one.source.health() for one in devices}
    is_read = all(one.link is LinkState.READY for role, one in healths.items() if role is DeviceRole.READER)
    return {
        "sequence": actor.sequence,
        "stopped": [incident.kind.value for incident in actor.table.incidents if incident.stops],
        "warned": [incident.kind.value for incident in actor.table.incidents if not incident.stops],
        "running": actor.is_running,
        "not_recorded": actor.not_recorded,
        "devices": {role.value: {**asdict(one), "errors": dict(one.errors)} for role, one in healths.items()},
        "can_deal": actor.is_running and not actor.not_recorded and not actor.table.is_stopped and is_read,
    }
