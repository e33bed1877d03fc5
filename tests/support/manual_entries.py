"""A card entered by hand: proposed by one supervisor, approved by another."""

from __future__ import annotations

from studio.domain.anomalies import WayOut
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue
from studio.domain.commands import ResolveIncident
from studio.domain.correction_commands import ApproveProposal
from studio.domain.people import Actor, Role
from support.tables import SUPERVISOR, PlayedTable

COLLEAGUE = Actor("sue", "Sue", Role.SUPERVISOR)


def enter_by_hand(played: PlayedTable, code: str) -> PlayedTable:
    """Let a card pass unread and enter its value by two people."""
    played.wait(1).no_read()
    incident = next(one for one in played.table.incidents if one.draw == played.ordinal)
    change = CardValue(played.ordinal, parse_card(code))
    command = ResolveIncident(incident.number, WayOut.ENTER, "unread", "torn corner", (change,))
    played.do(command, SUPERVISOR)
    played.do(ApproveProposal(played.table.proposals[-1].number), COLLEAGUE)
    return played
