"""``studio vision``: calibrate, enrol, evaluate, read, train and what else is done for the camera by hand.

Entry point ``vision`` of the group ``studio.commands``. Each sub-command is a class of its own.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final, Protocol

from vision.bench_command import BenchCommand
from vision.calibrate_command import CalibrateCommand
from vision.recognise.enrol_command import EnrolCommand
from vision.recognise.enrolment_file import EnrolmentError
from vision.recognise.evaluate_command import EvaluateCommand
from vision.recognise.figures_command import FiguresCommand
from vision.recognise.labels import LabelsError
from vision.recognise.model import ModelError
from vision.recognise.read_command import ReadCommand
from vision.recognise.train_command import TrainCommand


class SubCommand(Protocol):
    """One sub-command of ``studio vision``."""

    name: str
    help: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status."""


SUB_COMMANDS: Final[tuple[SubCommand, ...]] = (
    CalibrateCommand(),
    EvaluateCommand(),
    ReadCommand(),
    EnrolCommand(),
    FiguresCommand(),
    TrainCommand(),
    BenchCommand(),
)


class VisionCommand:
    """The sub-command ``vision`` of ``studio``."""

    name = "vision"
    help = "the camera: calibrate, evaluate, read, enrol, train the recogniser, and its figures"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the sub-commands."""
        commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="vision_command")
        for command in SUB_COMMANDS:
            added = commands.add_parser(command.name, help=command.help, description=command.help)
            command.add_arguments(added)
            added.set_defaults(vision_run=command.run)

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the sub-command; return its exit status, 2 where it says on stderr what is wrong with its input."""
        try:
            status: int = arguments.vision_run(arguments)
        except (EnrolmentError, LabelsError, ModelError, OSError) as error:
            sys.stderr.write(f"studio vision {arguments.vision_command}: {error}\n")
            return 2
        return status
