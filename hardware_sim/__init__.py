"""Simulated devices, independent of the drivers that open them: they share the cards' names and nothing else."""
