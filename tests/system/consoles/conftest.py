"""One browser and one stub server for all console tests; the pages are built when their sources are newer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_stub import ConsoleStub
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[3]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "these tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def built_consoles() -> None:
    """Build the pages if a source is newer."""
    subprocess.run([sys.executable, "build_consoles.py"], cwd=ROOT, check=True, timeout=100)


@pytest.fixture(scope="session")
def running_stub(built_consoles: None) -> Iterator[ConsoleStub]:  # noqa: ARG001 - the pages must be there
    with ConsoleStub().running() as stub:
        yield stub


@pytest.fixture
def stub(running_stub: ConsoleStub) -> ConsoleStub:
    running_stub.reset()
    return running_stub


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own at 1280x800; a script error or a breach of the content policy fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on(
        "console",
        lambda message: errors.append(message.text) if "Content Security Policy" in message.text else None,
    )
    opened.set_default_timeout(6000)
    yield opened
    context.close()
    assert errors == []
