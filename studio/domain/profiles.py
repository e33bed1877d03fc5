"""Opening a table under its ruling profile, and changing the profile: between rounds only, with an approval."""

from __future__ import annotations

from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import ChangeProfile, OpenTable
from studio.domain.events import AnomalyDetected, Event, ProfileAdopted, TableOpened
from studio.domain.phases import Phase, phase
from studio.domain.profile import Approval, RulingProfile
from studio.domain.table import Table


def open_table(table: Table, command: OpenTable, now_ns: int) -> Answer:
    """Begin the table's stream, or go on with it; another profile than before needs a table without a round."""
    setup = table.setup
    profile = command.profile or setup.profile
    changed = (_adopted(profile, command.approval),) if command.profile is not None else ()
    if not table.opened:
        opened = TableOpened(setup.rules.variant, setup.rules.hash, profile.hash, setup.simulated)
        return Accepted((opened, *changed, *_rules_told(table, command, now_ns)))
    if profile.hash == setup.profile.hash and command.approval in {table.approval, Approval()}:
        return Accepted()
    if phase(table) is not Phase.IDLE:
        return Rejected(
            "profile-mismatch",
            f"Table {setup.table}: its open round was begun under the profile {setup.profile.name} "
            f"{setup.profile.hash[:8]}, the settings name {profile.name} {profile.hash[:8]}; "
            "finish the round under the first one, a profile changes between rounds only",
        )
    return Accepted(changed)


def _rules_told(table: Table, command: OpenTable, now_ns: int) -> tuple[Event, ...]:
    """C28: new rules are shown on the console until somebody has seen them."""
    if not command.rules:
        return ()
    rules = table.setup.rules
    detail = f"{rules.variant} {rules.hash[:8]}, approved: {command.rules}"
    return (AnomalyDetected(table.incident_count + 1, AnomalyKind.RULES_CHANGED, None, detail, now_ns),)


def change_profile(table: Table, command: ChangeProfile) -> Answer:
    """Adopt the profile as its file is now; a round in progress ends under the one it was begun with."""
    if not command.reference.strip():
        return Rejected("reference-missing", "Name the approval under which the profile is changed")
    if phase(table) is not Phase.IDLE:
        return Rejected("round-open", "The round in progress must end first")
    if command.profile is None:
        return Rejected("profile-unusable", command.problem or "This table has no profile file")
    if command.profile.hash == table.setup.profile.hash:
        return Accepted()
    given = command.approval
    approval = Approval(given.approved_by, given.approved_on, command.reference, given.key)
    return Accepted((_adopted(command.profile, approval),))


def _adopted(profile: RulingProfile, approval: Approval) -> ProfileAdopted:
    return ProfileAdopted(
        profile.name,
        profile.hash,
        profile.text,
        approval.approved_by,
        approval.approved_on,
        approval.reference,
        approval.key,
    )
