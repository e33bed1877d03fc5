"""``studio adjudicate FILE``: what should have happened, for the supervisor and the regulator."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.adjudication.play import play_script
from studio.adjudication.report import report, report_before
from studio.adjudication.script import RoundScript, ScriptError, parse_script
from studio.domain.rules import RuleSet


def adjudicate(script: RoundScript, rules: RuleSet) -> dict[str, Any]:
    """Return what should have happened under ``rules``; raise :class:`ScriptError` for what cannot be played."""
    played = play_script(script, rules)
    before = {} if script.pre is None else {"pre": report_before(played, script.pre.player)}
    name = {"id": script.id} if script.id else {}
    return name | (report(played) if script.seats or script.side_only else {}) | before


class AdjudicateCommand:
    """The sub-command; ``load_rules`` finds a variant by name or raises ``ValueError``."""

    name = "adjudicate"
    help = "play round scripts and say where each card belonged and what each bet is worth"

    def __init__(self, load_rules: Callable[[str], RuleSet]) -> None:
        self._load_rules = load_rules

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("file", type=Path, help='one script, or {"vectors": [...]}; - reads standard input')
        parser.add_argument("--json", action="store_true", help="print JSON: one object, or a list of them")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the answers; exit status 2 where a script cannot be played."""
        try:
            text = sys.stdin.read() if str(arguments.file) == "-" else arguments.file.read_text(encoding="utf-8")
            data = json.loads(text)
            several = isinstance(data, dict) and "vectors" in data
            answers = [self._answer(one) for one in (data["vectors"] if several else [data])]
        except (OSError, ScriptError, ValueError) as error:
            sys.stderr.write(f"studio adjudicate: {arguments.file}: {error}\n")
            return 2
        if arguments.json:
            sys.stdout.write(json.dumps(answers if several else answers[0], indent=2, ensure_ascii=False) + "\n")
        else:
            sys.stdout.write("\n".join(_in_words(answer) for answer in answers))
        return 0

    def _answer(self, data: object) -> dict[str, Any]:
        script = parse_script(data)
        return adjudicate(script, self._load_rules(script.variant))


def _in_words(answer: dict[str, Any]) -> str:
    lines = [answer.get("id", "Round")]
    lines += [f"  {one['card']:>3}  {one['to']} ({one['face']})" for one in answer.get("card_destinations", ())]
    if "dealer" in answer:
        dealer = answer["dealer"]
        lines.append(f"  Dealer {' '.join(dealer['cards'])} = {dealer['score']}, {dealer['outcome']}")
    for seat, hands in answer.get("hands", {}).items():
        lines += [f"  {seat} hand {one['hand']}: {' '.join(one['cards'])} = {one['score']}" for one in hands]
    lines += [
        f"  {one['player']}: {one['kind']} on seat {one['seat']}, stake {one['stake']}, net {one['net']:+d}"
        f"  [{one['clause']}]"
        for one in answer.get("clauses", ())
    ]
    lines += [f"  refused: seat {one['seat']} {one['act']}: {one['text']}" for one in answer.get("refused", ())]
    if "pre" in answer:
        lines.append(f"  before the deal: bets {answer['pre']['bets']}, balance {answer['pre']['balance']}")
    return "\n".join(lines) + "\n"
