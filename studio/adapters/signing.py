"""Signatures: Ed25519 over statements, each under a key that is named by its id.

A key's id is the beginning of the SHA-256 of its public half, so that file and key cannot disagree. Keys are in
PEM files as other tools read them. It knows nothing of what is signed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_ID_DIGITS: Final = 16


class Signer:
    """Signs under one private key, given as PEM text; raises ``ValueError`` where that is no Ed25519 key."""

    def __init__(self, pem: bytes) -> None:
        try:
            key = serialization.load_pem_private_key(pem, password=None)
        except (ValueError, TypeError) as error:
            message = "this is no private key in PEM without a password"
            raise ValueError(message) from error
        if not isinstance(key, Ed25519PrivateKey):
            message = "this is a private key, but none for Ed25519"
            raise ValueError(message)  # noqa: TRY004 - a wrong file, not a wrong type
        self._key = key
        self.key_id = id_of(key.public_key())

    @property
    def public_pem(self) -> bytes:
        """The public half, in PEM."""
        return self._key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def sign(self, statement: bytes) -> bytes:
        """Return the signature of a statement: 64 bytes."""
        return self._key.sign(statement)


class Verifier:
    """Checks signatures under any of some public keys."""

    def __init__(self, keys: Mapping[str, Ed25519PublicKey]) -> None:
        self._keys = dict(keys)

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The ids of the keys it has."""
        return tuple(self._keys)

    def check(self, key_id: str, statement: bytes, signature: bytes) -> None:
        """Raise ``ValueError`` where this is not the key's signature of the statement, or the key is not here."""
        key = self._keys.get(key_id)
        if key is None:
            known = ", ".join(self._keys) or "none"
            message = f"it is signed under key {key_id!r}, whose public half was not given (given: {known})"
            raise ValueError(message)
        try:
            key.verify(signature, statement)
        except (InvalidSignature, TypeError) as error:
            message = f"the signature under key {key_id} is wrong"
            raise ValueError(message) from error


def new_private_pem() -> bytes:
    """Return a fresh private key in PEM."""
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def id_of(key: Ed25519PublicKey) -> str:
    """Return the id of a key: 16 hex digits."""
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:_ID_DIGITS]


def load_verifier(paths: Iterable[Path]) -> Verifier:
    """Return a verifier with the public keys in PEM files; raise ``ValueError`` naming a file that is none."""
    keys: dict[str, Ed25519PublicKey] = {}
    for path in paths:
        try:
            key = serialization.load_pem_public_key(path.read_bytes())
        except OSError as error:
            message = f"the public key {path} cannot be read: {error.strerror}"
            raise ValueError(message) from error
        except ValueError as error:
            message = f"{path} is no public key in PEM"
            raise ValueError(message) from error
        if not isinstance(key, Ed25519PublicKey):
            message = f"{path} is a public key, but none for Ed25519"
            raise ValueError(message)  # noqa: TRY004 - a wrong file, not a wrong type
        keys[id_of(key)] = key
    return Verifier(keys)
