"""The rule sheet of a variant: from its rules, and a table's limits, to the text that players read (rules.md E2).

Pure. Every parameter that matters to players changes the text; nothing is stated that the rules do not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from studio.domain.rules import RuleSet, Surrender
from studio.domain.setup import Limits
from studio.odds.figures import Figures
from studio.rule_sheet.catalogue import Catalogue
from studio.rule_sheet.english import ENGLISH
from studio.rule_sheet.forms import Language, Section, Sheet, Terms
from studio.rule_sheet.french import FRENCH
from studio.rule_sheet.sections import sections
from studio.rule_sheet.writer import Writer, amount, writer_for

CATALOGUES: Final[Mapping[Language, Catalogue]] = {Language.ENGLISH: ENGLISH, Language.FRENCH: FRENCH}


def rule_sheet(rules: RuleSet, limits: Limits | None, language: Language, *, odds: Figures | None = None) -> Sheet:
    """Return the sheet of ``rules`` in a language.

    ``limits`` are those of a table, ``None`` for the variant alone. ``odds`` are the figures calculated
    for exactly these rules; without them only the operator's published return is shown, if there is one.
    """
    catalogue = CATALOGUES[language]
    writer = writer_for(catalogue, rules, limits)
    return Sheet(
        language,
        title=writer.say("title", name=catalogue.names.get(rules.variant, rules.variant)),
        lead=writer.say(f"lead.{rules.layout}"),
        contents=writer.say("contents"),
        sections=(_glance(writer), *sections(writer, odds), _about(writer)),
    )


def _glance(writer: Writer) -> Section:
    facts = tuple((writer.say(f"glance.{label}"), (value,)) for label, value in _facts(writer))
    return writer.section("glance", Terms(facts))


def _facts(writer: Writer) -> Iterator[tuple[str, str]]:
    rules, limits = writer.rules, writer.limits
    say = writer.say
    no = say("glance.not-offered")
    yield "cards", say(f"glance.cards.{rules.shuffling}")
    if limits:
        most = writer.money(limits.maximum)
        yield "bets", say("glance.bets.limits", minimum=amount(limits.minimum), maximum=most)
    yield "natural", say("glance.natural.pays")
    yield "dealer", say("glance.dealer.hits" if rules.dealer_hits_soft_17 else "glance.dealer.stands")
    yield "double", say(f"glance.double.{_doubling(rules)}")
    yield "split", say("glance.split.offered") if rules.split_hands > 1 else no
    yield "surrender", no if rules.surrender is Surrender.NONE else say("glance.surrender.offered")
    yield "insurance", say("glance.insurance.offered") if rules.insurance else no
    yield "side-bets", ", ".join(writer.name(f"side.{name}", name) for name in rules.side_bets) or no


def _doubling(rules: RuleSet) -> str:
    if rules.split_hands == 1:
        return "plain"
    return "after-split" if rules.double_after_split else "not-after-split"


def _about(writer: Writer) -> Section:
    """E2, C27: which rules these are, and which language prevails."""
    rules = writer.rules
    identity = {"variant": rules.variant, "version": rules.version, "hash": rules.hash}
    entries = tuple((writer.say(f"about.{label}"), (value,)) for label, value in identity.items())
    return writer.section("about", writer.points("about.source", "about.prevails"), Terms(entries))
