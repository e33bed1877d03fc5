"""Ed25519 signatures: under which key, and that every change shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from studio.adapters.signing import Signer, Verifier, load_verifier, new_private_pem

SIGNER = Signer(new_private_pem())


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    path = tmp_path_factory.mktemp("keys") / "signing.pub"
    path.write_bytes(SIGNER.public_pem)
    return load_verifier([path])


def test_a_signature_is_checked_under_the_keys_id(verifier: Verifier) -> None:
    assert verifier.key_ids == (SIGNER.key_id,)
    verifier.check(SIGNER.key_id, b"statement", SIGNER.sign(b"statement"))


@given(
    statement=st.binary(min_size=1),
    place=st.integers(min_value=0),
    bit=st.integers(0, 7),
    of_signature=st.booleans(),
)
def test_any_changed_bit_of_statement_or_signature_is_found(
    verifier: Verifier, statement: bytes, place: int, bit: int, *, of_signature: bool
) -> None:
    parts = [bytearray(statement), bytearray(SIGNER.sign(statement))]
    part = parts[of_signature]
    part[place % len(part)] ^= 1 << bit
    with pytest.raises(ValueError, match=r"the signature under key .* is wrong"):
        verifier.check(SIGNER.key_id, bytes(parts[0]), bytes(parts[1]))


def test_a_key_that_was_not_given_is_named(verifier: Verifier) -> None:
    other = Signer(new_private_pem())
    with pytest.raises(ValueError, match=rf"under key '{other.key_id}', whose public half was not given"):
        verifier.check(other.key_id, b"s", other.sign(b"s"))


def test_what_is_no_private_key_is_refused() -> None:
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(ValueError, match="none for Ed25519"):
        Signer(other)
    with pytest.raises(ValueError, match="no private key in PEM"):
        Signer(b"-----BEGIN")


def test_what_is_no_public_key_is_refused_by_its_path(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pub"
    with pytest.raises(ValueError, match=r"wrong\.pub cannot be read"):
        load_verifier([wrong])
    wrong.write_bytes(b"key")
    with pytest.raises(ValueError, match=r"wrong\.pub is no public key in PEM"):
        load_verifier([wrong])
    wrong.write_bytes(
        ec.generate_private_key(ec.SECP256R1())
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(ValueError, match="none for Ed25519"):
        load_verifier([wrong])
