"""The sub-command ``keys`` of ``studio``: make, rotate and list the sealing and the signing key."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from studio.adapters.key_files import KeyFile, list_keys, new_sealing, new_signing, rotate_sealing, rotate_signing
from studio.settings import load_settings

_USES: Final = ("sealing", "signing")
_NEW: Final = {"sealing": new_sealing, "signing": new_signing}
_ROTATE: Final = {"sealing": rotate_sealing, "signing": rotate_signing}


class KeysCommand:
    """Makes and lists key files; it prints ids and paths, never a key."""

    name = "keys"
    help = "make, rotate or list the sealing and the signing key"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("do", choices=("new", "rotate", "list"))
        parser.add_argument("use", choices=_USES, nargs="?", help="which key; without it, both")
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0, or 2 with a sentence where it cannot be done."""
        try:
            server = load_settings(arguments.config).studio
            paths = {"sealing": server.key_file, "signing": server.signing_key_file}
            if arguments.do == "list":
                found = list_keys(*paths.values())
            else:
                act = _NEW if arguments.do == "new" else _ROTATE
                found = tuple(act[use](paths[use]) for use in _USES if arguments.use in {None, use})
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio keys: {error}\n")
            return 2
        sys.stdout.write("".join(f"{_line(key)}\n" for key in found))
        if arguments.do == "rotate":
            sys.stdout.write("Restart the studio: until then it goes on with the key that it has read.\n")
        return 0


def _line(key: KeyFile) -> str:
    return f"{key.use}  {key.id}  {'current' if key.current else 'retired'}  {key.path}"
