"""Where a journal and its keys are: from a settings file, or from where the journal lies."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.adapters.key_files import load_sealer, public_files
from studio.adapters.signing import load_verifier
from studio.proof.verify import Keys
from studio.settings import load_settings

JOURNAL_FILE: Final = "journal.sqlite"
_SETTINGS_FILE: Final = "studio.toml"
_SEALING_KEY: Final = "studio.key"


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one journal; what could not be found is ``None`` or empty."""

    journal: Path
    sealing_key: Path | None
    public_keys: tuple[Path, ...]

    def keys(self, *, without: bool = False) -> Keys:
        """Return the keys to check with; ``without`` asks for a check without them.

        Raises ``ValueError`` that says what to give where a key is missing.
        """
        if without:
            return Keys()
        if self.sealing_key is None:
            message = "the sealing key was not found: give it with --key-file, or check --without-keys"
            raise ValueError(message)
        if not self.public_keys:
            message = "no public key was found: give one with --public-key, or check --without-keys"
            raise ValueError(message)
        return Keys(load_sealer(self.sealing_key), load_verifier(self.public_keys))


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the journal and its keys."""
    parser.add_argument("path", type=Path, metavar="FOLDER|FILE", help="a data or settings folder, or a journal")
    parser.add_argument("--config", type=Path, help="the settings file that names the keys")
    parser.add_argument("--key-file", type=Path, help="the sealing key; retired ones are found beside it")
    parser.add_argument(
        "--public-key", type=Path, action="append", default=[], help="a public key of checkpoints; may be repeated"
    )


def find_places(arguments: argparse.Namespace) -> Places:
    """Return where everything is; what is not said is looked for beside the journal and one folder up.

    Raises ``ValueError`` where there is no journal.
    """
    path, config = arguments.path, arguments.config
    if config is None and path.is_dir() and (path / _SETTINGS_FILE).exists():
        config = path / _SETTINGS_FILE
    key_file, public, data = arguments.key_file, tuple(arguments.public_key), path
    if config is not None:
        server = load_settings(config).studio
        key_file = key_file or server.key_file
        public = public or public_files(server.signing_key_file)
        data = server.data if config.parent == path else path
    journal = data / JOURNAL_FILE if data.is_dir() else data
    if not journal.is_file():
        message = f"there is no journal at {journal}: give its file, or the folder that it lies in"
        raise ValueError(message)
    around = (journal.absolute().parent, journal.absolute().parent.parent)
    if key_file is None:
        key_file = next((folder / _SEALING_KEY for folder in around if (folder / _SEALING_KEY).exists()), None)
    if not public:
        public = tuple(found for folder in around for found in sorted(folder.glob("*.pub")))
    return Places(journal, key_file, public)
