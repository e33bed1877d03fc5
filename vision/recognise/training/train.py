"""Training: decks are drawn as it goes, spoilt, shown to the two branches; the result is an ONNX file.

Everything random comes from one seed, so the same machine makes the same file. About ten minutes of one core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.image import Image
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH, network_input
from vision.recognise.training.art import Art
from vision.recognise.training.deck import DrawnCard, art_deck, draw_deck
from vision.recognise.training.net import Branch, Net, corner_branch, face_branch, to_onnx
from vision.recognise.training.spoil import NO_RANK, Sample, corner_sample, face_sample

_BATCH: Final = 128
MAKERS: Final = 3
"""Makers of batches, taken in turn; each has decks of its own, so each could be a process of its own."""
_POOL: Final = 8  # decks that a maker has at hand at a time
_FOREIGN: Final = 6  # cards with a foreign index in each deck
_TOP_RATE: Final = 3e-3
_DECAY: Final = 0.02
_SMOOTHING: Final = 0.02
_WARM_UP: Final = 0.1
_REPORT_EVERY: Final = 100

_Sampler = Callable[[DrawnCard, Image, np.random.Generator], Sample]


class Batch(NamedTuple):
    """Patches (n, 3, height, width) and the labels of their ranks and suits (n,)."""

    patches: NDArray[np.float32]
    ranks: NDArray[np.int64]
    suits: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is shown: steps of 128 patches for each branch, a new deck every ``deck_steps``."""

    corner_steps: int = 2000
    face_steps: int = 900
    deck_steps: int = 24

    def scaled(self, share: float) -> Plan:
        """Return a plan with that share of the steps, one at least."""
        return Plan(max(int(self.corner_steps * share), 1), max(int(self.face_steps * share), 1), self.deck_steps)


def train(art: Art, seed: int, plan: Plan, say: Callable[[str], None]) -> bytes:
    """Return the trained net as an ONNX file; ``say`` is told how far it is."""
    return to_onnx(Net(train_corner(art, seed, plan, say), train_face(art, seed, plan, say)))


def train_corner(art: Art, seed: int, plan: Plan, say: Callable[[str], None]) -> Branch:
    """Return the branch for index corners; the same whether or not the other was trained before."""
    lessons = [corner_lessons(art, seed, maker) for maker in range(MAKERS)]
    return fitted(corner_branch, seed, [one.batches(plan.deck_steps) for one in lessons], plan.corner_steps, say)


def train_face(art: Art, seed: int, plan: Plan, say: Callable[[str], None]) -> Branch:
    """Return the branch for the face; the same whether or not the other was trained before."""
    lessons = [face_lessons(art, seed, maker) for maker in range(MAKERS)]
    return fitted(face_branch, seed, [one.batches(plan.deck_steps) for one in lessons], plan.face_steps, say)


def corner_lessons(art: Art, seed: int, maker: int) -> Lessons:
    """Return one of the makers of batches of index corners, each with decks of its own."""
    return Lessons(art, corner_sample, (seed, 0, maker), (seed, 1, maker))


def face_lessons(art: Art, seed: int, maker: int) -> Lessons:
    """Return one of the makers of batches of faces."""
    return Lessons(art, face_sample, (seed, 2, maker), (seed, 3, maker))


class _Decks:
    """A pool of drawn decks in which the oldest makes room for a new one; the deck of art stays."""

    def __init__(self, art: Art, random: np.random.Generator, pool: int) -> None:
        self._art = art
        self._random = random
        self._pool = pool
        self._decks = [art_deck(art), *(draw_deck(art, random, _FOREIGN) for _ in range(pool))]
        self._next = 1
        size = (CARD_WIDTH, CARD_HEIGHT)
        self._backs = [np.asarray(cv2.resize(back, size), np.uint8) for back in art.backs]

    def renew(self) -> None:
        self._decks[self._next] = draw_deck(self._art, self._random, _FOREIGN)
        self._next = self._next % self._pool + 1

    def card(self, random: np.random.Generator) -> DrawnCard:
        deck = self._decks[int(random.integers(len(self._decks)))]
        return deck[int(random.integers(len(deck)))]

    def other(self, random: np.random.Generator) -> Image:
        """Return a card, or in a tenth of the cases a back, to lie over or around a card."""
        if random.random() < 1 / 10:
            return self._backs[int(random.integers(len(self._backs)))]
        return self.card(random).image


class Lessons:
    """Makes batches for one branch; ``deck_seed`` draws its decks, ``seed`` spoils them."""

    def __init__(self, art: Art, sampler: _Sampler, deck_seed: tuple[int, ...], seed: tuple[int, ...]) -> None:
        self._decks = _Decks(art, np.random.default_rng(deck_seed), _POOL)
        self._sampler = sampler
        self._random = np.random.default_rng(seed)

    def batches(self, deck_steps: int) -> Iterator[Batch]:
        """Yield batches without end; every ``deck_steps`` of them a deck is exchanged."""
        for step in count(1):
            yield self._batch()
            if step % deck_steps == 0:
                self._decks.renew()

    def _batch(self) -> Batch:
        samples: list[Sample] = []
        while len(samples) < _BATCH:
            card = self._decks.card(self._random)
            if self._sampler is not face_sample or card.card is not None:
                samples.append(self._sampler(card, self._decks.other(self._random), self._random))
        return Batch(
            network_input([sample.patch for sample in samples]),
            np.array([sample.rank for sample in samples]),
            np.array([sample.suit for sample in samples]),
        )


def fitted(
    make: Callable[[], Branch],
    seed: int,
    batches: Sequence[Iterator[Batch]],
    steps: int,
    say: Callable[[str], None],
) -> Branch:
    """Return a branch after ``steps`` steps, its batches taken from each of ``batches`` in turn."""
    cv2.setNumThreads(1)  # one core is what the time is stated for, and sums then have one order
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    branch = make()
    branch.train().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(branch.parameters(), lr=_TOP_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step / steps))
    loss_of = nn.CrossEntropyLoss(label_smoothing=_SMOOTHING)
    running = 0.0
    for step in range(1, steps + 1):
        batch = next(batches[(step - 1) % len(batches)])
        with torch.autocast("cpu", torch.bfloat16):
            _, scores = branch(torch.from_numpy(batch.patches).to(memory_format=torch.channels_last))
        scores = scores.float()
        rank_loss = loss_of(scores[:, : NO_RANK + 1], torch.from_numpy(batch.ranks))
        loss = rank_loss + loss_of(scores[:, NO_RANK + 1 :], torch.from_numpy(batch.suits))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running = loss.item() if step == 1 else 0.98 * running + 0.02 * loss.item()
        if step % _REPORT_EVERY == 0:
            say(f"step {step} of {steps}, loss {running:.3f}")
    return branch


def _rate(progress: float) -> float:
    """Return the share of the top learning rate: up for a tenth of the way, then down along a cosine."""
    if progress < _WARM_UP:
        return progress / _WARM_UP + 0.01
    return 0.5 * (1 + math.cos(math.pi * min((progress - _WARM_UP) / (1 - _WARM_UP), 1.0))) + 0.002
