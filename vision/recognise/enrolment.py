"""Enrolment: what the reader learns of the one deck, table and camera in use, from a picture of each card.

It adds a small correction to the net's last layer and keeps the mean picture of each card as the net sees it (its
prototype). A reading must be like its card's prototype and less like any other. Without enrolment the reader
abstains where it is not nearly certain (vision.md, part 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import DECK, Card
from vision.image import Image
from vision.recognise.chances import RANKS, SUITS, of_nothing
from vision.recognise.degrade import degrade
from vision.recognise.fitting import Correction, fitted
from vision.recognise.model import Model, Views

VERSION: Final = 1

_SPOILT: Final = (
    *("outline", "outline", "outline", "outline", "mixed hard", "mixed hard", "mixed hard"),
    *("light", "60 pixels", "blur", "noise", "motion", "dark", "bright", "compressed"),
)
_EMPTY: Final = -1.0  # the likeness to a card that was not enrolled
_LIKENESS_SHARE: Final = 0.6  # of the likeness that the deck's own spoilt pictures have at least
_LEAST_MARGIN: Final = 0.02
_HALF: Final = 0.5

_Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Prototypes:
    """Mean features of each card: ``corner`` (52, features), ``face`` (52, features).

    A card that was not enrolled has zeros.
    All are relative to the ``..._centre`` and of length 1. ``least`` (52,) is the likeness that a reading needs.
    """

    corner: _Floats
    face: _Floats
    corner_centre: _Floats
    face_centre: _Floats
    least: _Floats


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What was learnt of one deck; ``model`` is the hash of the model it was made with."""

    model: str
    corner: Correction
    face: Correction
    prototypes: Prototypes

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that were enrolled."""
        known = np.abs(self.prototypes.corner).sum(1) > 0
        return tuple(card for card in DECK if known[card.index])

    def rescored(self, views: Views) -> Views:
        """Return the views with the scores corrected for this deck."""
        return views._replace(
            corner_scores=views.corner_scores + self.corner.change(views.corner_features),
            face_scores=views.face_scores + self.face.change(views.face_features),
        )

    def likeness(self, views: Views) -> _Floats:
        """Return the likeness to each card's prototype (52,), -1 to 1; a covered corner does not count."""
        prototypes = self.prototypes
        corner = _unit(views.corner_features - prototypes.corner_centre) @ prototypes.corner.T
        face = _unit(views.face_features - prototypes.face_centre) @ prototypes.face.T
        is_seen = np.exp(of_nothing(views.corner_scores)) < _HALF
        corners = corner[is_seen].mean(0) if is_seen.any() else corner.mean(0)
        known = np.abs(prototypes.corner).sum(1) > 0
        return np.where(known, (corners + face) / 2, _EMPTY).astype(np.float32)

    def is_like(self, card: Card, views: Views) -> bool:
        """Say whether the views are like this card's prototype, and clearly less like any other's."""
        likeness = self.likeness(views)
        own = float(likeness[card.index])
        others = float(np.delete(likeness, card.index).max())
        return own >= float(self.prototypes.least[card.index]) and own - others >= _LEAST_MARGIN


def enrol(
    model: Model, cards: Mapping[Card, Sequence[Image]], rejects: Iterable[Image] = (), seed: int = 0
) -> Enrolment:
    """Return the enrolment of upright pictures of cards; ``rejects`` are pictures that show none.

    Raises ``ValueError`` without any card.
    """
    if not cards:
        message = "enrolment needs pictures of the deck's cards: give one of each of the 52"
        raise ValueError(message)
    random = np.random.default_rng(seed)
    seen = [(card, view) for card, pictures in cards.items() for view in _views(model, pictures, random)]
    nothing = list(_views(model, list(rejects), random))
    targets = np.array([(RANKS.index(card.rank), SUITS.index(card.suit)) for card, _ in seen])
    none = np.full((len(nothing), 2), (len(RANKS), len(SUITS)))
    every = [view for _, view in seen] + nothing
    wanted = np.concatenate([targets, none])
    corner = fitted(
        np.concatenate([view.corner_features for view in every]),
        np.concatenate([view.corner_scores for view in every]),
        np.repeat(wanted, 2, axis=0),
    )
    face = fitted(
        np.stack([view.face_features for view in every]), np.stack([view.face_scores for view in every]), wanted
    )
    return Enrolment(model.digest, corner, face, _prototypes(seen))


def _views(model: Model, pictures: Sequence[Image], random: np.random.Generator) -> Iterable[Views]:
    """Yield the views of the pictures as they are, and spoilt in several ways."""
    for picture in pictures:
        yield model.views(picture)
        for condition in _SPOILT:
            yield model.views(degrade(picture, condition, random))


def _prototypes(seen: Sequence[tuple[Card, Views]]) -> Prototypes:
    index = np.array([card.index for card, _ in seen])
    corner = np.stack([view.corner_features.mean(0) for _, view in seen])
    face = np.stack([view.face_features for _, view in seen])
    corner_centre, face_centre = corner.mean(0), face.mean(0)
    corner_means, face_means = (
        _means(_unit(corner - corner_centre), index),
        _means(_unit(face - face_centre), index),
    )
    own = (
        (_unit(corner - corner_centre) * corner_means[index]).sum(1)
        + (_unit(face - face_centre) * face_means[index]).sum(1)
    ) / 2
    least = np.zeros(len(DECK), np.float32)
    for card in {card for card, _ in seen}:
        least[card.index] = _LIKENESS_SHARE * np.percentile(own[index == card.index], 10)
    return Prototypes(corner_means, face_means, corner_centre, face_centre, least)


def _means(features: _Floats, index: NDArray[np.int64]) -> _Floats:
    means = np.zeros((len(DECK), features.shape[1]), np.float32)
    for card in np.unique(index):
        means[card] = features[index == card].mean(0)
    return np.where(np.abs(means).sum(1, keepdims=True) > 0, _unit(means), 0.0).astype(np.float32)


def _unit(features: _Floats) -> _Floats:
    """Return the features scaled to length 1 along the last axis."""
    return np.asarray(features / np.maximum(np.linalg.norm(features, axis=-1, keepdims=True), 1e-6), np.float32)
