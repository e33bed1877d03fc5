"""The sub-command ``rules`` of ``studio``: a variant's rule sheet in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Final

from studio.domain.rules import RuleSet
from studio.odds.figures import figures_of
from studio.rule_sheet.forms import Language
from studio.rule_sheet.sheet import rule_sheet
from studio.rule_sheet.terminal import render_text

_WIDEST: Final = 100
"""Columns; longer lines read badly."""


class RulesCommand:
    """Prints the sheet of a variant that ``load`` finds by its name or path; ``names`` are those of the package.

    ``load`` raises ``ValueError`` with a sentence where there is no such variant.
    """

    name = "rules"
    help = "print a variant's rules as players read them"

    def __init__(self, load: Callable[[str], RuleSet], names: Sequence[str]) -> None:
        self._load = load
        self._names = tuple(names)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        known = ", ".join(self._names)
        parser.add_argument("variant", metavar="VARIANT", help=f"{known}, or the path of a .toml file")
        languages = tuple(language.value for language in Language)
        parser.add_argument("--lang", choices=languages, default=languages[0], help="the language")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the sheet; return the exit status."""
        try:
            rules = self._load(arguments.variant)
        except ValueError as error:
            sys.stderr.write(f"studio rules: {error}\n")
            return 2
        sheet = rule_sheet(rules, None, Language(arguments.lang), odds=figures_of(rules))
        columns = shutil.get_terminal_size().columns
        sys.stdout.write(render_text(sheet, min(columns, _WIDEST)))
        return 0
