"""What a picture and a set of points are, everywhere in ``vision``."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""Colour picture, shape (height, width, 3), blue, green, red, 0 to 255."""

Points: TypeAlias = NDArray[np.float64]
"""Points, shape (n, 2), x to the right and y down, pixels."""
