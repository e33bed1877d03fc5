"""``studio learn``: which code is which card, learnt from a deck that is passed before the reader."""
