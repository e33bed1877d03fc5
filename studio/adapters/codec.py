"""The file format of events: an explicit name and version each, and canonical JSON (system.md principle 8).

An event's name is chosen here once and for ever; moving or renaming a class changes nothing on disk. A field is
stored under its own name: to change a class, raise its version in :data:`NAMES` and add an upcaster that turns the
old fields into the new ones. The codec knows no key, no table and no database; which fields are to be sealed is
said by :func:`hidden_fields`, and somebody else seals them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain, repeat
from typing import Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from studio.adapters.upcasters import results_in_groups
from studio.domain import events
from studio.domain.cards import Card, parse_card
from studio.domain.changes import CardValue, DeadHand, OutOfPlay, Placed
from studio.domain.events import Event, hides_card

Fields = dict[str, Any]
"""An event's fields as JSON has them: text, whole numbers, booleans, null, lists and nested fields."""

Upcaster = Callable[[Fields], Fields]
"""Turns the fields of one version of an event into those of the next version."""


class Name(NamedTuple):
    """What an event is called on disk."""

    name: str
    version: int


NAMES: Final[dict[type[Event], Name]] = {
    events.TableOpened: Name("table-opened", 1),
    events.DealerSignedOn: Name("dealer-signed-on", 1),
    events.DealerSignedOff: Name("dealer-signed-off", 1),
    events.ReaderChanged: Name("reader-changed", 1),
    events.ShoeStepConfirmed: Name("shoe-step-confirmed", 1),
    events.ShoeLoaded: Name("shoe-loaded", 1),
    events.CardBurned: Name("card-burned", 2),
    events.BurnOrdered: Name("burn-ordered", 1),
    events.CutCardSeen: Name("cut-card-seen", 1),
    events.ShoeClosed: Name("shoe-closed", 1),
    events.CardsReturned: Name("cards-returned", 1),
    events.DiscardsLoaded: Name("discards-loaded", 1),
    events.ShuffleCommitted: Name("shuffle-committed", 1),
    events.ShuffleOpened: Name("shuffle-opened", 1),
    events.PackRegistered: Name("pack-registered", 1),
    events.PackLoaded: Name("pack-loaded", 1),
    events.PackQuarantined: Name("pack-quarantined", 1),
    events.PackRetired: Name("pack-retired", 1),
    events.RecountOrdered: Name("recount-ordered", 1),
    events.CountBegan: Name("count-began", 1),
    events.CardCounted: Name("card-counted", 1),
    events.CardUncounted: Name("card-uncounted", 1),
    events.CountSigned: Name("count-signed", 1),
    events.CountEnded: Name("count-ended", 1),
    events.CountAbandoned: Name("count-abandoned", 1),
    events.SeatTaken: Name("seat-taken", 1),
    events.SeatLeft: Name("seat-left", 1),
    events.FollowingSet: Name("following-set", 1),
    events.ActionPlanned: Name("action-planned", 1),
    events.BetsReturned: Name("bets-returned", 1),
    events.FollowAsked: Name("follow-asked", 1),
    events.FollowAnswered: Name("follow-answered", 1),
    events.FollowClosed: Name("follow-closed", 1),
    events.BettingOpened: Name("betting-opened", 2),
    events.BetsPlaced: Name("bets-placed", 1),
    events.BettingClosed: Name("betting-closed", 1),
    events.CardDealt: Name("card-dealt", 2),
    events.CardUnread: Name("card-unread", 2),
    events.CardHeld: Name("card-held", 2),
    events.HeldCardReleased: Name("held-card-released", 1),
    events.DuplicateMarked: Name("duplicate-marked", 1),
    events.CardDiscarded: Name("card-discarded", 1),
    events.InsuranceOffered: Name("insurance-offered", 1),
    events.InsuranceAnswered: Name("insurance-answered", 1),
    events.InsuranceClosed: Name("insurance-closed", 1),
    events.PeekDone: Name("peek-done", 1),
    events.DecisionAsked: Name("decision-asked", 1),
    events.DecisionTaken: Name("decision-taken", 1),
    events.SharedInsuranceAnswered: Name("shared-insurance-answered", 1),
    events.SharedDecisionsTaken: Name("shared-decisions-taken", 1),
    events.SharedWindowClosed: Name("shared-window-closed", 1),
    events.HoleRevealed: Name("hole-revealed", 2),
    events.ResultCommitted: Name("result-committed", 1),
    events.RoundSettled: Name("round-settled", 2),
    events.RoundVoided: Name("round-voided", 1),
    events.RoundClosed: Name("round-closed", 1),
    events.AnomalyDetected: Name("anomaly-detected", 2),
    events.CauseCleared: Name("cause-cleared", 1),
    events.CauseReturned: Name("cause-returned", 1),
    events.RoundsBlocked: Name("rounds-blocked", 1),
    events.IncidentEscalated: Name("incident-escalated", 1),
    events.RescanAsked: Name("rescan-asked", 1),
    events.IncidentResolved: Name("incident-resolved", 1),
    events.SupervisorCalled: Name("supervisor-called", 1),
    events.CallAnswered: Name("call-answered", 1),
    events.NoteAdded: Name("note-added", 1),
    events.DisputeOpened: Name("dispute-opened", 1),
    events.DisputeClosed: Name("dispute-closed", 1),
    events.RoundCorrected: Name("round-corrected", 1),
    events.CardEntered: Name("card-entered", 1),
    events.HandsDied: Name("hands-died", 1),
    events.FeltScanStarted: Name("felt-scan-started", 1),
    events.FeltCardScanned: Name("felt-card-scanned", 1),
    events.FeltReadFailed: Name("felt-read-failed", 1),
    events.FeltScanEnded: Name("felt-scan-ended", 1),
    events.ProposalMade: Name("proposal-made", 1),
    events.ProposalApproved: Name("proposal-approved", 1),
    events.ProposalClosed: Name("proposal-closed", 1),
    events.HiddenCardOpened: Name("hidden-card-opened", 1),
    events.RoundRevised: Name("round-revised", 1),
    events.IncidentClaimed: Name("incident-claimed", 1),
    events.IncidentHandedOver: Name("incident-handed-over", 1),
    events.IncidentShelved: Name("incident-shelved", 1),
    events.SupervisorAbsent: Name("supervisor-absent", 1),
    events.CardWitnessed: Name("card-witnessed", 1),
    events.WitnessJudged: Name("witness-judged", 1),
    events.SingleSourceAccepted: Name("single-source-accepted", 1),
    events.SingleSourceEnded: Name("single-source-ended", 1),
    events.CameraTakesOver: Name("camera-takes-over", 1),
    events.ProfileAdopted: Name("profile-adopted", 1),
    events.MisdealReported: Name("misdeal-reported", 1),
    events.CardExposed: Name("card-exposed", 1),
    events.CardSubstituted: Name("card-substituted", 1),
}
"""The name and present version of every event."""

UPCASTERS: Final[Mapping[Name, Upcaster]] = {
    Name("anomaly-detected", 1): lambda fields: fields | {"level": None},
    Name("round-settled", 1): results_in_groups,
    Name("betting-opened", 1): lambda fields: fields | {"profile_hash": ""},
    Name("hole-revealed", 1): lambda fields: fields | {"at_ns": 0},
    **{
        Name(name, 1): lambda fields: fields | {"dealer": ""}
        for name in ("card-burned", "card-dealt", "card-held", "card-unread")
    },
}
"""How the fields of an older version become those of the next, by the name and version they start from."""

_Plain = TypeVar("_Plain")
SECRET_RECORDS: Final = frozenset({"changes", "act"})
"""The secret fields that are no text: they are sealed as JSON."""
_SECRETS: Final = ("card", "code", "seed", *sorted(SECRET_RECORDS))
_TAG: Final = "is"
_TAGS: Final[dict[type, str]] = {
    CardValue: "card-value",
    OutOfPlay: "out-of-play",
    Placed: "placed",
    DeadHand: "dead-hand",
}
"""What the members of unions are called on disk, in the field :data:`_TAG` beside their own."""
_TIME_SUFFIX: Final = "_ns"
_JSON: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces.

    It is written column by column: each call of the encoder keeps all other threads waiting, and the feed would
    feel one call for all columns of a hundred thousand players.
    """
    return "".join(_pieces(value))


def _pieces(value: object) -> Iterator[str]:
    match value:
        case dict() if value:
            for mark, key in zip(chain("{", repeat(",")), sorted(value), strict=False):
                yield f"{mark}{_JSON.encode(key)}:"
                yield from _pieces(value[key])
            yield "}"
        case [dict() | list() | tuple(), *_]:
            for mark, item in zip(chain("[", repeat(",")), value, strict=False):
                yield mark
                yield from _pieces(item)
            yield "]"
        case _:
            yield _JSON.encode(value)


def name_of(event: Event) -> Name:
    """Return what the event is called on disk."""
    return NAMES[type(event)]


def hidden_fields(event: Event) -> tuple[str, ...]:
    """Return the fields that are secret when the event is written: its card, a code that is none, or a seed."""
    if not hides_card(event):
        return ()
    return tuple(name for name in _SECRETS if hasattr(event, name))


def encode(event: Event) -> Fields:
    """Return the event's fields, everything in clear."""
    kind: Any = type(event)
    fields: Fields = _form(kind).encode(event)
    return fields


def decode(name: str, version: int, fields: object, upcasters: Mapping[Name, Upcaster] = UPCASTERS) -> Event:
    """Return the event of that name, brought from an older version to the present one where it must be.

    Raises ``ValueError`` saying which event and which field is wrong.
    """
    kind: Any = _BY_NAME.get(name)
    if kind is None:
        message = f"{name!r} is no event that this version of the studio knows: read the journal with a newer one"
        raise ValueError(message)
    try:
        event: Event = _form(kind).decode(_upcast(Name(name, version), NAMES[kind].version, fields, upcasters))
    except ValueError as error:
        message = f"event {name!r} version {version}: {error}"
        raise ValueError(message) from error
    return event


def public_hash(played: Iterable[Event]) -> str:
    """Return the hash of which *the same seed gives the same hash* is said (system.md principle 10), in hex.

    SHA-256 over names and fields, one line an event, without times, raw bytes and sealed fields.
    """
    digest = hashlib.sha256()
    for event in played:
        fields = encode(event)
        for hidden in hidden_fields(event):
            del fields[hidden]
        digest.update(f"{name_of(event).name} {canonical(_timeless(fields))}\n".encode())
    return digest.hexdigest()


def _timeless(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict):
        return value
    return {key: _timeless(item) for key, item in value.items() if not key.endswith(_TIME_SUFFIX)}


def _upcast(written: Name, present: int, fields: object, upcasters: Mapping[Name, Upcaster]) -> object:
    """Bring the fields to the present version, one step at a time."""
    name, version = written
    if version > present:
        message = f"the newest version known here is {present}: read the journal with a newer studio"
        raise ValueError(message)
    while version < present:
        step = upcasters.get(Name(name, version))
        if step is None or not isinstance(fields, dict):
            message = f"there is no way from version {version} to {version + 1}"
            raise ValueError(message)
        try:
            fields = step(fields)
        except (KeyError, TypeError, AttributeError) as error:
            message = f"its fields are not those of version {version}: {error!r}"
            raise ValueError(message) from error
        version += 1
    return fields


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of one type look in JSON; ``decode`` raises ``ValueError`` with a sentence."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


@cache
def _form(hint: Any) -> _Form:  # noqa: ANN401 - a type annotation
    """Return the form of a type as it is annotated in an event; raise ``TypeError`` for one that has none."""
    origin = get_origin(hint)
    if hint in {int, str, bool}:
        return _Form(lambda value: value, lambda value: _exactly(hint, value))
    if hint is Card:
        return _Form(lambda card: card.code, _card)
    if origin in {Union, types.UnionType}:
        return _optional(hint)
    if origin is tuple and get_args(hint)[1:] == (...,):
        return _column(get_args(hint)[0])
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _Form(lambda member: member.value, lambda value: hint(_exactly(str, value)))
    if dataclasses.is_dataclass(hint):
        return _record(hint)
    message = f"an event cannot carry {hint}: give it a form in the codec"
    raise TypeError(message)


def _exactly(kind: type[_Plain], value: object) -> _Plain:
    if type(value) is not kind:
        message = f"{value!r} is no {kind.__name__}"
        raise ValueError(message)
    return value


def _card(value: object) -> Card:
    return parse_card(_exactly(str, value))


def _optional(hint: object) -> _Form:
    inner, *others = (one for one in get_args(hint) if one is not type(None))
    if others and set(get_args(hint)) <= _TAGS.keys():
        return _tagged(get_args(hint))
    if others:
        message = f"an event cannot carry {hint}: nothing in the journal would say which of them it is"
        raise TypeError(message)
    form = _form(inner)
    return _Form(
        lambda value: None if value is None else form.encode(value),
        lambda value: None if value is None else form.decode(value),
    )


def _tagged(kinds: tuple[Any, ...]) -> _Form:
    """Return the form of a union of records: the record with its tag."""
    forms = {_TAGS[kind]: _form(kind) for kind in kinds}

    def encode_tagged(value: object) -> Fields:
        tag = _TAGS[type(value)]
        return {_TAG: tag, **forms[tag].encode(value)}

    def decode_tagged(fields: object) -> object:
        if not isinstance(fields, dict) or fields.get(_TAG) not in forms:
            message = f"{fields!r} is none of {', '.join(forms)}"
            raise ValueError(message)
        own = {name: value for name, value in fields.items() if name != _TAG}
        return forms[fields[_TAG]].decode(own)

    return _Form(encode_tagged, decode_tagged)


def _column(hint: Any) -> _Form:  # noqa: ANN401 - a type annotation
    """Return the form of a tuple of any length; plain values are checked by the column, not one by one."""
    form = _form(hint)

    def decode_each(column: object) -> tuple[Any, ...]:
        return tuple(map(form.decode, _exactly(list, column)))

    def decode_plain(column: object) -> tuple[Any, ...]:
        if type(column) is not list or not set(map(type, column)) <= {hint}:
            message = f"not every value of the column is {hint.__name__}"
            raise ValueError(message)
        return tuple(column)

    if hint in {int, str, bool}:
        return _Form(list, decode_plain)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _named_column(hint)
    return _Form(lambda column: list(map(form.encode, column)), decode_each)


def _named_column(hint: type[StrEnum]) -> _Form:
    """Return the form of a column of names: each member is looked up, not called."""
    names = {member: member.value for member in hint}
    members = {member.value: member for member in hint}

    def decode_names(column: object) -> tuple[StrEnum, ...]:
        try:
            return tuple(map(members.__getitem__, _exactly(list, column)))
        except (KeyError, TypeError) as error:
            message = f"{error.args[0]!r} is no {hint.__name__}"
            raise ValueError(message) from error

    return _Form(lambda column: list(map(names.__getitem__, column)), decode_names)


def _record(kind: Any) -> _Form:  # noqa: ANN401 - a dataclass
    """Return the form of a dataclass: its fields by their names, none missing and none more."""
    hints = get_type_hints(kind)
    forms = {field.name: _form(hints[field.name]) for field in dataclasses.fields(kind)}

    def encode_fields(value: object) -> Fields:
        return {name: form.encode(getattr(value, name)) for name, form in forms.items()}

    def decode_fields(fields: object) -> object:
        if not isinstance(fields, dict) or fields.keys() != forms.keys():
            found = ", ".join(sorted(fields)) if isinstance(fields, dict) else repr(fields)
            message = f"{kind.__name__} has the fields {', '.join(sorted(forms))}, not {found}"
            raise ValueError(message)
        return kind(**{name: _named(name, form, fields[name]) for name, form in forms.items()})

    return _Form(encode_fields, decode_fields)


def _named(name: str, form: _Form, value: object) -> object:
    try:
        return form.decode(value)
    except ValueError as error:
        message = f"{name}: {error}"
        raise ValueError(message) from error


_BY_NAME: Final = {stored.name: kind for kind, stored in NAMES.items()}
