"""Previews: what a supervisor's command would do, decided for real and thrown away (S5, S6).

Pure. What would only become a proposal is previewed as if a second person had approved it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Final, NamedTuple

from studio.domain.answers import Decided, Rejected, Step
from studio.domain.bets import Bet, BetKind, ResultBatch
from studio.domain.cards import Card
from studio.domain.changes import Unlawful
from studio.domain.commands import Command
from studio.domain.correctable import hidden_card
from studio.domain.correction_commands import ApproveProposal, ReviseRound, Settled
from studio.domain.correction_views import HandBeside, HandPreview, MoneyPreview, Preview
from studio.domain.decide import decide
from studio.domain.events import HandsDied, ProposalMade, RoundRevised, RoundVoided
from studio.domain.evolve import evolve
from studio.domain.hands import total
from studio.domain.instants import Instant
from studio.domain.instructions import instruction
from studio.domain.people import Actor, Role
from studio.domain.phases import Phase, phase
from studio.domain.projections import hand_state, shown_dealer, shown_dealer_total
from studio.domain.refunds import (
    can_void,
    refund_total,
    refunds,
    refunds_by_kind,
)
from studio.domain.replay import replay
from studio.domain.rulings_projection import message_of
from studio.domain.settlement import settle
from studio.domain.slots import Face
from studio.domain.table import Hand, Round, RoundEnd, Table
from studio.domain.views import BACK

_COLLEAGUE = Actor("", "", Role.SUPERVISOR)
_DEALERS_SEAT = 0
_BLIND: Final = "It rests on a card that nobody sees"
_NONE: Final[frozenset[int]] = frozenset()

_Key = tuple[str, int, str]
"""Player, seat and kind of a wager."""


class _Side(NamedTuple):
    """A table before or after, with what comes back of the stakes where that is known."""

    table: Table
    back: dict[_Key, int] | None


def preview(table: Table, command: Command, actor: Actor, at: Instant) -> Preview:
    """Return what ``command`` would do to the table if ``actor`` sent it now."""
    answer = decide(table, command, actor, at)
    if isinstance(answer, Rejected):
        return _unlawful(table, answer)
    steps = answer.steps
    proposed = next((one.event for one in steps if isinstance(one.event, ProposalMade)), None)
    if proposed is not None:
        settled = command.settled if isinstance(command, ReviseRound) else None
        answer = decide(steps[-1].after, ApproveProposal(proposed.proposal, settled), _COLLEAGUE, at)
        if isinstance(answer, Rejected):
            return _unlawful(table, answer)
    if isinstance(command, ReviseRound) and command.settled is not None:
        return _revision(table, command, command.settled, answer)
    after = answer.steps[-1].after if answer.steps else table
    before = _Side(table, _result(table))
    return _lawful(before, _Side(after, _given_back(answer.steps) or _told(table, after)), proposed is not None)


def _unlawful(table: Table, refused: Rejected) -> Preview:
    side = _Side(table, _result(table))
    found = _lawful(side, side, needs_second=False)
    return Preview(
        lawful=False,
        code=refused.code,
        text=refused.text,
        needs_second=False,
        hands=found.hands,
        money=found.money,
        staked_before=found.staked_before,
        staked_after=found.staked_after,
        refund_total=0,
        phase_before=found.phase_before,
        phase_after=found.phase_after,
        next_step=found.next_step,
        message=None,
    )


def _lawful(before: _Side, after: _Side, needs_second: bool) -> Preview:  # noqa: FBT001 - one fact of the preview
    told = after.table.notices[-1] if after.table.notice_count > before.table.notice_count else None
    back = sum(after.back.values()) if after.back is not None and not can_void(after.table) else 0
    is_blind = _rests_on_hidden(before.table, after.table)
    return Preview(
        lawful=True,
        code="",
        text="",
        needs_second=needs_second,
        hands=_hands(before.table, after.table, is_blind=is_blind),
        money=_money(before, after),
        staked_before=refund_total(before.table),
        staked_after=refund_total(after.table),
        refund_total=back,
        phase_before=phase(before.table),
        phase_after="" if is_blind else phase(after.table),
        next_step=_BLIND if is_blind else instruction(after.table).words,
        message=message_of(told) if told is not None else None,
    )


def _revision(table: Table, command: ReviseRound, settled: Settled, answer: Decided) -> Preview:
    """Show the settled round beside what it would have been."""
    again = replay(settled.table, command.changes, evolve, settled=True)
    revised = next(one.event for one in answer.steps if isinstance(one.event, RoundRevised))
    after = settled.table if isinstance(again, Unlawful) else again
    shown = _lawful(
        _Side(settled.table, _coming_back(settled.table.open_round, settled.results)),
        _Side(after, _coming_back(settled.table.open_round, revised.results)),
        needs_second=True,
    )
    told = answer.steps[-1].after.notices[-1]
    return Preview(
        lawful=True,
        code="",
        text="",
        needs_second=True,
        hands=shown.hands,
        money=shown.money,
        staked_before=0,
        staked_after=0,
        refund_total=sum(revised.moved),
        phase_before=phase(table),
        phase_after=phase(table),
        next_step=instruction(table).words,
        message=message_of(told),
    )


# Hands


def _hands(before: Table, after: Table, *, is_blind: bool) -> tuple[HandPreview, ...]:
    old, new = _beside(before, _NONE), _beside(after, _covers(before, after), is_blind=is_blind)
    found = []
    for seat, hand in sorted({*old, *new}):
        _, one = old.get((seat, hand), ("", None))
        player, other = new.get((seat, hand), (old.get((seat, hand), ("", None))[0], None))
        found.append(HandPreview(seat, hand, player, one, other, one != other))
    return tuple(found)


def _covers(before: Table, after: Table) -> frozenset[int]:
    """Return the draws that nobody sees now: a back wherever they would lie: a preview opens no card (S8)."""
    current = after.round
    if current is None:
        return _NONE
    return frozenset(one.draw for one in current.draws if hidden_card(before, one.draw) is not None)


def _rests_on_hidden(before: Table, after: Table) -> bool:
    """Tell whether how it goes on would tell a card that nobody sees now: one lies open then, or was peeked at."""
    old, new = before.round, after.round
    covered = _covers(before, after)
    if old is None or new is None or not covered:
        return False
    is_open = any(one.draw in covered and (one.face is Face.UP or new.hole_revealed) for one in new.draws)
    return is_open or new.peeked_natural != old.peeked_natural


def _told(before: Table, after: Table) -> dict[_Key, int] | None:
    """Return the result after, but not where it would tell a card that nobody sees now."""
    return None if _rests_on_hidden(before, after) else _result(after)


def _beside(
    table: Table, hidden: frozenset[int], *, is_blind: bool = False
) -> dict[tuple[int, int], tuple[str, HandBeside]]:
    current = table.round
    if current is None:
        return {}
    if is_blind:
        # That the dealer's hole card is turned then would say that a hand is over by the card.
        current = current._replace(hole_revealed=False)
    found: dict[tuple[int, int], tuple[str, HandBeside]] = {}
    for hand in current.hands:
        covered = [one.card for one in current.draws if one.hand == hand.id and one.draw in hidden]
        found[hand.id.seat, hand.id.number] = (hand.player, _hand(hand, covered))
    if current.dealer:
        lying = [one for one in current.draws if one.hand is None and one.draw in hidden]
        covered = [one.card for one in lying if one.face is Face.UP or current.hole_revealed]
        dealer = HandBeside(shown_dealer(current), shown_dealer_total(current), 0, "")
        if covered or is_blind:
            dealer = HandBeside(_covered(dealer.cards, covered), "", 0, "")
        found[_DEALERS_SEAT, 1] = ("", dealer)
    return found


def _covered(codes: tuple[str, ...], covered: Iterable[Card]) -> tuple[str, ...]:
    """Return the codes without the covered cards, and their backs behind them.

    In its place a back would tell: which of two cards with the same code it stands for cannot be seen from a code.
    """
    shown = [code for code in codes if code != BACK]
    for card in covered:
        if card.code in shown:
            shown.remove(card.code)
    return (*shown, *repeat(BACK, len(codes) - len(shown)))


def _hand(hand: Hand, covered: list[Card]) -> HandBeside:
    codes = tuple(card.code for card in hand.cards)
    if covered:
        # Total and state would tell the card.
        return HandBeside(_covered(codes, covered), "", hand.stake, "")
    return HandBeside(codes, str(total(hand.cards)) if hand.cards else "", hand.stake, hand_state(hand))


# Money


def _money(before: _Side, after: _Side) -> tuple[MoneyPreview, ...]:
    old, new = _staked(before.table), _staked(after.table)
    keys = {*old, *new, *(before.back or {}), *(after.back or {})}
    return tuple(
        MoneyPreview(
            *key,
            staked_before=old.get(key, 0),
            staked_after=new.get(key, 0),
            back_before=None if before.back is None else before.back.get(key, 0),
            back_after=None if after.back is None else after.back.get(key),
        )
        for key in sorted(keys, key=lambda one: (one[1], one[0], one[2]))
    )


def _staked(table: Table) -> dict[_Key, int]:
    current = table.round
    if current is not None and current.shared is not None and not current.is_betting and can_void(table):
        sums = refunds_by_kind(current, current.shared)
        return {("", 1, kind.value): amount for kind, (_, amount) in sums.items()}
    return _by_key((bet.player, bet.seat, bet.kind, bet.amount) for bet in refunds(table))


def _given_back(steps: Iterable[Step]) -> dict[_Key, int] | None:
    """Return what a void or a dead hand gives back, ``None`` where nothing of the kind happens."""
    found: dict[_Key, int] | None = None
    for step in steps:
        match step.event:
            case RoundVoided(refunds=back) | HandsDied(refunds=back):
                is_shared = step.before.round is not None and step.before.round.shared is not None
                found = _by_key(_rows(back, is_shared=is_shared))
            case _:
                pass
    return found


def _rows(bets: Iterable[Bet], *, is_shared: bool) -> Iterable[tuple[str, int, BetKind, int]]:
    return (("" if is_shared else bet.player, bet.seat, bet.kind, bet.amount) for bet in bets)


def _result(table: Table) -> dict[_Key, int] | None:
    """Return what comes back by the result that lies on the table, ``None`` while there is none."""
    current = table.round
    if current is None:
        return None
    if phase(table) is Phase.COMMIT or current.end is RoundEnd.COMMITTED:
        results = settle(table.setup.rules, current)
    elif table.results is not None:
        results = table.results
    else:
        return None
    return _coming_back(current, results)


def _coming_back(current: Round, results: ResultBatch) -> dict[_Key, int]:
    """Return what results give back; of a shared hand the sums by kind, since its players may be very many."""
    if current.shared is None:
        return _by_key(_returned(results))
    return _by_key(("", seat, kind, back) for _, seat, kind, back in _returned(results))


def _returned(results: ResultBatch) -> Iterator[tuple[str, int, BetKind, int]]:
    for group in results.groups:
        yield from zip(group.players, repeat(group.seat), repeat(group.kind), group.returned, strict=False)


def _by_key(rows: Iterable[tuple[str, int, BetKind, int]]) -> dict[_Key, int]:
    found: Counter[_Key] = Counter()
    for player, seat, kind, amount in rows:
        found[player, seat, kind.value] += amount
    return dict(found)
