"""What people do in a scenario: players, the dealer, supervisors, and those who keep the packs of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.cards import DECK, parse_card
from studio.domain.commands import (
    AnswerInsurance,
    CloseBetting,
    Command,
    CommitResult,
    Decide,
    Disagree,
    OpenBetting,
    OpenTable,
    PassDeadline,
    ReportBoxedCard,
    ReportConcern,
    ReportMisdeal,
    ResolveIncident,
    SignOff,
    SignOn,
    Suspend,
    VoidRound,
)
from studio.domain.correction_commands import ApproveProposal, ReviseRound
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import open_deadline_ns
from studio.domain.record_commands import RecordRestart, RecordRules
from studio.domain.shoe import shoe_steps
from studio.domain.shoe_commands import (
    BeginCount,
    ConfirmShoeStep,
    RegisterPack,
    ReportForeignCard,
    ReturnCards,
    SignCount,
)
from studio.domain.tiles import Concern, Tile
from studio.scenarios.script import Line
from studio.scenarios.stage import READER, SECOND_SUPERVISOR, SUPERVISOR, Stage, change_of, only, player

_Verb = Callable[[Stage, Line], None]


def _acts(action: Action) -> _Verb:
    def verb(stage: Stage, line: Line) -> None:
        seat = int(only(line))
        question = stage.round.question
        number = question.number if question else stage.round.questions
        stage.must(line, Decide(f"P{seat}", number, action, funded=True), player(seat))

    return verb


def _insures(*, take: bool) -> _Verb:
    def verb(stage: Stage, line: Line) -> None:
        for word in line.words:
            seat = int(word)
            stage.must(line, AnswerInsurance(f"P{seat}", seat, take, funded=True), player(seat))

    return verb


def _silence(stage: Stage, line: Line) -> None:
    """Nobody answers until the deadline."""
    deadline_ns = open_deadline_ns(stage.table.round)
    if deadline_ns is not None:
        stage.wait_until(deadline_ns)
    stage.must(line, PassDeadline(), SYSTEM)


def _dealers(command: Command) -> _Verb:
    return lambda stage, line: stage.must(line, command, stage.dealer)


def _report(stage: Stage, line: Line) -> None:
    """``report TILE [SEAT]``: the dealer's misdeal helper, seat 0 for the dealer's own place."""
    tile, *seat = line.words
    stage.must(line, ReportMisdeal(Tile(tile), int(seat[0]) if seat else None), stage.dealer)


def _concern(stage: Stage, line: Line) -> None:
    """``concern SEAT CONCERN``: the dealer flags what a player said."""
    seat, concern = line.words
    stage.must(line, ReportConcern(Concern(concern), int(seat)), stage.dealer)


def _return(stage: Stage, line: Line) -> None:
    """``return [CARDS]``: the cards of the round go back into the shuffler, which counts them where it can."""
    counted = int(only(line)) if line.words else None
    stage.must(line, ReturnCards(counted), READER)


def _resolve(stage: Stage, line: Line) -> None:
    """``resolve [@KIND] WAY [CHANGE ...]`` closes the newest incident (of a kind), by the supervisor."""
    kind = line.words[0].removeprefix("@") if line.words[0].startswith("@") else None
    way, *changes = line.words[kind is not None :]
    command = ResolveIncident(
        stage.newest(line, kind).number,
        WayOut(way),
        stage.scenario.id,
        stage.scenario.title,
        tuple(change_of(word) for word in changes),
    )
    stage.must(line, command, SUPERVISOR)


def _approve(stage: Stage, line: Line) -> None:
    """``approve [same]``: another supervisor approves the newest proposal, or the same one tries to."""
    actor = SUPERVISOR if line.words == ("same",) else SECOND_SUPERVISOR
    stage.must(line, ApproveProposal(stage.table.proposals[-1].number, stage.settled()), actor)


def _revise(stage: Stage, line: Line) -> None:
    """``revise CHANGE ...``: the round settled last, settled again with changes; a proposal."""
    settled = stage.settled()
    number = settled.table.round.number if settled and settled.table.round else 0
    changes = tuple(change_of(word) for word in line.words)
    command = ReviseRound(number, changes, stage.scenario.id, stage.scenario.title, settled)
    stage.must(line, command, SUPERVISOR)


def _sign_on(stage: Stage, line: Line) -> None:
    """``sign-on NAME [expired] [only GAME]``: a dealer takes the table, with a licence and certificates."""
    name, *words = line.words
    stage.dealer = Actor(name, name.capitalize(), Role.DEALER)
    is_valid, games = "expired" not in words, tuple(words[words.index("only") + 1 :]) if "only" in words else ()
    stage.must(line, SignOn("9999-12-31" if is_valid else "2000-01-01", is_valid, games), stage.dealer)


def _sign_off(stage: Stage, line: Line) -> None:
    """The dealer leaves the table, at an hour at which nobody's time at it is over."""
    stage.must(line, SignOff(), stage.dealer)


def _register(stage: Stage, line: Line) -> None:
    """``register PACK BATCH BACK``: cards come into the table's service."""
    pack, batch, back = line.words
    stage.must(line, RegisterPack(pack, batch, back), SUPERVISOR)


def _count(stage: Stage, line: Line) -> None:
    """``count PACK [-CODE ...] [+CODE ...]``: a pack through the reader, some cards missing, some too many.

    They come in the order of new decks.
    """
    pack, *differences = line.words
    stage.must(line, BeginCount(pack), stage.dealer)
    cards = list(DECK) * stage.table.setup.rules.decks
    for word in differences:
        if word.startswith("-"):
            cards.remove(parse_card(word[1:]))
        else:
            cards.append(parse_card(word[1:]))
    for card in cards:
        stage.wait(1)
        stage.reader.read(card)


def _sign(stage: Stage, line: Line) -> None:
    """``sign dealer|supervisor``: one of the two who sign a count."""
    actor = {"dealer": stage.dealer, "supervisor": SUPERVISOR}[only(line)]
    stage.must(line, SignCount(), actor)


def _prepare(stage: Stage, line: Line) -> None:
    """Every step of the shoe's preparation is confirmed."""
    for step in shoe_steps(stage.table.setup.rules.shuffling):
        stage.must(line, ConfirmShoeStep(step), stage.dealer)


def _rules(stage: Stage, line: Line) -> None:
    """``rules console|published|agree``: where other rules are shown than the table plays."""
    own = stage.table.setup.rules.hash
    wrong = only(line)
    shown = {name: "0" * 64 if name == wrong else own for name in ("console", "published")}
    stage.must(line, RecordRules(shown["console"], shown["published"]), SYSTEM)


def _supervisors(make: Callable[[Stage], Command]) -> _Verb:
    return lambda stage, line: stage.must(line, make(stage), SUPERVISOR)


PEOPLE_VERBS: Final[dict[str, _Verb]] = {
    "hit": _acts(Action.HIT),
    "stand": _acts(Action.STAND),
    "double": _acts(Action.DOUBLE),
    "split": _acts(Action.SPLIT),
    "surrender": _acts(Action.SURRENDER),
    "insure": _insures(take=True),
    "decline": _insures(take=False),
    "silence": _silence,
    "open": _dealers(OpenBetting()),
    "close": _dealers(CloseBetting()),
    "confirm": _dealers(CommitResult()),
    "disagree": _dealers(Disagree()),
    "boxed": _dealers(ReportBoxedCard()),
    "report": _report,
    "concern": _concern,
    "return": _return,
    "resolve": _resolve,
    "approve": _approve,
    "revise": _revise,
    "suspend": _supervisors(lambda stage: Suspend(stage.scenario.id)),
    "void": _supervisors(lambda stage: VoidRound(stage.scenario.id, stage.scenario.title)),
    "foreign": _supervisors(lambda stage: ReportForeignCard(stage.scenario.title)),
    "sign-on": _sign_on,
    "sign-off": _sign_off,
    "register": _register,
    "count": _count,
    "sign": _sign,
    "prepare": _prepare,
    "rules": _rules,
    "approved-rules": lambda stage, line: stage.must(line, OpenTable(rules=only(line)), SYSTEM),
    "restart": lambda stage, line: stage.must(line, RecordRestart(stage.now.monotonic_ns), SYSTEM),
}
"""What people can do, by verb; a restart is nobody's."""
