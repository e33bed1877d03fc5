"""The two catalogues say the same things, and no number of their own."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

import pytest
from rule_sets import EVERY_CODE, LIMITS, VARIANTS, changes, words_of

from studio.domain.rules import RuleSet
from studio.domain.setup import Limits
from studio.odds.strategy import PAIRS, UPCARDS
from studio.rule_sheet.catalogue import Catalogue, Count, Words
from studio.rule_sheet.english import ENGLISH
from studio.rule_sheet.forms import Language
from studio.rule_sheet.french import FRENCH
from studio.rule_sheet.sheet import CATALOGUES, rule_sheet

SENTENCES = {(language, key): text for language, one in CATALOGUES.items() for key, text in one.sentences.items()}


def parts(sentence: str) -> Iterator[tuple[str, str | None]]:
    """The text before each placeholder, and the placeholder's name."""
    return ((text, name) for text, name, _, _ in string.Formatter().parse(sentence))


class Noting(dict[str, str]):
    """Sentences that remember which were asked for."""

    def __init__(self, sentences: Mapping[str, str], asked: set[str]) -> None:
        super().__init__(sentences)
        self._asked = asked

    def __getitem__(self, key: str) -> str:
        self._asked.add(key)
        return super().__getitem__(key)


def test_every_language_has_a_catalogue() -> None:
    assert {language: one.language for language, one in CATALOGUES.items()} == {one: one for one in Language}


def test_both_have_the_same_sentences_in_the_same_order() -> None:
    assert list(ENGLISH.sentences) == list(FRENCH.sentences)
    assert all(text.strip() == text and text for text in SENTENCES.values())
    assert list(ENGLISH.names) == list(FRENCH.names) == list(VARIANTS)


def test_a_sentence_names_the_same_numbers_in_both_languages() -> None:
    words = {field.name for field in fields(Words)}
    english, french = (
        {key: {name for _, name in parts(text) if name} - words for key, text in one.sentences.items()}
        for one in (ENGLISH, FRENCH)
    )
    assert english == french


def test_no_number_is_typed_in_a_sentence() -> None:
    typed = {
        where: text
        for where, sentence in SENTENCES.items()
        if re.search(r"\d", text := "".join(text for text, _ in parts(sentence)).replace("SHA-256", ""))
    }
    assert typed == {}


@pytest.mark.parametrize("catalogue", [ENGLISH, FRENCH])
def test_every_sentence_is_said_somewhere(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    noting = Catalogue(
        catalogue.language,
        Noting(catalogue.sentences, asked),
        catalogue.names,
        catalogue.words,
        catalogue.usual_words,
        catalogue.typeset,
    )
    monkeypatch.setattr("studio.rule_sheet.sheet.CATALOGUES", {catalogue.language: noting})

    always = {pair: dict.fromkeys(UPCARDS, "F") for pair in PAIRS}

    def say(rules: RuleSet, limits: Limits | None) -> None:
        for odds in (EVERY_CODE, replace(EVERY_CODE, follow_split=always)):
            rule_sheet(rules, limits, catalogue.language, odds=odds)

    for rules in (*VARIANTS.values(), replace(VARIANTS["infinite"], side_bets={})):
        say(rules, None)
        for _, changed in changes(rules):
            say(changed, LIMITS)
    assert asked == set(catalogue.sentences)


@pytest.mark.parametrize(("count", "says"), [(1, "1 deck"), (2, "2 decks"), (16, "16 decks")])
def test_a_count_brings_its_noun(count: int, says: str) -> None:
    assert f"{Count(count):deck|decks}" == says
    assert f"{Count(count)}" == str(count)


@pytest.mark.parametrize(
    ("variant", "hit", "double", "split"),
    [
        ("deluxe", "Tirer", "Doubler", "Diviser"),
        ("infinite", "Tirer", "Doubler", "Diviser"),
        ("european", "Tirer", "Doubler", "Séparer"),
        ("continuous", "Jouer", "Double-mise", "Séparer"),
        ("downtown", "Tirer", "Doubler", "Diviser"),
    ],
)
def test_the_french_buttons_have_each_games_words(variant: str, hit: str, double: str, split: str) -> None:
    words = FRENCH.words_of(variant)
    assert (words.hit, words.double, words.split) == (hit, double, split)


def test_french_is_typeset_as_french() -> None:
    assert (
        FRENCH.typeset("« L'as » : 3:2 ; 99.5 %")
        == "«\xa0L\N{RIGHT SINGLE QUOTATION MARK}as\xa0»\xa0: 3:2\xa0; 99.5\xa0%"
    )
    for rules in VARIANTS.values():
        text = "\n".join(words_of(rule_sheet(rules, LIMITS, Language.FRENCH)))
        assert not any(wrong in text for wrong in ("'", " :", " ;", "« ", " »"))
