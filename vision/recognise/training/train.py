"""Training: decks are drawn as it goes, spoilt, shown to the two branches; the result is an ONNX file.

Everything random comes from one seed, so the same machine makes the same file. About ten minutes of one core.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.image import Image
from vision.recognise.geometry import network_input
from vision.recognise.training.art import Art
from vision.recognise.training.deck import DrawnCard, art_deck, draw_deck
from vision.recognise.training.net import Branch, Net, corner_branch, face_branch, to_onnx
from vision.recognise.training.spoil import NO_RANK, Sample, corner_sample, face_sample

_BATCH: Final = 128
_POOL: Final = 24  # decks at hand at a time
_FOREIGN: Final = 8  # cards with a foreign index in each deck
_TOP_RATE: Final = 3e-3
_DECAY: Final = 0.02
_SMOOTHING: Final = 0.02
_WARM_UP: Final = 0.1
_REPORT_EVERY: Final = 100

_Sampler = Callable[[DrawnCard, Image, np.random.Generator], Sample]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is shown: steps of 128 patches for each branch, a new deck every ``deck_steps``."""

    corner_steps: int = 3600
    face_steps: int = 1400
    deck_steps: int = 24

    def scaled(self, share: float) -> Plan:
        """Return a plan with that share of the steps, one at least."""
        return Plan(max(int(self.corner_steps * share), 1), max(int(self.face_steps * share), 1), self.deck_steps)


def train(art: Art, seed: int, plan: Plan, say: Callable[[str], None]) -> bytes:
    """Return the trained net as an ONNX file; ``say`` is told how far it is."""
    cv2.setNumThreads(1)  # a deck's pictures are small, and one core is what the figures are stated for
    torch.manual_seed(seed)
    decks = _Decks(art, np.random.default_rng([seed, 0]))
    corner, face = corner_branch(), face_branch()
    for number, (branch, sampler, steps) in enumerate(
        ((corner, corner_sample, plan.corner_steps), (face, face_sample, plan.face_steps)), start=1
    ):
        lessons = _Lessons(decks, sampler, np.random.default_rng([seed, number]))
        _fit(branch, lessons, steps, plan.deck_steps, say)
    return to_onnx(Net(corner, face))


class _Decks:
    """A pool of drawn decks in which the oldest makes room for a new one; the deck of art stays."""

    def __init__(self, art: Art, random: np.random.Generator) -> None:
        self._art = art
        self._random = random
        self._decks = [art_deck(art), *(draw_deck(art, random, _FOREIGN) for _ in range(_POOL))]
        self._next = 1
        self._others = [*(cv2.resize(back, (200, 280)) for back in art.backs)]

    def renew(self) -> None:
        self._decks[self._next] = draw_deck(self._art, self._random, _FOREIGN)
        self._next = self._next % _POOL + 1

    def card(self, random: np.random.Generator) -> DrawnCard:
        deck = self._decks[int(random.integers(len(self._decks)))]
        return deck[int(random.integers(len(deck)))]

    def other(self, random: np.random.Generator) -> Image:
        """Return a card, or in a tenth of the cases a back, to lie over or around a card."""
        if random.random() < 1 / 10:
            return np.asarray(self._others[int(random.integers(len(self._others)))], np.uint8)
        return self.card(random).image


@dataclass(frozen=True, slots=True)
class _Lessons:
    """Makes batches for one branch."""

    decks: _Decks
    sampler: _Sampler
    random: np.random.Generator

    def batch(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return patches (n, 3, height, width) and the labels of ranks and suits (n,)."""
        samples: list[Sample] = []
        while len(samples) < _BATCH:
            card = self.decks.card(self.random)
            if self.sampler is not face_sample or card.card is not None:
                samples.append(self.sampler(card, self.decks.other(self.random), self.random))
        patches = torch.from_numpy(network_input([sample.patch for sample in samples]))
        ranks = torch.tensor([sample.rank for sample in samples])
        suits = torch.tensor([sample.suit for sample in samples])
        return patches.to(memory_format=torch.channels_last), ranks, suits


def _fit(branch: Branch, lessons: _Lessons, steps: int, deck_steps: int, say: Callable[[str], None]) -> None:
    branch.train().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(branch.parameters(), lr=_TOP_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step / steps))
    loss_of = nn.CrossEntropyLoss(label_smoothing=_SMOOTHING)
    running = 0.0
    for step in range(1, steps + 1):
        patches, ranks, suits = lessons.batch()
        with torch.autocast("cpu", torch.bfloat16):
            _, scores = branch(patches)
        scores = scores.float()
        loss = loss_of(scores[:, : NO_RANK + 1], ranks) + loss_of(scores[:, NO_RANK + 1 :], suits)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running = loss.item() if step == 1 else 0.98 * running + 0.02 * loss.item()
        if step % deck_steps == 0:
            lessons.decks.renew()
        if step % _REPORT_EVERY == 0:
            say(f"{lessons.sampler.__name__} step {step} of {steps}, loss {running:.3f}")


def _rate(progress: float) -> float:
    """Return the share of the top learning rate: up for a tenth of the way, then down along a cosine."""
    if progress < _WARM_UP:
        return progress / _WARM_UP + 0.01
    return 0.5 * (1 + math.cos(math.pi * min((progress - _WARM_UP) / (1 - _WARM_UP), 1.0))) + 0.002
