"""A simulated Angel Eye shoe, written from hardware.md alone."""
