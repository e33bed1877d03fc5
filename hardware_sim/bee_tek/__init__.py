"""A simulated Bee-Tek shoe, written from hardware.md alone."""
