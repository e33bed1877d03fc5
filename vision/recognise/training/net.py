"""The net: two small convolutional branches, one for index corners, one for the face, and how it becomes ONNX.

Each branch gives a feature vector and, from it by one linear layer, the scores of rank and suit: 13 ranks and "no
rank", 4 suits and "no suit". The linear layer is what enrolment replaces.
"""

from __future__ import annotations

import io
from typing import Final

import onnx
import torch
from torch import Tensor, nn

from vision.recognise.geometry import CORNER_HEIGHT, CORNER_WIDTH, FACE_HEIGHT, FACE_WIDTH
from vision.recognise.training.spoil import NO_RANK, NO_SUIT

SCORES: Final = NO_RANK + 1 + NO_SUIT + 1
"""Scores of one patch: ranks, no rank, suits, no suit."""
CORNER_FEATURES: Final = 96
FACE_FEATURES: Final = 64
OPSET: Final = 13


class Branch(nn.Module):
    """Strided convolutions down to a small grid, a few values in each cell, a feature vector, scores."""

    def __init__(
        self, channels: tuple[int, ...], strides: tuple[int, ...], cells: int, narrow: int, features: int
    ) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for after, stride in zip(channels, strides, strict=True):
            layers += [
                nn.Conv2d(before, after, 3, stride, 1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(inplace=True),
            ]
            before = after
        layers += [nn.Conv2d(before, narrow, 1, bias=False), nn.BatchNorm2d(narrow), nn.ReLU(inplace=True)]
        self.grid = nn.Sequential(*layers)
        self.features = nn.Linear(cells * narrow, features)
        self.scores = nn.Linear(features, SCORES)

    def forward(self, patches: Tensor) -> tuple[Tensor, Tensor]:
        """Return features (n, features) and scores (n, SCORES) of patches (n, 3, height, width)."""
        features = torch.relu(self.features(torch.flatten(self.grid(patches), 1)))
        return features, self.scores(features)


def corner_branch() -> Branch:
    """Return the branch for index corners: 96 x 64 down to 6 x 4."""
    return Branch((16, 32, 48, 64, 64, 64), (2, 2, 2, 1, 2, 1), 6 * 4, 16, CORNER_FEATURES)


def face_branch() -> Branch:
    """Return the branch for the face: 88 x 64 down to 11 x 8, a grid on which pips can be counted."""
    return Branch((12, 24, 32, 48), (2, 2, 2, 1), 11 * 8, 8, FACE_FEATURES)


class Net(nn.Module):
    """Both branches as one model: two corners and one face in, features and scores of each out."""

    def __init__(self, corner: Branch, face: Branch) -> None:
        super().__init__()
        self.corner = corner
        self.face = face

    def forward(self, corners: Tensor, face: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return corner features, corner scores, face features, face scores."""
        return (*self.corner(corners), *self.face(face))


def to_onnx(net: Net) -> bytes:
    """Return the net as an ONNX file: inputs ``corners`` and ``face``, outputs features and scores of each."""
    net.eval()
    inputs = (torch.zeros(2, 3, CORNER_HEIGHT, CORNER_WIDTH), torch.zeros(1, 3, FACE_HEIGHT, FACE_WIDTH))
    buffer = io.BytesIO()
    torch.onnx.export(
        net,
        inputs,
        buffer,
        dynamo=False,
        opset_version=OPSET,
        input_names=["corners", "face"],
        output_names=["corner_features", "corner_scores", "face_features", "face_scores"],
    )
    made = onnx.load_from_string(buffer.getvalue())
    made.producer_version = ""  # it differs where the numbers do not: the same net is the same file
    return bytes(made.SerializeToString())
