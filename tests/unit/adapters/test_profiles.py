"""Ruling profiles as files: shipped, read, signed, checked, and the command that does it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from studio.adapters.profiles import check_profile, profile_names, read_profile
from studio.app import table_profile
from studio.domain.profile import STUDIO_DEFAULT, ExposedCard, HoleExposed, InsufficientCards, RefusedCard
from studio.profile_command import ProfileCommand
from studio.settings import Mode, ProfileSettings


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command = ProfileCommand()
    command.add_arguments(parser)
    return command.run(parser.parse_args([*words]))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text('name = "house"\nexposed_card = "burn"\n', encoding="utf-8")
    return path


@pytest.fixture
def key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Return an approver's key file and its public half."""
    path = tmp_path / "approver.pem"
    assert run("key", str(path)) == 0
    return str(path), capsys.readouterr().out.split()[-1]


def test_three_profiles_are_shipped_and_the_default_one_is_the_default() -> None:
    assert profile_names() == ("sd-20-18-15-28", "strict-void", "studio-default")
    assert read_profile("studio-default").profile == STUDIO_DEFAULT


def test_strict_void_leaves_nothing_to_anybodys_mercy() -> None:
    strict = read_profile("strict-void").profile
    assert strict.exposed_card is ExposedCard.VOID
    assert strict.hole_exposed is HoleExposed.VOID
    assert strict.two_person_threshold == 0


def test_south_dakota_offers_an_exposed_card_and_completes_the_round_with_the_discards() -> None:
    model = read_profile("sd-20-18-15-28").profile
    assert (model.exposed_card, model.refused_card) == (ExposedCard.OFFER, RefusedCard.NO_MORE_CARDS)
    assert model.insufficient_cards is InsufficientCards.LOAD_DISCARDS


def test_a_signed_profile_says_who_approved_it_and_any_change_to_it_is_found(
    house: Path, key: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    private, public = key
    assert (
        run("sign", str(house), "--key", private, "--by", "Ada", "--reference", "R-17", "--on", "2026-11-29") == 0
    )
    approval = check_profile(read_profile(house), public)
    assert (approval.approved_by, approval.approved_on, approval.reference) == ("Ada", "2026-11-29", "R-17")
    assert run("check", str(house), "--public-key", public) == 0
    assert read_profile(house).profile.hash in capsys.readouterr().out
    assert run("sign", str(house), "--key", private, "--by", "Bea") == 0
    assert check_profile(read_profile(house), public).approved_by == "Bea"
    house.write_text(house.read_text(encoding="utf-8").replace('"burn"', '"next"'), encoding="utf-8")
    assert run("check", str(house), "--public-key", public) == 2
    assert "the file was changed since" in capsys.readouterr().err


def test_another_keys_signature_and_none_are_refused(house: Path, key: tuple[str, str]) -> None:
    private, _ = key
    with pytest.raises(ValueError, match="is not signed"):
        check_profile(read_profile(house), "ab" * 32)
    assert run("sign", str(house), "--key", private, "--by", "Ada") == 0
    with pytest.raises(ValueError, match=r"is not this key's|64 hex digits"):
        check_profile(read_profile(house), "ab" * 32)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('exposed_card = "keep"', "exposed_card is one of"),
        ("rescan_tries = 2.5", "rescan_tries is a whole number"),
        ("approved_by = 7", "is no text"),
        ("name = ", "is not TOML"),
    ],
)
def test_a_profile_that_cannot_be_used_says_what_is_wrong(house: Path, text: str, sentence: str) -> None:
    house.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=sentence):
        read_profile(house)


def test_a_profile_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(ValueError, match="studio-default"):
        read_profile("nobody-knows")


def test_show_prints_every_setting_and_the_hash(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "studio-default") == 0
    out = capsys.readouterr().out
    assert "exposed_card = next" in out
    assert f"hash {STUDIO_DEFAULT.hash}" in out


def test_a_key_that_others_may_read_or_that_is_none_is_refused(house: Path, tmp_path: Path) -> None:
    loose = tmp_path / "loose.pem"
    loose.write_text("no key", encoding="ascii")
    loose.chmod(0o644)
    assert run("sign", str(house), "--key", str(loose), "--by", "Ada") == 2
    loose.chmod(0o600)
    assert run("sign", str(house), "--key", str(loose), "--by", "Ada") == 2


# What a table takes


def test_a_live_table_refuses_an_unsigned_file_a_wrong_pin_and_single_settings(
    house: Path, key: tuple[str, str]
) -> None:
    private, public = key
    folder = house.parent
    with pytest.raises(ValueError, match="goes by a signed profile"):
        table_profile(ProfileSettings(file="house.toml"), Mode.LIVE, folder)
    assert run("sign", str(house), "--key", private, "--by", "Ada") == 0
    profile, approval = table_profile(ProfileSettings(file="house.toml", public_key=public), Mode.LIVE, folder)
    assert (profile.name, approval.approved_by, approval.key) == ("house", "Ada", public)
    with pytest.raises(ValueError, match="the settings pin"):
        table_profile(ProfileSettings(file="house.toml", public_key=public, sha256="00" * 32), Mode.LIVE, folder)
    changed = ProfileSettings.model_validate({"rescan_tries": 3})
    with pytest.raises(ValueError, match="single settings"):
        table_profile(changed, Mode.LIVE, folder)


def test_a_simulated_table_may_change_single_settings_under_another_name() -> None:
    changed = ProfileSettings.model_validate({"rescan_tries": 3})
    profile, _ = table_profile(changed, Mode.SIMULATION)
    assert (profile.rescan_tries, profile.name) == (3, "studio-default-changed")
    with pytest.raises(ValueError, match="rescan_trys is no setting"):
        table_profile(ProfileSettings.model_validate({"rescan_trys": 3}), Mode.SIMULATION)
