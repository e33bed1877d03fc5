"""Two tables that differ in their hidden cards alone: whatever a view shows of one, it must show of the other.

Both get the same cards, answers and commands; a card that comes face down, and one that is held back, is another
one at each. So a code, a total, a count or a word that rests on a hidden card makes the views differ.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.answers import Decided, Rejected
from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.correctable import hidden_card
from studio.domain.people import SYSTEM, Actor
from studio.domain.phases import Phase, expected_slot, is_insurance_open, legal_actions, phase
from studio.domain.player_projection import player_view
from studio.domain.preview import preview
from studio.domain.projections import dealer_view, supervisor_view, table_view
from studio.domain.rules import Shuffling
from studio.domain.shared_commands import Choosing, DecideAll, InsureAll, Insuring
from studio.domain.shoe_commands import LoadShuffle
from studio.domain.sightings import CardRead, Reading
from studio.domain.slots import Face
from studio.domain.table import Round
from studio.ports.journal import Recorded
from studio.runtime.recent_readings import RecentReadings
from support.tables import SUPERVISOR, PlayedTable, a_setup, player

_TODAY = "2026-01-01"
_PLENTY = 10**9


class ReadTable(PlayedTable):
    """A played table whose last readings are kept for its supervisor, the code of a card being its bytes."""

    def __init__(self, variant: str) -> None:
        super().__init__(a_setup(load_variant(variant)))
        self.readings = RecentReadings()

    def try_do(self, command: Command, actor: Actor) -> Decided | Rejected:
        before = len(self.events)
        answer = super().try_do(command, actor)
        for sequence, event in enumerate(self.events[before:], start=before + 1):
            raw = repr(getattr(event, "card", None)).encode()
            self.readings.note(Recorded("t1", sequence, self.now, actor, "test", event, raw))
        return answer

    def views(self) -> dict[str, Any]:
        """Return everything that leaves towards a screen."""
        table, now = self.table, self.now
        players = sorted({one.player for one in table.round.hands} if table.round else ())
        shared = table.round.shared.players if table.round and table.round.shared else ()
        return {
            "table": asdict(table_view(table, now)),
            "dealer": asdict(dealer_view(table, now, _TODAY)),
            "supervisor": asdict(supervisor_view(table, now, _TODAY)),
            "players": [asdict(player_view(table, who, _PLENTY, now)) for who in (*players, *shared, "stranger")],
            "readings": [asdict(one) for one in self.readings.views(table)],
        }


class Pair:
    """Two tables, ``seats`` played at each; :meth:`same` compares what is to be seen of them."""

    def __init__(self, variant: str, seats: list[int], burned: tuple[Card, Card]) -> None:
        self.tables = (ReadTable(variant), ReadTable(variant))
        self.rules = self.tables[0].setup.rules
        self.differing: set[int] = set()
        for played, card in zip(self.tables, burned, strict=True):
            if self.rules.shuffling is Shuffling.VIRTUAL:
                played.open().do(LoadShuffle(1, "c0ffee", "5eed"), SYSTEM)
            elif self.rules.shuffling is Shuffling.CONTINUOUS:
                played.open().load_shoe()
            else:
                played.ready(f"AS {card.code}")
            played.betting()
            for seat in seats if self.rules.seats > 1 else [1]:
                played.bet(seat, name=f"P{seat}")
            if phase(played.table) is Phase.BETTING:
                played.close()

    @property
    def one(self) -> ReadTable:
        """Return the first of the two."""
        return self.tables[0]

    @property
    def round(self) -> Round:
        """Return its round."""
        return self.one.table.open_round

    @property
    def is_due(self) -> bool:
        """Tell whether a card is due."""
        return expected_slot(self.rules, self.round) is not None

    @property
    def is_asking(self) -> bool:
        """Tell whether players are asked."""
        return self.round.question is not None or is_insurance_open(self.round)

    def deal(self, cards: tuple[Card, Card]) -> None:
        """Draw a card: where it comes face down, or nobody is owed it, another one at each table."""
        slot = expected_slot(self.rules, self.round)
        is_hidden = slot is None or slot.face is Face.DOWN or self.one.table.is_stopped
        for played, card in zip(self.tables, cards if is_hidden else (cards[0], cards[0]), strict=True):
            played.wait(1).sighting(CardRead(card))
        if is_hidden:
            self.differing.add(self.one.ordinal)

    def read(self, reading: Reading, *, ordinal: int | None = None) -> None:
        """Let the reader say something at both."""
        for played in self.tables:
            played.wait(1).sighting(reading, ordinal=ordinal)

    def answer(self, wish: Action) -> None:
        """Have the players asked answer, by ``wish`` where that is legal."""
        for played in self.tables:
            current = played.table.open_round
            if is_insurance_open(current):
                _decline(played, current)
                continue
            assert current.question is not None
            hand = current.hand(current.question.hand)
            action = wish if wish in legal_actions(self.rules, current, hand) else Action.STAND
            if current.shared is None:
                played.decide(action)
                continue
            for who in current.shared.players:
                choice = Choosing(who, action, funded=True)
                played.do(DecideAll(current.question.number, (choice,)), player(who))

    def do(self, command: Command, actor: Actor) -> list[str]:
        """Send a command to both; return how each was answered: a refusal's code, or ``accepted``."""
        answers = [played.try_do(command, actor) for played in self.tables]
        return [one.code if isinstance(one, Rejected) else "accepted" for one in answers]

    def previews(self, command: Command) -> list[dict[str, Any]]:
        """Return what a supervisor is shown of a command before it is sent, at each."""
        return [asdict(preview(played.table, command, SUPERVISOR, played.now)) for played in self.tables]

    @property
    def is_open(self) -> bool:
        """Tell whether a card in which they differ lies open by now: then they may be told apart."""
        return any(
            one.draw in self.differing and hidden_card(played.table, one.draw) is None
            for played in self.tables
            for one in (played.table.round.draws if played.table.round else ())
        )

    def same(self) -> None:
        """Fail where anything to be seen differs."""
        one, other = (played.views() for played in self.tables)
        assert json.dumps(one) == json.dumps(other)


def _decline(played: PlayedTable, current: Round) -> None:
    if current.shared is not None:
        played.do(InsureAll(tuple(Insuring(who, False) for who in current.shared.players)), player("P1"))
        return
    for seat, who in current.insurable():
        played.insure(seat, who, take=False)
