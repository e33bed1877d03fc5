"""An enrolment as a file: it comes back as it was, and one that was changed or is another's is refused."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from vision.recognise.chances import SCORES
from vision.recognise.enrolment import Enrolment, Prototypes
from vision.recognise.enrolment_file import About, EnrolmentError, enrolment_bytes, read_enrolment
from vision.recognise.fitting import Correction

ABOUT = About("t1", "bee-92-red", "cam-1", "2026-11-30T02:00:00+00:00")
MODEL = "a" * 64


def an_enrolment() -> Enrolment:
    random = np.random.default_rng(4)

    def numbers(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return random.normal(0, 1, shape).astype(np.float32)

    return Enrolment(
        MODEL,
        Correction(numbers(6, SCORES), numbers(SCORES), 2.5),
        Correction(numbers(5, SCORES), numbers(SCORES), 1.5),
        Prototypes(numbers(52, 6), numbers(52, 5), numbers(6), numbers(5), numbers(52)),
    )


def key_pair() -> tuple[bytes, bytes]:
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, public


def written(folder: Path, data: bytes) -> Path:
    path = folder / "deck.enrolment"
    path.write_bytes(data)
    return path


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    private, public = key_pair()
    one = an_enrolment()
    kept = read_enrolment(written(tmp_path, enrolment_bytes(ABOUT, one, private)), MODEL, public)
    assert kept.about == ABOUT
    assert len(kept.key_id) == 16
    back = kept.enrolment
    assert np.array_equal(back.corner.weights, one.corner.weights)
    assert back.face.scale == one.face.scale
    assert all(
        np.array_equal(getattr(back.prototypes, name), getattr(one.prototypes, name))
        for name in ("corner", "least")
    )


def test_another_models_enrolment_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, enrolment_bytes(ABOUT, an_enrolment(), None))
    with pytest.raises(EnrolmentError, match="another version or model"):
        read_enrolment(path, "b" * 64)


def test_changed_numbers_are_refused(tmp_path: Path) -> None:
    document = json.loads(enrolment_bytes(ABOUT, an_enrolment(), None))
    document["numbers"] = base64.b64encode(b"others").decode()
    with pytest.raises(EnrolmentError, match="were changed"):
        read_enrolment(written(tmp_path, json.dumps(document).encode()), MODEL)


def test_a_changed_statement_is_refused_under_its_signature(tmp_path: Path) -> None:
    private, public = key_pair()
    document = json.loads(enrolment_bytes(ABOUT, an_enrolment(), private))
    document["statement"]["table"] = "t2"
    with pytest.raises(EnrolmentError, match="not signed by this key"):
        read_enrolment(written(tmp_path, json.dumps(document).encode()), MODEL, public)


def test_without_a_signature_it_is_refused_where_a_key_is_given(tmp_path: Path) -> None:
    path = written(tmp_path, enrolment_bytes(ABOUT, an_enrolment(), None))
    assert read_enrolment(path, MODEL).key_id == ""
    with pytest.raises(EnrolmentError, match="not signed by this key"):
        read_enrolment(path, MODEL, key_pair()[1])


@pytest.mark.parametrize("data", [b"", b"[]", b'{"statement": {}}', b"\xff\xfe"])
def test_what_is_no_enrolment_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(EnrolmentError, match="no enrolment"):
        read_enrolment(written(tmp_path, data), MODEL)


def test_numbers_of_another_kind_are_refused(tmp_path: Path) -> None:
    document = json.loads(enrolment_bytes(ABOUT, an_enrolment(), None))
    document["numbers"] = base64.b64encode(b"no archive").decode()
    document["statement"]["numbers"] = hashlib.sha256(b"no archive").hexdigest()
    with pytest.raises(EnrolmentError, match="no enrolment"):
        read_enrolment(written(tmp_path, json.dumps(document).encode()), MODEL)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnrolmentError, match=r"none\.enrolment cannot be read"):
        read_enrolment(tmp_path / "none.enrolment", MODEL)


def test_a_key_that_is_none_is_refused() -> None:
    with pytest.raises(EnrolmentError, match="no private key"):
        enrolment_bytes(ABOUT, an_enrolment(), b"no key")
