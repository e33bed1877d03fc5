"""The sections of a rule sheet: which sentences a variant's parameters call for (rules.md, clauses as noted).

It names sentences by their keys and writes none.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import Final

from studio.domain.rules import (
    DealerDraws,
    Layout,
    Money,
    Peek,
    RuleSet,
    Shuffling,
    SideBet,
    SplitDeal,
    Surrender,
)
from studio.odds.figures import Figures
from studio.rule_sheet.catalogue import Count
from studio.rule_sheet.forms import Block, Section, Table, Terms
from studio.rule_sheet.odds import returns, strategy
from studio.rule_sheet.writer import INSURANCE_PAYS, WIN_PAYS, Writer, amount

_BUST_BONUS: Final = "bust-bonus"
_BY_SUIT: Final = frozenset({"pair", "lucky-three", "poker-three"})
"""Side bets on the first cards, which know suits (C2, P5)."""


def sections(writer: Writer, odds: Figures | None) -> Iterator[Section]:
    """Yield the sections of a sheet, in the order in which they are read."""
    rules = writer.rules
    yield writer.section("aim", writer.points("aim.beat", "aim.bust", "aim.alone"))
    yield _cards(writer)
    yield writer.section("shoe", writer.points("shoe.decks", *_shoe(rules)))
    yield _bets(writer)
    yield writer.section("deal", writer.points(*_deal(rules)))
    yield _play(writer)
    if rules.layout is Layout.SHARED_HAND:
        yield writer.section("shared", writer.points(*_shared(rules)))
    if rules.bet_behind:
        yield writer.section("behind", writer.points(*_behind(rules)))
    yield writer.section("dealer", writer.points(*_dealer(rules)))
    yield writer.section("results", _payouts(writer), writer.points("results.returned"))
    if rules.side_bets:
        yield writer.section("side", *_side_bets(writer))
    yield writer.section(
        "away", writer.points("away.automatic", *_when(rules.insurance, "away.insurance"), "away.round")
    )
    yield writer.section("faults", writer.points("faults.suspended", "faults.void"))
    yield writer.section("money", writer.points(*_money(writer)))
    if rules.money is Money.VIRTUAL:
        levels = ("training.easy", "training.normal", "training.hard")
        yield writer.section("training", writer.points("training.ends", "training.knows", *levels))
    if rules.published_rtp or odds:
        yield writer.section("return", *returns(writer, odds))
    if odds:
        yield writer.section("strategy", *strategy(writer, odds))


def _when(condition: bool, *keys: str) -> tuple[str, ...]:  # noqa: FBT001 - it reads "when this, these"
    return keys if condition else ()


def _cards(writer: Writer) -> Section:
    """C1 to C4."""
    rules = writer.rules
    values = writer.table(
        "cards.table",
        ("cards.table.card", "cards.table.counts"),
        ("cards.numbers", "cards.numbers.counts"),
        ("cards.faces", "cards.faces.counts"),
        ("cards.ace", "cards.ace.counts"),
    )
    suits_matter = not _BY_SUIT.isdisjoint(rules.side_bets)
    points = writer.points(
        "cards.ace-rule",
        "cards.natural",
        *_when(rules.split_hands > 1, "cards.natural.split"),
        "cards.no-bonus",
        "cards.suits" if suits_matter else "cards.no-suits",
    )
    return writer.section("cards", values, points)


def _shoe(rules: RuleSet) -> Iterator[str]:
    """S2, S4, S5, S8, and the virtual shoe of section 1."""
    yield f"shoe.{rules.shuffling}"
    match rules.shuffling:
        case Shuffling.SHOE:
            yield "shoe.shoe.burn"
        case Shuffling.VIRTUAL:
            yield "shoe.virtual.proof"
        case Shuffling.CONTINUOUS:
            pass


def _bets(writer: Writer) -> Section:
    """R1, B0 to B5, M1, M2, M7."""
    rules, limits = writer.rules, writer.limits
    blocks: list[Block] = [
        writer.points(*_places(rules), f"bets.{rules.start}", f"bets.minimum.{rules.under_minimum}")
    ]
    if limits:
        rows = (("minimum", limits.minimum), ("maximum", limits.maximum), ("increment", limits.increment))
        blocks.append(
            Table(
                writer.say("bets.limits"),
                writer.each("bets.limits.main", "bets.limits.amount"),
                tuple((writer.say(f"bets.limits.{name}"), writer.money(value)) for name, value in rows),
            )
        )
    return writer.section("bets", *blocks)


def _places(rules: RuleSet) -> Iterator[str]:
    yield f"bets.{rules.layout}"
    if rules.layout is not Layout.SEATS:
        return
    yield "bets.seats-each"
    yield from _when(rules.seats_per_player > 1, "bets.mirrored")
    yield from ("bets.seat-kept", "bets.seat-pause", "bets.seat-balance")
    yield from _when(rules.money is Money.CURRENCY, "bets.no-trial")


def _deal(rules: RuleSet) -> Iterator[str]:
    """R2, R2a, R4, R5, R13."""
    yield f"deal.{rules.layout}"
    yield from _when(rules.layout is Layout.SHARED_HAND and bool(rules.side_bets), "deal.shared-hand.when")
    yield "deal.totals"
    yield f"deal.peek.{rules.peek}"
    yield from _when(rules.ends_when_all_natural, "deal.all-natural")


def _play(writer: Writer) -> Section:
    """R3, R6 to R8, R10, R11, M6."""
    rules = writer.rules
    options = {
        "hit": ("hit.what",),
        "stand": ("stand.what",),
        "double": tuple(_double(rules)),
        "split": tuple(_split(rules)),
        "surrender": _when(rules.surrender is not Surrender.NONE, "surrender.what"),
        "insurance": _when(rules.insurance, "insurance.what", "insurance.when", "insurance.funds"),
    }
    offered = Terms(tuple((writer.word(name), writer.each(*keys)) for name, keys in options.items() if keys))
    general = writer.points(
        f"play.order.{rules.layout}",
        "play.time",
        "play.ahead",
        "play.natural",
        "play.closes" if rules.closes_at_21 else "play.open",
        "play.funds",
    )
    missing = [f"{name}.none" for name, keys in options.items() if not keys]
    absent = (writer.points(*missing),) if missing else ()
    return writer.section("play", general, offered, *absent)


def _double(rules: RuleSet) -> Iterator[str]:
    yield "double.what"
    if rules.split_hands > 1:
        yield "double.after-split" if rules.double_after_split else "double.not-after-split"
    yield f"funds.{rules.double_without_funds}"


def _split(rules: RuleSet) -> Iterator[str]:
    if rules.split_hands == 1:
        return
    yield "split.what"
    is_once = rules.split_hands == 2  # noqa: PLR2004 - one split makes two hands
    yield "split.once" if is_once else "split.again"
    yield "split.aces"
    if not is_once:
        yield "split.aces.again" if rules.split_aces_again else "split.aces.once"
    match rules.split_deal:
        case SplitDeal.TOGETHER:
            yield "split.deal.together"
        case SplitDeal.IN_TURN:
            yield "split.deal.in-turn"
    yield from _when(rules.layout is not Layout.SHARED_HAND, "split.order")
    yield f"funds.{rules.split_without_funds}"


def _shared(rules: RuleSet) -> Iterator[str]:
    """I1 to I5."""
    yield "shared.together"
    yield "shared.line"
    if rules.split_hands > 1:
        yield from ("shared.split", "shared.order")
    else:
        yield "shared.plain-order"
    yield "shared.same"
    yield "shared.side-bets" if rules.side_bets else "shared.main-bets"


def _behind(rules: RuleSet) -> Iterator[str]:
    """B6 to B10."""
    can_split = rules.split_hands > 1
    yield from ("behind.who", "behind.shares")
    yield from _when(rules.insurance, "behind.insurance")
    yield "behind.ask" if can_split else "behind.ask.double"
    yield "behind.double"
    yield from _when(can_split, "behind.split")
    yield from _when(rules.surrender is not Surrender.NONE, "behind.surrender")


def _dealer(rules: RuleSet) -> Iterator[str]:
    """R12."""
    yield "dealer.reveal"
    yield "dealer.hits" if rules.dealer_hits_soft_17 else "dealer.stands"
    match rules.dealer_draws:
        case DealerDraws.ALWAYS:
            yield "dealer.always"
        case DealerDraws.WHEN_NEEDED:
            yield "dealer.when-needed.bust-bonus" if _BUST_BONUS in rules.side_bets else "dealer.when-needed"


def _payouts(writer: Writer) -> Table:
    """R3, R11, R14; with a table's limits, what comes back of its smallest bet on which all is whole (M1)."""
    rules = writer.rules
    natural = writer.say("glance.natural.pays")
    stake = _example_stake(writer)
    returns = [
        ("natural", natural, stake + rules.natural_pays.of(stake)),
        ("win", str(WIN_PAYS), stake + WIN_PAYS.of(stake)),
        ("push", writer.say("results.push.pays"), stake),
        ("lose", writer.say("results.lose.pays"), 0),
    ]
    if rules.surrender is not Surrender.NONE:
        returns.append(("surrender", writer.say("results.surrender.pays"), stake // 2))
    rows = [(name, pays, amount(back)) for name, pays, back in returns]
    if rules.insurance:
        half = stake // 2
        back = amount(half + INSURANCE_PAYS.of(half))
        said = writer.say("results.insurance.back", back=back, stake=amount(half))
        rows.append(("insurance", str(INSURANCE_PAYS), said))
    head = writer.each("results.table.result", "results.table.when", "results.table.pays")
    shown = 1 if writer.limits else 0
    return Table(
        writer.say("results.table"),
        (*head, writer.say("results.table.back", stake=writer.money(stake)))[: len(head) + shown],
        tuple(
            (*writer.each(f"results.{name}", f"results.{name}.when"), pays, back)[: len(head) + shown]
            for name, pays, back in rows
        ),
    )


def _example_stake(writer: Writer) -> int:
    """Return the smallest allowed bet that a natural pays in whole minor units; 0 without a table."""
    limits = writer.limits
    if limits is None:
        return 0
    return lcm(limits.minimum, writer.rules.natural_pays.denominator)


def _side_bets(writer: Writer) -> Iterator[Block]:
    """S9, P1 to P5."""
    rules = writer.rules
    settled_early = rules.peek is not Peek.NONE and not _BY_SUIT.isdisjoint(rules.side_bets)
    yield writer.points(f"side.alone.{rules.layout}", "side.highest", *_when(settled_early, "side.dealer-natural"))
    for name, bet in rules.side_bets.items():
        yield from _side_bet(writer, name, bet)


def _side_bet(writer: Writer, name: str, bet: SideBet) -> Iterator[Block]:
    key = f"side.{name}"
    title = writer.name(key, name)
    what = writer.each(f"{key}.what") if writer.has(f"{key}.what") else ()
    rounds = bet.rounds_per_shoe
    limit = writer.say("side.no-limit") if rounds is None else writer.say("side.limit", rounds=Count(rounds))
    yield Terms(((title, (*what, limit)),))
    yield Table(
        writer.say("side.table", bet=title),
        writer.each("side.combination", "side.pays"),
        tuple(
            (writer.name(f"{key}.{combination}", combination), writer.say("side.to-one", pays=pays))
            for combination, pays in bet.pays.items()
        ),
    )


def _money(writer: Writer) -> Iterator[str]:
    """M4, M5."""
    match writer.rules.money:
        case Money.CURRENCY:
            yield "money.currency"
            yield from _when(writer.limits is not None, "money.currency.code")
        case Money.VIRTUAL:
            yield "money.virtual"
    yield "money.format"
