"""A correction of the net's last layer, fitted to a few pictures: a linear layer added to the one it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.recognise.chances import RANKS, log_softmax

_STEPS: Final = 300
_RATE: Final = 0.02
_PULL: Final = 1e-3  # towards no correction at all
_BLOCKS: Final = ((0, len(RANKS) + 1), (len(RANKS) + 1, None))

_Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Correction:
    """What is added to the scores: ``weights`` (features, scores) times the scaled features, plus ``bias``.

    ``scale`` is a number by which features are divided, so that one step size fits every model.
    """

    weights: _Floats
    bias: _Floats
    scale: float

    def change(self, features: _Floats) -> _Floats:
        """Return what to add to the scores of features (..., features)."""
        return np.asarray(features / self.scale @ self.weights + self.bias, np.float32)


def fitted(features: _Floats, scores: _Floats, targets: NDArray[np.int64]) -> Correction:
    """Return the correction under which the targets (n, 2), rank and suit, are likely; all samples count alike.

    Plain gradient steps with momentum (Adam); a convex problem, so there is one answer and no seed.
    """
    scale = float(np.linalg.norm(features, axis=1).mean()) or 1.0
    inputs = np.concatenate([features / scale, np.ones((len(features), 1))], axis=1).astype(np.float32)
    wanted = np.zeros_like(scores)
    for block, (start, _) in enumerate(_BLOCKS):
        wanted[np.arange(len(targets)), start + targets[:, block]] = 1.0
    weights = np.zeros((inputs.shape[1], scores.shape[1]), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        corrected = scores + inputs @ weights
        chances = np.concatenate([np.exp(log_softmax(corrected[:, a:b])) for a, b in _BLOCKS], axis=1)
        gradient = inputs.T @ (chances - wanted) / len(inputs) + _PULL * weights
        mean += 0.1 * (gradient - mean)
        square += 0.01 * (gradient**2 - square)
        size = _RATE * (1 - step / (_STEPS + 1))
        weights -= size * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return Correction(weights[:-1].copy(), weights[-1].copy(), scale)
