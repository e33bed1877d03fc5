"""Bee-Tek shoes (see ``spec.md``)."""
