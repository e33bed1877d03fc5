"""The correction of the last layer."""

from __future__ import annotations

import numpy as np

from vision.recognise.chances import SCORES, split
from vision.recognise.fitting import fitted

FEATURES = 24


def test_it_learns_what_the_net_got_wrong_and_leaves_the_rest() -> None:
    """A net that takes every 8 for a 6 is put right by a few pictures of each."""
    random = np.random.default_rng(2)
    ranks = np.repeat(np.arange(13), 6)
    kinds = random.normal(0, 1, (13, FEATURES)).astype(np.float32)
    features = (kinds[ranks] + random.normal(0, 0.1, (len(ranks), FEATURES))).astype(np.float32)
    scores = np.zeros((len(ranks), SCORES), np.float32)
    scores[np.arange(len(ranks)), np.where(ranks == 7, 5, ranks)] = 6.0
    targets = np.stack([ranks, ranks % 4], axis=1)
    correction = fitted(features, scores, targets)
    corrected, suits = split(scores + correction.change(features))
    assert np.array_equal(corrected.argmax(1), ranks)
    assert np.array_equal(suits.argmax(1), ranks % 4)


def test_what_is_right_already_hardly_changes() -> None:
    features = np.eye(13, FEATURES, dtype=np.float32)
    scores = np.full((13, SCORES), -20.0, np.float32)
    scores[np.arange(13), np.arange(13)] = 20.0
    scores[:, 14] = 20.0
    correction = fitted(features, scores, np.stack([np.arange(13), np.zeros(13, np.int64)], axis=1))
    assert np.abs(correction.change(features)).max() < 0.01
