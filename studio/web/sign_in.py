"""Sign-in: from a token to a person with roles, and the role in which a person may act.

It knows people and roles; not requests, sockets or tables.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, NamedTuple

from studio.domain.people import SUPERVISING, Actor, Role
from studio.settings import Account, People, Person, SettingsError

ROLES_OF_PEOPLE: Final = frozenset(Role) - {Role.DEVICE, Role.SYSTEM}
"""Devices and the system itself do not sign in."""

_LONGEST_TOKEN: Final = 256


class Licence(NamedTuple):
    """A dealer's licence: its last day as an ISO date, empty without one, and whether it holds today.

    ``games`` are the variants that it is for, empty for all; ``elsewhere`` the other table that its holder is
    signed on at, empty for none.
    """

    until: str
    valid: bool
    games: tuple[str, ...] = ()
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in person; ``roles`` in the order of the people file, which is the order of preference."""

    id: str
    name: str
    roles: tuple[Role, ...]
    licence_until: dt.date | None = None
    games: tuple[str, ...] = ()

    def may(self, allowed: AbstractSet[Role]) -> bool:
        """Tell whether any of the person's roles is among ``allowed``."""
        return any(role in allowed for role in self.roles)

    def actor(self, allowed: AbstractSet[Role]) -> Actor | None:
        """Return the person acting in the first of their roles that is allowed; ``None`` if none is."""
        return next((Actor(self.id, self.name, role) for role in self.roles if role in allowed), None)

    def licence(self, today: str) -> Licence:
        """Return the person's licence as of an ISO date."""
        until = self.licence_until.isoformat() if self.licence_until else ""
        return Licence(until, until >= today, self.games)


class SignIn:
    """Knows the people by the SHA-256 of their tokens; the tokens themselves are with their owners.

    Raises :class:`studio.settings.SettingsError` for a role that no person can have, and for an id or a token
    that two people share.
    """

    def __init__(self, people: People) -> None:
        self._sessions = tuple((person.token_sha256.encode(), _session(person)) for person in people.people)
        self._trial = frozenset(person.id for person in people.people if person.account is not Account.REAL)
        for what, values in (
            ("id", [session.id for _, session in self._sessions]),
            ("token", [digest for digest, _ in self._sessions]),
        ):
            if len(set(values)) != len(values):
                message = f"people: two people have the same {what}; give each their own"
                raise SettingsError(message)

    def is_trial(self, player: str) -> bool:
        """Tell whether a player's account holds no real money (B5); those of an operator that are not here do."""
        return player in self._trial

    def supervises(self, person: str) -> bool:
        """Tell whether somebody of that id may put tables right."""
        return any(session.id == person and session.may(SUPERVISING) for _, session in self._sessions)

    def supervising(self) -> tuple[Session, ...]:
        """Return everybody who may put tables right, in the order of the people file."""
        return tuple(session for _, session in self._sessions if session.may(SUPERVISING))

    def session(self, token: str) -> Session | None:
        """Return the session of a plain token, ``None`` if nobody has it.

        Every person is compared, each in constant time, so the time taken tells nothing about the tokens.
        """
        if not token or len(token) > _LONGEST_TOKEN or not token.isascii():
            return None
        digest = hashlib.sha256(token.encode()).hexdigest().encode()
        found = None
        for known, session in self._sessions:
            if hmac.compare_digest(known, digest):
                found = session
        return found

    def bearer(self, header: str) -> Session | None:
        """Return the session of an ``Authorization`` header, ``None`` if it proves nobody."""
        scheme, _, token = header.partition(" ")
        return self.session(token.strip()) if scheme.lower() == "bearer" else None


def _session(person: Person) -> Session:
    try:
        roles = tuple(Role(role) for role in person.roles)
    except ValueError as error:
        raise _role_error(person, str(error)) from error
    if wrong := [role for role in roles if role not in ROLES_OF_PEOPLE]:
        raise _role_error(person, f"{wrong[0]!r} does not sign in")
    return Session(person.id, person.name, roles, person.licence_until, person.games)


def _role_error(person: Person, wrong: str) -> SettingsError:
    names = ", ".join(sorted(ROLES_OF_PEOPLE))
    return SettingsError(f"people: {person.id}: {wrong}; roles of people are {names}")
