"""The plot says what it shows, and shows it where its axes say."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from studio.odds.plot import convergence_svg
from studio.odds.simulation import Estimate, Point

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [Point(10**power, Estimate(-0.005, 1.2 / 10 ** (power / 2))) for power in range(5, 9)]


def drawn(exact: float | None = 99.5, points: list[Point] = POINTS) -> ET.Element:
    return ET.fromstring(convergence_svg("deluxe: <shuffled> & played", points, exact))  # noqa: S314 - our own


def texts(picture: ET.Element) -> list[str]:
    return ["".join(one.itertext()) for one in picture.iter(f"{SVG}text")]


def places(picture: ET.Element, kind: str) -> list[tuple[float, float]]:
    (found,) = [one for one in picture.iter() if one.get("class") == kind]
    numbers = [float(one) for one in re.findall(r"[\d.]+", found.get("points", ""))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_the_line_the_band_and_the_exact_figure_lie_where_the_axes_say() -> None:
    picture = drawn()
    mean, band = places(picture, "mean"), places(picture, "band")
    assert len(mean) == len(POINTS)
    assert len(band) == 2 * len(POINTS)
    steps = [second[0] - first[0] for first, second in pairwise(mean)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)  # logarithmic: a power of ten each
    upper, lower = band[: len(POINTS)], band[: len(POINTS) - 1 : -1]
    for (_, high), (_, middle), (_, low) in zip(upper, mean, lower, strict=True):
        assert high < middle < low
    (exact,) = [one for one in picture.iter() if one.get("class") == "exact"]
    assert float(exact.get("y1", "0")) == pytest.approx(mean[-1][1], abs=0.1)


def test_it_says_what_it_is() -> None:
    said = texts(drawn())
    assert said[0] == "deluxe: <shuffled> & played"
    assert said[1].startswith("Line and band: 99.5000 % ± 0.0235 after 100,000,000 rounds (95% confidence)")
    assert said[1].endswith("dashed: exact, 99.5000 %")
    assert {"100,000", "1 million", "10 million", "100 million"} <= set(said)
    assert "return per initial bet, %" in said
    assert (drawn().get("aria-label") or "").startswith("deluxe: <shuffled> & played: 99.5000 %")


def test_without_an_exact_figure_none_is_drawn() -> None:
    picture = drawn(None)
    assert not [one for one in picture.iter() if one.get("class") == "exact"]
    assert not any("exact" in text for text in texts(picture))


def test_every_mark_lies_inside_the_picture() -> None:
    picture = drawn(99.9)
    for x, y in (*places(picture, "mean"), *places(picture, "band")):
        assert 92 <= x <= 960 - 56
        assert 84 <= y <= 540 - 64
    assert len(texts(picture)) < 30


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_points_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="needs more rounds"):
        drawn(points=POINTS[:count])
