"""Random round scripts, complete and fitting: the answers are made up while the naive round is being played.

The scripts avoid what the format leaves open: insurance answers come first; an action of a split hand names its
hand; an action of the shared hand names its player unless it is the first; who disconnects says nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from reference.naive_answers import Offer, Question
from reference.naive_round import play_with
from reference.naive_rules import RULES, Rules
from reference.naive_script import Action, Script
from studio.domain.cards import DECK

SHOE_CARDS: Final = 240
"""Enough for seven seats that split three times, with a burn before them."""

_TEN_CODES = "TJQK"
_ILLEGAL: Final = ("hit", "double", "split", "surrender", "insurance")


def random_script(variant: str, rng: Random) -> Script:
    """Return one round script of a variant; the same generator state gives the same script.

    Bets are in units of 100 minor units, so halves are whole. Actions that must be refused are marked with
    ``expect: rejected``. The shoe ends a few cards after the last one used.
    """
    rules = RULES[variant]
    script: Script = {"variant": variant, "seats": [], "side_only": [], "burn": False, "actions": []}
    _take_seats(script, rules, rng)
    if rules.bets_behind:
        _bet_behind(script, rng)
    if rules.side_bets:
        _bet_aside(script, rules, rng)
    _set_balances(script, rng)
    script["shoe"] = _shoe(rules, rng)
    if variant in {"deluxe", "infinite"}:
        script["burn"] = rng.random() < 0.15
        if rng.random() < 0.2:
            script["shoe"].insert(rng.randrange(30), "CUT")
    result = play_with(script, RandomAnswers(script, rng))
    # A few cards more than were used: an engine that draws one too many must show a difference, not an error.
    script["shoe"] = script["shoe"][: result["cards_used"] + result["reshuffle_after"] + 4]
    return script


def _take_seats(script: Script, rules: Rules, rng: Random) -> None:
    if rules.shared_hand:
        # None at all is a round of side bets only, if there are any (R2).
        numbers = [1] * rng.choice([0, 1, 1, 2, 3, 4, 6])
    else:
        count = min(rules.seats, rng.choice([1, 1, 2, 2, 3, 4, 7]))
        numbers = sorted(rng.sample(range(1, rules.seats + 1), count))
    for place, number in enumerate(numbers, start=1):
        script["seats"].append({"seat": number, "player": f"P{place}", "bet": _amount(rng)})
    if rules.seats_per_player > 1 and len(numbers) > 1 and rng.random() < 0.4:
        # One player on two seats carries the same main bet on both (B4).
        first, second = rng.sample(script["seats"], 2)
        second["player"], second["bet"] = first["player"], first["bet"]


def _bet_behind(script: Script, rng: Random) -> None:
    seated = [entry["player"] for entry in script["seats"]]
    for entry in script["seats"]:
        others = sorted({*seated, "B1", "B2", "B3"} - {entry["player"]})
        for player in rng.sample(others, min(len(others), rng.choice([0, 0, 1, 1, 2]))):
            behind: dict[str, Any] = {"player": player, "bet": _amount(rng)}
            for follow in ("follow_double", "follow_split"):
                if rng.random() < 0.8:
                    behind[follow] = rng.random() < 0.65
            if rng.random() < 0.2:
                behind["side"] = {"pair": _amount(rng)}
            entry.setdefault("behind", []).append(behind)


def _bet_aside(script: Script, rules: Rules, rng: Random) -> None:
    for entry in script["seats"]:
        if rng.random() < 0.4:
            entry["side"] = _side_bets(rules, rng)
    seats = [1] if rules.shared_hand else [entry["seat"] for entry in script["seats"]]
    lookers_on = rng.choice([0, 0, 1, 2])
    if not script["seats"]:
        lookers_on = max(lookers_on, 1)
    for number in range(1, lookers_on + 1):
        entry = {"player": f"S{number}", "seat": rng.choice(seats), "side": _side_bets(rules, rng)}
        script["side_only"].append(entry)


def _side_bets(rules: Rules, rng: Random) -> dict[str, int]:
    kinds = rng.sample(rules.side_bets, rng.randint(1, len(rules.side_bets)))
    return {kind: _amount(rng) for kind in kinds}


def _amount(rng: Random) -> int:
    return 100 * rng.choice([1, 2, 3, 5, 10, 25, 50, 100])


def _set_balances(script: Script, rng: Random) -> None:
    """Give some players a balance, often a short one; all entries of a player carry the same (R10)."""
    entries = [entry for seat in script["seats"] for entry in (seat, *seat.get("behind", []))]
    for player in sorted({entry["player"] for entry in entries}):
        if rng.random() < 0.5:
            continue
        own = [entry for entry in entries if entry["player"] == player]
        bet = own[0]["bet"]
        balance = rng.choice([0, bet // 2 - 50, bet // 2, bet - 50, bet, bet + bet // 2, 2 * bet, 3 * bet])
        for entry in own:
            entry["balance"] = balance


def _shoe(rules: Rules, rng: Random) -> list[str]:
    """Draw cards from the real composition, some ranks much likelier, so that pairs and naturals abound."""
    likely: Counter[str] = Counter()
    theme = rng.choice(["none", "naturals", "one rank", "two ranks", "aces", "small"])
    if theme == "naturals":
        likely.update({"A": 6, "T": 2, "J": 1, "Q": 1, "K": 1})
    elif theme == "one rank":
        likely[rng.choice("A23456789T")] = 20
    elif theme == "two ranks":
        likely.update(dict.fromkeys(rng.sample("A23456789TJQK", 2), 12))
    elif theme == "aces":
        likely["A"] = 10
    elif theme == "small":
        likely.update({"A": 6, "2": 6, "3": 4})
    weights = [1 + likely[card.rank] for card in DECK]
    shoe: list[str] = []
    copies: Counter[str] = Counter()
    while len(shoe) < SHOE_CARDS:
        for card in rng.choices(DECK, weights, k=SHOE_CARDS):
            if copies[card.code] < rules.decks and len(shoe) < SHOE_CARDS:
                copies[card.code] += 1
                shoe.append(card.code)
    return shoe


class RandomAnswers:
    """Answers made up on the spot and written into the script, refused ones in between."""

    def __init__(self, script: Script, rng: Random) -> None:
        self._script = script
        self._rng = rng
        self._insurance_offered = False
        self._gone: set[str] = set()
        entries = [entry for seat in script["seats"] for entry in (seat, *seat.get("behind", []))]
        self._left = {entry["player"]: entry["balance"] for entry in entries if "balance" in entry}

    def insurance(self, offers: list[Offer]) -> Iterator[Action]:
        """Answer some offers, in any order; without balance the answer is marked as refused."""
        self._insurance_offered = True
        for offer in self._rng.sample(offers, len(offers)):
            chance = self._rng.random()
            if chance < 0.3:
                continue
            act = "insurance" if chance < 0.8 else "no_insurance"
            covered = act == "no_insurance" or self._left.get(offer.player, offer.stake) >= offer.stake
            action = self._write(offer.seat, offer.player, act, None, rejected=not covered)
            if act == "insurance" and covered and offer.player in self._left:
                self._left[offer.player] -= offer.stake
            if covered:
                yield action

    def decision(self, question: Question) -> Action | None:
        """Decide: split whenever possible, mostly; now and then say nothing, or something illegal first."""
        if question.player in self._gone:
            return None
        hand = self._named_hand(question)
        while self._rng.random() < 0.12:
            self._write_illegal(question, hand)
        act = self._choose(question)
        if act is None:
            return None
        if act == "disconnect":
            self._gone.add(question.player)
        action = self._write(question.seat, question.player, act, hand)
        if act in {"stand", "surrender"} and self._rng.random() < 0.1:
            # A closed hand takes no further card.
            self._write(question.seat, question.player, "hit", question.hand, rejected=True)
        return action

    def refuse(self, action: Action) -> None:
        """Refuse nothing: only legal answers are given, the others go straight into the script."""
        message = f"a made-up answer was refused: {action.raw}"
        raise AssertionError(message)

    def _named_hand(self, question: Question) -> int | None:
        """Leave the hand out at times, where there can be no doubt which it is."""
        never_split = question.hand == 1 and question.waiting == (1,) and question.seat not in self._split_seats()
        return None if never_split and self._rng.random() < 0.5 else question.hand

    def _split_seats(self) -> set[int]:
        return {action["seat"] for action in self._script["actions"] if action["act"] == "split"}

    def _choose(self, question: Question) -> str | None:
        chance = self._rng.random()
        if chance < 0.04:
            return None
        if chance < 0.07:
            return "timeout"
        if chance < 0.09:
            return "disconnect"
        for act, likelihood in (("split", 0.8), ("surrender", 0.12), ("double", 0.2)):
            if act in question.legal and self._rng.random() < likelihood:
                return act
        if self._rng.random() < 0.1:
            return self._rng.choice(["hit", "stand"])
        return "hit" if question.total < 17 else "stand"

    def _write_illegal(self, question: Question, hand: int | None) -> None:
        illegal = [act for act in _ILLEGAL if act not in question.legal]
        if self._insurance_offered:
            illegal.remove("insurance")
        if illegal:
            self._write(question.seat, question.player, self._rng.choice(illegal), hand, rejected=True)

    def _write(self, seat: int, player: str, act: str, hand: int | None, *, rejected: bool = False) -> Action:
        raw: Script = {"seat": seat, "act": act}
        if hand is not None:
            raw["hand"] = hand
        owner = next(entry["player"] for entry in self._script["seats"] if entry["seat"] == seat)
        if player != owner:
            raw["by"] = player
        if rejected:
            raw["expect"] = "rejected"
        self._script["actions"].append(raw)
        return Action(seat, player, act, hand, rejected, raw)
