"""Kebab-case names of commands and events, for logs, audit lines and answers."""

from __future__ import annotations

import re
from functools import cache

from studio.domain.commands import Command
from studio.domain.events import Event


def command_name(command: Command) -> str:
    """Return the command's name, such as ``open-betting``."""
    return _kebab(type(command).__name__)


def event_name(event: Event) -> str:
    """Return the event's name, such as ``card-dealt``."""
    return _kebab(type(event).__name__)


@cache
def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
