"""The simulated side of smartshoe/1, written from hardware.md alone."""
