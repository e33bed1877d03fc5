"""The build of the consoles: when it is skipped, and what its lock file may not name."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

from studio.domain.anomalies import WayOut

ROOT = Path(__file__).parents[3]


@pytest.fixture
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_consoles_under_test", ROOT / "build_consoles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path, hook: ModuleType) -> Path:
    """A project whose pages are newer than their sources."""
    source = tmp_path / "studio" / "console" / "src"
    output = tmp_path / "studio" / "web" / "static"
    source.mkdir(parents=True)
    output.mkdir(parents=True)
    (source / "main.tsx").touch()
    for path in (source / "main.tsx", source):
        os.utime(path, (1000, 1000))
    for page in hook.PAGES:
        (output / page).touch()
        os.utime(output / page, (2000, 2000))
    return tmp_path


def test_pages_newer_than_every_source_are_not_built_again(project: Path, hook: ModuleType) -> None:
    assert hook.build(project) is False


@pytest.mark.parametrize("changed", ["src/main.tsx", "src"])
def test_a_changed_source_makes_the_pages_old(project: Path, hook: ModuleType, changed: str) -> None:
    source = project / "studio" / "console"
    os.utime(source / changed, (3000, 3000))
    assert not hook.is_fresh(source, project / "studio" / "web" / "static")


def test_installed_packages_do_not_make_the_pages_old(project: Path, hook: ModuleType) -> None:
    source = project / "studio" / "console"
    (source / "node_modules").mkdir()
    assert hook.is_fresh(source, project / "studio" / "web" / "static")


def test_a_missing_page_is_built(project: Path, hook: ModuleType) -> None:
    output = project / "studio" / "web" / "static"
    (output / hook.PAGES[0]).unlink()
    assert not hook.is_fresh(project / "studio" / "console", output)


def test_a_failed_build_says_where_and_what_to_look_at(project: Path, hook: ModuleType) -> None:
    source = project / "studio" / "console"
    (source / "package.json").write_text('{"name": "broken", "scripts": {}}')
    with pytest.raises(hook.ConsoleBuildError, match=r"npm run ended with 1 in .*console: could not build"):
        hook.build(project)


def test_the_types_of_the_sources_fit(hook: ModuleType) -> None:
    hook.check(ROOT)


def test_every_way_out_and_every_message_to_players_has_its_words() -> None:
    texts = (ROOT / "studio" / "console" / "src" / "supervisor" / "texts.ts").read_text()
    ways = set(re.findall(r'^  "?([a-z-]+)"?: \{ label: ', texts, re.MULTILINE))
    assert ways == set(WayOut)
    told = (ROOT / "studio" / "domain" / "notices.py").read_text()
    keys = set(re.findall(r'Notice\(number, \w+, "([a-z-]+)"', told))
    assert keys
    for language in ("english", "french"):
        words = (ROOT / "studio" / "console" / "src" / "player" / f"{language}.ts").read_text()
        assert keys <= set(re.findall(r'^    "([a-z-]+)": \(round', words, re.MULTILINE))


def test_the_lock_file_pins_every_package_and_names_no_registry() -> None:
    lock = json.loads((ROOT / "studio" / "console" / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert {"node_modules/preact", "node_modules/vite", "node_modules/typescript"} <= set(packages)
    for package in packages.values():
        assert package["version"]
        assert package["integrity"]
        assert "resolved" not in package
