"""The people who put a table right: the dealer at once, the supervisor by what lies on the felt.

A supervisor takes one of the ways out that are offered, at random among those that are true to the felt; a void is
always true. The choice never looks at what the engine would make of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from studio.campaign import conditions, judge
from studio.campaign.core import COLLEAGUE, DEALER, READER, SUPERVISOR
from studio.campaign.felt import Paper
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.answers import Rejected
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import Disagree, ResolveIncident
from studio.domain.correction_commands import ApproveProposal
from studio.domain.incidents import ways_out
from studio.domain.instructions import worst_incident
from studio.domain.people import SUPERVISING, Actor, Role
from studio.domain.phases import Phase, phase
from studio.domain.remedies import camera_value
from studio.domain.sightings import CardRead, SightingId, Unreadable
from studio.domain.slots import HandId
from studio.domain.table import Incident, Table

if TYPE_CHECKING:
    from studio.campaign.game import Game

_UNREAD: Final = frozenset({AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE, AnomalyKind.HOLE_UNREAD})
_RESCAN_READS: Final = 0.7
_VOIDS: Final = 0.1
_RULED: Final = frozenset(
    {WayOut.MOVE, WayOut.CORRECT, WayOut.OUT_OF_PLAY, WayOut.DEAD_HAND, WayOut.LAID, WayOut.DRAW_NOW}
)
_CHANGING: Final = frozenset({WayOut.ENTER, WayOut.CORRECT, WayOut.MOVE, WayOut.OUT_OF_PLAY, WayOut.DEAD_HAND})
_ALWAYS_TRUE: Final = frozenset(
    {
        WayOut.ACKNOWLEDGE,
        WayOut.ACCEPT,
        WayOut.CHANGE_SHOE,
        WayOut.LAST_ROUND,
        WayOut.REPLACE_DEALER,
        WayOut.REBUILD,
    }
)


def put_right(game: Game) -> bool:
    """Do the next thing about what is open; return whether there was anything."""
    table = game.core.table
    if table.scan is not None and table.scan.differing is None:
        _pass_over(game, table)
        return True
    if phase(table) is Phase.IDLE:
        conditions.causes_go(game)
    incident = worst_incident(game.core.table)
    if incident is None:
        _see_warnings(game)
        return False
    game.core.wait(2)
    incident = game.core.table.incident(incident.number)
    if incident is not None and not _by_dealer(game, incident):
        _by_supervisor(game, incident)
    return True


def _see_warnings(game: Game) -> None:
    for incident in game.core.table.incidents:
        if incident.stops:
            return
        seen = {WayOut.ACKNOWLEDGE, WayOut.ACCEPT, WayOut.GO_ON}
        offered = [way for way in ways_out(game.core.table, incident, Role.SUPERVISOR) if way in seen]
        if offered and game.core.table.incident(incident.number) is not None:
            _resolve(game, incident, offered[0], (), SUPERVISOR)


def _pass_over(game: Game, table: Table) -> None:
    """Pass the next card of the felt over the exit reader, in the order in which they came out."""
    scan = table.scan
    done = len(scan.read) if scan is not None else 0
    papers = game.felt.papers()
    if done >= len(papers):
        game.void("fewer cards lie there than the screen has")
        return
    game.core.wait(1)
    game.sight(SightingId(READER.id, game.box.load, game.box.number()), CardRead(papers[done].card))


# The dealer


def _by_dealer(game: Game, incident: Incident) -> bool:
    table, kind = game.core.table, incident.kind
    if kind in {AnomalyKind.SCANNER_DOWN, AnomalyKind.CRASH_RECOVERY}:
        return _reader_or_felt(game, incident)
    if table.dealer is None:
        game.sign_on()
        return True
    if incident.level is Level.SUSPEND:
        return False
    if kind in _UNREAD or kind is AnomalyKind.TWO_CARDS:
        return _pass_again(game, incident)
    if kind is AnomalyKind.BOXED_CARD:
        game.draw_aside()
        return True
    if kind is AnomalyKind.DEALER_SHORT:
        return _resolve(game, incident, WayOut.DRAW_NOW, (), DEALER)
    if kind in {AnomalyKind.EARLY_COLLECT, AnomalyKind.READ_NOT_DEALT} and game.rng.random() > _VOIDS:
        return _arranged(game) and _resolve(game, incident, WayOut.LAID, (), DEALER)
    return False


def _reader_or_felt(game: Game, incident: Incident) -> bool:
    table = game.core.table
    if not table.reader.ready:
        conditions.reader_back(game)
        return True
    if incident.level is Level.SUSPEND:
        return False
    if incident.kind is AnomalyKind.CRASH_RECOVERY and not judge.is_same(game):
        game.core.send(Disagree(), DEALER)
        return True
    return _resolve(game, incident, WayOut.GO_ON, (), DEALER)


def _pass_again(game: Game, incident: Incident) -> bool:
    """Pass an unread card over the reader once more, or the card that it never told."""
    if incident.draw is not None and incident.kind in _UNREAD:
        paper = game.felt.find(incident.draw)
        if paper is None:
            return False
        reads = game.rng.random() < _RESCAN_READS
        game.tell_again(paper, None if reads else Unreadable())
        return True
    untold = [paper for paper in game.felt.papers() if paper.draw is None]
    if not untold:
        return False
    paper = untold[0]
    paper.seen = True
    if incident.kind is AnomalyKind.TWO_CARDS:
        game.felt.put_aside(paper)
        game.eye.look()
    game.tell(paper)
    return True


def _arranged(game: Game) -> bool:
    """Lay every card where the screen shows it; return whether all of them are there to be laid."""
    current = game.core.table.round
    if current is None:
        return False
    papers: dict[int, Paper] = {}
    for dealt in current.draws:
        paper = game.felt.find(dealt.draw)
        if paper is None or paper.card != dealt.card:
            return False
        papers[dealt.draw] = paper
    rest = [one for one in game.felt.papers() if one.draw not in papers]
    if any(one not in game.felt.aside and one not in game.felt.unread for one in rest):
        return False
    if current.shared is None:
        for paper in papers.values():
            game.felt.take(paper)
        for hand in [*(one.id for one in current.hands), None]:
            shown = judge.screen(current)[hand]
            _relay(game, list(shown), hand, [papers[one.draw] for one in current.draws])
    for paper in papers.values():
        paper.seen = True
    game.eye.look()
    return judge.is_same(game)


def _relay(game: Game, shown: list[str], hand: HandId | None, papers: list[Paper]) -> None:
    """Lay the cards that the screen shows at one hand, in its order, from those that are in the dealer's hands."""
    for code in shown:
        paper = next((one for one in papers if str(one.card) == code and game.felt.where(one) is None), None)
        if paper is not None:
            game.felt.lay(paper, hand)


# The supervisor


def _by_supervisor(game: Game, incident: Incident) -> None:
    offered = ways_out(game.core.table, incident, Role.SUPERVISOR)
    choices = [(way, changes) for way in offered for changes in _true_changes(game, incident, way)]
    others = [one for one in choices if one[0] is not WayOut.VOID]
    game.rng.shuffle(others)
    if WayOut.VOID in offered and (not others or game.rng.random() < _VOIDS):
        others.insert(0, (WayOut.VOID, ()))
    elif WayOut.VOID in offered:
        others.append((WayOut.VOID, ()))
    for way, changes in others:
        if _resolve(game, incident, way, changes, SUPERVISOR):
            _look_again(game, way)
            return
    game.void(f"no way out of {incident.kind}: {', '.join(offered) or 'none'}")


def _look_again(game: Game, way: WayOut) -> None:
    """After a ruling felt and screen are compared; where they differ the round is void."""
    table = game.core.table
    if way in _RULED and not table.is_stopped and phase(table) is not Phase.IDLE and not judge.is_same(game):
        game.void(f"{way} did not bring felt and screen together")


def _true_changes(game: Game, incident: Incident, way: WayOut) -> Iterator[tuple[Change, ...]]:
    """Yield the changes with which a way out is true to the felt; nothing where it is not."""
    paper = game.felt.find(incident.draw) if incident.draw is not None else None
    if way in _CHANGING:
        yield from _corrections(game, incident, way, paper)
    elif way in _ALWAYS_TRUE or _is_true(game, incident, way, paper):
        yield ()


def _is_true(game: Game, incident: Incident, way: WayOut, paper: Paper | None) -> bool:
    """Tell whether a way out that changes no card of the round is true to the felt."""
    match way:
        case WayOut.GO_ON | WayOut.DRAW_NOW:
            return judge.is_same(game)
        case WayOut.LAID:
            return _arranged(game)
        case WayOut.KEEP_SCAN:
            # The screen must show what lies there, at the place where it lies.
            return paper is not None and judge.is_same(game)
        case WayOut.CAMERA_VALUE:
            return paper is not None and camera_value(game.core.table, incident) == paper.card
        case WayOut.USE_NEXT | WayOut.BURN | WayOut.DISCARD | WayOut.REFUSED:
            return paper is not None
        case WayOut.MARK_DUPLICATE:
            return paper is None
        case _:
            return False


def _corrections(game: Game, incident: Incident, way: WayOut, paper: Paper | None) -> Iterator[tuple[Change, ...]]:
    table = game.core.table
    match way:
        case WayOut.ENTER if paper is not None and incident.draw is not None:
            yield (CardValue(incident.draw, paper.card),)
        case WayOut.CORRECT if values := _wrong_values(game, table):
            yield values
        case WayOut.MOVE:
            yield from _moves(game, table, incident, paper)
        case WayOut.OUT_OF_PLAY if paper in game.felt.withheld and incident.draw is not None:
            yield (OutOfPlay(incident.draw),)
        case WayOut.DEAD_HAND if judge.is_same(game) and table.round is not None and len(table.round.hands) > 1:
            yield (DeadHand(game.rng.choice(table.round.hands).id.seat),)
        case _:
            return


def _wrong_values(game: Game, table: Table) -> tuple[Change, ...]:
    """Return the true values of the cards that the screen shows wrong."""
    found: list[Change] = []
    for dealt in table.round.draws if table.round is not None else ():
        paper = game.felt.find(dealt.draw)
        if paper is not None and paper.card != dealt.card:
            found.append(CardValue(dealt.draw, paper.card))
    return tuple(found)


def _moves(game: Game, table: Table, incident: Incident, paper: Paper | None) -> Iterator[tuple[Change, ...]]:
    """Yield the place at which a card lies; or lay it where the screen has it, which needs no change."""
    place = game.felt.where(paper) if paper is not None else None
    if incident.draw is not None and place is not None:
        current = table.round
        if current is not None and (place.hand is None or any(one.id == place.hand for one in current.hands)):
            yield (Placed(incident.draw, place.hand),)
    if incident.kind is not AnomalyKind.EXTRA_CARD and game.rng.random() < 0.5 and _arranged(game):  # noqa: PLR2004
        yield ()


def _resolve(game: Game, incident: Incident, way: WayOut, changes: tuple[Change, ...], actor: Actor) -> bool:
    """Take a way out; what needs a second person gets one. Return whether it was taken."""
    command = ResolveIncident(incident.number, way, "campaign", "As the felt shows", changes)
    answer = game.core.send(command, actor)
    if isinstance(answer, Rejected):
        return False
    if actor.role in SUPERVISING and game.core.table.proposals:
        approved = game.core.send(ApproveProposal(game.core.table.proposals[-1].number), COLLEAGUE)
        if isinstance(approved, Rejected):
            return False
    if way is WayOut.OUT_OF_PLAY:
        for change in changes:
            game.take_out(change)
    game.tally.ways[way.value] += 1
    return True
