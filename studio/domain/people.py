"""Who may do what: roles, and the actor behind each command."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a named person, or a part of the system, is to a table."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"
    MANAGER = "manager"
    AUDITOR = "auditor"
    PLAYER = "player"
    OPERATOR = "operator"
    DEVICE = "device"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """A named person (or device, or the system itself) acting in one role."""

    id: str
    name: str
    role: Role


SYSTEM = Actor("system", "System", Role.SYSTEM)
