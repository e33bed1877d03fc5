"""Keys as files: made, rotated, listed; what they protected before stays readable and provable."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from studio.adapters.key_files import (
    list_keys,
    load_sealer,
    load_signer,
    new_sealing,
    new_signing,
    public_files,
    rotate_sealing,
    rotate_signing,
)
from studio.adapters.signing import load_verifier


@pytest.fixture
def sealing(tmp_path: Path) -> Path:
    return tmp_path / "studio.key"


@pytest.fixture
def signing(tmp_path: Path) -> Path:
    return tmp_path / "signing.key"


def test_new_keys_are_the_owners_alone_and_listed_by_id(sealing: Path, signing: Path) -> None:
    made = (new_sealing(sealing), new_signing(signing))

    assert {stat.S_IMODE(path.stat().st_mode) for path in (sealing, signing)} == {0o600}
    assert list_keys(sealing, signing) == made
    assert public_files(signing) == (made[1].path,)
    assert made[1].path.name == f"signing-{load_signer(signing).key_id}.pub"


def test_a_key_is_never_overwritten_by_a_new_one(sealing: Path, signing: Path) -> None:
    new_sealing(sealing)
    new_signing(signing)
    before = (sealing.read_bytes(), signing.read_bytes())
    for make, path in ((new_sealing, sealing), (new_signing, signing)):
        with pytest.raises(ValueError, match="is there already: rotate it"):
            make(path)
    assert (sealing.read_bytes(), signing.read_bytes()) == before


def test_what_was_sealed_before_a_rotation_still_opens(sealing: Path) -> None:
    new_sealing(sealing)
    sealed = []
    for number in range(3):
        sealed.append(load_sealer(sealing).seal(b"QH", f"place {number}"))
        rotate_sealing(sealing)
    sealer = load_sealer(sealing)
    assert [sealer.open(one, f"place {number}") for number, one in enumerate(sealed)] == [b"QH"] * 3
    assert len({sealing.read_bytes(), *(path.read_bytes() for path in sealing.parent.glob("studio-*.key"))}) == 4


def test_after_a_rotation_the_retired_key_alone_opens_nothing_new(sealing: Path) -> None:
    new_sealing(sealing)
    rotate_sealing(sealing)
    (retired,) = sealing.parent.glob("studio-*.key")
    sealed = load_sealer(sealing).seal(b"QH", "place")
    sealing.unlink()
    with pytest.raises(ValueError, match="does not open"):
        load_sealer(retired).open(sealed, "place")


def test_of_a_retired_signing_key_only_the_public_half_is_kept(signing: Path) -> None:
    new_signing(signing)
    before = load_signer(signing)
    private = signing.read_bytes()
    rotate_signing(signing)
    after = load_signer(signing)

    verifier = load_verifier(public_files(signing))
    assert set(verifier.key_ids) == {before.key_id, after.key_id}
    for signer in (before, after):
        verifier.check(signer.key_id, b"s", signer.sign(b"s"))
    assert all(private not in file.read_bytes() for file in signing.parent.iterdir())
    assert [key.current for key in list_keys(signing.with_name("none"), signing)].count(True) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_may_use_is_refused_with_the_remedy(sealing: Path, signing: Path, mode: int) -> None:
    new_sealing(sealing)
    new_signing(signing)
    for path in (sealing, signing):
        path.chmod(mode)
    for load, path in ((load_sealer, sealing), (load_signer, signing), (rotate_sealing, sealing)):
        with pytest.raises(ValueError, match=rf"may be read by others: run chmod 600 {path}"):
            load(path)


def test_a_retired_key_that_others_may_read_is_refused_too(sealing: Path) -> None:
    new_sealing(sealing)
    rotate_sealing(sealing)
    (retired,) = sealing.parent.glob("studio-*.key")
    retired.chmod(0o644)
    with pytest.raises(ValueError, match="may be read by others"):
        load_sealer(sealing)


def test_a_missing_signing_key_says_how_to_make_one(signing: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be read .*: make one with: studio keys new signing"):
        load_signer(signing)
    signing.touch(0o600)
    with pytest.raises(ValueError, match=r"the signing key .*signing\.key: this is no private key"):
        load_signer(signing)


def test_a_simulation_makes_its_keys_once(sealing: Path, signing: Path) -> None:
    load_sealer(sealing, create=True)
    first = load_signer(signing, create=True).key_id
    sealed = sealing.read_bytes()
    assert load_signer(signing, create=True).key_id == first
    load_sealer(sealing, create=True)
    assert sealing.read_bytes() == sealed
