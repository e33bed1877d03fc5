"""The real browser that the dealer's console is painted in. It knows how to start one, and nothing of the page."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_QUIET: Final = (
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    # So that it stays open without a person's window; it takes a free port on loopback.
    "--remote-debugging-port=0",
)


def find_browser() -> str | None:
    """Return the path of an installed Chromium, or ``None``."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def browser_command(path: str, page: str, profile: Path) -> tuple[str, ...]:
    """Return the command that opens a page headless at 1280x800; ``profile`` is a folder for its files."""
    # Chromium refuses to run as root inside its sandbox, as in a container.
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return (
        path,
        "--headless=new",
        *sandbox,
        *_QUIET,
        f"--user-data-dir={profile}",
        "--window-size=1280,800",
        page,
    )
