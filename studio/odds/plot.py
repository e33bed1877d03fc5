"""How a simulation converges, as an SVG picture: the mean so far, what it may be off by, the exact figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from studio.odds.simulation import CONFIDENCE, Point

_WIDTH: Final = 960
_HEIGHT: Final = 540
_LEFT: Final = 92
_RIGHT: Final = 56
_TOP: Final = 84
_BOTTOM: Final = 64
_TICKS: Final = 8
_MOST_DECADE_LABELS: Final = 3
_STYLE: Final = (
    "text{font:15px system-ui,sans-serif;fill:#1f2933}.title{font-size:19px;font-weight:600}"
    ".small{font-size:13px;fill:#52606d}.grid{stroke:#e4e7eb}.axis{stroke:#7b8794}"
    ".band{fill:#9fc5e8;fill-opacity:.55}.mean{fill:none;stroke:#0b5cad;stroke-width:2}"
    ".exact{stroke:#b42318;stroke-width:2;stroke-dasharray:7 5}"
)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Rounds (logarithmic) and per cent as places in the picture."""

    first: float
    last: float
    low: float
    high: float
    step: float
    """The distance between two ticks of per cent."""

    def x(self, rounds: float) -> float:
        span = math.log(self.last / self.first)
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(rounds / self.first) / span

    def y(self, percent: float) -> float:
        inside = min(max(percent, self.low), self.high)
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (self.high - inside) / (self.high - self.low)


def convergence_svg(title: str, points: Sequence[Point], exact: float | None) -> str:
    """Return the picture; ``exact`` is the figure computed, in per cent, and is drawn where there is one.

    Raises ``ValueError`` for fewer than two points: they make no line.
    """
    if len(points) < 2:  # noqa: PLR2004 - a line has two ends
        message = "a plot needs more rounds: two points at least, and every 262,144 rounds are one"
        raise ValueError(message)
    rows = [(one.rounds, *_percent(one)) for one in points]
    frame = _frame(rows, exact)
    return "\n".join(_lines(title, rows, exact, frame)) + "\n"


def _percent(point: Point) -> tuple[float, float]:
    return 100 * (1 + point.estimate.mean), 100 * point.estimate.margin


def _frame(rows: Sequence[tuple[int, float, float]], exact: float | None) -> _Frame:
    lows = [mean - margin for _, mean, margin in rows]
    highs = [mean + margin for _, mean, margin in rows]
    low = min([*lows, exact] if exact is not None else lows)
    high = max([*highs, exact] if exact is not None else highs)
    step = _step((high - low) or 1.0)
    return _Frame(rows[0][0], rows[-1][0], math.floor(low / step) * step, math.ceil(high / step) * step, step)


def _step(span: float) -> float:
    """Return the round distance between ticks that gives about :data:`_TICKS` of them."""
    rough = span / _TICKS
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * one for one in (1, 2, 5, 10) if power * one >= rough * (1 - 1e-9))


def _lines(
    title: str, rows: Sequence[tuple[int, float, float]], exact: float | None, frame: _Frame
) -> Iterator[str]:
    rounds, mean, margin = rows[-1]
    said = f"{mean:.4f} % ± {margin:.4f} after {rounds:,} rounds ({CONFIDENCE:.0%} confidence)"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(f"{title}: {said}", {chr(34): "&quot;"})}">'
    )
    yield f'<style>{_STYLE}</style><rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>'
    yield f'<text class="title" x="{_LEFT}" y="34">{escape(title)}</text>'
    yield f'<text class="small" x="{_LEFT}" y="58">{escape(_legend(said, exact))}</text>'
    yield from _grid(frame)
    upper = [f"{frame.x(x):.1f},{frame.y(y + off):.1f}" for x, y, off in rows]
    lower = [f"{frame.x(x):.1f},{frame.y(y - off):.1f}" for x, y, off in reversed(rows)]
    yield f'<polygon class="band" points="{" ".join(upper + lower)}"/>'
    if exact is not None:
        yield _line("exact", _LEFT, frame.y(exact), _WIDTH - _RIGHT, frame.y(exact))
    drawn = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y, _ in rows)
    yield f'<polyline class="mean" points="{drawn}"/>'
    yield "</svg>"


def _legend(said: str, exact: float | None) -> str:
    return f"Line and band: {said}" + ("" if exact is None else f" · dashed: exact, {exact:.4f} %")


def _grid(frame: _Frame) -> Iterator[str]:
    step = frame.step
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for number in range(math.ceil(frame.low / step - 1e-9), math.floor(frame.high / step + 1e-9) + 1):
        y = frame.y(number * step)
        yield _line("grid", _LEFT, y, _WIDTH - _RIGHT, y)
        yield f'<text x="{_LEFT - 10}" y="{y + 5:.1f}" text-anchor="end">{number * step:.{digits}f}</text>'
    bottom = _HEIGHT - _BOTTOM
    for rounds in _round_numbers(frame):
        x = frame.x(rounds)
        yield _line("grid", x, _TOP, x, bottom)
        yield f'<text x="{x:.1f}" y="{bottom + 22}" text-anchor="middle">{_short(rounds)}</text>'
    yield _line("axis", _LEFT, bottom, _WIDTH - _RIGHT, bottom)
    yield _line("axis", _LEFT, _TOP, _LEFT, bottom)
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield f'<text x="{middle:.0f}" y="{_HEIGHT - 14}" text-anchor="middle">rounds, logarithmic</text>'
    upright = (_TOP + bottom) / 2
    yield (
        f'<text x="22" y="{upright:.0f}" text-anchor="middle" transform="rotate(-90 22 {upright:.0f})">'
        "return per initial bet, %</text>"
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _round_numbers(frame: _Frame) -> Iterator[int]:
    """Yield 1, 2, 5 of each decade, or only the powers of ten where there are many."""
    decades = math.log10(frame.last / frame.first)
    leading = (1, 2, 5) if decades <= _MOST_DECADE_LABELS else (1,)
    for power in range(int(math.log10(frame.first)), int(math.log10(frame.last)) + 1):
        for number in leading:
            if frame.first <= number * 10**power <= frame.last:
                yield number * 10**power


def _short(number: int) -> str:
    for size, name in ((10**9, " billion"), (10**6, " million"), (10**3, ",000")):
        if number >= size:
            return f"{number // size}{name}"
    return str(number)
