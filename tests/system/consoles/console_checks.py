"""What the console tests measure on a page."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page

PATIENCE_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the page, in CSS pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def gap(self, other: Box) -> float:
        """Return the space between two boxes: the larger distance along an axis, negative if they overlap."""
        across = max(self.left, other.left) - min(self.left + self.width, other.left + other.width)
        down = max(self.top, other.top) - min(self.top + self.height, other.top + other.height)
        return max(across, down)


def box(locator: Locator) -> Box:
    """Return where an element is; it must be on the page."""
    found = locator.bounding_box()
    assert found is not None
    return Box(found["x"], found["y"], found["width"], found["height"])


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Let the page run until ``condition`` holds; fail after a while."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        page.wait_for_timeout(20)


def wait_sequence(page: Page, sequence: int) -> None:
    """Wait until the page shows the view of ``sequence``."""
    page.wait_for_selector(f"main[data-sequence='{sequence}']")


def luminance(rgb: str) -> float:
    """Return the relative luminance (WCAG 2) of a computed colour such as ``rgb(20, 24, 29)``."""
    parts = [float(part) / 255 for part in rgb[rgb.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def colour(locator: Locator, name: str) -> str:
    """Return a computed colour of an element."""
    return str(locator.evaluate(f"element => getComputedStyle(element)['{name}']"))
