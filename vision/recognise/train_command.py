"""``studio vision train``: makes the shipped model again."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path

from vision.recognise.model import MODEL_FILE, MOST_BYTES

SEED = 1
"""The seed of the shipped model."""


class TrainCommand:
    """Fetches the free art, draws decks, trains the net and writes the ONNX file with its hash."""

    name = "train"
    help = "train the recogniser on drawn cards and write its model file (needs the training extra)"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--output", type=Path, default=Path(MODEL_FILE), help="the model file to write")
        parser.add_argument(
            "--art", type=Path, default=Path("data/vision-art"), help="folder into which art is fetched"
        )
        parser.add_argument("--seed", type=int, default=SEED, help="another seed makes another model")
        parser.add_argument(
            "--share", type=float, default=1.0, help="share of the full training, for a quick look"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Train; return 0, or 2 where the extra or the art is missing or the file came out too large."""
        try:
            from vision.recognise.training.art import ArtError, fetch  # noqa: PLC0415 - in the training extra only
            from vision.recognise.training.train import Plan, train  # noqa: PLC0415
        except ImportError as error:
            sys.stderr.write(f"studio vision train: pip install 'live-dealer-studio[training]' ({error})\n")
            return 2
        start = time.process_time()
        try:
            art = fetch(arguments.art)
        except ArtError as error:
            sys.stderr.write(f"studio vision train: {error}\n")
            return 2
        data = train(art, arguments.seed, Plan().scaled(arguments.share), _say)
        if len(data) > MOST_BYTES:
            sys.stderr.write(f"studio vision train: the model has {len(data)} bytes, more than {MOST_BYTES}\n")
            return 2
        digest = hashlib.sha256(data).hexdigest()
        arguments.output.write_bytes(data)
        Path(f"{arguments.output}.sha256").write_text(f"{digest}  {arguments.output.name}\n", "ascii")
        minutes = (time.process_time() - start) / 60
        sys.stdout.write(f"{arguments.output}: {len(data)} bytes, sha256 {digest}, {minutes:.1f} minutes of CPU\n")
        return 0


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
