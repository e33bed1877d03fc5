"""Settings files: validated, unknown keys refused, errors that name file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.app import table_setup
from studio.domain.setup import SecondReaderSetup
from studio.settings import Mode, SettingsError, load_people, load_settings

GOOD = """
[studio]
mode = "simulation"
data = "data"

[[tables]]
id = "t1"
name = "Deluxe 1"
[tables.limits]
minimum = 500
maximum = 100000
increment = 100
[tables.reader]
driver = "smartshoe"
device = "shoe-1"
settings = { port = "/dev/serial/by-id/x" }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "studio.toml"
    path.write_text(text)
    return path


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, GOOD))
    assert settings.studio.data == tmp_path / "data"
    assert settings.studio.people == tmp_path / "people.toml"
    setup = table_setup(settings.tables[0], Mode.SIMULATION)
    assert setup.rules.variant == "deluxe"
    assert setup.simulated


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (('mode = "simulation"', 'mode = "sim"'), "studio.mode"),
        (('data = "data"', 'dta = "data"'), "studio.dta"),
        (("minimum = 500", "minimum = -500"), "tables.0.limits.minimum"),
        (('id = "t1"', 'id = "../x"'), "tables.0.id"),
        (('driver = "smartshoe"', ""), "tables.0.reader.driver"),
        (("[studio]", "[studio"), "TOML"),
    ],
)
def test_a_wrong_file_is_refused_by_file_and_key(tmp_path: Path, change: tuple[str, str], names: str) -> None:
    path = written(tmp_path, GOOD.replace(*change))
    with pytest.raises(SettingsError) as refused:
        load_settings(path)
    assert str(path) in str(refused.value)
    assert names in str(refused.value)


def test_two_tables_need_two_ids(tmp_path: Path) -> None:
    tables = GOOD[GOOD.index("[[tables]]") :]
    with pytest.raises(SettingsError, match="same id"):
        load_settings(written(tmp_path, GOOD + tables))


SECOND = """
[tables.second_reader]
driver = "smartshoe"
device = "shoe-2"
settings = { port = "/dev/serial/by-id/y" }
"""


def test_a_second_reader_needs_a_driver_and_a_name_and_is_the_tables_second_witness(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, GOOD + SECOND))
    setup = table_setup(settings.tables[0], Mode.SIMULATION)
    assert setup.witness == setup.second_reader == SecondReaderSetup("shoe-2", offset_ms=500)


def test_two_readers_of_a_table_need_two_names(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the same device name"):
        load_settings(written(tmp_path, GOOD + SECOND.replace("shoe-2", "shoe-1")))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (SECOND + '[tables.camera]\ndriver = "x"\ndevice = "cam-1"\n', "one second witness"),
        (SECOND + "deadline_ms = 100\n", "deadline_ms must not be under offset_ms"),
    ],
)
def test_a_second_witness_that_cannot_be_meant_is_refused(tmp_path: Path, more: str, says: str) -> None:
    settings = load_settings(written(tmp_path, GOOD + more))
    with pytest.raises(SettingsError, match=says):
        table_setup(settings.tables[0], Mode.SIMULATION)


def test_limits_that_could_need_rounding_do_not_load(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, GOOD.replace("increment = 100", "increment = 25")))
    with pytest.raises(SettingsError, match="M1"):
        table_setup(settings.tables[0], Mode.LIVE)


def test_an_unknown_variant_is_refused(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, GOOD.replace('name = "Deluxe 1"', 'name = "x"\nvariant = "rummy"')))
    with pytest.raises(SettingsError, match="rummy"):
        table_setup(settings.tables[0], Mode.LIVE)


def test_an_absent_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--config"):
        load_settings(tmp_path / "absent.toml")


def test_people_need_the_hash_of_a_token(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    path.write_text('[[people]]\nid = "a"\nname = "A"\nroles = ["dealer"]\ntoken_sha256 = "secret"\n')
    with pytest.raises(SettingsError, match="token_sha256"):
        load_people(path)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a = " + b"9" * 5000, b"a = " + b"[" * 100_000])
def test_what_is_no_text_or_no_toml_is_named_by_its_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "studio.toml"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match=r"studio\.toml"):
        load_settings(path)


def test_a_live_studio_has_no_clock_that_can_be_moved(tmp_path: Path) -> None:
    text = GOOD.replace('data = "data"', 'data = "data"\nsimulated_clock = "clock"')
    assert load_settings(written(tmp_path, text)).studio.simulated_clock == tmp_path / "clock"
    with pytest.raises(SettingsError, match="simulated_clock is for simulation only"):
        load_settings(written(tmp_path, text.replace('"simulation"', '"live"')))
