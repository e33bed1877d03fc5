"""An enrolment as a file: JSON with what it is for, the numbers, and a signature over both.

It is bound to the model's hash and states table, deck and camera, so that another table's enrolment or one that
was changed is refused. Knows nothing of how an enrolment is made.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from vision.recognise.enrolment import VERSION, Enrolment, Prototypes
from vision.recognise.fitting import Correction

_KEY_ID_DIGITS: Final = 16
_RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)


class EnrolmentError(Exception):
    """An enrolment cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class About:
    """What an enrolment is for: ``table``, ``deck``, ``camera`` as the studio names them, ``made`` in UTC."""

    table: str
    deck: str
    camera: str
    made: str


@dataclass(frozen=True, slots=True)
class KeptEnrolment:
    """An enrolment and what it is for; ``key_id`` is the key that signed it, empty where none did."""

    about: About
    enrolment: Enrolment
    key_id: str


def enrolment_bytes(about: About, enrolment: Enrolment, private_pem: bytes | None) -> bytes:
    """Return the file of an enrolment, signed where a private key (Ed25519, PEM) is given.

    Raises :class:`EnrolmentError` where that is no such key.
    """
    numbers = io.BytesIO()
    np.savez_compressed(numbers, **_arrays(enrolment))
    statement = {
        "version": VERSION,
        **asdict(about),
        "model": enrolment.model,
        "numbers": hashlib.sha256(numbers.getvalue()).hexdigest(),
    }
    document: dict[str, Any] = {
        "statement": statement,
        "numbers": base64.b64encode(numbers.getvalue()).decode("ascii"),
    }
    if private_pem is not None:
        key = _private_key(private_pem)
        document["key_id"] = _key_id(key.public_key())
        document["signature"] = key.sign(_canonical(statement)).hex()
    return json.dumps(document).encode("ascii")


def save_enrolment(path: Path, about: About, enrolment: Enrolment, private_pem: bytes | None) -> None:
    """Write an enrolment into its file, replacing it whole: what is cut off leaves the old one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(enrolment_bytes(about, enrolment, private_pem))
    fresh.replace(path)


def read_enrolment(path: Path, model: str, public_pem: bytes | None = None) -> KeptEnrolment:
    """Return the enrolment in a file, made with the model of that hash.

    With a public key (Ed25519, PEM) it must be signed by it. Raises :class:`EnrolmentError` for anything else.
    """
    try:
        document = json.loads(path.read_bytes())
        statement = document["statement"]
        numbers = base64.b64decode(document["numbers"], validate=True)
        about = About(*(str(statement[name]) for name in ("table", "deck", "camera", "made")))
        version, of_model, digest = statement["version"], statement["model"], statement["numbers"]
    except OSError as error:
        message = f"the enrolment {path} cannot be read: {error.strerror}"
        raise EnrolmentError(message) from error
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        message = f"{path} is no enrolment: enrol the deck again"
        raise EnrolmentError(message) from error
    if version != VERSION or of_model != model:
        message = f"the enrolment {path} was made with another version or model: enrol the deck again"
        raise EnrolmentError(message)
    if hashlib.sha256(numbers).hexdigest() != digest:
        message = f"the numbers of the enrolment {path} were changed: enrol the deck again"
        raise EnrolmentError(message)
    if public_pem is not None:
        _check(path, document, public_pem)
    return KeptEnrolment(about, _enrolment(path, model, numbers), str(document.get("key_id", "")))


def _check(path: Path, document: dict[str, Any], public_pem: bytes) -> None:
    try:
        key = serialization.load_pem_public_key(public_pem)
        signature = bytes.fromhex(document["signature"])
        if not isinstance(key, Ed25519PublicKey):
            message = "the public key is none for Ed25519: give the table's own"
            raise EnrolmentError(message)
        key.verify(signature, _canonical(document["statement"]))
    except (InvalidSignature, KeyError, TypeError, ValueError) as error:
        message = f"the enrolment {path} is not signed by this key: enrol the deck again"
        raise EnrolmentError(message) from error


def _private_key(pem: bytes) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        message = "the signing key is no private key in PEM without a password"
        raise EnrolmentError(message) from error
    if not isinstance(key, Ed25519PrivateKey):
        message = "the signing key is none for Ed25519"
        raise EnrolmentError(message)
    return key


def _key_id(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(key.public_bytes(*_RAW)).hexdigest()[:_KEY_ID_DIGITS]


def _canonical(statement: dict[str, Any]) -> bytes:
    return json.dumps(statement, sort_keys=True, separators=(",", ":")).encode("ascii")


def _arrays(enrolment: Enrolment) -> dict[str, Any]:
    prototypes = enrolment.prototypes
    return {
        "corner_weights": enrolment.corner.weights,
        "corner_bias": enrolment.corner.bias,
        "face_weights": enrolment.face.weights,
        "face_bias": enrolment.face.bias,
        "scales": np.array([enrolment.corner.scale, enrolment.face.scale]),
        "corner": prototypes.corner,
        "face": prototypes.face,
        "corner_centre": prototypes.corner_centre,
        "face_centre": prototypes.face_centre,
        "least": prototypes.least,
    }


def _enrolment(path: Path, model: str, numbers: bytes) -> Enrolment:
    try:
        with np.load(io.BytesIO(numbers), allow_pickle=False) as kept:
            scales = kept["scales"]
            return Enrolment(
                model,
                Correction(kept["corner_weights"], kept["corner_bias"], float(scales[0])),
                Correction(kept["face_weights"], kept["face_bias"], float(scales[1])),
                Prototypes(
                    kept["corner"], kept["face"], kept["corner_centre"], kept["face_centre"], kept["least"]
                ),
            )
    except (ValueError, KeyError, OSError) as error:
        message = f"{path} is no enrolment: enrol the deck again"
        raise EnrolmentError(message) from error
