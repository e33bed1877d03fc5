"""Readers that type their codes as a keyboard does, taken from the console so that they type into nothing else."""
