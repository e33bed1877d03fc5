"""The shipped model."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from support.card_pictures import upright

from studio.domain.cards import parse_card
from vision.recognise.chances import SCORES
from vision.recognise.model import MODEL_FILE, MOST_BYTES, Model, ModelError, load_model

SHIPPED = files("vision") / "models" / MODEL_FILE


def test_the_shipped_model_is_small_and_has_the_stated_hash() -> None:
    data = SHIPPED.read_bytes()
    assert len(data) <= MOST_BYTES
    assert load_model().digest == hashlib.sha256(data).hexdigest()


def test_it_says_the_same_each_time_and_has_the_stated_shapes() -> None:
    model = load_model()
    card = upright(parse_card("5D"))
    one, again = model.views(card), model.views(card)
    assert one.corner_scores.shape == (2, SCORES)
    assert one.face_scores.shape == (SCORES,)
    assert one.corner_features.shape[0] == 2
    assert one.face_features.ndim == 1
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))


def test_half_a_turn_exchanges_the_corners() -> None:
    model = load_model()
    card = upright(parse_card("6H"))
    straight, turned = model.views(card), model.views(np.ascontiguousarray(card[::-1, ::-1]))
    assert straight.corner_scores == pytest.approx(turned.corner_scores[::-1], abs=1e-3)


def test_a_model_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(SHIPPED.read_bytes() + b"x")
    Path(f"{path}.sha256").write_text(hashlib.sha256(SHIPPED.read_bytes()).hexdigest(), "ascii")
    with pytest.raises(ModelError, match="not the one whose hash"):
        load_model(path)


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="install the package again"):
        load_model(tmp_path / "none.onnx")


def test_bytes_that_are_no_model_are_refused() -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        Model(b"no model at all")
