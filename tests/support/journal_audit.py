"""Audits of a studio's journal after a campaign: cards, answers and money, each against what others noted.

Everything is read from the file of a stopped studio. It raises ``AssertionError`` where something does not add up
and returns figures where it does.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from hardware_sim.smartshoe.payloads import card_code
from hardware_sim.smartshoe.wire import DeviceType
from studio.adapters.sealing import Sealer, load_key
from studio.adapters.sqlite_rows import replay_rows
from studio.adapters.sqlite_store import open_read_only
from studio.app import table_setup
from studio.domain.cards import Card
from studio.domain.events import (
    AnomalyDetected,
    BetsPlaced,
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    Cause,
    DecisionTaken,
    Event,
    InsuranceAnswered,
    RoundSettled,
    RoundVoided,
)
from studio.domain.evolve import evolve
from studio.domain.money import CASHIER, HOUSE, player_account, table_account
from studio.domain.table import Table
from studio.ports.journal import Recorded
from studio.settings import load_settings
from support.noting_client import Asked
from support.noting_table import Note
from support.studio_folder import OPENING_BALANCE, TABLE, StudioFolder

Movement = tuple[str, str, int]
"""Source, target, amount."""


@dataclass(frozen=True, slots=True)
class Book:
    """Everything that a journal holds of one table; ``table`` is what its replay ends in."""

    recorded: tuple[Recorded, ...]
    table: Table
    moves: dict[int, list[Movement]]
    """The ledger's transfers by the sequence of their event; deposits under 0."""
    balances: dict[str, int]
    receipts: dict[str, str]


def read_book(folder: StudioFolder) -> Book:
    """Read the journal of a stopped studio; every chain hash, seal and sequence is checked on the way."""
    settings = load_settings(folder.settings)
    table = Table(table_setup(settings.tables[0], settings.studio.mode))
    with closing(open_read_only(folder.journal)) as connection:
        recorded = tuple(replay_rows(connection, TABLE, Sealer(load_key(folder.key_file))))
        for each in recorded:
            table = evolve(table, each.event)
        moves: dict[int, list[Movement]] = defaultdict(list)
        for id_, source, target, amount in connection.execute("SELECT id, source, target, amount FROM transfers"):
            moves[0 if id_.startswith("deposit:") else int(id_.split(":")[1])].append((source, target, amount))
        balances = dict(connection.execute("SELECT account, amount FROM balances"))
        receipts = dict(connection.execute("SELECT key, body FROM receipts"))
    return Book(recorded, table, dict(moves), balances, receipts)


def check_acknowledged(book: Book, notes: Sequence[Note]) -> None:
    """Check that no card was acknowledged before it was on disk; of what a crash left, too."""
    acknowledged = {
        (note.load, note.ordinal) for note in notes if note.type == DeviceType.CARD and note.what == "acknowledged"
    }
    recorded = {
        (each.event.sighting.load, each.event.sighting.ordinal)
        for each in book.recorded
        if isinstance(each.event, CardDealt | CardBurned | CardHeld | CardUnread)
    }
    assert acknowledged <= recorded, f"acknowledged, and not recorded: {acknowledged - recorded}"


def check_cards(book: Book, notes: Sequence[Note]) -> int:
    """Check that each card that left the shoe is in the journal once, in order; return how many there are."""
    check_acknowledged(book, notes)
    left = {
        (note.load, note.ordinal): _code(note)
        for note in notes
        if note.type == DeviceType.CARD and note.what == "read"
    }
    entered: dict[tuple[int, int | None], Card] = {}
    placed: Counter[tuple[int, int | None]] = Counter()
    for each in book.recorded:
        match each.event:
            case CardDealt(sighting=sighting, card=card) | CardBurned(sighting=sighting, card=card):
                entered.setdefault((sighting.load, sighting.ordinal), card)
                placed[sighting.load, sighting.ordinal] += 1
            case CardHeld(sighting=sighting, card=card):
                assert (sighting.load, sighting.ordinal) not in entered, (
                    f"{sighting} was held and is there already"
                )
                entered[sighting.load, sighting.ordinal] = card
            case CardUnread(sighting=sighting):
                message = f"{sighting} was read by the device and entered as unread"
                raise AssertionError(message)
            case _:
                pass
    twice = [place for place, count in placed.items() if count > 1]
    assert not twice, f"dealt or burned twice: {twice}"
    assert {place: card_code(card) for place, card in entered.items()} == left
    assert list(entered) == sorted(entered), "cards were recorded in another order than they left the shoe"
    loads: dict[int, list[int | None]] = defaultdict(list)
    for load, ordinal in entered:
        loads[load].append(ordinal)
    assert all(found == list(range(1, len(found) + 1)) for found in loads.values())
    return len(entered)


def _code(note: Note) -> int:
    """Return the card's byte in CARD's payload: ordinal (2), code, quality."""
    return bytes.fromhex(note.payload)[2]


def check_answers(book: Book, asked: Iterable[Asked]) -> int:
    """Check that what players were told is what the journal says; return how many commands were accepted."""
    by_cause: dict[str, list[Recorded]] = defaultdict(list)
    for each in book.recorded:
        by_cause[each.cause].append(each)
    commands = list(asked)
    accepted = 0
    for one in commands:
        events = by_cause.get(one.cause, [])
        assert len(_effects(one, events)) <= 1, f"{one.cause} was done more than once"
        if one.answer is None:
            continue
        assert json.loads(book.receipts[one.cause]) == one.answer.body
        if _is_accepted(one):
            accepted += 1
            assert len(_effects(one, events)) == 1, f"{one} was accepted, and the journal has {events}"
            assert events[-1].sequence == one.answer.body["sequence"]
        else:
            assert not events, f"{one} was refused, and the journal has {events}"
    known = {one.cause for one in commands}
    strangers = [each for each in book.recorded if isinstance(each.event, BetsPlaced) and each.cause not in known]
    assert not strangers, f"bets that nobody placed: {strangers}"
    return accepted


def _is_accepted(one: Asked) -> bool:
    assert one.answer is not None
    return one.answer.is_success and all(item["accepted"] for item in one.answer.body.get("items", ()))


def _effects(one: Asked, events: Sequence[Recorded]) -> list[Recorded]:
    """Return the events that are what ``one`` asked for, amount and all."""
    if one.path.endswith("/bets"):
        wanted = [(one.person, bet["seat"], bet["amount"]) for bet in one.body["bets"]]
        return [
            each
            for each in events
            if isinstance(each.event, BetsPlaced)
            and [(bet.player, bet.seat, bet.amount) for bet in each.event.bets] == wanted
        ]
    if one.path.endswith("/decisions"):
        return [
            each
            for each in events
            if isinstance(each.event, DecisionTaken)
            and each.event.cause is not Cause.NO_ANSWER
            and each.event.asked == one.body["action"]
        ]
    return [each for each in events if isinstance(each.event, InsuranceAnswered)]


@dataclass(frozen=True, slots=True)
class Money:
    """What went round: rounds by their end, and the stakes of all of them in minor units."""

    settled: int
    voided: int
    staked: int


def check_money(book: Book) -> Money:
    """Check the ledger event by event: no unit is lost or doubled, at any instant (rules.md M3)."""
    accounts: Counter[str] = Counter()
    _post(accounts, book.moves.get(0, []))
    assert {amount for account, amount in accounts.items() if account != CASHIER} == {OPENING_BALANCE}
    lying: Counter[str] = Counter()
    owners: dict[int, str] = {}
    ends: Counter[type] = Counter()
    staked = 0
    for each in book.recorded:
        before = Counter(accounts)
        _post(accounts, book.moves.get(each.sequence, []))
        added = _staked(each.event, owners)
        lying.update(added)
        staked += added.total()
        if isinstance(each.event, RoundSettled | RoundVoided):
            _check_end(each.event, lying, before, accounts)
            lying.clear()
            ends[type(each.event)] += 1
        assert accounts[table_account(TABLE)] == lying.total(), f"after {each}"
        assert accounts.total() == 0, f"after {each}"
    assert dict(accounts) == {**dict.fromkeys(accounts, 0), **book.balances}
    return Money(ends[RoundSettled], ends[RoundVoided], staked)


def _staked(event: Event, owners: dict[int, str]) -> Counter[str]:
    """Return what an event put on the table, by player; ``owners`` learns whose seat is whose."""
    match event:
        case BetsPlaced(bets):
            owners.update({bet.seat: bet.player for bet in bets})
            return sum((Counter({bet.player: bet.amount}) for bet in bets), Counter())
        case InsuranceAnswered(player=player, amount=amount):
            return Counter({player: amount})
        case DecisionTaken(hand=hand, added_stake=added):
            return Counter({owners[hand.seat]: added})
        case _:
            return Counter()


def _check_end(
    event: RoundSettled | RoundVoided, lying: Counter[str], before: Counter[str], after: Counter[str]
) -> None:
    """Stakes in are what is returned and what the house keeps, and every player got their own."""
    back: Counter[str] = Counter()
    if isinstance(event, RoundVoided):
        for bet in event.refunds:
            back[bet.player] += bet.amount
        assert back == +lying, f"{event}: other refunds than were staked"
    else:
        for result in event.results:
            back[result.player] += result.returned
        assert sum(result.stake for result in event.results) == lying.total(), (
            f"{event}: other stakes than were placed"
        )
    assert after[HOUSE] - before[HOUSE] == lying.total() - back.total(), f"{event}: the house's share is wrong"
    for account in before.keys() | after.keys():
        if account.startswith(player_account("")):
            player = account.removeprefix(player_account(""))
            assert after[account] - before[account] == back[player], f"{event}: {player} got another amount"


def _post(accounts: Counter[str], moves: Iterable[Movement]) -> None:
    for source, target, amount in moves:
        accounts[source] -= amount
        accounts[target] += amount


def incidents(book: Book) -> Counter[str]:
    """Return how often each kind of incident was opened."""
    return Counter(each.event.kind.value for each in book.recorded if isinstance(each.event, AnomalyDetected))
