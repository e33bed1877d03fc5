"""The ports' implementations on real technology."""
