"""The sub-commands ``backup`` and ``restore`` of ``studio``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from studio.adapters.clocks import SystemClock
from studio.adapters.key_files import load_sealer, load_signer, public_files
from studio.adapters.signing import load_verifier
from studio.proof.backup import BrokenError, back_up, restore
from studio.proof.places import JOURNAL_FILE
from studio.proof.report import Progress
from studio.proof.verify import Keys
from studio.proof.verify_command import lines_of
from studio.settings import ServerSettings, load_settings


class BackupCommand:
    """Copies the journal of a settings file into a folder and verifies the copy."""

    name = "backup"
    help = "copy the journal, also while the studio runs, and verify the copy by replay"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="where backups are kept")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0 with the backup's path, 1 where the journal is broken, 2 where nothing could be written."""
        try:
            server = load_settings(arguments.config).studio
            signer = load_signer(server.signing_key_file)
            progress, at = Progress(sys.stderr), SystemClock().now()
            path, report = back_up(
                server.data / JOURNAL_FILE,
                arguments.to,
                keys=_keys(server),
                signer=signer,
                at=at,
                progress=progress,
            )
        except BrokenError as error:
            return _say_broken(self.name, error)
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio backup: {error}\n")
            return 2
        sys.stdout.write("".join(f"{line}\n" for line in lines_of(report, str(path))))
        return 0


class RestoreCommand:
    """Puts a backup into the data folder of a settings file, once it is verified."""

    name = "restore"
    help = "put a backup into an empty data folder, once it is verified by replay"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("backup", type=Path, metavar="BACKUP", help="a file that studio backup made")
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument("--by", required=True, metavar="PERSON", help="who restores, for the record")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0 once the journal is in place, 1 where the backup is broken, 2 where it could not be done."""
        try:
            server = load_settings(arguments.config).studio
            at, progress = SystemClock().now(), Progress(sys.stderr)
            report = restore(
                arguments.backup,
                server.data,
                keys=_keys(server),
                person=arguments.by,
                at=at,
                progress=progress,
            )
        except BrokenError as error:
            return _say_broken(self.name, error)
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio restore: {error}\n")
            return 2
        sys.stdout.write("".join(f"{line}\n" for line in lines_of(report, str(server.data / JOURNAL_FILE))))
        return 0


def _keys(server: ServerSettings) -> Keys:
    return Keys(load_sealer(server.key_file), load_verifier(public_files(server.signing_key_file)))


def _say_broken(name: str, error: BrokenError) -> int:
    lines = [f"studio {name}: {error}", *(f"BROKEN {one}" for one in error.broken)]
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 1
