"""Conditions of devices and of the machine: how they come, and how their causes go again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from studio.campaign.core import CAMERA, READER
from studio.campaign.faults import Fault
from studio.domain.anomalies import AnomalyKind
from studio.domain.people import SYSTEM
from studio.domain.record_commands import RecordReader, RecordRestart, RecordWarning

if TYPE_CHECKING:
    from studio.campaign.game import Game

_WARNINGS: Final = {
    Fault.CLOCK_JUMP: AnomalyKind.CLOCK_JUMP,
    Fault.DISK_LOW: AnomalyKind.DISK_LOW,
    Fault.COMMIT_FAILED: AnomalyKind.COMMIT_FAILED,
}


def warn(game: Game, fault: Fault) -> bool:
    """The machine reports a condition; no further round is to begin."""
    kind = _WARNINGS[fault]
    if game.core.table.find_incident(kind) is not None:
        return False
    game.inject(fault)
    game.core.send(RecordWarning("host", kind, active=True, text="It began", blocks=True), SYSTEM)
    return True


def reverse(game: Game, fault: Fault) -> bool:
    """The reader saw a card move back."""
    game.inject(fault)
    command = RecordWarning(READER.id, AnomalyKind.REVERSE_MOVEMENT, active=True, text="Moved back")
    game.core.send(command, READER)
    return True


def restart(game: Game, fault: Fault) -> bool:
    """The process starts again in mid-round."""
    game.inject(fault)
    game.core.send(RecordRestart(game.core.now.monotonic_ns), SYSTEM)
    return True


def reader_back(game: Game) -> None:
    """The reader answers again: first it tells what nobody heard, then that it is ready."""
    while game.untold:
        game.tell_again(game.untold.pop(0))
    game.core.send(RecordReader(READER.id, True, game.box.load, game.box.ordinal), READER)


def causes_go(game: Game) -> None:
    """Between rounds the causes of all conditions go."""
    for kind in _WARNINGS.values():
        incident = game.core.table.find_incident(kind)
        if incident is not None and not incident.cleared:
            game.core.send(RecordWarning("host", kind, active=False, text="It ended"), SYSTEM)
    if game.eye.dead:
        game.eye.dead = False
        game.core.send(RecordReader(CAMERA.id, True, 1, 0), CAMERA)
