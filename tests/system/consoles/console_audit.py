"""What axe-core finds on a page (consoles.md S14). Its script is among the consoles' pinned packages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[3] / "studio" / "console" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .filter(one => ['serious', 'critical'].includes(one.impact))
    .flatMap(one => one.nodes.map(node =>
        `${one.id}: ${node.target.join(' ')}: ${node.any.map(check => check.message).join()}`))"""


@cache
def _script() -> str:
    return _AXE.read_text(encoding="utf-8")


def serious_findings(page: Page) -> list[str]:
    """Return what is serious or critical: the rule, where, and what is wrong."""
    page.evaluate(_script())
    found: list[str] = page.evaluate(_RUN)
    return found
