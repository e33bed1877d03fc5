"""Plug-ins come from installed packages, by name (system.md, parts)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.adapters.plugins import card_source_names, command_names, load_card_source, load_command

MODULE = """
class Reader:
    name = "{package}"

shared = Reader()
"""


def install(folder: Path, package: str, entry_points: str) -> None:
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(MODULE.format(package=package), encoding="utf-8")
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(entry_points, encoding="utf-8")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages are found in."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_driver_of_another_package_is_found_by_its_name(packages: Path) -> None:
    install(
        packages,
        "acme-shoes",
        "[studio.card_sources]\nacme = acme_shoes:Reader\nacme2 = acme_shoes:shared\n"
        "[studio.commands]\npolish = acme_shoes:Reader\n",
    )

    assert {"acme", "acme2"} <= set(card_source_names())
    assert load_card_source("acme").name == "acme-shoes"
    assert load_card_source("acme2").name == "acme-shoes"
    assert "polish" in command_names()
    assert load_command("polish").name == "acme-shoes"
    assert "polish" not in card_source_names()


def test_an_unknown_name_lists_the_installed_ones(packages: Path) -> None:
    install(packages, "zeta-shoes", "[studio.card_sources]\nzeta = zeta_shoes:Reader\n")

    with pytest.raises(ValueError, match=r"there is no driver 'zetta'; installed: .*\bzeta\b"):
        load_card_source("zetta")
    with pytest.raises(ValueError, match="there is no command 'zeta'; installed: "):
        load_command("zeta")


def test_a_name_that_two_packages_offer_is_refused(packages: Path) -> None:
    for package in ("left-shoes", "right-shoes"):
        install(packages, package, f"[studio.card_sources]\ntwin = {package.replace('-', '_')}:Reader\n")

    with pytest.raises(ValueError, match=r"offered by several packages \(left-shoes, right-shoes\)"):
        load_card_source("twin")


def test_a_driver_that_does_not_load_says_why(packages: Path) -> None:
    install(packages, "broken-shoes", "[studio.card_sources]\nbroken = broken_shoes:Missing\n")

    with pytest.raises(ValueError, match=r"'broken' of broken-shoes does not load .*Missing"):
        load_card_source("broken")
