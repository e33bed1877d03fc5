"""Who may do what: roles, and the actor behind each command."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a named person, or a part of the system, is to a table."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    MANAGER = "manager"
    """May all that a supervisor may; is called when no supervisor comes."""
    AUDITOR = "auditor"
    """Sees everything that a supervisor sees, and may do nothing."""
    TECHNICIAN = "technician"
    PLAYER = "player"
    OPERATOR = "operator"
    DEVICE = "device"
    SYSTEM = "system"


SUPERVISING: Final = frozenset({Role.SUPERVISOR, Role.MANAGER})
"""The roles that put a table right."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A named person (or device, or the system itself) acting in one role."""

    id: str
    name: str
    role: Role


SYSTEM = Actor("system", "System", Role.SYSTEM)
