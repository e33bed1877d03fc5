"""``python -m vision.capture``: the capture process. A studio starts it; it is of no use by hand."""

from __future__ import annotations

import os
import sys

from vision.capture.worker import run

if __name__ == "__main__":
    code = run()
    sys.stdout.flush()
    # A grabbing thread that hangs in a driver must not hold up the end.
    os._exit(code)
