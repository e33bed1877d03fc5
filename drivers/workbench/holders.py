"""Which processes have a device open, from ``/proc``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a device open."""

    pid: int
    name: str


def holders(node: str, proc: Path = Path("/proc")) -> tuple[Holder, ...]:
    """Return the processes that have ``node`` open; those of other users are seen only by root."""
    processes = sorted((one for one in proc.iterdir() if one.name.isdigit()), key=lambda one: int(one.name))
    return tuple(Holder(int(one.name), _name(one)) for one in processes if _has_open(one, node))


def _has_open(folder: Path, node: str) -> bool:
    try:
        return any(str(link.readlink()) == node for link in (folder / "fd").iterdir())
    except OSError:
        return False  # it has ended, or belongs to somebody else


def _name(folder: Path) -> str:
    try:
        return (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "?"
