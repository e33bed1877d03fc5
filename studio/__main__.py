"""The command ``studio``: its own sub-commands, and those that other packages bring."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO, cast

import structlog

from studio.adapters.plugins import command_names, load_command
from studio.adapters.profiles import read_profile
from studio.adapters.sqlite_look_back import SqliteLookBack
from studio.adapters.variants import load_variant, variant_names
from studio.adjudication.command import AdjudicateCommand
from studio.app import open_evidence, raise_open_files, serve, settled_rounds, stop_on_sigterm
from studio.bench.command import BenchCommand
from studio.campaign.command import CampaignCommand
from studio.evidence.commands import IncidentCommand, RoundsCommand
from studio.look_back.command import LookBackCommand
from studio.odds.command import OddsCommand, StrategyCommand
from studio.odds.simulate_command import SimulateCommand
from studio.odds.statistics_command import StatisticsCommand
from studio.ports.journal import JournalError
from studio.profile_command import ProfileCommand
from studio.proof.backup_command import BackupCommand, RestoreCommand
from studio.proof.export_command import ExportCommand
from studio.proof.keys_command import KeysCommand
from studio.proof.places import JOURNAL_FILE
from studio.proof.retention_command import HoldCommand, RetainCommand
from studio.proof.verify_command import VerifyCommand
from studio.rule_sheet.command import RulesCommand
from studio.runtime.table_actor import TableRefusedError
from studio.scenario_readers import find_reader
from studio.scenarios.command import ScenarioCommand
from studio.settings import SettingsError, load_settings


class _Unfailing:
    """A stream for logs: what cannot be written is dropped, since no table may stop for a log line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write ``text`` if that is possible."""
        with suppress(OSError, ValueError):
            return self._stream.write(text)
        return 0

    def flush(self) -> None:
        """Flush if that is possible."""
        with suppress(OSError, ValueError):
            self._stream.flush()


def _configure_logs(level: str) -> None:
    """One line an event: JSON where no person watches, coloured where one does. Cards never reach a log."""
    for_people = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer() if for_people else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Unfailing(sys.stderr))),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def _serve(arguments: argparse.Namespace) -> int:
    stop_on_sigterm()
    raise_open_files()
    try:
        asyncio.run(serve(load_settings(arguments.config)))
    except (SettingsError, TableRefusedError, JournalError, ValueError, OSError, OverflowError) as error:
        sys.stderr.write(f"studio: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="studio", description="An open live-dealer blackjack studio")
    parser.add_argument("--log-level", default="info", choices=("debug", "info", "warning", "error"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serving = commands.add_parser("serve", help="run the tables of a settings file")
    serving.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
    serving.set_defaults(run=_serve)
    names = variant_names()
    own = (
        AdjudicateCommand(load_variant),
        BenchCommand(),
        OddsCommand(load_variant, names),
        RulesCommand(load_variant, names),
        StrategyCommand(load_variant, names),
        SimulateCommand(load_variant),
        StatisticsCommand(settled_rounds),
        CampaignCommand(load_variant, names),
        LookBackCommand(lambda data: SqliteLookBack(data / JOURNAL_FILE)),
        ProfileCommand(),
        ScenarioCommand(load_variant, lambda name: read_profile(name).profile, find_reader),
        VerifyCommand(),
        KeysCommand(),
        BackupCommand(),
        RestoreCommand(),
        HoldCommand(),
        RetainCommand(),
        ExportCommand(),
        RoundsCommand(open_evidence),
        IncidentCommand(open_evidence),
    )
    for command in (*own, *map(load_command, command_names())):
        added = commands.add_parser(command.name, help=command.help)
        command.add_arguments(added)
        added.set_defaults(run=command.run)
    chosen = parser.parse_args(arguments)
    _configure_logs(chosen.log_level)
    status: int = chosen.run(chosen)
    return status


if __name__ == "__main__":
    sys.exit(main())
