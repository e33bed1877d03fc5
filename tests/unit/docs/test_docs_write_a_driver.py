"""The driver that the how-to page writes: built, typed and tried as it stands there; broken, it does not pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from doc_pages import Page, first_keys, page

from studio.settings import TableSettings

PAGE = page("how-to/write-a-driver.md")
FILES = {fence.text.partition("\n")[0].removeprefix("# "): fence.text for fence in PAGE.fences("python", "toml")}
PARSER = "studio_plover/parser.py"
SETTINGS = "studio_plover/settings.py"
SUITE = ("--pyargs", "drivers.kit.suite", "--driver", "plover")
BOTH_CARDS = """
from studio.domain.instants import Instant
from studio_plover.plugin import PloverPlugin
events = PloverPlugin().decoder("reader", {}).feed(b"$3D*77\\r\\n$4C*77\\r\\n", Instant(0, 0))
print(*(event.card for event in events))
"""
WITHOUT_A_PORT = "not (port or slow_reader or closing or health)"


def write(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Write the package of the page below ``folder``."""
    for name, text in {**files, "studio_plover/__init__.py": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def install(project: Path, site: Path) -> Path:
    """Build the wheel of ``project`` and unpack it into ``site``, as installing one that is all Python does."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(site.parent / "out")]
    subprocess.run(command, cwd=project, capture_output=True, check=True)  # noqa: S603 - our own files
    (wheel,) = (site.parent / "out").glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(site: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in ``folder``, which is outside the project, with the package of ``site`` installed."""
    folder.mkdir(exist_ok=True)
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PYTHONPATH": path, "PATH": programs}
    return subprocess.run(  # noqa: S603 - our own words
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def try_suite(site: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the kit's suite for the package of ``site``."""
    return run(site, folder, sys.executable, "-m", "pytest", *SUITE, "-rf", "-p", "no:cacheprovider", *options)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("plover"))


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    return install(project, project.parent / "plover-installed" / "site")


def test_every_file_that_the_page_names_is_shown() -> None:
    named = set(first_keys(Page(PAGE.path, PAGE.prose()).rows()))
    assert {Path(name).name for name in FILES} == {*named, "pyproject.toml", "studio.toml"}


def test_the_driver_passes_the_suite_from_outside_the_project(site: Path, tmp_path: Path) -> None:
    tried = try_suite(site, tmp_path / "elsewhere")
    assert tried.returncode == 0, tried.stdout
    assert int(re.findall(r"(\d+) passed", tried.stdout)[0]) > 50


def test_its_own_tests_pass(project: Path, site: Path, tmp_path: Path) -> None:
    tests = str(project / "tests")
    tried = run(site, tmp_path, sys.executable, "-m", "pytest", tests, "-p", "no:cacheprovider")
    assert tried.returncode == 0, tried.stdout
    assert int(re.findall(r"(\d+) passed", tried.stdout)[0]) > 53


def test_it_has_types_as_strict_as_ours(project: Path, site: Path, tmp_path: Path) -> None:
    sources = (str(project / "studio_plover"), str(project / "tests"))
    checked = run(site, tmp_path, sys.executable, "-m", "mypy", "--strict", *sources)
    assert checked.returncode == 0, checked.stdout


def test_the_commands_print_what_stands_below_them(site: Path, tmp_path: Path) -> None:
    _, _, *blocks = PAGE.fences("sh", "text")  # to install and the suite, which are tried otherwise
    commands, answers = blocks[::2], blocks[1::2]
    assert [one.language for one in (*commands, *answers)] == ["sh"] * 2 + ["text"] * 2
    for command, answer in zip(commands, answers, strict=True):
        ran = run(site, tmp_path, "sh", "-ec", command.text)
        assert ran.stdout == answer.text, ran.stderr


def test_the_two_cards_of_one_check_are_both_believed(site: Path, tmp_path: Path) -> None:
    ran = run(site, tmp_path, sys.executable, "-c", BOTH_CARDS)
    assert ran.stdout == "3D 4C\n", ran.stderr


def test_it_soaks_with_a_peer_that_is_not_ours(site: Path, tmp_path: Path) -> None:
    words = ("soak", "--driver", "plover", "--readers", "2", "--minutes", "0.02")
    ran = run(site, tmp_path, sys.executable, "-m", "studio", "trial", *words)
    assert ran.returncode == 0, ran.stderr
    assert "missing 0, surplus 0" in ran.stdout


def test_the_table_shown_loads() -> None:
    (table,) = tomllib.loads(FILES["studio.toml"])["tables"]
    assert TableSettings.model_validate({**table, "variant": "deluxe"}).reader.driver == "plover"


EQUAL_CARD_DROPPED = """\
        if match[1] == getattr(self, "_last", None):
            return []
        self._last = match[1]
        if match[1] in NO_CARD:"""
BROKEN = {
    "drops a card equal to the last": (
        PARSER,
        "        if match[1] in NO_CARD:",
        EQUAL_CARD_DROPPED,
        {
            "test_the_same_card_again_is_a_second_card",
            "test_any_chunking_gives_the_same_events_in_the_same_order",
        },
    ),
    "forgets half a line": (
        PARSER,
        "        events = self.tick(at)\n",
        "        events = self.tick(at)\n        self._line.clear()\n",
        {"test_any_chunking_gives_the_same_events_in_the_same_order"},
    ),
    "raises on what it does not know": (
        PARSER,
        "            return self._broken(raw, at)\n",
        "            raise ValueError(raw)\n",
        {
            "test_every_card_of_a_deck_is_read",
            "test_any_chunking_gives_the_same_events_in_the_same_order",
            "test_the_same_card_again_is_a_second_card",
            "test_no_bytes_raise_and_the_next_cards_are_read",
            "test_a_damaged_byte_never_makes_the_driver_deaf",
            "test_an_endless_frame_is_given_up_and_told",
        },
    ),
    "says nothing of what it leaves out": (
        PARSER,
        "        if not raw:\n",
        "        if not raw or True:\n",
        {"test_an_endless_frame_is_given_up_and_told"},
    ),
    "takes any setting": (
        SETTINGS,
        "    baud: int =",
        '    model_config = {"extra": "ignore"}\n    baud: int =',
        {"test_unknown_settings_are_refused_in_a_sentence"},
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_driver_fails_by_the_name_of_what_it_breaks(name: str, tmp_path: Path) -> None:
    file, right, wrong, failing = BROKEN[name]
    assert FILES[file].count(right) == 1
    spoilt = {**FILES, file: FILES[file].replace(right, wrong)}
    site = install(write(tmp_path / "project", spoilt), tmp_path / "site")
    tried = try_suite(site, tmp_path / "elsewhere", "-k", WITHOUT_A_PORT)
    assert tried.returncode == 1, tried.stdout
    assert set(re.findall(r"^FAILED .*::(\w+)", tried.stdout, re.MULTILINE)) == failing
