"""Which card is this: outline, upright card, reading. Pure functions on arrays (vision.md, parts 4, 5 and 7)."""
