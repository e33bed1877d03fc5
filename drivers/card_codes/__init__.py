"""From the text that a code reader sends to a card: shared by every driver whose device reads printed codes."""

from drivers.card_codes.book import CodeBook
from drivers.card_codes.reader import CodeReader
from drivers.card_codes.settings import CodeSettings

__all__ = ["CodeBook", "CodeReader", "CodeSettings"]
