"""Sign-in: tokens, and the role in which somebody acts."""

from __future__ import annotations

import datetime as dt

import pytest
from web_fakes import person, token_of

from studio.domain.people import Actor, Role
from studio.settings import People, Person, SettingsError
from studio.web.sign_in import Session, SignIn


def sign_in(*people: Person) -> SignIn:
    return SignIn(People(people=people))


def test_a_token_finds_its_owner_and_no_other() -> None:
    found = sign_in(person("ada", "dealer"), person("bob", "player")).session(token_of("bob"))
    assert found == Session("bob", "Bob", (Role.PLAYER,))


@pytest.mark.parametrize("token", ["", "wrong", token_of("ada") + " ", token_of("ada").upper(), "ä", "x" * 300])
def test_any_other_token_finds_nobody(token: str) -> None:
    assert sign_in(person("ada", "dealer")).session(token) is None


def test_the_hash_of_a_token_is_no_token() -> None:
    ada = person("ada", "dealer")
    assert sign_in(ada).session(ada.token_sha256) is None


@pytest.mark.parametrize(
    ("header", "is_known"),
    [
        (f"Bearer {token_of('ada')}", True),
        (f"bearer  {token_of('ada')} ", True),
        (token_of("ada"), False),
        (f"Basic {token_of('ada')}", False),
        ("Bearer", False),
        ("", False),
    ],
)
def test_the_header_is_a_bearer_token(header: str, *, is_known: bool) -> None:
    assert (sign_in(person("ada", "dealer")).bearer(header) is not None) is is_known


@pytest.mark.parametrize("role", ["system", "device", "king"])
def test_a_role_that_no_person_has_is_refused(role: str) -> None:
    with pytest.raises(SettingsError, match=r"people: ada: .*roles of people are auditor, dealer"):
        sign_in(person("ada", "dealer", role))


def test_two_people_with_one_id_are_refused() -> None:
    ada = person("ada", "dealer")
    other = ada.model_copy(update={"token_sha256": "0" * 64})
    with pytest.raises(SettingsError, match="same id"):
        sign_in(ada, other)


def test_two_people_with_one_token_are_refused() -> None:
    ada = person("ada", "dealer")
    with pytest.raises(SettingsError, match="same token"):
        sign_in(ada, ada.model_copy(update={"id": "bob"}))


def test_somebody_acts_in_their_first_role_that_is_allowed() -> None:
    session = Session("ada", "Ada", (Role.SUPERVISOR, Role.DEALER))
    assert session.actor({Role.DEALER, Role.SUPERVISOR}) == Actor("ada", "Ada", Role.SUPERVISOR)
    assert session.actor({Role.DEALER}) == Actor("ada", "Ada", Role.DEALER)
    assert session.actor({Role.PLAYER}) is None
    assert session.actor(frozenset()) is None


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        (dt.date(2023, 11, 13), ("2023-11-13", False)),
        (dt.date(2023, 11, 14), ("2023-11-14", True)),
        (None, ("", False)),
    ],
)
def test_a_licence_holds_up_to_its_last_day(until: dt.date | None, expected: tuple[str, bool]) -> None:
    assert Session("ada", "Ada", (Role.DEALER,), until).licence("2023-11-14")[:2] == expected
