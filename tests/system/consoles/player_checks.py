"""What the player tests do and read on the terminal."""

from __future__ import annotations

from typing import Any

from console_checks import wait_sequence
from console_stub import ConsoleStub
from player_documents import history, rules
from player_scenes import Scene
from playwright.sync_api import Page

PUBLIC = "tables/t1/public"
OWN = "tables/t1/player"


def show(page: Page, stub: ConsoleStub, scene: Scene) -> int:
    """Show a scene's two views and wait until both are painted."""
    stub.documents.setdefault("me", {"id": scene.own.player, "name": "Ada Meyer", "roles": ["player"]})
    stub.documents.setdefault("tables/t1/rules.json", rules())
    stub.documents.setdefault("tables/t1/history", history())
    sequence = stub.show_all({PUBLIC: scene.table, OWN: scene.own})
    if page.url == "about:blank":
        page.goto(stub.url("player"))
    wait_sequence(page, sequence)
    page.wait_for_selector(f"main[data-own-sequence='{sequence}']")
    return sequence


def laid(page: Page, spot: str) -> str:
    """Return what lies on a spot without being confirmed, such as ``+25.00``; empty for nothing."""
    found = page.get_by_test_id(f"draft-{spot}")
    return found.inner_text() if found.count() else ""


def notes(page: Page) -> list[str]:
    """Return the notes that stand on the page."""
    return page.get_by_test_id("notes").locator("li > span").all_inner_texts()


def confirmed(stub: ConsoleStub, *items: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return the server's answer to a batch of bets."""
    return 200, {"sequence": stub.sequence, "items": list(items)}
