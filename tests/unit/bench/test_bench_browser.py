from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from studio.bench.browser import browser_command, find_browser


def test_the_first_installed_browser_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", {"google-chrome": "/opt/chrome"}.get)
    assert find_browser() == "/opt/chrome"


def test_without_a_browser_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", {}.get)
    assert find_browser() is None


@pytest.mark.parametrize(("user", "is_unboxed"), [(0, True), (1000, False)])
def test_only_root_goes_without_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, *, user: int, is_unboxed: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    command = browser_command("/usr/bin/chromium", "http://127.0.0.1:1/dealer", Path("/profile"))
    assert ("--no-sandbox" in command) is is_unboxed
    assert command[0] == "/usr/bin/chromium"
    assert command[-1] == "http://127.0.0.1:1/dealer"
    assert "--user-data-dir=/profile" in command
