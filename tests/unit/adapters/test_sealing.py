"""Sealing: nothing opens that was changed, moved, or sealed under another key (system.md principle 7)."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.adapters.sealing import KEY_BYTES, Sealer, load_key

SEALER = Sealer(bytes(range(KEY_BYTES)))


@given(st.binary(max_size=200))
def test_what_is_sealed_opens(clear: bytes) -> None:
    assert SEALER.open(SEALER.seal(clear, "T1:1:card"), "T1:1:card") == clear


def test_a_seal_hides_the_value_and_its_length() -> None:
    ten, ace = SEALER.seal(b"TEN OF HEARTS", "x"), SEALER.seal(b"ACE", "x")

    assert len(ten) == len(ace)
    assert b"TEN" not in ten
    assert SEALER.seal(b"ACE", "x") != ace


@pytest.mark.parametrize("position", [0, 11, 12, 30, -1])
def test_a_changed_byte_is_found(position: int) -> None:
    sealed = bytearray(SEALER.seal(b"QH", "x"))
    sealed[position] ^= 1

    with pytest.raises(ValueError, match="the seal of x does not open"):
        SEALER.open(bytes(sealed), "x")


@pytest.mark.parametrize("sealed", [b"", bytes(5), bytes(40)])
def test_what_is_no_seal_does_not_open(sealed: bytes) -> None:
    with pytest.raises(ValueError, match="does not open"):
        SEALER.open(sealed, "x")


def test_a_seal_belongs_to_its_place_and_key() -> None:
    sealed = SEALER.seal(b"QH", "T1:1:card")

    with pytest.raises(ValueError, match="T1:2:card does not open"):
        SEALER.open(sealed, "T1:2:card")
    with pytest.raises(ValueError, match="does not open"):
        Sealer(bytes(KEY_BYTES)).open(sealed, "T1:1:card")


def test_a_key_has_its_length() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 16"):
        Sealer(bytes(16))


def test_a_new_key_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "sealing.key"
    key = load_key(path, create=True)

    assert len(key) == KEY_BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path, create=True) == load_key(path) == key


def test_an_absent_key_is_not_made_up(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be read .* mode 0600"):
        load_key(tmp_path / "sealing.key")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "sealing.key"
    load_key(path, create=True)
    path.chmod(mode)

    with pytest.raises(ValueError, match="may be read by others: run chmod 600"):
        load_key(path)


def test_a_file_that_is_no_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    path.write_bytes(b"password")
    path.chmod(0o600)

    with pytest.raises(ValueError, match="has 8 bytes and should have 32"):
        load_key(path)
